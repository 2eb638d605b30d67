"""Pages that are alike for all spectators, readers without a log-in or a phone.

The pages are cached for a moment, compressed, and have an ETag, since a hall of spectators requests
the same page many times a second. An HTTP cache before the server may store them, too:
`docs/scaling.md`.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable
from functools import wraps

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers, set_response_etag
from django.views.decorators.cache import cache_page
from django.views.decorators.http import conditional_page

from tournaments.web.compression import accepts_gzip
from tournaments.web.phone_cookie import has_phone_or_log_in

MESSAGES_COOKIE = "messages"  # of Django's messages for readers without a session
HTTP_CACHES = "public, max-age=0, s-maxage=1, stale-while-revalidate=0"

View = Callable[..., HttpResponse]


def is_spectator_request(request: HttpRequest) -> bool:
    """Return whether a request has no cookie or header that could change the page.

    Such are the cookies of a log-in, of phones and of Django's messages, and `Authorization`.
    Whether they are valid is not checked.
    """
    return not (
        has_phone_or_log_in(request)
        or MESSAGES_COOKIE in request.COOKIES
        or "Authorization" in request.headers
    )


def cached_for_spectators(view: View) -> View:
    """Decorate a page to be cached for all spectators, for `PUBLIC_CACHE_SECONDS`.

    The cache key is the URL with its query, and the language. The response has an ETag, and is 304
    if the spectator has the page. It is compressed once for all readers whose browser accepts gzip.
    Put this decorator below `requires`, so that the level is checked for each request. The page
    must have no CSRF token.
    """

    @wraps(view)
    def answer(request: HttpRequest, *args: object, **named: object) -> HttpResponse:
        if not is_spectator_request(request):
            return view(request, *args, **named)
        shared_view = compressing(view)
        if settings.PUBLIC_CACHE_SECONDS:
            shared_view = cache_page(settings.PUBLIC_CACHE_SECONDS)(shared_view)
        response = conditional_page(shared_view)(request, *args, **named)
        if response.status_code in {200, 304}:
            allow_shared_caching(response)
        if not accepts_gzip(request):
            decompress(response)
        return response

    return answer


def compressing(view: View) -> View:
    """Decorate a page to be compressed for everybody.

    Its ETag is weak, as it is that of the page without compression, too.
    """

    @wraps(view)
    def answer(request: HttpRequest, *args: object, **named: object) -> HttpResponse:
        response = view(request, *args, **named)
        if response.status_code == 200:
            set_response_etag(response)
            response.headers["ETag"] = f"W/{response.headers['ETag']}"
            response.headers["Content-Encoding"] = "gzip"
            response.content = gzip.compress(response.content, mtime=0)
        return response

    return answer


def decompress(response: HttpResponse) -> None:
    """Replace the content of a response by what it was before `compressing`."""
    if response.headers.pop("Content-Encoding", ""):
        response.content = gzip.decompress(response.content)


def allow_shared_caching(response: HttpResponse) -> None:
    """Let shared HTTP caches store a page for a second; browsers must revalidate it each time.

    A copy in the browser, or a stale copy that a cache serves while it fetches the page (some do so
    for ten seconds by default), would be older than the three seconds promised to spectators.
    """
    response.headers["Cache-Control"] = HTTP_CACHES
    patch_vary_headers(response, ["Accept-Encoding"])
    for header_of_our_cache in ("Expires", "Age"):
        response.headers.pop(header_of_our_cache, None)
