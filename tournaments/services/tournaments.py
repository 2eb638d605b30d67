"""Creating tournaments and club tables, changing settings and rules, removing and restoring.

A removed tournament is hidden, not deleted: only its directors see it, its links are revoked, and
its address stays taken, because audit entries are never deleted. A club table in which nothing was
recorded within a day is removed when another one is started.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import Count
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

import scoring
from tournaments import audit
from tournaments.audit import THE_TABLE, Actor
from tournaments.audit.locks import lock_tournament
from tournaments.exceptions import OperationRefused
from tournaments.models import (
    AuditEntry,
    Membership,
    Phone,
    Sitting,
    Tournament,
)
from tournaments.models.tournament import SETTINGS, public_settings
from tournaments.queries import progress
from tournaments.server import believed_time
from tournaments.services.entries import add_entries
from tournaments.services.seating import open_session
from tournaments.services.staff import give_role
from tournaments.services.versions import check_version, last_change


class RulesFrozen(Exception):
    """The rules cannot change, because results are recorded."""


class TableSizeConflict(Exception):
    """The new rules do not allow the number of players at `tables`."""

    def __init__(self, tables: Sequence[Sitting]) -> None:
        super().__init__("Tables are seated with another number of players.")
        self.tables = tables


@transaction.atomic
def start_table(
    tournament: Tournament, rules: scoring.Rules, names: Sequence[str], *, by: Actor
) -> Sitting:
    """Create a club table with these players in seat order; return its sitting.

    `tournament` is a new instance that is not saved yet.
    """
    tournament.kind = Tournament.Kind.TABLE
    _save_with_rules(tournament, rules, by)
    entries = add_entries(tournament, [{"name": name} for name in names], by=by)
    return open_session(tournament, [entries], by=by).sittings.get()


@transaction.atomic
def add_planned_rounds(
    tournament: Tournament, rounds: int, *, seen_planned: int, by: Actor
) -> None:
    """Add rounds to the planned number per session, which the writer was shown as `seen_planned`.

    Does nothing if the number is another one by now: somebody else has added rounds already.
    """
    current = lock_tournament(tournament)
    if current.rounds_per_session != seen_planned:
        return
    current.rounds_per_session = seen_planned + rounds
    _save_with_rules(current, current.rules, by)


@transaction.atomic
def create_tournament(tournament: Tournament, rules: scoring.Rules, *, by: Actor) -> Tournament:
    """`by` becomes the tournament's director."""
    _save_with_rules(tournament, rules, by)
    if tournament.ranking:
        new = dict(tournament.ranking)
        audit.append_entry(tournament, AuditEntry.Kind.RANKING_SET, by, old={}, new=new)
    if by.user is not None:
        give_role(tournament, by.user, Membership.Role.DIRECTOR, by=by)
    return tournament


@transaction.atomic
def change_rules(
    tournament: Tournament,
    rules: scoring.Rules,
    *,
    seen_version: int,
    by: Actor,
    partners: bool | None = None,
) -> dict[str, int]:
    """Save the settings as set on the instance, the rules and, unless None, `partners`.

    Returns the number of rounds of each session, by its number, that keeps another than chosen.
    `partners` is whether partners play together, which counts as a rule. `seen_version` is the
    version of the settings that was shown. Raises `VersionConflict` if they have changed since,
    and, if the rules would change, `RulesFrozen` and `TableSizeConflict`.
    """
    lock_tournament(tournament)
    check_version(last_change(tournament), seen_version)
    has_partners = tournament.partners if partners is None else partners
    is_same = (
        tournament.rules.fingerprint == rules.fingerprint and tournament.partners == has_partners
    )
    if not is_same and tournament.is_frozen:
        raise RulesFrozen
    tournament.partners = has_partners
    if not is_same:
        _check_table_sizes(tournament)
    kept = _keep_rounds_of_sessions_over(tournament)
    _save_with_rules(tournament, rules, by, {"rounds": kept} if kept else {})
    return kept


def _keep_rounds_of_sessions_over(tournament: Tournament) -> dict[str, int]:
    """Give the sessions that are over the number of rounds they were played with, if it changes.

    Otherwise they would go on, or lack rounds, by a number that is chosen for later sessions.
    `tournament` is not saved yet. Return that number by the number of the session.
    """
    stored = Tournament.objects.get(pk=tournament.pk)
    rounds = stored.rounds_per_session
    if rounds is None or tournament.rounds_per_session == rounds:
        return {}
    played = [
        each.session
        for each in progress.sessions_of(stored)
        if each.is_over and each.session.rounds_planned is None
    ]
    stored.sessions.filter(number__in=[each.number for each in played]).update(
        rounds_planned=rounds
    )
    return {str(each.number): rounds for each in played}


