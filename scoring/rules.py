"""The vocabulary of the rules: sources, options, point values, lines, scores and rule sets.

Answers for what every game has in common. How one kind of game reads its facts and turns them into
lines is a `Game`; the three kinds live in `kankei/` (face cards), `variants/gong_zhu/` (captured
cards) and `variants/gouji.py` (finishing order).

Texts meant for people are English with named parameters; `scoring.translation` marks them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, Protocol

from scoring.problems import Problems

# Which facts a table writes down: face cards by side, cards by player, or who finished when.
Kind = Literal["kankei", "captures", "finish"]

# What may be chosen of an option: yes or no, or one of the values that it names.
Choice = bool | str


class Source(NamedTuple):
    """Where a rule comes from: the number of the source text, and the words it rests on."""

    text: str
    words: str


@dataclass(frozen=True, slots=True)
class Text:
    """One of the source texts: its number, what it is called, who wrote it and when.

    >>> Text("001", "五所川原").at("じゅうろく")
    Source(text='001', words='じゅうろく')
    """

    number: str
    title: str
    author: str = ""
    year: int | None = None

    def at(self, words: str) -> Source:
        """Cite this text at these words."""
        return Source(self.number, words)

    @property
    def cited(self) -> str:
        """Return the text as those who read it would name it.

        >>> Text("003", "ゴンジュー", "赤桐", 2018).cited, Text("001", "ゴニンカンの遊び方").cited
        ('『ゴンジュー』(赤桐、2018年)', '『ゴニンカンの遊び方』')
        """
        return f"『{self.title}』" + (f"({self.author}、{self.year}年)" if self.author else "")


@dataclass(frozen=True, slots=True)
class Option:
    """A choice the texts leave open: its default, and the sentence it rests on.

    `is_our_reading` where that sentence comes nearest, but does not itself say the default.
    `named` are the values to choose from, each with its name, where they are not yes and no. One
    that `is_later` was added after events were played under the rule set: at its default it is no
    part of the fingerprint, so that those events keep theirs. With it, the points of each of its
    `halved` items are halved, and so must be even.
    """

    name: str
    default: Choice
    meaning: str
    source: Source
    is_our_reading: bool = False
    named: tuple[tuple[str, str], ...] = ()
    is_later: bool = False
    halved: tuple[str, ...] = ()

    @property
    def values(self) -> tuple[Choice, ...]:
        """Return all that may be chosen."""
        return tuple(value for value, _name in self.named) or (False, True)

    @property
    def others(self) -> tuple[Choice, ...]:
        """Return all that may be chosen but the default."""
        return tuple(value for value in self.values if value != self.default)


@dataclass(frozen=True, slots=True)
class Rule:
    """An item of a score: what it is called, what it is worth, and why.

    `points` are, unless the game says otherwise, each kankei player's; each mukankei player gets
    the opposite. A house rule may set them to anything from `lowest` to `highest`. A rule that
    `voids` takes back everything the round has earned so far.
    """

    item: str
    points: int
    meaning: str
    source: Source
    lowest: int = -999
    highest: int = 999
    voids: bool = False


class Line(NamedTuple):
    """One line of a score. `deal` counts from 1; `player` and `team` (from 1) say whose it is.

    Lines with neither are the kankei's: each kankei player's points.
    """

    item: str
    points: int
    source: Source
    deal: int | None = None
    player: str | None = None
    team: int | None = None


class RoundScore(NamedTuple):
    """What a round brought everybody. An unfinished round has no lines and 0 for everyone."""

    points: dict[str, int]
    complete: bool
    lines: tuple[Line, ...]
    teams: tuple[int, int] | None = None


class Advice(NamedTuple):
    """Something the table does next, as a code, a sentence and the values it names.

    Values that are player ids stand in `players`, so that a page can show names instead.
    """

    code: str
    template: str
    players: Mapping[str, str] = MappingProxyType({})
    values: Mapping[str, str | int] = MappingProxyType({})


class Game(Protocol):
    """How one kind of game reads, scores and explains itself, under rules already chosen."""

    @property
    def kind(self) -> Kind:
        """Return which facts a table writes down."""

    def read_round(self, problems: Problems, at: str, data: Any, players: Sequence[str]) -> Any:
        """Return a round's frozen facts, or None after adding a problem for everything wrong."""

    def written_out(
        self, facts: Any, before: Sequence[Any], players: Sequence[str], planned: int | None
    ) -> dict[str, Any]:
        """Return a round as a record would hold it, in one order and with what may go unsaid.

        `before` are the facts of the rounds before it, of `planned` ones at this table. Two ways to
        write the same round are written out alike.
        """

    def check_rounds(
        self, problems: Problems, rounds: Sequence[Any], players: Sequence[str], partners: bool
    ) -> None:
        """Add the problems that only show across rounds: one unfinished, a game already over."""

    def score_round(self, facts: Any, players: Sequence[str]) -> RoundScore:
        """Return the round's lines and everybody's points."""

    def team_totals(
        self, scores: Sequence[RoundScore], players: Sequence[str], partners: bool
    ) -> tuple[int, int] | None:
        """Return the two teams' totals, where the game has teams that stay."""

    def advice(
        self,
        rounds: Sequence[Any],
        players: Sequence[str],
        planned: int | None,
        partners: bool = False,
    ) -> tuple[Advice, ...]:
        """Return what the table does next, after these rounds of `planned`."""


