"""The signed cookie with the secrets of a browser's phones. The database stores only digests.

It is separate from Django's session, which belongs to a log-in and ends with it.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse

NAME = settings.PHONES_COOKIE_NAME
SALT = "tournaments.phones"
MAX_SECRETS = 40  # the newest: a browser takes no cookie of more than 4 kB


class PhoneCookie:
    """The content of the cookie.

    - `secrets`: the secrets of the browser's phones, by the primary key of the sitting as text
    - `pending`: digests of the links that the browser has opened, by the same keys; the browser is
      admitted as a phone of these sittings when it sends the cookie back
    - `failure`: the database error that prevented an admission during this request, or None
    """

    def __init__(self, request: HttpRequest) -> None:
        """Read the cookie; a missing one, or one with a wrong signature, is empty."""
        try:
            content: dict[str, Any] = signing.loads(request.COOKIES.get(NAME, ""), salt=SALT)
        except signing.BadSignature:
            content = {}
        self.secrets: dict[str, str] = content.get("secrets", {})
        self.pending: dict[str, str] = content.get("coming", {})
        self.failure: Exception | None = None
        self._is_changed = False

    def store_secret(self, sitting_pk: int, secret: str, *, link_digest: str = "") -> None:
        """Store the secret of a phone at a sitting, and drop the oldest above `MAX_SECRETS`.

        With `link_digest` the phone is pending: it is admitted when the cookie comes back.
        """
        key = str(sitting_pk)
        self.secrets.pop(key, None)
        self.secrets = dict([*self.secrets.items(), (key, secret)][-MAX_SECRETS:])
        if link_digest:
            self.pending[key] = link_digest
        self._is_changed = True

    def clear_pending(self) -> None:
        self.pending = {}
        self._is_changed = True

    def write(self, response: HttpResponse) -> None:
        """Does nothing if the cookie has not changed."""
        if self._is_changed:
            response.set_cookie(
                NAME,
                # "coming" is the key in the cookies that browsers have.
                signing.dumps({"secrets": self.secrets, "coming": self.pending}, salt=SALT),
                max_age=settings.SESSION_COOKIE_AGE,
                secure=settings.SESSION_COOKIE_SECURE,
                httponly=True,
                samesite="Lax",
            )


def cookie_of(request: HttpRequest) -> PhoneCookie:
    """The cookie is cached on the request."""
    cookie: PhoneCookie | None = request.__dict__.get("phone_cookie")
    if cookie is None:
        cookie = request.__dict__["phone_cookie"] = PhoneCookie(request)
    return cookie


def has_phone_or_log_in(request: HttpRequest) -> bool:
    """Return whether a request has the phone cookie or Django's session cookie, valid or not."""
    return not request.COOKIES.keys().isdisjoint({NAME, settings.SESSION_COOKIE_NAME})
