"""Bearer tokens of accounts, and the list of all URLs with their roles."""

from __future__ import annotations

from typing import Annotated

from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone
from ninja import Field

from tournaments import __version__
from tournaments.api import authentication
from tournaments.api.authentication import Requires
from tournaments.api.refusals import Refused
from tournaments.api.request_bodies import RequestBody, example
from tournaments.api.responses import Created, Ok, Router
from tournaments.api.schemas.accounts import (
    AccountOut,
    AddressesOut,
    RevokedOut,
    TokenOut,
    account_as_json,
    address_as_json,
)
from tournaments.permissions import levels
from tournaments.permissions.guessers import guesser_of
from tournaments.permissions.levels import Level
from tournaments.services import guesses, second_factors, tokens

router = Router(tags=["about"])


class LogIn(RequestBody):
    """The name and the password of an account, and the code of its second factor, if it has one."""

    username: Annotated[str, Field(max_length=150)]
    password: Annotated[str, Field(max_length=1000)]
    code: Annotated[str, Field(max_length=40)] = ""


@router.post(
    "/token",
    url_name="api-token",
    auth=Requires(Level.ANYBODY),
    openapi_extra=example({"username": "director", "password": "shamisen-neputa-7"}),
)
def make_token(request: HttpRequest, payload: LogIn) -> Created[TokenOut]:
    """Exchange name and password for a bearer token, valid for 30 days."""
    guesser = guesser_of(request)
    user = guesses.authenticate_account(payload.username, payload.password, guesser=guesser)
    if user is not None and second_factors.is_set_up(user):
        if not payload.code:
            raise second_factors.WrongCode
        second_factors.check(user, payload.code, guesser=guesser)
    if user is None:
        raise Refused("wrong_password")
    with transaction.atomic():
        secret, expires_at = tokens.create_token(user)
        account = account_as_json(user)  # read before the commit: 503 means nothing was stored
    expiry = timezone.localtime(expires_at).isoformat()
    return Created({"token": secret, "expires_at": expiry, **account})


@router.get("/token", url_name="api-token", auth=Requires(Level.ACCOUNT))
def who_am_i(request: HttpRequest) -> Ok[AccountOut]:
    """Return the account of the token, and its roles in tournaments."""
    return Ok(account_as_json(authentication.user_of(request)))


@router.delete("/token", url_name="api-token", auth=Requires(Level.ACCOUNT))
def revoke_tokens(request: HttpRequest) -> Ok[RevokedOut]:
    """Revoke every token of the account."""
    return Ok({"revoked": tokens.revoke_tokens(authentication.user_of(request))})


@router.get("/urls", url_name="api-urls", auth=Requires(Level.ANYBODY))
def urls(request: HttpRequest) -> Ok[AddressesOut]:
    """List every URL with the roles that may use it, and name the version of Makiyaku."""
    addresses = [address_as_json(*each) for each in levels.addresses()]
    return Ok({"version": __version__, "roles": list(levels.ROLES), "urls": addresses})
