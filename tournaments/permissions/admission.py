"""How a browser becomes a phone of a table: the only part of permissions that writes.

A table's link only sets a cookie and redirects (`admit_with_next_request`). `AdmissionMiddleware`
admits the phone when the cookie comes back, before the view runs. Messengers that fetch a link for
a preview do not send it back, and so are not admitted.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from django.db import Error
from django.http import HttpRequest, HttpResponse

from tournaments.models import Sitting
from tournaments.models.tokens import digest
from tournaments.permissions import rights
from tournaments.services import phones
from tournaments.web import json_responses, phone_cookie


class AdmissionMiddleware:
    """Admits a browser as a phone of the tables whose links it has opened.

    If the database fails, the request goes on, and a later one admits the phone: only views that
    ask for the phone (`rights`) answer 503.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    @staticmethod
    def process_view(request: HttpRequest, *_view: object) -> None:
        """Admit the phone, except for API requests with a token, which ignore cookies.

        A database error is kept as `failure` of the cookie, for `rights` to raise.
        """
        if phone_cookie.NAME not in request.COOKIES:
            return
        if (
            json_responses.is_api_request(request)
            and request.headers.get("Authorization", "").strip()
        ):
            return
        cookie = phone_cookie.cookie_of(request)
        if cookie.pending:
            try:
                _admit_pending(request, cookie)
            except Error as error:
                cookie.failure = error


def _admit_pending(request: HttpRequest, cookie: phone_cookie.PhoneCookie) -> None:
    """Admit this browser at the tables whose links it has opened, if the links are still the same.

    `cookie.pending` has their digests, by the sitting's primary key.
    """
    sittings = Sitting.objects.select_related("session__tournament").filter(pk__in=cookie.pending)
    for sitting in sittings:
        key = str(sitting.pk)
        if digest(sitting.token) == cookie.pending[key] and key in cookie.secrets:
            with suppress(phones.NoSuchLink):  # closed meanwhile
                phones.admit_phone(sitting, cookie.secrets[key])
    cookie.clear_pending()  # last, so that a failure is retried
    _change_log_in_key(request)


def admit_with_next_request(request: HttpRequest, sitting: Sitting) -> None:
    """Set the cookie by which this browser is admitted to a table with its next request."""
    phone_cookie.cookie_of(request).keep(
        sitting.pk, phones.new_secret(), link_digest=digest(sitting.token)
    )
    rights.clear_cached_rights(request)


def ensure_admitted(request: HttpRequest, sitting: Sitting) -> None:
    """Admit this browser as a phone of a table, unless it has an active phone there."""
    if rights.phone_at(request, sitting) is None:
        remember_phone(request, phones.admit_phone(sitting))


def remember_phone(request: HttpRequest, joined: phones.Joined) -> None:
    """Store a phone's secret in this browser's cookie."""
    phone_cookie.cookie_of(request).keep(joined.phone.sitting_id, joined.secret)
    _change_log_in_key(request)
    rights.clear_cached_rights(request)


def _change_log_in_key(request: HttpRequest) -> None:
    """Change the key of Django's log-in session, if there is one, against session fixation."""
    if request.session.session_key is not None:
        request.session.cycle_key()