def _check_table_sizes(tournament: Tournament) -> None:
    """Raise `TableSizeConflict` if a seated table has more or fewer players than is allowed.

    The allowed sizes depend on `tournament.partners`, which need not be saved yet.
    """
    tables = Sitting.objects.filter(session__tournament=tournament).select_related("session")
    tables_with_players = tables.order_by("session__number", "number").annotate(
        players=Count("seats")
    )
    if conflicting := list(tables_with_players.exclude(players__in=tournament.table_sizes)):
        raise TableSizeConflict(conflicting)


def _save_with_rules(
    tournament: Tournament, rules: scoring.Rules, by: Actor, subject: dict[str, Any] | None = None
) -> None:
    """Save a new or changed tournament with its rules, and append the audit entry.

    `subject` is that of the entry about a change. Of options and points, only those that differ
    from the rule set's defaults are stored.
    """
    rule_set = rules.rule_set
    tournament.rule_set = rule_set.slug
    tournament.options = {
        option.name: rules.options[option.name]
        for option in rule_set.options
        if rules.options[option.name] != option.default
    }
    tournament.points = {
        rule.item: rules.points[rule.item]
        for rule in rule_set.rules
        if rules.points[rule.item] != rule.points
    }
    old = None
    if tournament._state.adding:
        tournament.save()
        subject = tournament.creation_facts()
    else:  # only these fields, because others may have changed since the row was read
        old = public_settings(Tournament.objects.get(pk=tournament.pk))
        tournament.save(update_fields=SETTINGS)
    new = public_settings(tournament)
    audit.append_entry(
        tournament, AuditEntry.Kind.RULES_SET, by, subject=subject or {}, old=old, new=new
    )


UNPLAYED_AFTER = timedelta(days=1)
BATCH_SIZE = 2  # unplayed club tables removed when one is started


class HasRecords(OperationRefused):
    """The event has recorded rounds or totals, and no archive of its present state was given."""

    code = "has_records"
    sentence = _(
        "This tournament has results. To remove it, save its archive as it is now and choose that "
        "file here."
    )


@transaction.atomic
def remove_tournament(
    tournament: Tournament, *, by: Actor, reason: str = "", archived: str = ""
) -> None:
    """Hide an event, revoke its links and PINs and end its phones. Raises `HasRecords`.

    `archived` is the digest of the last audit entry in an archive that the actor has.
    """
    current = lock_tournament(tournament)
    if current.is_frozen and archived != current.last_act:
        raise HasRecords
    now = timezone.now()
    Tournament.every.filter(pk=current.pk).update(removed_at=now)
    tables = Sitting.objects.filter(session__tournament=current)
    tables.update(closed_at=Coalesce("closed_at", now), pin="")
    phones = Phone.objects.filter(sitting__session__tournament=current, ended_at=None)
    phones.update(ended_at=now, is_writer=False)
    audit.append_entry(current, AuditEntry.Kind.EVENT_REMOVED, by, reason=reason, at=now)


@transaction.atomic
def restore_tournament(tournament: Tournament, *, by: Actor) -> None:
    """Undo `remove_tournament`. Idempotent.

    Links and PINs stay revoked until the desk makes new ones.
    """
    current = lock_tournament(tournament, include_removed=True)
    if current.removed_at is not None:
        Tournament.every.filter(pk=current.pk).update(removed_at=None)
        audit.append_entry(current, AuditEntry.Kind.EVENT_RESTORED, by)


def remove_unplayed_tables() -> None:
    """Remove up to `BATCH_SIZE` club tables started a day ago in which nothing is recorded."""
    started_before = believed_time.now() - UNPLAYED_AFTER
    old = Tournament.objects.filter(kind=Tournament.Kind.TABLE, created_at__lt=started_before)
    unplayed = old.filter(
        sessions__sittings__rounds__isnull=True, sessions__sittings__typed_totals__isnull=True
    )
    for table in unplayed.order_by("created_at")[:BATCH_SIZE]:
        with suppress(HasRecords, Tournament.DoesNotExist):  # played or removed meanwhile
            remove_tournament(table, by=Actor(user=None, who=THE_TABLE))
