"""Error handlers of the URLconf."""

from django.http import HttpRequest, HttpResponse
from django.views.defaults import page_not_found

from tournaments.web import json_responses


def handler404(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return the response 404: JSON below `/api/`, else a page."""
    if json_responses.is_api_request(request):
        return json_responses.refuse("not_found")
    return page_not_found(request, exception)
