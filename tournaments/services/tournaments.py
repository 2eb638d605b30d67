"""Every write of a tournament itself: its settings, its rules, its removal.

A removed tournament is hidden, not deleted: only its directors find it, its links open nothing,
and its address stays taken. Its row and its audit trail stay, because audit entries are never
deleted. A club table in which nothing was recorded within a day is removed when others start.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta

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
from tournaments.models.tournament import ANNOUNCED
from tournaments.services.entries import add_entries
from tournaments.services.seating import open_session
from tournaments.services.staff import give_role
from tournaments.services.versions import check_seen


class RulesFrozen(Exception):
    """Raised when the rules would change under rounds already recorded."""


class SeatedOtherwise(Exception):
    """Raised when at `tables` another number sit than partnerships would allow, or their lack."""

    def __init__(self, tables: Sequence[Sitting]) -> None:
        """Keep the tables."""
        super().__init__("Tables are seated with another number of players.")
        self.tables = tables


@transaction.atomic
def start_table(
    tournament: Tournament, rules: scoring.Rules, names: Sequence[str], *, by: Actor
) -> Sitting:
    """Set up one table for tonight, its players in seat order, under a tournament of its own."""
    tournament.kind = Tournament.Kind.TABLE
    _set_rules(tournament, rules, by)
    entries = add_entries(tournament, [{"name": name} for name in names], by=by)
    return open_session(tournament, [entries], by=by).sittings.get()


@transaction.atomic
def prolong(tournament: Tournament, rounds: int, *, seen: int, by: Actor) -> None:
    """Let every table play so many rounds more than the number its writer has `seen` planned.

    Where that is no longer the number, somebody has prolonged the play already: nothing is done.
    """
    current = lock_tournament(tournament)
    if current.rounds_per_session != seen:
        return
    current.rounds_per_session = seen + rounds
    _set_rules(current, current.rules, by)


@transaction.atomic
def create_tournament(tournament: Tournament, rules: scoring.Rules, *, by: Actor) -> Tournament:
    """Store a new tournament under these rules, directed by whoever creates it."""
    _set_rules(tournament, rules, by)
    if by.user is not None:
        give_role(tournament, by.user, Membership.Role.DIRECTOR, by=by)
    return tournament


@transaction.atomic
def change_rules(
    tournament: Tournament,
    rules: scoring.Rules,
    *,
    seen: int,
    by: Actor,
    partners: bool | None = None,
) -> None:
    """Keep a tournament's settings, the rules it is played by, and whether in partnerships.

    Raises `VersionConflict` when they have changed since the version `seen`. Where the rules would
    change, raises `RulesFrozen` once a result is taken down under them, and `SeatedOtherwise`.
    """
    lock_tournament(tournament)  # for which whoever records a round waits, too
    check_seen(tournament, seen)
    wanted = tournament.partners if partners is None else partners
    is_same = tournament.rules.fingerprint == rules.fingerprint and tournament.partners == wanted
    if not is_same and tournament.is_frozen:
        raise RulesFrozen
    tournament.partners = wanted
    if not is_same:
        _check_seated(tournament)
    _set_rules(tournament, rules, by)


def _check_seated(tournament: Tournament) -> None:
    """Raise `SeatedOtherwise` where a table could not be seated so."""
    tables = Sitting.objects.filter(session__tournament=tournament).select_related("session")
    counted = tables.order_by("session__number", "number").annotate(players=Count("seats"))
    if others := list(counted.exclude(players__in=tournament.table_sizes)):
        raise SeatedOtherwise(others)


def _set_rules(tournament: Tournament, rules: scoring.Rules, by: Actor) -> None:
    """Keep only what differs from the text, so that a record reads as it was chosen."""
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
    old, begun = None, {}
    if tournament._state.adding:
        tournament.save()
        begun = tournament.begun()
    else:  # whatever else was done to it meanwhile, such as publishing, stays
        old = Tournament.objects.get(pk=tournament.pk).announced()
        tournament.save(update_fields=ANNOUNCED)
    told = tournament.announced()
    audit.append(tournament, AuditEntry.Kind.RULES_SET, by, subject=begun, old=old, new=told)


UNPLAYED_AFTER = timedelta(days=1)


AT_ONCE = 2  # with every table that is started, more go than come


class HasRecords(OperationRefused):
    """Raised when an event would be removed in which something is recorded."""

    code = "has_records"
    sentence = _("Something is recorded in this tournament. It can be closed, but not removed.")


@transaction.atomic
def remove_tournament(tournament: Tournament, *, by: Actor, reason: str = "") -> None:
    """Hide an event and end its links, PINs and phones. Raises `HasRecords`."""
    current = lock_tournament(tournament)
    if current.is_frozen:
        raise HasRecords
    now = timezone.now()
    Tournament.every.filter(pk=current.pk).update(removed_at=now)
    tables = Sitting.objects.filter(session__tournament=current)
    tables.update(closed_at=Coalesce("closed_at", now), pin="")
    phones = Phone.objects.filter(sitting__session__tournament=current, ended_at=None)
    phones.update(ended_at=now, is_writer=False)
    audit.append(current, AuditEntry.Kind.EVENT_REMOVED, by, reason=reason, at=now)


@transaction.atomic
def restore_tournament(tournament: Tournament, *, by: Actor) -> None:
    """Show a removed event again to those who saw it. The desk makes its tables new links."""
    current = lock_tournament(tournament, removed=True)
    if current.removed_at is not None:
        Tournament.every.filter(pk=current.pk).update(removed_at=None)
        audit.append(current, AuditEntry.Kind.EVENT_RESTORED, by)


def remove_unplayed_tables() -> None:
    """Remove a few club tables that were started a day ago, each in its own transaction."""
    since = timezone.now() - UNPLAYED_AFTER
    old = Tournament.objects.filter(kind=Tournament.Kind.TABLE, created_at__lt=since)
    unplayed = old.filter(
        sessions__sittings__rounds__isnull=True, sessions__sittings__typed_totals__isnull=True
    )
    for table in unplayed.order_by("created_at")[:AT_ONCE]:
        with suppress(HasRecords, Tournament.DoesNotExist):  # played or removed meanwhile
            remove_tournament(table, by=Actor(None, THE_TABLE))
