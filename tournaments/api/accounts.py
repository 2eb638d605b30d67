"""Accounts over HTTP: one's own password, and what the owner of the installation decides."""

from __future__ import annotations

from typing import Annotated, Any

from django.contrib.auth import password_validation
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from ninja import Field, Router
from pydantic import StrictBool

from tournaments.api import asking
from tournaments.api.answers.accounts import AccountListedOut, AccountsOut, PasswordOut
from tournaments.api.answers.refusals import RefusalOut, ThrottledOut
from tournaments.api.asking import Requires
from tournaments.api.bodies import Strict
from tournaments.api.joining import too_many
from tournaments.api.refusals import Refused
from tournaments.permissions import rights
from tournaments.permissions.guessers import guesser_of
from tournaments.permissions.levels import Level
from tournaments.services import accounts, guesses
from tournaments.web.json_responses import reply

router = Router(tags=["about"])


class PasswordIn(Strict):
    """One's present password, and the new one."""

    password: Annotated[str, Field(max_length=1000)]
    new_password: Annotated[str, Field(max_length=1000)]


class AccountIn(Strict):
    """What changes of an account."""

    active: StrictBool | None = None
    may_create: StrictBool | None = None


@router.post(
    "/account/password",
    url_name="api-password",
    auth=Requires(Level.ACCOUNT),
    response={200: PasswordOut, 429: ThrottledOut},
)
def change_password(request: HttpRequest, payload: PasswordIn) -> HttpResponse:
    """Change one's own password. All log-ins and tokens of the account end, this one too."""
    user = asking.user_of(request)
    try:
        owner = guesses.authenticate_account(
            user.username, payload.password, guesser=guesser_of(request)
        )
    except guesses.TooManyGuesses as throttled:
        raise too_many(throttled) from None
    if owner != user:
        raise Refused(403, "wrong_password", at="password")
    try:
        password_validation.validate_password(payload.new_password, user)
    except ValidationError:
        raise Refused(422, "weak_password", at="new_password") from None
    accounts.set_password(user, payload.new_password, by=rights.actor(request))
    return reply({"username": user.username, "changed": True})


@router.get(
    "/accounts",
    url_name="api-accounts",
    auth=Requires(Level.OWNER),
    response={200: AccountsOut, 404: RefusalOut},
)
def list_accounts(request: HttpRequest) -> HttpResponse:
    """List all accounts of this server, for its owner."""
    return reply({"accounts": [_as_json(each) for each in accounts.all_accounts()]})


@router.patch(
    "/accounts/{int:account}",
    url_name="api-account",
    auth=Requires(Level.OWNER),
    response=AccountListedOut,
)
def change_account(request: HttpRequest, account: int, payload: AccountIn) -> HttpResponse:
    """Disable or enable an account, or say whether it may create events."""
    user, by = get_object_or_404(User, pk=account), rights.actor(request)
    if payload.active is False and user == request.user:
        raise Refused(422, "own_account", at="active")
    with transaction.atomic():
        if payload.may_create is not None:
            accounts.set_may_create(user, may=payload.may_create, by=by)
        if payload.active is not None:
            (accounts.enable_account if payload.active else accounts.disable_account)(user, by=by)
        document = _as_json(accounts.all_accounts().get(pk=account))
    return reply(document)


def _as_json(user: User) -> dict[str, Any]:
    return {
        "id": user.pk,
        "username": user.username,
        "superuser": user.is_superuser,
        "active": user.is_active,
        "may_create": accounts.may_create(user),
    }
