"""Middleware: language, epochs, limits of body sizes, caching of private responses, fonts, 404."""

from collections.abc import Callable
from contextlib import suppress

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import is_valid_path, resolve
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.translation.trans_real import (
    get_supported_language_variant,
    parse_accept_lang_header,
)
from django.views.defaults import bad_request

from tournaments.exceptions import Busy, JobEnded
from tournaments.models import Epoch, Session, Sitting, Tournament
from tournaments.printing.installed_fonts import FontsMissing
from tournaments.printing.pango import PangoMissing
from tournaments.queries.events import NotThere
from tournaments.services import epochs
from tournaments.web import (
    body_sizes,
    heavy_files,
    json_responses,
    origins,
    phone_cookie,
    storage_errors,
)
from tournaments.web.requests_in_jobs import AnsweredInJob


class LanguageMiddleware:
    """Activates the language of the reader's cookie, by default `settings.LANGUAGE_CODE`.

    Unlike Django's LocaleMiddleware it ignores Accept-Language on pages: a borrowed phone set to
    English should not change the words at a Japanese card table. `set_language` sets the cookie.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        language = language_of(request)
        request.LANGUAGE_CODE = language
        with translation.override(language):
            response = self.get_response(request)
        response.headers.setdefault("Content-Language", language)
        varies = (
            ["Cookie", "Accept-Language"] if json_responses.is_api_request(request) else ["Cookie"]
        )
        patch_vary_headers(response, varies)
        return response


def language_of(request: HttpRequest) -> str:
    """Return the language of the response: that of the cookie, if it is valid.

    Without a cookie pages are in `settings.LANGUAGE_CODE`; the API follows Accept-Language, by
    default English.
    """
    chosen = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, "")
    if chosen in dict(settings.LANGUAGES):
        return chosen
    if not json_responses.is_api_request(request):
        return settings.LANGUAGE_CODE
    for language, _weight in parse_accept_lang_header(request.headers.get("Accept-Language", "")):
        with suppress(LookupError):
            return get_supported_language_variant(language)
    return "en"


def length_of(request: HttpRequest) -> int:
    """Return the Content-Length in bytes, 0 without the header.

    Raises `ValueError` if it is no number, and for a chunked body, which has none.
    """
    if "HTTP_TRANSFER_ENCODING" in request.META:
        raise ValueError("There is no Content-Length.")
    length = request.META.get("CONTENT_LENGTH") or "0"
    if not (length.isascii() and length.isdigit()):
        raise ValueError("Content-Length is no number.")
    return int(length[:12])  # with more digits it is too large in any case


class EpochMiddleware:
    """Ends the service of a database once another one goes on, and tells clients the epoch.

    The API names the epoch in a header. After the first epoch, browsers of the staff and of phones
    keep its number in a signed cookie: what they bring to the computer that was there before tells
    it that another one goes on.
    """

    COOKIE = "epoch"
    # Pages on which the owner of a database that has ended gets what only it holds.
    STILL_SERVED = frozenset({"log-in", "log-out", "second-step", "backups", "download-backup"})

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        epoch = epochs.cached_epoch()
        if json_responses.is_api_request(request):
            response.headers["Makiyaku-Epoch"] = str(epoch.number)
        is_told = epoch.reason == Epoch.Reason.ELSEWHERE or not epoch.number
        if not is_told and phone_cookie.has_phone_or_log_in(request):
            signed = epochs.signed(epoch)
            if request.COOKIES.get(self.COOKIE) != signed:
                age = settings.SESSION_COOKIE_AGE
                response.set_cookie(self.COOKIE, signed, max_age=age, httponly=True, samesite="Lax")
        return response

    def process_view(self, request: HttpRequest, *_view: object) -> HttpResponse | None:
        """Return 503 if another database goes on; None to call the view."""
        if cookie := request.COOKIES.get(self.COOKIE):
            brought = epochs.number_in(cookie)
            if brought > epochs.cached_epoch().number:
                epochs.end(brought)
        match = request.resolver_match
        if epochs.cached_epoch().reason != Epoch.Reason.ELSEWHERE or (
            match and match.url_name in self.STILL_SERVED
        ):
            return None
        if json_responses.is_api_request(request):
            response = json_responses.refuse("elsewhere")
        else:
            response = render(
                request,
                "elsewhere.html",
                {"origin": origins.origin_elsewhere(request)},
                status=503,
            )
            response.headers["Cache-Control"] = "no-store"
        response.headers["Retry-After"] = storage_errors.SECONDS_TO_WAIT
        return response


class BodySizeMiddleware:
    """Answers 413 to a body above the limit of its URL (`web.body_sizes`), before reading it.

    Limits above `USUAL` apply only to authenticated users and requests with a token, which the API
    checks before it reads the body.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        try:
            length_of(request)
        except ValueError as error:
            return self.refuse_length(request, error)
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_view: object) -> HttpResponse | None:
        """Refuse a body above the limit of the URL, and one above `USUAL` without log-in or token.

        Bodies larger than any file of players are backups, which only the owner may upload. Return
        None to call the view.
        """
        length, match = length_of(request), request.resolver_match
        limit = body_sizes.limit_of(match.url_name if match else None)
        if not request.META.get("CONTENT_TYPE", "").startswith("multipart/"):
            limit = min(limit, settings.DATA_UPLOAD_MAX_MEMORY_SIZE)
        if length > limit:
            return self.refuse_size(request)
        has_token = json_responses.is_api_request(request) and request.headers.get("Authorization")
        if length <= body_sizes.USUAL or has_token:
            return None
        if not request.user.is_authenticated:
            return self.require_log_in(request)
        is_backup = length > body_sizes.ENTRIES
        return self.refuse_size(request) if is_backup and not request.user.is_superuser else None

    @staticmethod
    def require_log_in(request: HttpRequest) -> HttpResponse:
        """Return 401 for the API, else a redirect to the log-in; the body is not read."""
        if json_responses.is_api_request(request):
            return json_responses.refuse("log_in")
        return redirect_to_login(request.get_full_path())

    @staticmethod
    def refuse_length(request: HttpRequest, error: ValueError) -> HttpResponse:
        """Return 400: the Content-Length is missing or invalid."""
        if json_responses.is_api_request(request):
            return json_responses.refuse("bad_length")
        return bad_request(request, error)

    @staticmethod
    def refuse_size(request: HttpRequest) -> HttpResponse:
        """Return 413: the body is too large."""
        if json_responses.is_api_request(request):
            return json_responses.refuse("too_large")
        page = render_to_string(
            "storage_error.html", {"sentence": json_responses.REFUSALS["too_large"][1]}
        )
        return HttpResponse(page, status=413)


