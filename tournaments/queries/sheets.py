"""Sheets (記入表): a sitting's players, its rounds in force, and their score.

Every page, check or export of rounds starts from a `Sheet`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef, Prefetch, QuerySet

import scoring
from scoring.game import TableState
from scoring.problems import Problems
from tournaments.models import Entry, Round, Sitting, SittingTotals, Tournament
from tournaments.queries.player_names import player_names
from tournaments.queries.seated_tables import numbers_of, with_seats

# In the order of their seats. Django takes 0.3 ms to compile this query, 0.8 ms that of
# `_rounds_in_force`, of which the next one is for one sitting.
PLAYERS = """
    SELECT entry.* FROM tournaments_entry AS entry
    JOIN tournaments_seat AS seat ON seat.entry_id = entry.id
    WHERE seat.sitting_id = %s ORDER BY seat.position
"""
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


class _SheetFields(NamedTuple):
    sitting: Sitting
    rules: scoring.Rules
    entries: tuple[Entry, ...]
    rows: tuple[Round, ...]
    record: scoring.Record
    score: scoring.Score
    typed_totals: SittingTotals | None = None  # those in force, in a session with totals only
    earlier: tuple[Sheet, ...] = ()  # of the players who sat at the table before, in order


class Sheet(_SheetFields):
    """A sitting's players in seat order, its rounds in force by number, and their score."""

    @property
    def players(self) -> tuple[str, ...]:
        """Return the keys by which records name them, in seat order."""
        return tuple(entry.key for entry in self.entries)

    @property
    def names(self) -> dict[str, str]:
        """By key; with the number where several who have played at the table have the name."""
        names = player_names(self.entries_at_table)
        return {key: names[key] for key in self.players}

    def is_played_by(self, players: Sequence[str]) -> bool:
        """Return whether these are the players; in games with teams, in the same seats."""
        if self.score.team_totals is None:
            return sorted(players) == sorted(self.players)
        return tuple(players) == self.players

    def is_current(self, tournament: Tournament) -> bool:
        """Return whether no audit entry was appended since this sheet was read.

        `tournament` is a row read just now.
        """
        return self.sitting.session.tournament.last_act == tournament.last_act

    def row(self, number: int) -> Round | None:
        return self.rows[number - 1] if 1 <= number <= len(self.rows) else None

    @property
    def rounds(self) -> tuple[PlayedRound, ...]:
        """Empty in a session with totals only."""
        if self.is_totals_only:
            return ()
        return tuple(
            PlayedRound(*each)
            for each in zip(self.rows, self.record.rounds, self.score.rounds, strict=True)
        )

    @property
    def is_totals_only(self) -> bool:
        return self.sitting.session.totals_only

    @property
    def is_play_off(self) -> bool:
        """Return whether the table belongs to a play-off, which only orders tied players."""
        return self.sitting.session.is_play_off

    @property
    def planned(self) -> int | None:
        """None if the number is not fixed, or with totals only."""
        if self.is_totals_only:
            return None
        if self.sitting.rounds_planned is not None:  # others go on at the table
            return self.sitting.rounds_planned
        of_table = self.sitting.session.rounds_per_table
        return None if of_table is None else max(0, of_table - self.rounds_before)

    @property
    def rounds_before(self) -> int:
        return self.sitting.rounds_before

    @property
    def recorded_at_table(self) -> int:
        """Return the number of rounds at the table; an unfinished one counts while it is played."""
        return self.complete_at_table if self.is_over else self.rounds_before + len(self.rows)

    @property
    def complete_at_table(self) -> int:
        return self.rounds_before + self.complete_rounds

    @property
    def planned_at_table(self) -> int | None:
        """Return `planned` with the rounds that other players played at the table before."""
        return None if self.planned is None else self.rounds_before + self.planned

    @property
    def rounds_of_table(self) -> int | None:
        """Return how many rounds the table plays, whoever sits there; trumps depend on it.

        None as `planned`. On the sheet of players who have left, `planned_at_table` is less.
        """
        return None if self.is_totals_only else self.sitting.session.rounds_per_table

    @property
    def start(self) -> scoring.Start:
        """Return what the players before left behind: round number, dealer and totals."""
        return self.earlier[-1].start_of(self.players) if self.earlier else scoring.Start()

    def start_of(self, next_players: Sequence[str]) -> scoring.Start:
        """Return how these players go on after the rounds of the sheet."""
        record = self.record
        return self.rules.game.next_start(
            record.rounds, self.players, next_players, self.start, record.partners
        )

    @property
    def at_table(self) -> tuple[Sheet, ...]:
        """Return the sheets of all who have played at the table, first to last."""
        return (*self.earlier, self)

    @property
    def left(self) -> tuple[Entry, ...]:
        """In the order in which they sat last, as who joined sits in theirs."""
        before = self.earlier[-1].seated_now if self.earlier else ()
        return tuple(entry for entry in before if entry not in self.entries)

    @property
    def joined(self) -> tuple[Entry, ...]:
        """Empty at a table whose players never changed."""
        before = self.earlier[-1].entries if self.earlier else self.entries
        return tuple(entry for entry in self.entries if entry not in before)

    @property
    def team_totals_at_table(self) -> tuple[int, ...]:
        """Empty in games without teams."""
        of_sheets = [sheet.score.team_totals or () for sheet in self.at_table]
        return tuple(sum(team) for team in zip(*of_sheets, strict=True))

    @property
    def totals_at_table(self) -> dict[str, int]:
        """By key, of all who have played at the table."""
        totals: Counter[str] = Counter()
        for sheet in self.at_table:
            totals.update(sheet.score.totals)
        return dict(totals)

    @property
    def took_seat_of(self) -> dict[str, Entry]:
        """Return by the key of who joined last in whose seat. Empty if a seat came or went."""
        if len(self.left) != len(self.joined):
            return {}
        return {new.key: old for new, old in zip(self.joined, self.left, strict=True)}

    @property
    def totals_by_seat(self) -> dict[str, int]:
        """Return sums of each seat, by the key of who sits there: a column of the paper sheet.

        Who took somebody's seat after a round has that player's points in it, too.
        """
        before = self.earlier[-1].totals_by_seat if self.earlier else {}
        taken = {new: old.key for new, old in self.took_seat_of.items()}
        own = self.score.totals
        return {key: own[key] + before.get(taken.get(key, key), 0) for key in self.players}

    @property
    def entries_at_table(self) -> tuple[Entry, ...]:
        """Return all who have played at the table: those of the sheet first, in seat order."""
        others = (entry for sheet in reversed(self.earlier) for entry in sheet.entries)
        return tuple(dict.fromkeys((*self.entries, *others)))

    @property
    def seated_now(self) -> tuple[Entry, ...]:
        """Return the players in the order in which they sit now, after changes of seats."""
        if self.next_round is None:
            return self.entries
        by_key = {entry.key: entry for entry in self.entries}
        return tuple(by_key[key] for key in self.next_round.seats)

    @property
    def next_round(self) -> TableState | None:
        """Return how the next round begins; None in games without dealer and trump."""
        return self.round_after(self.record.rounds)

    def round_after(self, rounds: Sequence[Any]) -> TableState | None:
        """Return how the round after these of the sheet begins; None as in `next_round`."""
        return self.rules.game.state_after(rounds, self.players, self.rounds_of_table, self.start)

    def trump_if_unrecorded(self, number: int) -> str:
        """Return the trump of a round for which none is recorded; empty if it is not certain.

        It is not where the last round is in spades: the planned number may have changed since.
        """
        if self.rules.options.get("last_round_spades"):
            return ""
        return self.rules.game.trump(self.rounds_before + number, None)

    @property
    def rounds_to_play(self) -> int | None:
        """Return `planned`, or the number of rounds played.

        That is if the game ended before, or if more were begun before the number was lowered.
        """
        if self.planned is None:
            return None
        if self.rules.game.may_end_early and self.is_finished:
            return self.complete_rounds
        return max(self.planned, self.begun_rounds)

    @property
    def complete_rounds(self) -> int:
        """Only complete rounds count."""
        return sum(score.complete for score in self.score.rounds)

    @property
    def begun_rounds(self) -> int:
        """Return the number of rounds that are complete or under way."""
        return self.complete_rounds + self.has_unfinished_round

    @property
    def has_unfinished_round(self) -> bool:
        return not self.score.complete

    @property
    def next_number(self) -> int:
        return len(self.rows) + (0 if self.has_unfinished_round else 1)

    @cached_property
    def advice(self) -> tuple[scoring.Advice, ...]:
        """Return what the table does next, according to the game; empty with totals only.

        Cached: a board asks for it seven times. What it depends on is not changed in a sheet.
        """
        if self.is_totals_only:
            return ()
        return self.rules.game.advice(
            self.record.rounds,
            self.players,
            planned_rounds=self.planned_at_table,
            partners=self.record.partners,
            start=self.start,
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
        if not self.rows and not self.earlier and not self.typed_totals:
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
            return not (self.rows or self.earlier) or self.has_unfinished_round
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
    return game.canonical_facts(
        read, earlier_rounds, sheet.players, sheet.rounds_of_table, sheet.start
    )


def is_same_round(
    sheet: Sheet, number: int, one: Mapping[str, Any], other: Mapping[str, Any]
) -> bool:
    return one == other or canonical_facts(sheet, number, one) == canonical_facts(
        sheet, number, other
    )


def record_document(
    tournament: Tournament, players: Sequence[str], rounds: Iterable[Mapping[str, Any]]
) -> dict[str, Any]:
    """Return JSON for `scoring.read_record`."""
    record: dict[str, Any] = {
        "ruleset": tournament.rule_set,
        "players": list(players),
        "rounds": list(rounds),
    }
    if tournament.partners:
        record["partners"] = True
    return record


def sheets_for(tournament: Tournament) -> list[Sheet]:
    """Ordered by session and table."""
    sittings = Sitting.objects.filter(session__tournament=tournament)
    return sheets_of(sittings.order_by("session__number", "number"))


def sheets_of(sittings: QuerySet[Sitting]) -> list[Sheet]:
    """The sheets are in the order of the sittings; the number of queries is constant."""
    with_players = with_seats(sittings.select_related("session__tournament", "continues"))
    sheets = [
        sheet_from(each, [seat.entry for seat in each.seats.all()], _counted_rounds(each))
        for each in with_players.prefetch_related(Prefetch("rounds", _rounds_in_force()))
    ]
    return with_earlier(_with_totals_in_force(sheets))


def _with_totals_in_force(sheets: Sequence[Sheet]) -> list[Sheet]:
    """Return the sheets; those of sessions with totals only have their last version of totals."""
    sessions = {sheet.sitting.session_id for sheet in sheets if sheet.is_totals_only}
    versions = SittingTotals.objects.filter(sitting__session__in=sessions).order_by("version")
    in_force = {row.sitting_id: row for row in versions}
    return [with_totals(sheet, in_force.get(sheet.sitting.pk)) for sheet in sheets]


def with_earlier(sheets: Sequence[Sheet]) -> list[Sheet]:
    """Return the sheets in their order, each with those of the players who sat there before.

    A sheet before that is not among these is read from the database.
    """
    linked: dict[tuple[int, int], Sheet] = {}
    for sheet in sorted(sheets, key=numbers_of):  # a sitting that continues has the higher number
        session, continued = sheet.sitting.session, sheet.sitting.continues
        if continued is None:
            linked[numbers_of(sheet)] = sheet
        else:
            before = linked.get((session.number, continued.number)) or sheet_of(continued)
            linked[numbers_of(sheet)] = _following(sheet, before)
    return [linked[numbers_of(sheet)] for sheet in sheets]


def _following(sheet: Sheet, before: Sheet) -> Sheet:
    """Return the sheet with those before it at the table, of which `before` is the last."""
    sheet.sitting.continues = before.sitting
    return sheet._replace(earlier=(*before.earlier, before))


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
    """Return the newest version of each round."""
    same = Round.objects.filter(sitting=OuterRef("sitting"), number=OuterRef("number"))
    return Round.objects.exclude(Exists(same.filter(version__gt=OuterRef("version"))))


def in_play_at(sheet: Sheet, sheets: Iterable[Sheet]) -> Sheet:
    """Return the last of `sheets`, those of one session, at the table of `sheet`."""
    numbers = numbers_of(sheet)
    later = (each for each in sheets if numbers in map(numbers_of, each.earlier))
    return max(later, key=lambda each: len(each.earlier), default=sheet)


def sheet_of(sitting: Sitting) -> Sheet:
    """Sitting, session and tournament are read again."""
    return sheet_at(Sitting.objects.select_related("session__tournament").get(pk=sitting.pk))


def sheet_at(sitting: Sitting) -> Sheet:
    """Return the sheet of a sitting that was read just now; only players and rounds are read.

    Used for every recorded deal: it takes a third of the time of `sheets_of`.
    """
    entries = Entry.objects.raw(PLAYERS, [sitting.pk])
    rows = list(Round.objects.raw(ROUNDS_IN_FORCE, [sitting.pk]))
    for row in rows:
        row.sitting = sitting
    sheet = sheet_from(sitting, entries, [row for row in rows if not row.is_set_aside])
    if sitting.continues_id is not None:
        sheet = _following(sheet, sheet_of(Sitting(pk=sitting.continues_id)))
    totals = sitting.typed_totals.order_by("version").last() if sheet.is_totals_only else None
    return with_totals(sheet, totals)


def sheet_from(sitting: Sitting, entries: Iterable[Entry], rows: Iterable[Round]) -> Sheet:
    """Return the scored sheet of a sitting.

    `entries` are in seat order; `rows` are the rounds in force, ordered by number. Raises
    `scoring.InvalidRecord` if the rounds cannot be read. Whether they fit those of other players at
    the table before was checked when they were stored.
    """
    tournament, seated, rows_in_force = sitting.session.tournament, tuple(entries), tuple(rows)
    rules = tournament.rules
    record = scoring.read_record(
        record_document(
            tournament, [entry.key for entry in seated], [row.facts for row in rows_in_force]
        ),
        rules,
        start=None if sitting.continues else scoring.Start(),
    )
    return Sheet(sitting, rules, seated, rows_in_force, record, scoring.score(record))
