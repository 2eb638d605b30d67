"""Who guesses by a request, as `services.guesses` tells one guesser from another."""

from __future__ import annotations

import secrets

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from tournaments.services import guesses
from tournaments.services.guesses import Guesser
from tournaments.web import peers

COOKIE = "browser"


def guesser_of(request: HttpRequest) -> Guesser:
    """Return who guesses by this request."""
    browser = request.COOKIES.get(COOKIE, "")
    return Guesser(peers.peer_of(request), browser, peers.is_this_machine(request))


def remember_browser(request: HttpRequest, response: HttpResponse, username: str) -> None:
    """Let the browser of somebody who has logged in be known again, also behind a shared address.

    It keeps a random secret for this alone, which opens nothing.
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
