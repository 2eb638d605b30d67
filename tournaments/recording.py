"""Every write of facts, each in one transaction. Nothing is overwritten."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import ProtectedError
from django.utils import timezone

import scoring
from tournaments.models import Entry, Membership, Round, Seat, Session, Sitting, Tournament
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


class AlreadySeated(Exception):
    """Raised when a session has been seated since its writer looked."""


class HasPlayed(Exception):
    """Raised when a player would be removed who has sat at a table."""


class LastDirector(Exception):
    """Raised when a tournament would be left with nobody to direct it."""


@transaction.atomic
def record_round(
    sitting: Sitting,
    number: int,
    facts: Mapping[str, Any],
    *,
    seen: int,
    by: User | None,
    reason: str = "",
) -> Round:
    """Store a round's facts as its next version and return them.

    `seen` is the version the writer looked at, 0 for a round not recorded yet. Raises `StaleRound`
    when another has come since, `scoring.InvalidRecord` with all the problems of the facts,
    `ReasonNeeded` when recorded facts would change without a reason, and `NotNext`.
    """
    sheet = sheet_of(Sitting.objects.select_for_update().get(pk=sitting.pk))
    if not 1 <= number <= len(sheet.rows) + 1:
        raise NotNext
    stored = sheet.rows[number - 1] if number <= len(sheet.rows) else None
    if (stored.version if stored else 0) != seen:
        raise StaleRound(stored)
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
def remove_entry(entry: Entry) -> None:
    """Remove a player who has never sat down. Raises `HasPlayed` for others."""
    try:
        entry.delete()
    except ProtectedError:
        raise HasPlayed from None


def correct_entry(entry: Entry, person: Mapping[str, str]) -> None:
    """Put a player's name, club and division right. The number stays: records name it."""
    for name in ("name", "club", "division"):
        setattr(entry, name, person[name])
    entry.save(update_fields=["name", "club", "division"])


def next_session(tournament: Tournament) -> int:
    """Return the number of the session to be seated next."""
    last = tournament.sessions.order_by("number").last()
    return last.number + 1 if last else 1


@transaction.atomic
def open_session(
    tournament: Tournament, tables: Sequence[Sequence[Entry]], *, number: int | None = None
) -> Session:
    """Seat everybody for the next session: one list of entries for each table, in seat order.

    `number` is the session the writer meant to seat. Raises `AlreadySeated` if there is one.
    """
    following = next_session(tournament)
    if number not in {None, following}:
        raise AlreadySeated
    try:
        with transaction.atomic():
            session = Session.objects.create(tournament=tournament, number=following)
    except IntegrityError:  # somebody else seated this very session at the same moment
        raise AlreadySeated from None
    for table, entries in enumerate(tables, 1):
        sitting = Sitting.objects.create(session=session, number=table)
        Seat.objects.bulk_create(
            Seat(sitting=sitting, position=position, entry=entry)
            for position, entry in enumerate(entries, 1)
        )
    return session


@transaction.atomic
def start_table(tournament: Tournament, rules: scoring.Rules, names: Sequence[str]) -> Sitting:
    """Set up one table for tonight, its players in seat order, under a tournament of its own."""
    tournament.kind = Tournament.Kind.TABLE
    _set_rules(tournament, rules)
    entries = add_entries(tournament, [{"name": name} for name in names])
    return open_session(tournament, [entries]).sittings.get()


@transaction.atomic
def create_tournament(tournament: Tournament, rules: scoring.Rules, director: User) -> Tournament:
    """Store a new tournament under these rules, run by this director."""
    _set_rules(tournament, rules)
    give_role(tournament, director, Membership.Role.DIRECTOR)
    return tournament


@transaction.atomic
def change_rules(
    tournament: Tournament, rules: scoring.Rules, *, partners: bool | None = None
) -> None:
    """Set the rules a tournament is played by, and whether in partnerships.

    Raises `RulesFrozen` once a round is recorded, unless nothing would change.
    """
    # A round being recorded holds its sitting: rules and rounds wait for one another.
    list(Sitting.objects.select_for_update().filter(session__tournament=tournament))
    wanted = tournament.partners if partners is None else partners
    is_same = tournament.rules.fingerprint == rules.fingerprint and tournament.partners == wanted
    if not is_same and tournament.is_frozen:
        raise RulesFrozen
    tournament.partners = wanted
    _set_rules(tournament, rules)


def _set_rules(tournament: Tournament, rules: scoring.Rules) -> None:
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
    tournament.save()


def publish(tournament: Tournament, is_public: bool) -> None:
    """Let everybody see a tournament, or only its staff again."""
    if is_public != tournament.is_published:
        tournament.published_at = timezone.now() if is_public else None
        tournament.save(update_fields=["published_at"])


def give_role(tournament: Tournament, user: User, role: str) -> Membership:
    """Make somebody a member of the tournament's staff."""
    return Membership.objects.create(tournament=tournament, user=user, role=role)


@transaction.atomic
def take_role(membership: Membership) -> None:
    """Remove somebody from the staff. Raises `LastDirector` rather than leave nobody in charge."""
    others = membership.tournament.memberships.select_for_update().exclude(pk=membership.pk)
    if not any(other.role == Membership.Role.DIRECTOR for other in others):
        raise LastDirector
    membership.delete()
