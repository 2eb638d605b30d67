"""Pages that readers without a log-in or a phone get alike: kept for a moment, and answered 304.

A hall of spectators asks for the same page many times a second. An HTTP cache before the server
may keep these pages, too: see `docs/scaling.md`.
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


def is_of_a_spectator(request: HttpRequest) -> bool:
    """Return whether a request has no log-in, phone, token or message, valid or not."""
    return not (
        has_phone_or_log_in(request)
        or MESSAGES_COOKIE in request.COOKIES
        or "Authorization" in request.headers
    )


def kept_for_the_public(view: View) -> View:
    """Decorate a page: readers whom nothing tells apart share it for `PUBLIC_CACHE_SECONDS`.

    It is kept by address, query and language. Put it below `requires`, so that what a reader may
    see is checked each time. The page must have no CSRF token.
    """

    @wraps(view)
    def answer(request: HttpRequest, *args: object, **named: object) -> HttpResponse:
        """Call the view, unless a page made for somebody else will do."""
        if not is_of_a_spectator(request):
            return view(request, *args, **named)
        kept = cache_page(settings.PUBLIC_CACHE_SECONDS)(view)
        shared_view = conditional_page(kept if settings.PUBLIC_CACHE_SECONDS else view)
        response = shared_view(request, *args, **named)
        if response.status_code in {200, 304}:
            let_http_caches_keep(response)
        return response

    return answer


def let_http_caches_keep(response: HttpResponse) -> None:
    """Let shared caches keep a page for a second, and browsers ask each time.

    A browser's own copy, or one served while a newer one is fetched (some do so for ten seconds
    unless told not to), would make what spectators see older than the three seconds promised.
    """
    response.headers["Cache-Control"] = HTTP_CACHES
    for about_the_page_kept_here in ("Expires", "Age"):
        response.headers.pop(about_the_page_kept_here, None)
