"""Accounts, their tokens, and what anybody may ask."""

from __future__ import annotations

from tournaments.api.answers.parts import Answer, Moment, Role


class StaffOut(Answer):
    """An account just made, and what it does in which tournament."""

    username: str
    role: Role
    tournament: str


class RoleOut(Answer):
    """What an account does in a tournament."""

    slug: str
    name: str
    role: Role


class AccountOut(Answer):
    """Whose token it is."""

    username: str
    superuser: bool
    may_create: bool
    tournaments: list[RoleOut]


class TokenOut(AccountOut):
    """A bearer token, told this once."""

    token: str
    expires_at: Moment


class AccountListedOut(Answer):
    """An account as the owner of the server sees it."""

    id: int
    username: str
    superuser: bool
    active: bool
    may_create: bool


class AccountsOut(Answer):
    """All accounts of the server, by name."""

    accounts: list[AccountListedOut]


class PasswordOut(Answer):
    """Whose password was changed."""

    username: str
    changed: bool


class RevokedOut(Answer):
    """How many tokens were revoked."""

    revoked: int


class AddressOut(Answer):
    """An address, and by method who may use it, before and after the tournament is published."""

    name: str
    url: str
    methods: dict[str, list[str]]
    methods_once_published: dict[str, list[str]]


class AddressesOut(Answer):
    """Every address there is."""

    roles: list[str]
    urls: list[AddressOut]
