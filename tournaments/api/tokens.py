"""Tokens for the staff, and the list of everything that may be asked."""

from __future__ import annotations

from typing import Annotated, Any

from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern
from django.utils import timezone
from ninja import Field, Router

from tournaments.api import asking
from tournaments.api.answers.accounts import AccountOut, AddressesOut, RevokedOut, TokenOut
from tournaments.api.answers.refusals import ThrottledOut
from tournaments.api.asking import Requires
from tournaments.api.bodies import Strict
from tournaments.api.joining import too_many
from tournaments.api.refusals import Refused
from tournaments.models import Membership
from tournaments.permissions import levels
from tournaments.permissions.guessers import guesser_of
from tournaments.permissions.levels import Level
from tournaments.services import accounts, guesses, tokens
from tournaments.web.json_responses import reply

router = Router(tags=["about"])


class LogIn(Strict):
    """The name and the password of an account."""

    username: Annotated[str, Field(max_length=150)]
    password: Annotated[str, Field(max_length=1000)]


@router.post(
    "/token",
    url_name="api-token",
    auth=Requires(Level.ANYBODY),
    response={201: TokenOut, 429: ThrottledOut},
)
def make_token(request: HttpRequest, payload: LogIn) -> HttpResponse:
    """Exchange name and password for a bearer token, good for 30 days."""
    try:
        user = guesses.authenticate_account(
            payload.username, payload.password, guesser=guesser_of(request)
        )
    except guesses.TooManyGuesses as throttled:
        raise too_many(throttled) from None
    if user is None:
        raise Refused(401, "wrong_password")
    with transaction.atomic():
        secret, expires_at = tokens.create_token(user)
        account = _account(user)  # before it counts: 503 is told of nothing that was stored
    document = {"token": secret, "expires_at": timezone.localtime(expires_at).isoformat()}
    return reply({**document, **account}, 201)


@router.get("/token", url_name="api-token", auth=Requires(Level.ACCOUNT), response=AccountOut)
def who_am_i(request: HttpRequest) -> HttpResponse:
    """Tell whose token it is, and in which tournaments they have which role."""
    return reply(_account(asking.user_of(request)))


@router.delete("/token", url_name="api-token", auth=Requires(Level.ACCOUNT), response=RevokedOut)
def revoke_tokens(request: HttpRequest) -> HttpResponse:
    """Revoke every token of the account."""
    return reply({"revoked": tokens.revoke_tokens(asking.user_of(request))})


def _account(user: User) -> dict[str, Any]:
    memberships = Membership.objects.filter(user=user, tournament__removed_at=None)
    memberships = memberships.select_related("tournament")
    return {
        "username": user.get_username(),
        "superuser": user.is_superuser,
        "may_create": accounts.may_create(user),
        "tournaments": [
            {"slug": each.tournament.slug, "name": each.tournament.name, "role": each.role}
            for each in memberships.order_by("tournament")
        ],
    }


@router.get("/urls", url_name="api-urls", auth=Requires(Level.ANYBODY), response=AddressesOut)
def urls(request: HttpRequest) -> HttpResponse:
    """List every address with the roles that may use it, made from the addresses themselves."""
    return reply({"roles": levels.ROLES, "urls": [_address(*each) for each in levels.addresses()]})


def _address(name: str, pattern: URLPattern, route: str) -> dict[str, Any]:
    may = levels.of(pattern.callback)
    return {
        "name": name,
        "url": route,
        "methods": {method: list(level.roles) for method, level in may.items()},
        # What its people see of a tournament, everybody sees once it is published.
        "methods_once_published": {
            method: list(levels.ROLES if level == levels.Level.SEE else level.roles)
            for method, level in may.items()
        },
    }
