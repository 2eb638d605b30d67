"""Error handlers of the URLconf."""

from urllib.parse import quote

from django.db import Error
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from tournaments.web import json_responses


def handler404(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return the response 404: JSON below `/api/`, else a page."""
    if json_responses.is_api_request(request):
        return json_responses.refuse("not_found")
    context = {"request_path": quote(request.path), "is_logged_in": _is_logged_in(request)}
    return render(request, "404.html", context, status=404)


def _is_logged_in(request: HttpRequest) -> bool:
    """Return whether the reader is logged in; False if the database cannot say so."""
    try:
        return request.user.is_authenticated
    except (AttributeError, Error):  # a middleware before that of log-ins raised 404
        return False
