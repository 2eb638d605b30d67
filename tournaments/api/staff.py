"""Add accounts to the staff of a tournament."""

from __future__ import annotations

from typing import Annotated

from django.contrib.auth import password_validation
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import IntegrityError
from django.http import HttpRequest
from ninja import Field

from tournaments.api.authentication import Requires
from tournaments.api.refusals import Refused
from tournaments.api.request_bodies import RequestBody, example
from tournaments.api.responses import Created, Router
from tournaments.api.schemas.accounts import StaffOut
from tournaments.audit import actors
from tournaments.models import Membership, Tournament
from tournaments.models.field_types import AS_TEXT
from tournaments.permissions import door, rights
from tournaments.permissions.levels import Level
from tournaments.services import staff

router = Router(tags=["tournaments"])


class StaffIn(RequestBody):
    """An account and its role in the tournament. With `password` it is a new account."""

    username: Annotated[str, Field(min_length=1, max_length=150, pattern=r"^[\w.@+-]+$")]
    password: Annotated[str, Field(max_length=1000)] | None = None
    role: Annotated[Membership.Role, AS_TEXT] = Membership.Role.SCOREKEEPER


@router.post(
    "/tournaments/{slug:slug}/staff",
    url_name="api-staff",
    auth=Requires(Level.DIRECT),
    openapi_extra=example(
        {"username": "kiroku", "password": "aomori-ringo-42", "role": "scorekeeper"}
    ),
)
def add_staff(request: HttpRequest, slug: str, payload: StaffIn) -> Created[StaffOut]:
    """Add an existing account to the staff or, with a password, a new account."""
    tournament, name = door.tournament_of(request), _clean_account_name(payload.username)
    if payload.password is None:
        _add_existing_account(request, tournament, name, payload.role)
    else:
        _add_new_account(request, tournament, name, password=payload.password, role=payload.role)
    return Created({"username": name, "role": payload.role, "tournament": slug})


def _add_existing_account(
    request: HttpRequest, tournament: Tournament, name: str, role: str
) -> None:
    """Raises `Refused` if the account does not exist or is already on the staff."""
    user = User.objects.filter(username=name).first()
    if user is None:
        raise Refused("no_account", at="username")
    staff.give_role(tournament, user, role, by=rights.actor(request))


def _add_new_account(
    request: HttpRequest, tournament: Tournament, name: str, *, password: str, role: str
) -> None:
    """Raises `Refused` for a weak password or a taken name."""
    try:
        password_validation.validate_password(password, User(username=name))
    except ValidationError:
        raise Refused("weak_password", at="password") from None
    try:
        staff.open_account(
            tournament, username=name, password=password, role=role, by=rights.actor(request)
        )
    except IntegrityError:
        raise Refused("name_taken", at="username") from None


def _clean_account_name(name: str) -> str:
    """Raises `Refused` if the name is reserved or invalid."""
    try:
        return staff.clean_account_name(name)
    except ValidationError as bad:
        is_reserved = any(each.code == actors.RESERVED for each in bad.error_list)
        raise Refused(actors.RESERVED if is_reserved else "range", at="username") from None
