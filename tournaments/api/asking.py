"""Who asks: somebody of the staff, a phone at a table, or anybody.

Either by a bearer token, and then cookies count for nothing, or by the cookies of our own pages,
and then whoever writes shows that it is one of our pages which asks (`is_forged`).
"""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AnonymousUser, User
from django.http import Http404, HttpRequest
from django.shortcuts import get_list_or_404, get_object_or_404
from ninja.security.base import AuthBase
from ninja.utils import check_csrf

from tournaments.api.refusals import Refused
from tournaments.models import Phone, Sitting
from tournaments.permissions import door, rights
from tournaments.permissions.levels import Level
from tournaments.queries.sheets import Sheet
from tournaments.services import accounts, closing, idempotency, phones, tokens
from tournaments.web import phone_cookie

READS = {"GET", "HEAD", "OPTIONS"}


class Requires(AuthBase):
    """Declares who may use an operation, and enforces it: `auth=Requires(Level.SEE)`.

    Looks at the token or the cookies of a request, and finds what its address names.
    """

    openapi_type = "http"
    openapi_scheme = "bearer"

    def __init__(self, level: Level) -> None:
        """Require this level."""
        super().__init__()
        self.level = level

    def __call__(self, request: HttpRequest) -> bool:
        """Note who asks on the request; refuse a token that is none."""
        kind, _, secret = _shown(request).partition(" ")
        if kind:
            if kind.lower() != "bearer":
                raise Refused(401, "token_unknown")
            _by_token(request, secret.strip())
        _find(request, self.level)
        return True

    def authenticate(self, request: HttpRequest, token: str) -> Any:
        """Not asked: looking is all in one."""


def is_forged(request: HttpRequest) -> bool:
    """Return whether a write comes with our cookies, but not from one of our pages."""
    if request.method in READS or _shown(request) or not phone_cookie.is_shown(request):
        return False
    return check_csrf(request) is not None


def _shown(request: HttpRequest) -> str:
    """Return by what a program says who it is: nothing where its cookies count, if it has any."""
    return request.headers.get("Authorization", "").strip()


def _by_token(request: HttpRequest, secret: str) -> None:
    """Let the request be that of the token's owner, whatever cookies came with it."""
    asking: Any = request
    asking.bearer_phone = None
    asking.user = AnonymousUser()
    owner = tokens.owner_of(secret)
    if owner is not None:
        asking.user = owner
        return
    phone = phones.any_phone_of(secret)
    if phone is None:
        raise Refused(401, "token_unknown")
    asking.bearer_phone = phones.phone_of(secret)
    if asking.bearer_phone is None and not _comes_again(request, phone):
        raise Refused(401, _why_ended(phone))


def _comes_again(request: HttpRequest, phone: Phone) -> bool:
    """Let a phone that is its table's no longer hear once more what it was answered.

    It may have sent a round in time, and the answer was lost: it shows the key of what is stored.
    """
    match, key = request.resolver_match, request.headers.get("Idempotency-Key")
    if match is None or request.method != "PUT" or match.kwargs.get("sitting") != phone.sitting_id:
        return False
    if not (key and idempotency.is_key_used(phone.sitting.session.tournament, key)):
        return False
    asking: Any = request
    asking.comes_again = _why_ended(phone)
    asking.found_sitting = phone.sitting
    return True


def comes_again(request: HttpRequest) -> str | None:
    """Return why this phone is its table's no longer, where it asks what it was answered before."""
    return getattr(request, "comes_again", None)


def why_ended(request: HttpRequest) -> str | None:
    """Return the code for a browser that asks about a table whose phone it was and no longer is."""
    phone = _former_phone(request)
    return _why_ended(phone) if phone is not None else None


def _former_phone(request: HttpRequest) -> Phone | None:
    """Return the phone that this browser was at the table that the address names."""
    match = request.resolver_match
    if match is None or "sitting" not in match.kwargs:
        return None
    sitting = Sitting.objects.filter(pk=match.kwargs["sitting"]).first()
    return rights.former_phone_at(request, sitting) if sitting is not None else None


def _why_ended(phone: Phone) -> str:
    tournament = phone.sitting.session.tournament
    if tournament.removed_at is not None:
        return "event_removed"
    return "event_over" if closing.is_over(tournament) else "phone_ended"


def is_known(request: HttpRequest) -> bool:
    """Return whether the request is anybody's: of an account, or of a phone at some table."""
    return request.user.is_authenticated or rights.has_phone(request)


def user_of(request: HttpRequest) -> User:
    """Return the account of who asks; refuse anybody else."""
    if not isinstance(request.user, User):
        raise Refused(401, "log_in")
    return request.user


def nobody(_request: HttpRequest) -> bool:
    """Refuse everybody: what an operation that declares no level requires."""
    raise Http404


def _find(request: HttpRequest, level: Level) -> None:
    """Note what the address names. Raises `Http404` for who may not use it.

    Who may comes before what is said: a stranger learns nothing from how a body is refused.
    """
    match = request.resolver_match
    if match is None or comes_again(request) is not None:
        return
    asking: Any = request
    _check_account(request, level)
    if "sitting" in match.kwargs:
        try:
            asking.found_sitting = _sitting(request, match.kwargs["sitting"], level)
        except Http404:
            phone = _former_phone(request)
            if phone is None or not _comes_again(request, phone):
                raise
        if "number" in match.kwargs and request.method != "PUT":  # which may begin a round
            get_list_or_404(asking.found_sitting.rounds, number=match.kwargs["number"])
    if "slug" in match.kwargs:
        asking.found_tournament = door.find_tournament(request, match.kwargs["slug"], level)


def _check_account(request: HttpRequest, level: Level) -> None:
    """Refuse who asks for what needs an account, or one with a right, and has none."""
    if level not in {Level.ACCOUNT, Level.CREATE, Level.OWNER}:
        return
    user = user_of(request)
    if level == Level.CREATE and not accounts.may_create(user):
        raise Refused(403, "may_not_create")
    if level == Level.OWNER:
        rights.owner(request)


def sheet_of(request: HttpRequest) -> Sheet:
    """Return the sheet of the table that the address names, as the asker sees it."""
    sitting = door.sitting_of(request)
    event = rights.event_seen(request, sitting.session.tournament)
    return event.sheet(sitting.session.number, sitting.number)


def _sitting(request: HttpRequest, pk: int, level: Level) -> Sitting:
    sitting = get_object_or_404(Sitting.objects.select_related("session__tournament"), pk=pk)
    door.check_at(request, sitting, level)
    return sitting
