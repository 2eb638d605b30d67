"""Giving and removing roles in a tournament, and opening accounts for its staff."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from tournaments import audit
from tournaments.audit import Actor
from tournaments.audit.locks import lock_tournament
from tournaments.exceptions import OperationRefused
from tournaments.models import AuditEntry, Membership, Tournament
from tournaments.models.readable_names import mixes_alphabets, resembling_key


class LastDirector(Exception):
    """Without this member, the tournament would have no director."""


class AlreadyOnStaff(OperationRefused):
    code = "on_staff"
    at = "username"
    sentence = _("This person is on the staff already. Choose another.")


def clean_account_name(typed: str) -> str:
    """Return the name as accounts store it. Raises `ValidationError` if it is invalid."""
    username: Any = User._meta.get_field("username")
    return str(username.clean(User.normalize_username(typed), model_instance=None))


class ConfusingName(OperationRefused):
    """The name mixes alphabets, or can be taken for that of another account."""

    code = "confusing_name"
    status = 422
    at = "username"
    sentence = _(
        "This name could be mistaken for another account’s, or mixes letters of several "
        "alphabets. Choose another."
    )


def check_not_confusing(name: str) -> None:
    """Raise `ConfusingName` for a name by which a new account could pass for another one.

    The very name of another account is not meant: that one is taken.
    """
    key = resembling_key(name)
    others = User.objects.exclude(username=name).values_list("username", flat=True)
    if mixes_alphabets(name) or any(resembling_key(each) == key for each in others):
        raise ConfusingName


def open_account(
    tournament: Tournament, username: str, password: str, role: str, *, by: Actor
) -> User:
    """Create an account and give it a role.

    Raises `ConfusingName`, `IntegrityError` if the name is taken, and `ValidationError` if it is
    not allowed.
    """
    check_not_confusing(username)
    user = User(username=clean_account_name(username))
    user.set_password(password)  # slow hashing, before taking the lock
    with transaction.atomic():
        lock_tournament(tournament)
        user.save(force_insert=True)
        give_role(tournament, user, role, by=by)
    return user


@transaction.atomic
def give_role(tournament: Tournament, user: User, role: str, *, by: Actor) -> Membership:
    """Raises `AlreadyOnStaff`."""
    lock_tournament(tournament)
    if tournament.memberships.filter(user=user).exists():
        raise AlreadyOnStaff
    membership = Membership.objects.create(tournament=tournament, user=user, role=role)
    audit.append_entry(
        tournament, AuditEntry.Kind.ROLE_GIVEN, by, new={"user": user.username, "role": role}
    )
    return membership


@transaction.atomic
def remove_role(membership: Membership, *, by: Actor) -> None:
    """Remove an account from the tournament's staff.

    Raises `LastDirector`, and `Membership.DoesNotExist` if it was removed already.
    """
    tournament = lock_tournament(membership.tournament)
    current = Membership.objects.select_related("user").get(pk=membership.pk)
    others = tournament.memberships.exclude(pk=current.pk)
    if not any(other.role == Membership.Role.DIRECTOR for other in others):
        raise LastDirector
    current.delete()
    old = {"user": current.user.username, "role": current.role}
    audit.append_entry(tournament, AuditEntry.Kind.ROLE_TAKEN, by, old=old)
