"""Which responses are compressed: texts without a secret.

Whoever can make a browser request a page with words of his choice, and sees the length of the
compressed page, can guess a secret in it letter by letter (BREACH). So pages for staff and pages
with a CSRF token are not compressed. The page of a phone is (`views/phone_page.py`): Django masks
the token anew each time, and adds bytes of random length. WhiteNoise keeps static files compressed.
"""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware, re_accepts_gzip

TEXTS = ("text/", "application/json", "image/svg+xml")  # beginnings of content types


def accepts_gzip(request: HttpRequest) -> bool:
    return re_accepts_gzip.search(request.headers.get("Accept-Encoding", "")) is not None


class CompressionMiddleware(GZipMiddleware):
    """Compresses texts without a secret that are not compressed yet."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Compress the content, or return the response as it is."""
        if not may_compress(request, response):
            return response
        return super().process_response(request, response)


def may_compress(request: HttpRequest, response: HttpResponseBase) -> bool:
    """Return whether a response is a text for somebody without a log-in, and has no CSRF token.

    Django sets the token's cookie whenever a page has used the token. Responses with an ETag are
    not compressed here: it is the version of a round, which `If-Match` compares.
    """
    return (
        isinstance(response, HttpResponse)
        and response.headers.get("Content-Type", "").startswith(TEXTS)
        and "ETag" not in response.headers
        and settings.SESSION_COOKIE_NAME not in request.COOKIES
        and settings.CSRF_COOKIE_NAME not in response.cookies
    )
