"""Pages that readers without a log-in or a phone get alike: kept for a moment, and answered 304.

A hall of spectators asks for the same page many times a second.
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

View = Callable[..., HttpResponse]


def kept_for_the_public(view: View) -> View:
    """Decorate a page: readers whom nothing tells apart share it for `PUBLIC_CACHE_SECONDS`.

    It is kept by address, query and language. Put it below `requires`, so that what a reader may
    see is checked each time. The page must have no CSRF token.
    """

    @wraps(view)
    def answer(request: HttpRequest, *args: object, **named: object) -> HttpResponse:
        """Call the view, unless a page made for somebody else will do."""
        if has_phone_or_log_in(request) or MESSAGES_COOKIE in request.COOKIES:
            return view(request, *args, **named)
        kept = cache_page(settings.PUBLIC_CACHE_SECONDS)(view)
        shared_view = conditional_page(kept if settings.PUBLIC_CACHE_SECONDS else view)
        return shared_view(request, *args, **named)

    return answer
