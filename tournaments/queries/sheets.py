"""Sheets (記入表): a sitting's players, its rounds in force, and their score.

Every page, check or export of rounds starts from a `Sheet`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef, Prefetch, QuerySet

import scoring
from scoring.problems import Problems
from tournaments.audit import is_the_table
from tournaments.models import Entry, Round, Seat, Sitting, SittingTotals, Tournament

# As `_rounds_in_force` for one sitting. Django takes 0.8 ms to compile that query.
ROUNDS_IN_FORCE = """
    SELECT * FROM tournaments_round AS newest
    WHERE sitting_id = %s AND NOT EXISTS (
        SELECT 1 FROM tournaments_round AS later
        WHERE later.sitting_id = newest.sitting_id
        AND later.number = newest.number AND later.version > newest.version
    )
    ORDER BY number
"""


class PlayedRound(NamedTuple):
    """A round in force: its row, its facts as read by `scoring`, and its score.

    `facts` are a `scoring.Round`, `Captures` or `Finish`, depending on the kind of game.
    """

    row: Round
    facts: Any
    score: scoring.RoundScore


class SeatedTable(NamedTuple):
    """A sitting and its players in seat order, without rounds."""

    sitting: Sitting
    entries: tuple[Entry, ...]


class Sheet(NamedTuple):
    """A sitting's players in seat order, its rounds in force by number, and their score."""

    sitting: Sitting
    rules: scoring.Rules
    entries: tuple[Entry, ...]
    rows: tuple[Round, ...]
    record: scoring.Record
    score: scoring.Score
    typed_totals: SittingTotals | None = None  # those in force, in a session with totals only

    @property
    def players(self) -> tuple[str, ...]:
        """Return the keys of the players, by which records name them, in seat order."""
        return tuple(entry.key for entry in self.entries)

    @property
    def names(self) -> dict[str, str]:
        """Return the players' names by key."""
        return {entry.key: entry.name for entry in self.entries}

    def is_current(self, tournament: Tournament) -> bool:
        """Return whether no audit entry was appended since this sheet was read.

        `tournament` is a row read just now.
        """
        return self.sitting.session.tournament.last_act == tournament.last_act

    def row(self, number: int) -> Round | None:
        """Return the round in force with this number, or None."""
        return self.rows[number - 1] if 1 <= number <= len(self.rows) else None

    @property
    def rounds(self) -> tuple[PlayedRound, ...]:
        """Return the rounds in force with their scores; empty in a session with totals only."""
        if self.is_totals_only:
            return ()
        return tuple(
            PlayedRound(*each)
            for each in zip(self.rows, self.record.rounds, self.score.rounds, strict=True)
        )

    @property
    def is_totals_only(self) -> bool:
        """Return whether the session records final totals instead of rounds."""
        return self.sitting.session.totals_only

    @property
    def is_play_off(self) -> bool:
        """Return whether the table belongs to a play-off, which only orders tied players."""
        return self.sitting.session.is_play_off

    @property
    def planned(self) -> int | None:
        """Return the planned number of rounds; None if it is not fixed, or with totals only."""
        if self.is_totals_only:
            return None
        if self.sitting.rounds_planned is not None:  # its own number
            return self.sitting.rounds_planned
        return self.sitting.session.rounds_per_table

    @property
    def rounds_to_play(self) -> int | None:
        """Return `planned`, or the number of rounds played if the game ended before.

        Only Gong Zhu ends before its planned rounds: at a limit of points.
        """
        if self.planned is None or self.rules.game.kind != "captures" or not self.is_finished:
            return self.planned
        return min(self.planned, self.complete_rounds)

    @property
    def complete_rounds(self) -> int:
        """Return the number of complete rounds; only these count."""
        return sum(score.complete for score in self.score.rounds)

    @property
    def has_unfinished_round(self) -> bool:
        """Return whether the last round is unfinished."""
        return not self.score.complete

    @property
    def next_number(self) -> int:
        """Return the number of the unfinished round, or of the next one."""
        return len(self.rows) + (0 if self.has_unfinished_round else 1)

    @property
    def advice(self) -> tuple[scoring.Advice, ...]:
        """Return what the table does next, according to the game; empty with totals only."""
        if self.is_totals_only:
            return ()
        return self.rules.game.advice(
            self.record.rounds,
            self.players,
            planned_rounds=self.planned,
            partners=self.record.partners,
        )

    @property
    def is_finished(self) -> bool:
        """Return whether the table has played all its rounds, or has its totals."""
        if self.is_totals_only:
            return self.typed_totals is not None
        return bool(self.endings)

    @property
    def is_over(self) -> bool:
        """Return whether nothing more is expected of the table.

        It has finished, the desk has ended its session, or the tournament is closed.
        """
        return self.is_finished or self.sitting.session.is_ended

    @property
    def state(self) -> str:
        """Return the state of the table: each page, board and list shows this one.

        `waiting` (no round yet), `playing` or `done`; where play was ended before all planned
        rounds, `stopped`, or `unplayed` without any.
        """
        if not self.rows and not self.typed_totals:
            return "unplayed" if self.is_over else "waiting"
        if not self.is_over:
            return "playing"
        is_whole = self.is_finished or (self.planned is None and not self.has_unfinished_round)
        return "done" if is_whole else "stopped"

    @property
    def is_waited_for(self) -> bool:
        """Return whether the session has to wait for this table before it ends.

        A table without a planned number of rounds is waited for until its first round is recorded,
        and while a round is unfinished; any other table until it is finished.
        """
        if self.planned is None and not self.is_totals_only:
            return not self.rows or self.has_unfinished_round
        return not self.is_finished

    @property
    def endings(self) -> tuple[scoring.Advice, ...]:
        """Return the items of `advice` that say why play has ended; empty if it has not ended."""
        return tuple(each for each in self.advice if each.code in {"finished", "game_over"})

    @property
    def may_be_prolonged(self) -> bool:
        """Return whether play ended only because the planned rounds are played."""
        return any(ending.code == "finished" for ending in self.endings)