class PrivateMiddleware:
    """Sets the phone cookie, and forbids caches to store private responses.

    The response to a request with a token, a log-in or a phone may be private, unless the view has
    marked it as public, or for the browser alone to store, such as the page of a phone. Responses
    without Cache-Control get `no-cache`, as some caches would otherwise store them for minutes.
    """

    STORED_BY_THE_BROWSER = "private, max-age=0"

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        phone_cookie.cookie_of(request).write(response)
        is_private = phone_cookie.has_phone_or_log_in(request) or "Authorization" in request.headers
        declared = response.headers.get("Cache-Control", "")
        if declared.startswith(self.STORED_BY_THE_BROWSER) or "immutable" in declared:
            response.headers["Vary"] = "Accept-Encoding"  # shown again when a cookie has changed
        elif is_private and "public" not in declared:
            response.headers["Cache-Control"] = "no-store, private"
        response.headers.setdefault("Cache-Control", "no-cache")
        return response


# Raised when an object is missing, such as one that was removed during the request.
MISSING = (NotThere, Tournament.DoesNotExist, Session.DoesNotExist, Sitting.DoesNotExist)


def page_to_print(path: str) -> str:
    """Return the path of the page that shows what the PDF at a path prints, or is nearest to it."""
    page = f"{path.removesuffix('.pdf')}/"
    while not is_valid_path(page) or resolve(page).url_name == "reseat-session":
        page = f"{page.rstrip('/').rpartition('/')[0]}/"
    return page


class NotMadeMiddleware:
    """Answers 503 where a file or a draw cannot be made, on a page that says what to do."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    @staticmethod
    def process_exception(request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Return the response if nothing can be made now; None for other exceptions.

        That to `AnsweredInJob` is the answer it brings.
        """
        if isinstance(error, AnsweredInJob):
            return error.response
        if isinstance(error, FontsMissing):
            response = render(request, "fonts_missing.html", status=503)
        elif isinstance(error, PangoMissing):
            context = {"library": error.library, "page": page_to_print(request.path)}
            response = render(request, "pango_missing.html", context, status=503)
        elif isinstance(error, (Busy, JobEnded)):
            sentence = str(error) if isinstance(error, JobEnded) else ""
            response = render(request, "busy.html", {"sentence": sentence}, status=503)
            response.headers["Retry-After"] = heavy_files.SECONDS_TO_WAIT
        else:
            return None
        response.headers["Cache-Control"] = "no-store"
        return response


class NotThereMiddleware:
    """Turns exceptions for missing objects into 404."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    @staticmethod
    def process_exception(_request: HttpRequest, error: Exception) -> None:
        if isinstance(error, MISSING):
            raise Http404 from error
