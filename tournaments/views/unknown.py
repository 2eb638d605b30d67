"""What is answered at an address that is nothing: a page to people, a refusal to programs."""

from django.http import HttpRequest, HttpResponse
from django.views.defaults import page_not_found

from tournaments.edge import programs


def handler404(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 404."""
    if programs.is_one(request):
        return programs.refuse("not_found", 404)
    return page_not_found(request, exception)