def canonical_facts(sheet: Sheet, number: int, facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the canonical form of facts for round `number`, which depends on the rounds before it.

    Facts that the game cannot read are returned unchanged.
    """
    game, earlier_rounds = sheet.rules.game, sheet.record.rounds[: number - 1]
    read = game.read_round(Problems(), at="", data=facts, players=sheet.players)
    if read is None:
        return dict(facts)
    return game.canonical_facts(read, earlier_rounds, sheet.players, planned_rounds=sheet.planned)


def table_may_correct(sheet: Sheet, row: Round) -> bool:
    """Return whether the table may correct this complete round without the desk.

    It may if the round is the table's last one, was not recorded by the desk, and is not accepted.
    """
    is_by_desk = bool(row.who) and not is_the_table(row.who)
    return row.number == len(sheet.rows) and not is_by_desk and not hasattr(row, "acceptance")


def is_same_round(
    sheet: Sheet, number: int, one: Mapping[str, Any], other: Mapping[str, Any]
) -> bool:
    """Return whether two versions of the facts of a round have the same canonical form."""
    return one == other or canonical_facts(sheet, number, one) == canonical_facts(
        sheet, number, other
    )


def record_document(
    tournament: Tournament, players: Sequence[str], rounds: Iterable[Mapping[str, Any]]
) -> dict[str, Any]:
    """Return a sitting's record as JSON, for `scoring.read_record`."""
    record: dict[str, Any] = {
        "ruleset": tournament.rule_set,
        "players": list(players),
        "rounds": list(rounds),
    }
    if tournament.partners:
        record["partners"] = True
    return record


def sheets_for(tournament: Tournament) -> list[Sheet]:
    """Return all sheets of a tournament, ordered by session and table."""
    sittings = Sitting.objects.filter(session__tournament=tournament)
    return sheets_of(sittings.order_by("session__number", "number"))


def sheets_of(sittings: QuerySet[Sitting]) -> list[Sheet]:
    """Return the sheets of these sittings in their order; the number of queries is constant."""
    with_players = with_seats(sittings.select_related("session__tournament", "continues"))
    sheets = [
        sheet_from(each, [seat.entry for seat in each.seats.all()], _counted_rounds(each))
        for each in with_players.prefetch_related(Prefetch("rounds", _rounds_in_force()))
    ]
    sessions = {sheet.sitting.session_id for sheet in sheets if sheet.is_totals_only}
    if not sessions:
        return sheets
    versions = SittingTotals.objects.filter(sitting__session__in=sessions).order_by("version")
    totals_in_force = {row.sitting_id: row for row in versions}  # the last version of each
    return [with_totals(sheet, totals_in_force.get(sheet.sitting.pk)) for sheet in sheets]


def with_totals(sheet: Sheet, totals: SittingTotals | None) -> Sheet:
    """Return the sheet with typed totals, which become the score of one round without lines.

    The sheet is unchanged without totals, and in a session that records rounds.
    """
    if not sheet.is_totals_only or totals is None:
        return sheet
    points = {player: int(totals.points.get(player, 0)) for player in sheet.players}
    as_round = scoring.RoundScore(points, complete=True, lines=())
    score = scoring.Score(rounds=(as_round,), totals=points, team_totals=None)
    return sheet._replace(score=score, typed_totals=totals)


def _counted_rounds(sitting: Sitting) -> list[Round]:
    """Return the prefetched rounds in force, ordered by number, without those set aside."""
    return [row for row in sitting.rounds.all() if not row.is_set_aside]


def _rounds_in_force() -> QuerySet[Round]:
    """Return a queryset of the newest version of each round."""
    same = Round.objects.filter(sitting=OuterRef("sitting"), number=OuterRef("number"))
    return Round.objects.exclude(Exists(same.filter(version__gt=OuterRef("version"))))


def with_seats(sittings: QuerySet[Sitting]) -> QuerySet[Sitting]:
    """Return the sittings with seats and entries prefetched, in one more query.

    Entries are joined, not prefetched: a prefetch would name each entry in an OR, and SQLite allows
    a thousand.
    """
    return sittings.prefetch_related(Prefetch("seats", Seat.objects.select_related("entry")))


def tables_of(sittings: QuerySet[Sitting]) -> list[SeatedTable]:
    """Return these sittings with their players, in two queries; reads no rounds."""
    rows = with_seats(sittings.select_related("session__tournament", "continues"))
    return [SeatedTable(each, tuple(seat.entry for seat in each.seats.all())) for each in rows]


def continued_tables(tables: Iterable[SeatedTable | Sheet]) -> dict[tuple[int, int], int]:
    """Return, for every table that another one continues, the number of that other table.

    Keys are (session number, table number) of the table whose players joined or left.
    """
    sittings = [each.sitting for each in tables]
    return {
        (each.session.number, each.continues.number): each.number
        for each in sittings
        if each.continues
    }


def sheet_of(sitting: Sitting) -> Sheet:
    """Return the sheet of a sitting; sitting, session and tournament are read again."""
    return sheet_at(Sitting.objects.select_related("session__tournament").get(pk=sitting.pk))


def sheet_at(sitting: Sitting) -> Sheet:
    """Return the sheet of a sitting that was read just now; only players and rounds are read.

    Used for every recorded deal: it takes a third of the time of `sheets_of`.
    """
    entries = Entry.objects.filter(seats__sitting=sitting).order_by("seats__position")
    rows = list(Round.objects.raw(ROUNDS_IN_FORCE, [sitting.pk]))
    for row in rows:
        row.sitting = sitting
    sheet = sheet_from(sitting, entries, [row for row in rows if not row.is_set_aside])
    totals = sitting.typed_totals.order_by("version").last() if sheet.is_totals_only else None
    return with_totals(sheet, totals)


def sheet_from(sitting: Sitting, entries: Iterable[Entry], rows: Iterable[Round]) -> Sheet:
    """Return the scored sheet of a sitting.

    `entries` are in seat order; `rows` are the rounds in force, ordered by number. Raises
    `scoring.InvalidRecord` if the rounds cannot be read.
    """
    tournament, seated, rows_in_force = sitting.session.tournament, tuple(entries), tuple(rows)
    rules = tournament.rules
    record = scoring.read_record(
        record_document(
            tournament, [entry.key for entry in seated], [row.facts for row in rows_in_force]
        ),
        rules,
    )
    return Sheet(sitting, rules, seated, rows_in_force, record, scoring.score(record))
