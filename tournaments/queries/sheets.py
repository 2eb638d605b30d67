"""A sitting as its table sees it: who sat where, the rounds in force, and what they scored.

Reads; writes nothing. Everything that shows or checks a round starts from a `Sheet`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef, Prefetch, QuerySet

import scoring
from scoring.problems import Problems
from tournaments.audit import is_the_table
from tournaments.models import Entry, Round, Seat, Sitting, SittingTotals, Tournament


class PlayedRound(NamedTuple):
    """A round in force: its row, its frozen facts and its score."""

    row: Round
    facts: Any
    score: scoring.RoundScore


class SeatedTable(NamedTuple):
    """Who sits at a table, in seat order, whatever is played there."""

    sitting: Sitting
    entries: tuple[Entry, ...]


class Sheet(NamedTuple):
    """One sitting's facts and score. `entries` are in the order in which they sat down."""

    sitting: Sitting
    rules: scoring.Rules
    entries: tuple[Entry, ...]
    rows: tuple[Round, ...]
    record: scoring.Record
    score: scoring.Score
    typed: SittingTotals | None = None  # the totals in force, where nobody takes down deals

    @property
    def players(self) -> tuple[str, ...]:
        """Return the entries as records name them."""
        return tuple(entry.key for entry in self.entries)

    @property
    def names(self) -> dict[str, str]:
        """Return each player's name by their name in the record."""
        return {entry.key: entry.name for entry in self.entries}

    @property
    def rounds(self) -> tuple[PlayedRound, ...]:
        """Return the rounds in force with what they scored; none where only totals are taken."""
        if self.is_totals_only:
            return ()
        return tuple(
            PlayedRound(*each)
            for each in zip(self.rows, self.record.rounds, self.score.rounds, strict=True)
        )

    @property
    def is_totals_only(self) -> bool:
        """Return whether final totals are typed here instead of deals taken down."""
        return self.sitting.session.totals_only

    @property
    def planned(self) -> int | None:
        """Return how many rounds the sitting is to play, where that is fixed and they are kept."""
        if self.is_totals_only:
            return None
        return self.sitting.session.tournament.rounds_per_session

    @property
    def complete_rounds(self) -> int:
        """Return how many rounds count: those under way do not yet."""
        return sum(score.complete for score in self.score.rounds)

    @property
    def goes_on(self) -> bool:
        """Return whether the last round waits for its next deal."""
        return not self.score.complete

    @property
    def next_number(self) -> int:
        """Return the number of the round to be taken down now."""
        return len(self.rows) + (0 if self.goes_on else 1)

    @property
    def advice(self) -> tuple[scoring.Advice, ...]:
        """Return what the table does next."""
        if self.is_totals_only:
            return ()
        record = self.record
        return self.rules.game.advice(record.rounds, self.players, self.planned, record.partners)

    @property
    def is_finished(self) -> bool:
        """Return whether nothing more is to be played at this table."""
        if self.is_totals_only:
            return self.typed is not None
        return bool(self.endings)

    @property
    def endings(self) -> tuple[scoring.Advice, ...]:
        """Return why nothing more is to be played, where that is so."""
        return tuple(each for each in self.advice if each.code in {"finished", "game_over"})

    @property
    def may_be_prolonged(self) -> bool:
        """Return whether only the number of rounds agreed on has ended the play."""
        return any(ending.code == "finished" for ending in self.endings)


