"""Authentication of API requests: an account, a phone at a table, or anonymous.

If a request has a bearer token, its cookies are ignored. If it has only the cookies of our own
pages, its writes are protected against CSRF (`is_forged`).
"""

from __future__ import annotations

from functools import wraps
from typing import Any, cast

from django.contrib.auth.models import AnonymousUser, User
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import get_list_or_404
from django.utils.translation import gettext_lazy as _
from ninja.security.base import AuthBase
from ninja.utils import check_csrf

from tournaments.api.refusals import Refused, refuse
from tournaments.exceptions import OperationRefused
from tournaments.models import Phone, Sitting, Tournament
from tournaments.permissions import door, rights
from tournaments.permissions.door import View
from tournaments.permissions.levels import Level
from tournaments.queries.sheets import Sheet
from tournaments.services import accounts, closing, idempotency, phones, tokens
from tournaments.services.phones import Writer
from tournaments.services.seating import OneTable
from tournaments.web import phone_cookie

READS = {"GET", "HEAD", "OPTIONS"}


class OtherTable(OperationRefused):
    """The header Makiyaku-Table names another table: one of another database or an older copy."""

    code = "other_table"
    at = "Makiyaku-Table"
    sentence = _(
        "The table at which this was recorded is not known here. Scan your table’s card again, or "
        "show this to the desk."
    )


class ApiRequest(door.CheckedRequest):
    """A request that has passed `Requires`, with the objects that its URL and its token name.

    `bearer_phone` is set only on requests with a bearer token, and is None if an account has that
    token.
    """

    bearer_phone: Phone | None


class Requires(AuthBase):
    """Declares and enforces the level of an operation: `auth=Requires(Level.SEE)`.

    Authenticates the request, and stores on it the sitting, tournament or series in its URL.
    """

    openapi_type = "http"
    openapi_scheme = "bearer"

    def __init__(self, level: Level) -> None:
        super().__init__()
        self.level = level

    def __call__(self, request: HttpRequest) -> bool:
        """Return True. Raises `Refused` or `Http404` for an invalid token or missing rights."""
        _authenticate(request)
        _pass_door(request, self.level)
        return True

    def authenticate(self, request: HttpRequest, token: str) -> Any:
        """Unused, but required by django-ninja: `__call__` authenticates."""


def accepts_tokens(view: View) -> View:
    """Decorate a view outside of the API, above `requires`, to accept bearer tokens as well.

    An unknown token is answered 401, as by the API.
    """

    @wraps(view)
    def view_with_token(request: HttpRequest, *args: Any, **named: Any) -> HttpResponseBase:
        try:
            _authenticate(request)
        except OperationRefused as refused:
            return refuse(refused)
        return view(request, *args, **named)

    return cast("View", view_with_token)


def is_forged(request: HttpRequest) -> bool:
    """Return whether a write fails Django's CSRF check.

    False for reads, and for requests with a token or without a log-in or phone cookie: those
    requests have no rights that another site could abuse.
    """
    if (
        request.method in READS
        or _authorization(request)
        or not phone_cookie.has_phone_or_log_in(request)
    ):
        return False
    return check_csrf(request) is not None


def _authorization(request: HttpRequest) -> str:
    """Return the stripped header Authorization; empty if the request has none."""
    return request.headers.get("Authorization", "").strip()


def _authenticate(request: HttpRequest) -> None:
    """Raises `Refused` (401)."""
    scheme, _, secret = _authorization(request).partition(" ")
    if not scheme:
        return
    if scheme.lower() != "bearer":
        raise Refused("token_unknown")
    _authenticate_token(request, secret.strip())


def _authenticate_token(request: HttpRequest, secret: str) -> None:
    """Set `user` or `bearer_phone` of the request to the owner of the token.

    Without an account the user is anonymous, whatever the cookies say. Raises `Refused` (401) for
    an unknown token, and for an ended phone unless it repeats a stored write.
    """
    checked = cast("ApiRequest", request)
    checked.bearer_phone = None
    checked.user = AnonymousUser()
    owner = tokens.account_of(secret)
    if owner is not None:
        checked.user = owner
        return
    checked.bearer_phone = phones.phone_of(secret)
    if checked.bearer_phone is not None:
        return
    ended_phone = phones.any_phone_of(secret)
    if ended_phone is None:
        raise Refused("token_unknown")
    if not _admit_repeated_write(request, ended_phone):
        raise phones.PhoneEnded(_code_of_ended_phone(ended_phone))


