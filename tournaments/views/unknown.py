"""What is answered at an address that is nothing: a page to people, a refusal to programs."""

from django.http import HttpRequest, HttpResponse
from django.views.defaults import page_not_found

from tournaments.web import json_responses


def handler404(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 404."""
    if json_responses.is_one(request):
        return json_responses.refuse("not_found", 404)
    return page_not_found(request, exception)
