"""Identifies who guesses a password or PIN, for the limits of `services.guesses`."""

from __future__ import annotations

import secrets

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from tournaments.services import guesses
from tournaments.services.guesses import Guesser
from tournaments.web import peers

COOKIE = "browser"


def guesser_of(request: HttpRequest) -> Guesser:
    """Return who guesses: the network address and the browser, as far as they are known."""
    return Guesser(
        address=peers.peer_of(request),
        browser=request.COOKIES.get(COOKIE, ""),
        is_server=peers.is_from_this_machine(request),
    )


def remember_browser(request: HttpRequest, response: HttpResponse, username: str) -> None:
    """Set a cookie that exempts this account's browser from the guess limit of a shared address.

    The cookie is a random secret that authenticates nothing. A browser that already has the cookie
    keeps its secret, which is then also stored for this account.
    """
    secret = request.COOKIES.get(COOKIE) or secrets.token_urlsafe(16)
    guesses.remember_browser(username, secret)
    response.set_cookie(
        COOKIE,
        secret,
        max_age=guesses.KNOWN_FOR,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
