"""How a browser becomes a phone of a table: all that is written on the way to a permission.

A table's link leads on and writes nothing (`expect`); `AdmissionMiddleware` admits the phone once
its cookie comes back, before the view runs. Messengers that fetch a link to show a preview keep no
cookie, and become no phone.
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
    """Makes a browser a phone of the tables whose links it has opened, once it comes back.

    Static files and browsers without a phone's cookie cost nothing. Where the database fails, the
    request goes on, and the phone is admitted by a later one: only what asks whose phone this is
    (`rights`) answers 503.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    @staticmethod
    def process_view(request: HttpRequest, *_view: object) -> None:
        """Admit the phone, unless a token says who asks: then cookies count for nothing."""
        if phone_cookie.NAME not in request.COOKIES:
            return
        if json_responses.is_one(request) and request.headers.get("Authorization", "").strip():
            return
        kept = phone_cookie.of(request)
        if kept.coming:
            try:
                _admit(request, kept)
            except Error as error:
                kept.failure = error


def _admit(request: HttpRequest, kept: phone_cookie.PhoneCookie) -> None:
    coming = Sitting.objects.select_related("session__tournament").filter(pk__in=kept.coming)
    for sitting in coming:
        key = str(sitting.pk)
        if digest(sitting.token) == kept.coming[key] and key in kept.secrets:
            with suppress(phones.NoSuchLink):  # closed a moment ago
                phones.admit_phone(sitting, kept.secrets[key])
    kept.has_come()  # not before: what fails is tried again
    _rotate_session(request)


def expect(request: HttpRequest, sitting: Sitting) -> None:
    """Let this browser be a phone of the table as soon as it sends its cookie back."""
    phone_cookie.of(request).keep(sitting.pk, phones.new_secret(), digest(sitting.token))
    rights.forget(request)


def let_record(request: HttpRequest, sitting: Sitting) -> None:
    """Make this browser a phone of the table, unless it is one."""
    if rights.phone_at(request, sitting) is None:
        remember(request, phones.admit_phone(sitting))


def remember(request: HttpRequest, joined: phones.Joined) -> None:
    """Let this browser keep the secret by which its phone is known."""
    phone_cookie.of(request).keep(joined.phone.sitting_id, joined.secret)
    _rotate_session(request)
    rights.forget(request)


def _rotate_session(request: HttpRequest) -> None:
    """Give the session another key, against session fixation."""
    if request.session.session_key is not None:
        request.session.cycle_key()