def _admit_repeated_write(request: HttpRequest, phone: Phone) -> bool:
    """Admit an ended phone if it repeats a write whose idempotency key is stored.

    The phone may have sent the write in time without receiving the answer: it gets the stored
    answer. Stores the sitting and the writer on the request. Returns whether it was admitted.
    """
    match, key = request.resolver_match, request.headers.get("Idempotency-Key")
    if match is None or request.method != "PUT" or match.kwargs.get("sitting") != phone.sitting_id:
        return False
    if not (key and idempotency.is_key_used(phone.sitting.session.tournament, key)):
        return False
    checked = cast("ApiRequest", request)
    checked.found_sitting = phone.sitting
    checked.found_writer = Writer(
        actor=phones.actor_of(phone),
        phone=phone,
        may_correct=False,
        ended=_code_of_ended_phone(phone),
    )
    return True


def former_phone_code(request: HttpRequest) -> str | None:
    """Return why this browser's phone at the table in the URL has ended, as a refusal code.

    None if the browser never had a phone there.
    """
    phone = _former_phone(request)
    return _code_of_ended_phone(phone) if phone is not None else None


def _former_phone(request: HttpRequest) -> Phone | None:
    match = request.resolver_match
    if match is None or "sitting" not in match.kwargs:
        return None
    sitting = Sitting.objects.filter(pk=match.kwargs["sitting"]).first()
    return rights.former_phone_at(request, sitting) if sitting is not None else None


def _code_of_ended_phone(phone: Phone) -> str:
    tournament = phone.sitting.session.tournament
    if tournament.removed_at is not None:
        return "event_removed"
    return "event_over" if closing.is_over(tournament) else "phone_ended"


def is_authenticated(request: HttpRequest) -> bool:
    """Return whether the request is from an account, or from a phone at any table."""
    return request.user.is_authenticated or rights.has_phone(request)


def user_of(request: HttpRequest) -> User:
    """Raises `Refused` (401) without an account."""
    if not isinstance(request.user, User):
        raise Refused("log_in")
    return request.user


def deny(_request: HttpRequest) -> bool:
    """Raise `Http404`. This authenticates operations that declare no level."""
    raise Http404


def _pass_door(request: HttpRequest, level: Level) -> None:
    """Check the level, and store on the request the sitting, tournament or series in the URL.

    Raises `Http404` if the object or the right is missing, and `Refused` if the level needs an
    account that the request does not have. An ended phone that repeats a stored write passes.

    Rights are checked before the body is read: strangers learn nothing from problems in the body.
    """
    match = request.resolver_match
    if match is None or hasattr(request, "found_sitting"):  # stored by `_admit_repeated_write`
        return
    _check_account(request, level)
    try:
        door.check_and_find_objects(request, level)
    except Http404:
        ended_phone = _former_phone(request)
        if ended_phone is None or not _admit_repeated_write(request, ended_phone):
            raise
    _check_table(request)
    # PUT may record a new round.
    if "sitting" in match.kwargs and "number" in match.kwargs and request.method != "PUT":
        get_list_or_404(door.sitting_of(request).rounds, number=match.kwargs["number"])


def _check_table(request: HttpRequest) -> None:
    """Raise `OtherTable` if the request was made for another table than the one in the URL."""
    key, sitting = request.headers.get("Makiyaku-Table"), getattr(request, "found_sitting", None)
    if key and sitting is not None and key != sitting.key:
        raise OtherTable


def _check_account(request: HttpRequest, level: Level) -> None:
    """Check the levels that belong to an account: `ACCOUNT`, `CREATE` and `OWNER`.

    Raises `Refused` without an account or without its right to create events, `Http404` if
    `OWNER` is required of another account.
    """
    if level not in {Level.ACCOUNT, Level.CREATE, Level.OWNER}:
        return
    user = user_of(request)
    if level == Level.CREATE and not accounts.may_create_events(user):
        raise Refused("may_not_create")
    if level == Level.OWNER:
        rights.owner_actor(request)


def tournament_with_sessions(request: HttpRequest) -> Tournament:
    """Raises `Refused` (409) for a club table."""
    tournament = door.tournament_of(request)
    if tournament.kind == Tournament.Kind.TABLE:
        raise OneTable
    return tournament


def sheet_of(request: HttpRequest) -> Sheet:
    """Return the sheet of the table in the URL, live or as published, as the reader may see it."""
    sitting = door.sitting_of(request)
    event = rights.event_seen(request, sitting.session.tournament)
    return event.sheet(sitting.session.number, sitting.number)