@dataclass(frozen=True, slots=True, eq=False)  # each is itself alone, and quick to look up
class RuleSet:
    """A way to play, as its text gives it: data, and the function that sets up its game."""

    slug: str
    title: str
    about: str  # in a sentence or two, what tells it from the others
    edition: str
    texts: tuple[Text, ...]
    players: tuple[int, ...]
    unit: str  # what its texts call a round, in Japanese
    rounds: int | None
    options: tuple[Option, ...]
    rules: tuple[Rule, ...]
    game: Callable[[Rules], Game]
    partners_of: tuple[int, ...] = ()  # numbers of players who may play in partnerships
    whole_turn: int | None = None  # rounds in one turn of trumps, where its text wants whole turns


class Rules:
    """A rule set with every choice made: what a record is scored by.

    Two `Rules` are the same when their `fingerprint` is.
    """

    def __init__(
        self, rule_set: RuleSet, options: Mapping[str, Choice], points: Mapping[str, int]
    ) -> None:
        """Set up the game. Callers go through `scoring.choose`, which checks the choices."""
        self.rule_set = rule_set
        self.options: Mapping[str, Choice] = MappingProxyType(dict(options))
        self.points: Mapping[str, int] = MappingProxyType(dict(points))
        self.by_item: Mapping[str, Rule] = {rule.item: rule for rule in rule_set.rules}
        self.game = rule_set.game(self)

    @property
    def slug(self) -> str:
        """Return the rule set's name in records, URLs and exports."""
        return self.rule_set.slug

    @property
    def is_house_rule(self) -> bool:
        """Return whether any option or point value differs from the text."""
        return any(
            self.options[option.name] != option.default for option in self.rule_set.options
        ) or any(self.points[rule.item] != rule.points for rule in self.rule_set.rules)

    @property
    def fingerprint(self) -> str:
        """Return a short code of rule set, edition, options and points; the same on every machine.

        >>> import scoring
        >>> scoring.choose(scoring.get_rule_set("gouji")).fingerprint
        'VZW7-NK30'
        """
        chosen = {
            "rule_set": self.slug,
            "edition": self.rule_set.edition,
            "options": {
                option.name: self.options[option.name]
                for option in self.rule_set.options
                if not option.is_later or self.options[option.name] != option.default
            },
            "points": dict(self.points),
        }
        text = json.dumps(chosen, sort_keys=True, separators=(",", ":"))
        digest = int.from_bytes(hashlib.sha256(text.encode()).digest(), "big")
        letters = "".join(FINGERPRINT_LETTERS[(digest >> 5 * i) & 31] for i in range(8))
        return f"{letters[:4]}-{letters[4:]}"

    @property
    def usual_rounds(self) -> int | None:
        """Return how many rounds a session has unless chosen otherwise.

        >>> import scoring
        >>> association = scoring.get_rule_set("goninkan-association")
        >>> scoring.choose(association).usual_rounds
        9
        >>> scoring.choose(association, {"last_round_spades": True}).usual_rounds
        10
        """
        usual = self.rule_set.rounds
        return usual + self._closing if usual and self.rule_set.whole_turn else usual

    @property
    def _closing(self) -> int:
        """Return how many rounds come after the whole turns: the one in spades, where it is."""
        return int(bool(self.options.get("last_round_spades")))

    def proposed_rounds(self, highest: int) -> tuple[int, ...]:
        """Return numbers of rounds that are whole turns, up to one; none where any number will do.

        >>> import scoring
        >>> association = scoring.get_rule_set("goninkan-association")
        >>> scoring.choose(association).proposed_rounds(12)
        (3, 6, 9, 12)
        >>> scoring.choose(association, {"last_round_spades": True}).proposed_rounds(12)
        (4, 7, 10)
        """
        turn = self.rule_set.whole_turn
        return tuple(range(turn + self._closing, highest + 1, turn)) if turn else ()

    def breaks_a_turn(self, rounds: int | None) -> bool:
        """Return whether so many rounds break off a turn of trumps that has to be whole."""
        turn = self.rule_set.whole_turn
        return bool(turn and rounds) and rounds not in self.proposed_rounds(rounds or 0)

    def line(self, item: str, **whose: Any) -> Line:
        """Return a line for an item, at what it is worth under these rules."""
        return Line(item, self.points[item], self.by_item[item].source, **whose)


# Crockford's alphabet: no I, L, O or U, so that a code read aloud or off paper is not misread.
FINGERPRINT_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
