"""Pages that are alike for all spectators, readers without a log-in or a phone.

The pages are cached for a moment and have an ETag, since a hall of spectators requests the same
page many times a second. An HTTP cache before the server may store them, too: `docs/scaling.md`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import cache_page
from django.views.decorators.http import conditional_page

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
    if the spectator has the page. Put this decorator below `requires`, so that the level is checked
    for each request. The page must have no CSRF token.
    """

    @wraps(view)
    def answer(request: HttpRequest, *args: object, **named: object) -> HttpResponse:
        if not is_spectator_request(request):
            return view(request, *args, **named)
        cached_view = cache_page(settings.PUBLIC_CACHE_SECONDS)(view)
        shared_view = conditional_page(cached_view if settings.PUBLIC_CACHE_SECONDS else view)
        response = shared_view(request, *args, **named)
        if response.status_code in {200, 304}:
            allow_shared_caching(response)
        return response

    return answer


def allow_shared_caching(response: HttpResponse) -> None:
    """Let shared HTTP caches store a page for a second; browsers must revalidate it each time.

    A copy in the browser, or a stale copy that a cache serves while it fetches the page (some do so
    for ten seconds by default), would be older than the three seconds promised to spectators.
    """
    response.headers["Cache-Control"] = HTTP_CACHES
    for header_of_our_cache in ("Expires", "Age"):
        response.headers.pop(header_of_our_cache, None)
