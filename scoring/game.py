"""A kind of game, and what it answers with: lines, scores, advice, and how a table goes on.

A `Game` reads the facts of one kind of game and scores them. The three kinds are in `kankei/` (face
cards), `variants/gong_zhu/` (captured cards) and `variants/gouji.py` (finishing order).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, Protocol

from scoring.problems import Problems
from scoring.sources import Source

# The facts of a deal: face cards of each side, captured cards of each player, finishing order.
Kind = Literal["kankei", "captures", "finish"]


class Line(NamedTuple):
    """A line of a score. `deal` counts from 1.

    The points belong to `player`, or to each player of `team` (1 or 2). If both are None, they
    belong to each kankei player.
    """

    item: str
    points: int
    source: Source
    deal: int | None = None
    player: str | None = None
    team: int | None = None


class RoundScore(NamedTuple):
    """A round's points by player. An unfinished round has no lines and 0 for everyone.

    `teams` are the points of team 1 and team 2, in games whose lines belong to teams.
    """

    points: dict[str, int]
    complete: bool
    lines: tuple[Line, ...]
    teams: tuple[int, int] | None = None


NOTHING: Mapping[str, Any] = MappingProxyType({})


class Advice(NamedTuple):
    """A sentence that tells the table what to do next: a code, a template and its parameters.

    Parameters that are player ids are in `players`, so that a page can replace them with names.
    `source` is that of a custom or of a rule's note; None for what follows from the record alone.
    """

    code: str
    template: str
    players: Mapping[str, str] = NOTHING
    values: Mapping[str, str | int] = NOTHING
    source: Source | None = None


class Start(NamedTuple):
    """What other players left behind at the table, where players have joined or left.

    `opener` deals first, or leads in Gong Zhu; None if a card decides. Only games that end at a
    total have `totals` of everybody who has played at the table, and those of lasting pairs.

    >>> NEW_TABLE
    Start(rounds=0, opener=None, totals=mappingproxy({}), team_totals=(0, 0))
    """

    rounds: int = 0  # played before
    opener: str | None = None
    totals: Mapping[str, int] = NOTHING
    team_totals: tuple[int, int] = (0, 0)


NEW_TABLE = Start()


class TableState(NamedTuple):
    """How a round begins."""

    seats: tuple[str, ...]  # players in seat order
    dealer: str | None  # None if unknown, or if the game has no dealers
    trump: str  # of the first deal
    round_number: int


class Side(NamedTuple):
    """A player's role in a round, and all players who win or lose with that player.

    The roles are `kankei`, `mukankei` and `dealer`; `team` or `alone` in games without kankei.
    """

    role: str
    players: tuple[str, ...]


class Game(Protocol):
    """A kind of game under chosen rules: reads and scores rounds, and advises the table.

    What has a body here holds for games of one deal a round, without dealers and trumps.
    """

    rounds_are_deals: bool = True
    may_end_early: bool = False  # at a total, before the planned rounds are played

    @property
    def kind(self) -> Kind:
        """Return the kind of facts that a record of this game holds."""

    def trump(self, round_number: int, planned_rounds: int | None) -> str:
        """Return the trump of a round's first deal; empty in games without trumps."""
        return ""

    def state_after(
        self,
        rounds: Sequence[Any],
        players: Sequence[str],
        planned_rounds: int | None,
        start: Start = NEW_TABLE,
    ) -> TableState | None:
        """Return how the round after these begins; None in games without dealers and trumps."""
        return None

    def is_unfinished(self, facts: Mapping[str, Any]) -> bool:
        """Return whether a round goes on, by its facts as JSON, which `read_round` has accepted.

        >>> import scoring
        >>> games = [scoring.choose(rule_set).game for rule_set in scoring.RULE_SETS]
        >>> any(game.is_unfinished({}) for game in games if game.rounds_are_deals)
        False
        """
        return False

    def sums_to_zero(self, player_count: int) -> bool:
        """Return whether the points of everybody in a round always sum to 0."""
        return False

    def lineup(self, facts: Any, players: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return both teams of a round, if the game has team totals: every other seat.

        >>> Game.lineup(None, {}, "ABCDEF")
        (('A', 'C', 'E'), ('B', 'D', 'F'))
        """
        return tuple(players[::2]), tuple(players[1::2])

    def side_of(
        self, player: str, facts: Any, players: Sequence[str], partners: bool = False
    ) -> Side:
        """Return a player's role in a round, and who has the same side."""

    def own_lines(
        self, player: str, facts: Any, lines: Sequence[Line], players: Sequence[str]
    ) -> tuple[Line, ...]:
        """Return those of a round's lines that explain a player's points, as the player's."""

    def read_round(self, problems: Problems, at: str, data: Any, players: Sequence[str]) -> Any:
        """Return a round's facts, or None after adding its problems.

        `at` is the path of `data` in the record, with which the paths of the problems begin.
        """

    def canonical_facts(
        self,
        facts: Any,
        earlier_rounds: Sequence[Any],
        players: Sequence[str],
        planned_rounds: int | None,
        start: Start = NEW_TABLE,
    ) -> dict[str, Any]:
        """Return the canonical form of a round's facts, as JSON for a record.

        Defaults are filled in and lists are sorted, so that equal rounds have equal forms.
        `planned_rounds` is the number of rounds of the table, those before `start` included, if
        known.
        """

    def check_rounds(
        self,
        problems: Problems,
        rounds: Sequence[Any],
        players: Sequence[str],
        partners: bool,
        start: Start = NEW_TABLE,
    ) -> None:
        """Add the problems that only several rounds show, such as a deal after the game's end.

        `rounds` has None for each round that `read_round` refused.
        """

    def score_round(self, facts: Any, players: Sequence[str]) -> RoundScore:
        """Return the round's lines and every player's points."""

    def team_totals(
        self, scores: Sequence[RoundScore], players: Sequence[str], partners: bool
    ) -> tuple[int, int] | None:
        """Return the totals of both teams or pairs; None if the game has none that last."""

    def advice(
        self,
        rounds: Sequence[Any],
        players: Sequence[str],
        planned_rounds: int | None,
        partners: bool = False,
        start: Start = NEW_TABLE,
    ) -> tuple[Advice, ...]:
        """Return what the table does next, after these rounds.

        `planned_rounds` is the number of rounds of the table, those before `start` included; None
        if it is open.
        """

    def next_start(
        self,
        rounds: Sequence[Any],
        players: Sequence[str],
        next_players: Sequence[str],
        start: Start = NEW_TABLE,
        partners: bool = False,
    ) -> Start:
        """Return how `next_players` go on, in seat order, after these rounds of `players`."""
