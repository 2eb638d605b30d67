"""Request data and facts: one form per kind of game, and those for people and places."""

from typing import Any

from django.forms import Field
from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext_lazy as _

# Said of whatever has to be filled in, unless a field says something better. Django's own sentence
# calls it a "field", which nobody filling in a form does.
NOTHING: dict[str, Any] = {"required": _("Fill this in.")}
Field.default_error_messages = Field.default_error_messages | NOTHING
NO_FILE: dict[str, Any] = {"required": _("Choose a file.")}


def posted(request: HttpRequest) -> QueryDict | None:
    """Return what a form is filled in with: what was sent, if anything was."""
    return request.POST if request.method == "POST" else None
