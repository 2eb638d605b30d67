"""The language of a request, how large it may be, who may keep the answer, and 404."""

from collections.abc import Callable
from contextlib import suppress

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.translation.trans_real import (
    get_supported_language_variant,
    parse_accept_lang_header,
)
from django.views.defaults import bad_request

from tournaments.models import Session, Sitting, Tournament
from tournaments.queries.events import NotThere
from tournaments.web import body_sizes, json_responses, phone_cookie


class LanguageMiddleware:
    """Answer in the language of the reader's cookie, else in Japanese.

    Unlike Django's LocaleMiddleware it does not look at what the browser says: a borrowed phone set
    to English should not change the words at a Japanese card table. `set_language` sets the cookie.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        language = language_of(request)
        request.LANGUAGE_CODE = language
        with translation.override(language):
            response = self.get_response(request)
        response.headers.setdefault("Content-Language", language)
        varies = ["Cookie", "Accept-Language"] if json_responses.is_one(request) else ["Cookie"]
        patch_vary_headers(response, varies)
        return response


def language_of(request: HttpRequest) -> str:
    """Return the language of the answer. Programs say what they read; without a word, English."""
    asked_for = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, "")
    if asked_for in dict(settings.LANGUAGES):
        return asked_for
    if not json_responses.is_one(request):
        return settings.LANGUAGE_CODE
    for language, _weight in parse_accept_lang_header(request.headers.get("Accept-Language", "")):
        with suppress(LookupError):
            return get_supported_language_variant(language)
    return "en"


def length_of(request: HttpRequest) -> int:
    """Return how many bytes are sent, by what the request says.

    Raises `ValueError`, also where it comes in chunks and says no length: nothing of it is read.
    """
    if "HTTP_TRANSFER_ENCODING" in request.META:
        raise ValueError("There is no Content-Length.")
    said = request.META.get("CONTENT_LENGTH") or "0"
    if not (said.isascii() and said.isdigit()):
        raise ValueError("Content-Length is no number.")
    return int(said[:12])  # a terabyte is too much already, and so is whatever is longer


class BodySizeMiddleware:
    """Answer 413 to a body larger than its address takes, before a byte of it is read.

    More than the usual is taken only of those who have logged in or show a token: the API looks at
    a token before it reads.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        try:
            length_of(request)
        except ValueError as error:
            return self.not_understood(request, error)
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_view: object) -> HttpResponse | None:
        """Compare the length with what the address takes, and of whom."""
        length, match = length_of(request), request.resolver_match
        most = body_sizes.most(match.url_name if match else None)
        if not request.META.get("CONTENT_TYPE", "").startswith("multipart/"):
            most = min(most, settings.DATA_UPLOAD_MAX_MEMORY_SIZE)
        if length > most:
            return self.refuse(request)
        shows_token = json_responses.is_one(request) and request.headers.get("Authorization")
        if length <= body_sizes.USUAL or shows_token:
            return None
        if not request.user.is_authenticated:
            return self.log_in_first(request)
        is_a_backup = length > body_sizes.ENTRIES
        return self.refuse(request) if is_a_backup and not request.user.is_superuser else None

    @staticmethod
    def log_in_first(request: HttpRequest) -> HttpResponse:
        """Ask who it is, unread."""
        if json_responses.is_one(request):
            return json_responses.refuse("log_in", 401)
        return redirect_to_login(request.get_full_path())

    @staticmethod
    def not_understood(request: HttpRequest, error: ValueError) -> HttpResponse:
        """Say that we cannot tell where the request ends."""
        if json_responses.is_one(request):
            return json_responses.refuse("bad_length", 400)
        return bad_request(request, error)

    @staticmethod
    def refuse(request: HttpRequest) -> HttpResponse:
        """Say that it is too large."""
        if json_responses.is_one(request):
            return json_responses.refuse("too_large", 413)
        page = render_to_string(
            "storage_error.html", {"sentence": json_responses.SENTENCES["too_large"]}
        )
        return HttpResponse(page, status=413)


class PrivateMiddleware:
    """Sends the phones' cookie, and forbids caches to store private answers.

    A request with a token or a cookie of ours may be answered with what is not public: no browser
    and no cache is to store that. Files marked as public, such as scripts, stay so.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        phone_cookie.of(request).write(response)
        is_private = phone_cookie.is_shown(request) or "Authorization" in request.headers
        if is_private and "public" not in response.headers.get("Cache-Control", ""):
            response.headers["Cache-Control"] = "no-store, private"
        return response


# Removed a moment ago, by somebody else.
GONE = (NotThere, Tournament.DoesNotExist, Session.DoesNotExist, Sitting.DoesNotExist)


class NotThereMiddleware:
    """Answers 404 to who asks for what is not in an event."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    @staticmethod
    def process_exception(_request: HttpRequest, error: Exception) -> None:
        """Raise what Django answers so."""
        if isinstance(error, GONE):
            raise Http404 from error
