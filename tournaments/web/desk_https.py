"""What differs for the desk, which `serve --https` lets in on a port of its own.

Cookies know no ports: those set over https are marked so that no browser sends them over http,
where the phones are.
"""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.request import split_domain_port
from django.urls import reverse

from tournaments.web import peers


class DeskHttpsMiddleware:
    """Keeps what is said over https there, and leads log-ins from other machines to it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not settings.DESK_HTTPS_PORT:
            return self.get_response(request)
        if not request.is_secure():
            return self.over_http(request)
        response = self.get_response(request)
        for cookie in response.cookies.values():
            cookie["secure"] = True
        return response

    def over_http(self, request: HttpRequest) -> HttpResponse:
        """Answer, but redirect log-ins from other machines to https."""
        if request.path_info == reverse("log-in") and not peers.is_this_machine(request):
            return HttpResponseRedirect(desk_url(request, request.get_full_path()))
        return self.get_response(request)


def desk_url(request: HttpRequest, path: str) -> str:
    """Return the https address of a page on this host."""
    return f"https://{split_domain_port(request.get_host())[0]}:{settings.DESK_HTTPS_PORT}{path}"


def phones_origin(request: HttpRequest) -> str:
    """Return under which address this host serves phones: never https with our own certificate."""
    host = request.get_host()
    if settings.DESK_HTTPS_PORT and request.is_secure():
        return f"http://{split_domain_port(host)[0]}:{settings.PHONES_PORT}"
    return f"{request.scheme}://{host}"
