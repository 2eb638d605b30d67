"""Accounts, their tokens, and the URLs with the roles that may use them."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.urls import URLPattern
from typing_extensions import TypedDict

from tournaments.api.schemas.fields import Role
from tournaments.models import Membership
from tournaments.permissions import levels
from tournaments.queries.round_documents import Moment, no_other_keys
from tournaments.services import accounts


@no_other_keys
class StaffOut(TypedDict):
    """An account that was added to the staff, and its role in the tournament."""

    username: str
    role: Role
    tournament: str


@no_other_keys
class RoleOut(TypedDict):
    """The role of an account in a tournament."""

    slug: str
    name: str
    role: Role


@no_other_keys
class AccountOut(TypedDict):
    """The account of a token, with its roles."""

    username: str
    superuser: bool
    may_create: bool
    tournaments: list[RoleOut]


def account_as_json(user: User) -> AccountOut:
    """Return an account with its roles in tournaments that are not removed.

    `may_create` is the right to create tournaments.
    """
    memberships = Membership.objects.filter(user=user, tournament__removed_at=None)
    memberships = memberships.select_related("tournament")
    return {
        "username": user.get_username(),
        "superuser": user.is_superuser,
        "may_create": accounts.may_create_events(user),
        "tournaments": [
            {"slug": each.tournament.slug, "name": each.tournament.name, "role": each.role}
            for each in memberships.order_by("tournament")
        ],
    }


@no_other_keys
class TokenOut(AccountOut):
    """A bearer token, which only this response contains."""

    token: str
    expires_at: Moment


@no_other_keys
class AccountListedOut(TypedDict):
    """An account as the owner of the server sees it."""

    id: int
    username: str
    superuser: bool
    active: bool
    may_create: bool


def listed_account_as_json(user: User) -> AccountListedOut:
    return {
        "id": user.pk,
        "username": user.username,
        "superuser": user.is_superuser,
        "active": user.is_active,
        "may_create": accounts.may_create_events(user),
    }


@no_other_keys
class AccountsOut(TypedDict):
    """All accounts of the server, by name."""

    accounts: list[AccountListedOut]


@no_other_keys
class PasswordOut(TypedDict):
    """The account whose password was changed."""

    username: str
    changed: bool


@no_other_keys
class RevokedOut(TypedDict):
    """How many tokens were revoked."""

    revoked: int


@no_other_keys
class AddressOut(TypedDict):
    """A URL, and the roles that may use it by method, before and after publication."""

    name: str
    url: str
    methods: dict[str, list[str]]
    methods_once_published: dict[str, list[str]]


def address_as_json(name: str, pattern: URLPattern, route: str) -> AddressOut:
    """Return one of `levels.addresses()`, with the roles that may use each of its methods."""
    by_method = levels.levels_of(pattern.callback)
    return {
        "name": name,
        "url": route,
        "methods": {method: list(level.roles) for method, level in by_method.items()},
        "methods_once_published": {
            method: list(level.roles_once_published) for method, level in by_method.items()
        },
    }


@no_other_keys
class AddressesOut(TypedDict):
    """All URLs of pages and of the API, and the version of Makiyaku."""

    version: str
    roles: list[str]
    urls: list[AddressOut]
