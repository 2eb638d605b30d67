"""How a browser becomes a phone of a table: the only part of permissions that writes.

A table's link only sets a cookie and redirects (`set_admission_cookie`). `AdmissionMiddleware`
admits the phone when the cookie comes back, before the view runs. A messenger that fetches a link
for a preview does not send the cookie back, so it is not admitted.
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

    If the database fails, the request goes on without a phone, and a later request admits the
    phone: only views that look up the phone (`rights`) answer 503.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    @staticmethod
    def process_view(request: HttpRequest, *_view: object) -> None:
        """Admit the phone, except for API requests with a token, which ignore cookies.

        A database error is stored as `failure` of the cookie; `rights` raises it.
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
    """Admit this browser as a phone of each sitting in `cookie.pending`; then clear `pending`.

    A sitting is skipped if its link has been replaced or closed since the browser opened it.
    """
    sittings = Sitting.objects.select_related("session__tournament").filter(pk__in=cookie.pending)
    for sitting in sittings:
        key = str(sitting.pk)
        if digest(sitting.token) == cookie.pending[key] and key in cookie.secrets:
            with suppress(phones.NoSuchLink):  # the link was closed meanwhile
                phones.admit_phone(sitting, cookie.secrets[key])
    cookie.clear_pending()  # last, so that a failure is retried
    _cycle_session_key(request)


def set_admission_cookie(request: HttpRequest, sitting: Sitting) -> None:
    """Set the cookie that makes this browser a phone of a table with its next request.

    Writes nothing to the database.
    """
    phone_cookie.cookie_of(request).store_secret(
        sitting.pk, phones.new_secret(), link_digest=digest(sitting.token)
    )
    rights.clear_cached_rights(request)


def ensure_admitted(request: HttpRequest, sitting: Sitting) -> None:
    """Admit this browser as a phone of a table, unless it already is an active phone of it."""
    if rights.phone_at(request, sitting) is None:
        remember_phone(request, phones.admit_phone(sitting))


def remember_phone(request: HttpRequest, joined: phones.Joined) -> None:
    """Store the secret of an admitted phone in this browser's cookie.

    Cycles the session key, and clears the rights cached on the request, which have changed.
    """
    phone_cookie.cookie_of(request).store_secret(joined.phone.sitting_id, joined.secret)
    _cycle_session_key(request)
    rights.clear_cached_rights(request)


def _cycle_session_key(request: HttpRequest) -> None:
    """Change the key of Django's session, if the request has one, against session fixation."""
    if request.session.session_key is not None:
        request.session.cycle_key()
