"""The Django side of a kind of game as one object, and the kinds there are: `settings.GAME_KINDS`.

A kind is a package in `games/`, which makes the object of its modules, and a folder in
`templates/games/`. Both are named like `Game.kind`. What all games share asks `kind_of`, and never
compares kinds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple

from django.conf import settings
from django.utils.functional import Promise
from django.utils.module_loading import import_string

import scoring
from scoring.game import Game
from tournaments.queries.sheets import PlayedRound, Sheet

Facts = Mapping[str, Any]  # of a round, as JSON
Cells = dict[str, str | int | None]  # of a row, by column name


class TableShape(NamedTuple):
    """What a phone's playbook depends on besides the rules.

    `planned_rounds` is `Sheet.rounds_of_table`: it contains the `rounds_before`, which others have
    played at the table.
    """

    player_count: int
    planned_rounds: int | None = None
    rounds_before: int = 0
    partners: bool = False

    @property
    def seats(self) -> tuple[str, ...]:
        """Return the seats in playing order, "0", "1" and so on, as players for a game."""
        return tuple(map(str, range(self.player_count)))


class SimulatedTable(NamedTuple):
    """The players of a simulated table, and how many rounds they are to play.

    A player's strength is 1 on average.
    """

    players: tuple[str, ...]  # keys of entries, in seat order
    strengths: Mapping[str, float]
    planned_rounds: int | None


@dataclass(frozen=True, kw_only=True, slots=True)
class GameKind:
    """What a kind of game brings. Facts are JSON, `Any` is a type of its own: game, facts, form.

    - `form`: its `forms.rounds.RoundForm`, which `games/<kind>/form.html` shows
    - `sheet`: its `printing.contents.ScoreSheet`, which `games/<kind>/sheet.html` prints
    - `columns`, `cells`: those of the workbook, and every player's in a round
    - `facts_in_words`: the parts of a round for the history; the function names players
    - `read_line`, `format_line`: the shorthand of paper entry, see `paper_entry.line_shorthand`
    - `differing_parts`: where two versions of a round differ, which `facts.html` marks
    - `merge_with_stored`: a typed line, completed by what it omits of the stored version
    - `shorthand_help`: the context of `shorthand.html` and `shorthand_in_short.html`, for a number
      of players
    - `playbook`: what a phone without network looks up, as JSON
    - `limited_totals`: the totals before a sheet that can end its game, by limited seat or pair
    - `explanations`: sentences that explain the points of a rule set
    - `simulate`: the facts of the next round, as `scoring` has them
    - `as_recorded`: such facts as a table records them, after each deal
    """

    code: str
    form: type[Any]
    sheet: type[Any]
    columns: Callable[[], list[tuple[str, Any]]]
    cells: Callable[[PlayedRound, Sheet], dict[str, Cells]]
    facts_in_words: Callable[[Facts, Callable[[Any], str], scoring.Rules], Iterator[str]]
    read_line: Callable[[str, Any, Sequence[str], str | None], dict[str, Any]]
    format_line: Callable[[Facts, Any, Sequence[str]], str]
    differing_parts: Callable[[Facts, Facts], set[str | int]]
    shorthand_help: Callable[[Any, int], dict[str, Any]]
    playbook: Callable[[Any, TableShape], dict[str, Any]]
    simulate: Callable[[Random, Any, Sequence[Any], SimulatedTable], Any]
    as_recorded: Callable[[Any], list[dict[str, Any]]]
    usual_mistakes: tuple[str | Promise, ...]
    check_request: str | Promise  # asks another player to check a round on the phone
    sides: tuple[str | Promise, ...]  # above the points of a chart: one column, or both sides
    merge_with_stored: Callable[[Facts, dict[str, Any]], dict[str, Any]] = lambda _stored, typed: (
        typed
    )
    explanations: Callable[[scoring.Rules], tuple[str, ...]] = lambda _rules: ()
    limited_totals: Callable[[Any, Sheet], list[int]] = lambda _game, _sheet: []


def kind_of(game: Game) -> GameKind:
    """Raises `LookupError` for a game that is not registered."""
    return _kinds(tuple(settings.GAME_KINDS))[game.kind]


@lru_cache
def _kinds(paths: tuple[str, ...]) -> dict[str, GameKind]:
    """Import the kinds at first use, because their forms import most modules that use them."""
    kinds: list[GameKind] = [import_string(path) for path in paths]
    return {kind.code: kind for kind in kinds}
