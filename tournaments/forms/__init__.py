"""Request data and facts: one form per kind of game, and those for people and places."""

from django.http import HttpRequest, QueryDict


def posted(request: HttpRequest) -> QueryDict | None:
    """Return what a form is filled in with: what was sent, if anything was."""
    return request.POST if request.method == "POST" else None
