"""Accounts: change the client's own password; list and change accounts as the server's owner."""

from __future__ import annotations

from typing import Annotated

from django.contrib.auth import password_validation
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from ninja import Field
from pydantic import StrictBool

from tournaments.api import authentication
from tournaments.api.authentication import Requires
from tournaments.api.refusals import OWN_BY_CODE, Refused
from tournaments.api.request_bodies import RequestBody, example
from tournaments.api.responses import Ok, Router
from tournaments.api.schemas.accounts import (
    AccountListedOut,
    AccountsOut,
    PasswordOut,
    listed_account_as_json,
)
from tournaments.exceptions import OperationRefused
from tournaments.permissions import rights
from tournaments.permissions.guessers import guesser_of
from tournaments.permissions.levels import Level
from tournaments.services import accounts, guesses

router = Router(tags=["about"])


class WrongPresentPassword(OperationRefused):
    """The present password is wrong."""

    code = "wrong_password"
    status = 403
    at = "password"
    sentence = OWN_BY_CODE["wrong_password"][1]


class PasswordIn(RequestBody):
    """The client's present password, and the new password."""

    password: Annotated[str, Field(max_length=1000)]
    new_password: Annotated[str, Field(max_length=1000)]


class AccountIn(RequestBody):
    """The changes of an account; null leaves a setting unchanged."""

    active: StrictBool | None = None
    may_create: StrictBool | None = None


@router.post(
    "/account/password",
    url_name="api-password",
    auth=Requires(Level.ACCOUNT),
    openapi_extra=example({"password": "shamisen-neputa-7", "new_password": "tsugaru-karuta-31"}),
)
def change_password(request: HttpRequest, payload: PasswordIn) -> Ok[PasswordOut]:
    """Change the client's own password. All its log-ins and tokens end, including this one."""
    user = authentication.user_of(request)
    authenticated = guesses.authenticate_account(
        user.username, payload.password, guesser=guesser_of(request)
    )
    if authenticated != user:
        raise WrongPresentPassword
    try:
        password_validation.validate_password(payload.new_password, user)
    except ValidationError:
        raise Refused("weak_password", at="new_password") from None
    accounts.set_password(user, payload.new_password, by=rights.actor(request))
    return Ok({"username": user.username, "changed": True})


@router.get(
    "/accounts",
    url_name="api-accounts",
    auth=Requires(Level.OWNER),
)
def list_accounts(request: HttpRequest) -> Ok[AccountsOut]:
    """List all accounts of this server, for its owner."""
    return Ok({"accounts": [listed_account_as_json(each) for each in accounts.all_accounts()]})


@router.patch(
    "/accounts/{int:account}",
    url_name="api-account",
    auth=Requires(Level.OWNER),
    openapi_extra=example({"active": True, "may_create": True}),
)
def change_account(request: HttpRequest, account: int, payload: AccountIn) -> Ok[AccountListedOut]:
    """Disable or enable an account, or set whether it may create events: all changes or none.

    The owner's own account is not disabled.
    """
    user, by = get_object_or_404(User, pk=account), rights.actor(request)
    if payload.active is False and user == request.user:
        raise Refused("own_account", at="active")
    with transaction.atomic():
        if payload.may_create is not None:
            accounts.set_may_create_events(user, may=payload.may_create, by=by)
        if payload.active is not None:
            change = accounts.enable_account if payload.active else accounts.disable_account
            change(user, by=by)
        document = listed_account_as_json(accounts.all_accounts().get(pk=account))
    return Ok(document)
