"""The cookie in which a browser keeps the secrets of its phones. They are stored nowhere else.

It is signed, so that only this server writes one; whoever has read the database has no secret. It
is apart from the session, which belongs to a log-in and ends with it.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse

NAME = "phones"
SALT = "tournaments.phones"
MOST_KEPT = 40  # the newest: a browser takes no cookie of more than 4 kB


class PhoneCookie:
    """What one browser keeps, by the primary key of a table as text.

    `secrets` are those by which its phones are known, `coming` the digests of the links that it has
    opened and by which it is let in when it comes back. `failure` is why it could not be let in by
    this request: the database was busy or away.
    """

    def __init__(self, request: HttpRequest) -> None:
        """Read the cookie; one that was not written here is as none."""
        try:
            kept: dict[str, Any] = signing.loads(request.COOKIES.get(NAME, ""), salt=SALT)
        except signing.BadSignature:
            kept = {}
        self.secrets: dict[str, str] = kept.get("secrets", {})
        self.coming: dict[str, str] = kept.get("coming", {})
        self.failure: Exception | None = None
        self._is_changed = False

    def keep(self, table: int, secret: str, link: str = "") -> None:
        """Keep a phone's secret; where it is let in later, with the digest of its link."""
        key = str(table)
        self.secrets.pop(key, None)
        self.secrets = dict([*self.secrets.items(), (key, secret)][-MOST_KEPT:])
        if link:
            self.coming[key] = link
        self._is_changed = True

    def has_come(self) -> None:
        """Forget whom to let in: all of them have been."""
        self.coming = {}
        self._is_changed = True

    def write(self, response: HttpResponse) -> None:
        """Send it to the browser, if it has changed."""
        if self._is_changed:
            response.set_cookie(
                NAME,
                signing.dumps({"secrets": self.secrets, "coming": self.coming}, salt=SALT),
                max_age=settings.SESSION_COOKIE_AGE,
                secure=settings.SESSION_COOKIE_SECURE,
                httponly=True,
                samesite="Lax",
            )


def of(request: HttpRequest) -> PhoneCookie:
    """Return what the browser of this request keeps, read once a request."""
    cookie: PhoneCookie | None = request.__dict__.get("phone_cookie")
    if cookie is None:
        cookie = request.__dict__["phone_cookie"] = PhoneCookie(request)
    return cookie


def is_shown(request: HttpRequest) -> bool:
    """Return whether a request brings the cookie of a phone or of a log-in."""
    return not request.COOKIES.keys().isdisjoint({NAME, settings.SESSION_COOKIE_NAME})
