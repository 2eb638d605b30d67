"""Every write of a tournament's staff, each in one transaction."""

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


class LastDirector(Exception):
    """Raised when a tournament would be left with nobody to direct it."""


class AlreadyOnStaff(OperationRefused):
    """Raised when a role would be given to somebody who has one."""

    code = "on_staff"
    sentence = _("They are on the staff already.")


def account_name(typed: str) -> str:
    """Return a name as accounts keep it. Raises `ValidationError` for what cannot be one."""
    username: Any = User._meta.get_field("username")
    return str(username.clean(User.normalize_username(typed), None))


def open_account(
    tournament: Tournament, username: str, password: str, role: str, *, by: Actor
) -> User:
    """Make an account and give it a role.

    Raises `IntegrityError` if there is one of this name, `ValidationError` if it cannot be one.
    """
    user = User(username=account_name(username))
    user.set_password(password)  # which takes its time: nobody waits for it
    with transaction.atomic():
        lock_tournament(tournament)
        user.save(force_insert=True)
        give_role(tournament, user, role, by=by)
    return user


@transaction.atomic
def give_role(tournament: Tournament, user: User, role: str, *, by: Actor) -> Membership:
    """Make somebody a member of the tournament's staff. Raises `AlreadyOnStaff`."""
    lock_tournament(tournament)
    if tournament.memberships.filter(user=user).exists():
        raise AlreadyOnStaff
    membership = Membership.objects.create(tournament=tournament, user=user, role=role)
    audit.append(
        tournament, AuditEntry.Kind.ROLE_GIVEN, by, new={"user": user.username, "role": role}
    )
    return membership


@transaction.atomic
def take_role(membership: Membership, *, by: Actor) -> None:
    """Remove somebody from the staff. Raises `LastDirector` rather than leave nobody in charge.

    Raises `Membership.DoesNotExist` when somebody else has removed them meanwhile.
    """
    tournament = lock_tournament(membership.tournament)
    current = Membership.objects.select_related("user").get(pk=membership.pk)
    others = tournament.memberships.exclude(pk=current.pk)
    if not any(other.role == Membership.Role.DIRECTOR for other in others):
        raise LastDirector
    current.delete()
    old = {"user": current.user.username, "role": current.role}
    audit.append(tournament, AuditEntry.Kind.ROLE_TAKEN, by, old=old)
