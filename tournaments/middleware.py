"""The language of a request, how large it may be, who may keep the answer, and 404."""

from collections.abc import Callable
from contextlib import suppress

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.translation.trans_real import (
    get_supported_language_variant,
    parse_accept_lang_header,
)
from django.views.defaults import bad_request

from tournaments import archives
from tournaments.edge import phone_cookie, programs
from tournaments.files import entry_files
from tournaments.models import Session, Sitting, Tournament
from tournaments.results.events import NotThere

LARGEST_FORM = entry_files.LARGEST + 100_000  # a file, and the form around it
LARGEST_ARCHIVE = archives.LARGEST + 100_000
LARGEST_BACKUP = 10**10
ARCHIVES = {"/tournaments/new/archive/", "/api/tournaments/archive"}
BACKUPS = "/backups/"


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
        varies = ["Cookie", "Accept-Language"] if programs.is_one(request) else ["Cookie"]
        patch_vary_headers(response, varies)
        return response


def language_of(request: HttpRequest) -> str:
    """Return the language of the answer. Programs say what they read; without a word, English."""
    asked_for = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, "")
    if asked_for in dict(settings.LANGUAGES):
        return asked_for
    if not programs.is_one(request):
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
    """Answer 413 to what is larger than anything we are sent, before a byte of it is read."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        try:
            length = length_of(request)
        except ValueError as error:
            return self.not_understood(request, error)
        is_form = request.META.get("CONTENT_TYPE", "").startswith("multipart/")
        most = LARGEST_FORM if is_form else settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        if is_form and request.path_info.startswith(BACKUPS):
            most = LARGEST_BACKUP
        if is_form and request.path_info in ARCHIVES:
            most = LARGEST_ARCHIVE
        return self.get_response(request) if length <= most else self.refuse(request)

    def process_view(self, request: HttpRequest, *_view: object) -> HttpResponse | None:
        """Let nobody but the owner send as much as a backup: who asks is known only now."""
        is_archive = request.path_info in ARCHIVES
        most = LARGEST_ARCHIVE if is_archive else LARGEST_FORM
        if length_of(request) <= most:
            return None
        is_owner = request.user.is_authenticated and request.user.is_superuser
        return None if is_owner else self.refuse(request)

    @staticmethod
    def not_understood(request: HttpRequest, error: ValueError) -> HttpResponse:
        """Say that we cannot tell where the request ends."""
        if programs.is_one(request):
            return programs.refuse("bad_length", 400)
        return bad_request(request, error)

    @staticmethod
    def refuse(request: HttpRequest) -> HttpResponse:
        """Say that it is too large."""
        if programs.is_one(request):
            return programs.refuse("too_large", 413)
        page = render_to_string("storage_error.html", {"sentence": programs.SENTENCES["too_large"]})
        return HttpResponse(page, status=413)


class PrivateMiddleware:
    """Sends the phones' cookie, and lets nobody keep what is shown to more than anybody.

    Whose request brings a token or a cookie of ours may be shown what is not public: no browser and
    no cache is to store it. Files that say that they are public, such as scripts, stay so.
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
