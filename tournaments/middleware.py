"""The language of a request."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.cache import patch_vary_headers


class LanguageMiddleware:
    """Answer in the language of the reader's cookie, else in Japanese.

    Unlike Django's LocaleMiddleware it does not look at what the browser says: a borrowed phone set
    to English should not change the words at a Japanese card table. `set_language` sets the cookie.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        asked_for = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, "")
        language = asked_for if asked_for in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE
        request.LANGUAGE_CODE = language
        with translation.override(language):
            response = self.get_response(request)
        response.headers.setdefault("Content-Language", language)
        patch_vary_headers(response, ["Cookie"])
        return response
