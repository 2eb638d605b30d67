"""Every write of facts, each in one transaction. Nothing is overwritten."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import IntegrityError, transaction

import scoring
from tournaments.models import Entry, Round, Seat, Session, Sitting, Tournament
from tournaments.sheets import Sheet, document, sheet_of


class StaleRound(Exception):
    """Raised when the round has changed since its writer looked. `stored` is the one in force."""

    def __init__(self, stored: Round | None) -> None:
        """Keep the version in force, None when there is no such round yet."""
        super().__init__("The round has changed since it was read.")
        self.stored = stored


class ReasonNeeded(Exception):
    """Raised when facts already recorded would change and nobody says why."""


class NotNext(Exception):
    """Raised when a round is recorded before the one that precedes it."""


class RulesFrozen(Exception):
    """Raised when the rules would change under rounds already recorded."""


@transaction.atomic
def record_round(
    sitting: Sitting,
    number: int,
    facts: Mapping[str, Any],
    *,
    seen: int,
    by: AbstractBaseUser | None,
    reason: str = "",
) -> Round:
    """Store a round's facts as its next version and return them.

    `seen` is the version the writer looked at, 0 for a round not recorded yet. Raises `StaleRound`
    when another has come since, `scoring.InvalidRecord` with all the problems of the facts,
    `ReasonNeeded` when recorded facts would change without a reason, and `NotNext`.
    """
    sheet = sheet_of(Sitting.objects.select_for_update().get(pk=sitting.pk))
    stored = sheet.rows[number - 1] if number <= len(sheet.rows) else None
    if (stored.version if stored else 0) != seen:
        raise StaleRound(stored)
    if number > len(sheet.rows) + 1:
        raise NotNext
    check_round(sheet, number, facts)
    if stored and not goes_on(stored.facts, facts) and not reason:
        raise ReasonNeeded
    try:
        with transaction.atomic():
            return Round.objects.create(
                sitting=sitting,
                number=number,
                version=seen + 1,
                facts=dict(facts),
                reason=reason,
                recorded_by=by,
            )
    except IntegrityError:  # somebody else wrote this very version at the same moment
        latest = Round.objects.filter(sitting=sitting, number=number).last()
        raise StaleRound(latest) from None


def check_round(sheet: Sheet, number: int, facts: Mapping[str, Any]) -> scoring.Record:
    """Return the sitting's record with this round in its place, or raise `InvalidRecord`."""
    rounds = [row.facts for row in sheet.rows]
    rounds[number - 1 : number] = [dict(facts)]
    tournament = sheet.sitting.session.tournament
    return scoring.read_record(document(tournament, sheet.players, rounds), sheet.rules)


def goes_on(before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
    """Return whether the facts only go on: everything recorded before still stands in them.

    >>> goes_on({"kankei": ["1", "2"], "deals": [1]}, {"kankei": ["1", "2"], "deals": [1, 2]})
    True
    >>> goes_on({"kankei": ["1", "2"], "deals": [1]}, {"kankei": ["1", "3"], "deals": [1, 2]})
    False
    """
    deals = before.get("deals", [])
    kept = {**after, "deals": after.get("deals", [])[: len(deals)]} if deals else dict(after)
    if not before.get("cut_off"):
        kept.pop("cut_off", None)
    return kept == dict(before) and kept != dict(after)


@transaction.atomic
def add_entries(tournament: Tournament, people: Sequence[Mapping[str, str]]) -> list[Entry]:
    """Add players, numbered on from the last; each has a name, perhaps a club and a division."""
    last = tournament.entries.order_by("number").last()
    first = last.number + 1 if last else 1
    return Entry.objects.bulk_create(
        Entry(tournament=tournament, number=number, **person)
        for number, person in enumerate(people, first)
    )


@transaction.atomic
def open_session(tournament: Tournament, tables: Sequence[Sequence[Entry]]) -> Session:
    """Seat everybody for the next session: one list of entries for each table, in seat order."""
    last = tournament.sessions.order_by("number").last()
    session = Session.objects.create(tournament=tournament, number=last.number + 1 if last else 1)
    for number, entries in enumerate(tables, 1):
        sitting = Sitting.objects.create(session=session, number=number)
        Seat.objects.bulk_create(
            Seat(sitting=sitting, position=position, entry=entry)
            for position, entry in enumerate(entries, 1)
        )
    return session


def change_rules(tournament: Tournament, rules: scoring.Rules) -> None:
    """Set the rules a tournament is played by. Raises `RulesFrozen` once a round is recorded."""
    if tournament.is_frozen:
        raise RulesFrozen
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
    tournament.save()
