"""The desk on https, on a separate port that `serve --https` opens; phones stay on http.

Cookies are shared between ports, so those set over https are marked secure. QR codes have the http
address; `AT_DESK` tells that a browser is logged in over https, and should read them there.
"""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.request import split_domain_port
from django.urls import Resolver404, resolve, reverse

from tournaments.web import json_responses, peers

AT_DESK = "desk"  # a cookie that says nothing but this; it gives no access
SCANNED_BY_STAFF = {"name-card", "enter-sheet", "hand-over"}  # the URLs in QR codes for the staff


class DeskHttpsMiddleware:
    """Marks cookies set over https as secure; redirects log-ins from other machines to https."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not settings.DESK_HTTPS_PORT:
            return self.get_response(request)
        if not request.is_secure():
            return self.answer_over_http(request)
        response = self.get_response(request)
        for cookie in response.cookies.values():
            cookie["secure"] = True
        remember_desk(request, response)
        return response

    def answer_over_http(self, request: HttpRequest) -> HttpResponse:
        """Return a redirect to https for the log-in page, except on the server's own machine.

        So do the pages of QR codes for the staff, in a browser that is logged in over https. A
        token is refused, as its password was sent already. Other pages get the view's response.
        """
        if not peers.is_from_this_machine(request):
            if request.path_info == reverse("log-in") or was_scanned_at_desk(request):
                return HttpResponseRedirect(desk_url(request, request.get_full_path()))
            if request.path_info == reverse("api-token") and request.method == "POST":
                return json_responses.refuse("needs_https")
        return self.get_response(request)


def remember_desk(request: HttpRequest, response: HttpResponse) -> None:
    """Set `AT_DESK` when the staff logs in and delete it on log-out; http requests have it, too."""
    session = response.cookies.get(settings.SESSION_COOKIE_NAME)
    if session is None:
        return
    if session.value and request.user.is_authenticated:
        age = settings.SESSION_COOKIE_AGE
        response.set_cookie(AT_DESK, "1", max_age=age, httponly=True, samesite="Lax")
    else:
        response.delete_cookie(AT_DESK, samesite="Lax")


def was_scanned_at_desk(request: HttpRequest) -> bool:
    """Return whether a browser with `AT_DESK` requests the page of a QR code for the staff."""
    if request.method != "GET" or not request.COOKIES.get(AT_DESK):
        return False
    try:
        return resolve(request.path_info).url_name in SCANNED_BY_STAFF
    except Resolver404:
        return False


def desk_url(request: HttpRequest, path: str) -> str:
    """Return the https URL of a path at the desk's port of this host."""
    return f"https://{split_domain_port(request.get_host())[0]}:{settings.DESK_HTTPS_PORT}{path}"


def phones_origin(request: HttpRequest) -> str:
    """Return the origin (scheme, host, port) of this host for phones.

    It is the origin of the request, except for a request to the desk's https port: phones use http
    on another port.
    """
    host = request.get_host()
    if settings.DESK_HTTPS_PORT and request.is_secure():
        return f"http://{split_domain_port(host)[0]}:{settings.PHONES_PORT}"
    return f"{request.scheme}://{host}"