def canonical_facts(sheet: Sheet, number: int, facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return a round's facts as any other way to write the same round is written out, too.

    They follow the rounds before them on the sheet. What no round of this game reads like, is
    returned as it is.
    """
    game, before = sheet.rules.game, sheet.record.rounds[: number - 1]
    read = game.read_round(Problems(), "", facts, sheet.players)
    if read is None:
        return dict(facts)
    return game.canonical_facts(read, before, sheet.players, sheet.planned)


def table_may_correct(sheet: Sheet, row: Round) -> bool:
    """Return whether the table itself may correct a round that counts.

    It is its own last one, until the next is recorded or the other side has accepted it.
    """
    by_desk = bool(row.who) and not is_the_table(row.who)
    return row.number == len(sheet.rows) and not by_desk and not hasattr(row, "acceptance")


def is_same_round(
    sheet: Sheet, number: int, one: Mapping[str, Any], other: Mapping[str, Any]
) -> bool:
    """Return whether two ways to write a round say the same: phones, paper and programs differ."""
    return one == other or canonical_facts(sheet, number, one) == canonical_facts(
        sheet, number, other
    )


def record_document(
    tournament: Tournament, players: Sequence[str], rounds: Iterable[Mapping[str, Any]]
) -> dict[str, Any]:
    """Return a sitting as a record document, for `scoring.read_record`."""
    record: dict[str, Any] = {
        "ruleset": tournament.rule_set,
        "players": list(players),
        "rounds": list(rounds),
    }
    if tournament.partners:
        record["partners"] = True
    return record


def sheets_of(sittings: QuerySet[Sitting]) -> list[Sheet]:
    """Return the sheets of these sittings, in few queries however many there are."""
    found = with_seats(sittings.select_related("session__tournament"))
    sheets = [
        sheet_from(each, [seat.entry for seat in each.seats.all()], _counted_rounds(each))
        for each in found.prefetch_related(Prefetch("rounds", _rounds_in_force()))
    ]
    sessions = {sheet.sitting.session_id for sheet in sheets if sheet.is_totals_only}
    if not sessions:
        return sheets
    versions = SittingTotals.objects.filter(sitting__session__in=sessions).order_by("version")
    typed = {row.sitting_id: row for row in versions}  # the newest of each stays
    return [with_totals(sheet, typed.get(sheet.sitting.pk)) for sheet in sheets]


def with_totals(sheet: Sheet, typed: SittingTotals | None) -> Sheet:
    """Return the sheet of a table whose final totals are these; any other as it is.

    They stand as one round, about which nothing but its points is known: a place among others is
    not decided by it, but for the points.
    """
    if not sheet.is_totals_only or typed is None:
        return sheet
    points = {player: int(typed.points.get(player, 0)) for player in sheet.players}
    score = scoring.Score((scoring.RoundScore(points, True, ()),), points, None)
    return sheet._replace(score=score, typed=typed)


def _counted_rounds(sitting: Sitting) -> list[Round]:
    """Return the rounds in force, by number, but for those set aside."""
    return [row for row in sitting.rounds.all() if not row.is_set_aside]


def _rounds_in_force() -> QuerySet[Round]:
    """Return the newest version of every round."""
    same = Round.objects.filter(sitting=OuterRef("sitting"), number=OuterRef("number"))
    return Round.objects.exclude(Exists(same.filter(version__gt=OuterRef("version"))))


def with_seats(sittings: QuerySet[Sitting]) -> QuerySet[Sitting]:
    """Return the sittings with who sits where, in one query more.

    The entries are joined: asked for by themselves, Django would name every one of them in an OR,
    of which SQLite takes a thousand at most.
    """
    return sittings.prefetch_related(Prefetch("seats", Seat.objects.select_related("entry")))


def tables_of(sittings: QuerySet[Sitting]) -> list[SeatedTable]:
    """Return who sits at these tables, in two queries; their rounds are neither read nor scored."""
    found = with_seats(sittings.select_related("session__tournament"))
    return [SeatedTable(each, tuple(seat.entry for seat in each.seats.all())) for each in found]


def sheet_of(sitting: Sitting) -> Sheet:
    """Return one sitting's sheet."""
    return sheets_of(Sitting.objects.filter(pk=sitting.pk))[0]


def sheet_from(sitting: Sitting, entries: Iterable[Entry], rows: Iterable[Round]) -> Sheet:
    """Return the sheet of these players, in seat order, and these rounds, by number."""
    tournament, seated, written = sitting.session.tournament, tuple(entries), tuple(rows)
    rules = tournament.rules
    record = scoring.read_record(
        record_document(
            tournament, [entry.key for entry in seated], [row.facts for row in written]
        ),
        rules,
    )
    return Sheet(sitting, rules, seated, written, record, scoring.score(record))
