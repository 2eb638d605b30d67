"""A rule set as its text gives it, and as an event plays it: with chosen options and points.

Texts for users are English templates with named parameters; `scoring.translation` marks them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple

from scoring.game import NOTHING, Advice, Game, Line
from scoring.sources import Source, Text

# The value of an option: a boolean, or one of its named values.
Choice = bool | str


@dataclass(frozen=True, slots=True)
class Option:
    """A choice that the text leaves open, with a default and the sentence that supports it.

    - `is_our_reading`: no sentence of the text states the default; `source` is the nearest one.
    - `named`: pairs of a value and its name. If empty, the option is a boolean.
    - `added_later`: added after events were played under the rule set. At its default the option is
      left out of the fingerprint, so that the fingerprints of those events stay the same.
    - `halved`: items whose points the option halves. They must be even while the option is chosen.
    """

    name: str
    default: Choice
    meaning: str
    source: Source
    is_our_reading: bool = False
    named: tuple[tuple[str, str], ...] = ()
    added_later: bool = False
    halved: tuple[str, ...] = ()

    @property
    def values(self) -> tuple[Choice, ...]:
        return tuple(value for value, _name in self.named) or (False, True)

    @property
    def other_values(self) -> tuple[Choice, ...]:
        return tuple(value for value in self.values if value != self.default)


@dataclass(frozen=True, slots=True)
class Rule:
    """An item of a score: its code, points, name (`meaning`) and source.

    In face-card games `points` are each kankei player's; each mukankei player gets the opposite. A
    house rule may set them to any number from `lowest` to `highest`. A rule that `voids` cancels
    all points of the round's earlier deals. `note` tells a reader of the text where it contradicts
    itself, and which reading is scored. `unless` is the option under which it never applies.
    """

    item: str
    points: int
    meaning: str
    source: Source
    lowest: int = -999
    highest: int = 999
    voids: bool = False
    note: str = ""
    unless: str = ""


@dataclass(frozen=True, slots=True)
class Custom:
    """What the text has a table do between deals: who draws, deals, leads or exchanges cards.

    A rule set has no custom for what its text does not say, and its tables are told nothing.
    `sentence` may name players, as in ``{dealer}``; `meaning` is then the same without players.
    """

    code: str
    sentence: str
    source: Source
    meaning: str = ""

    @property
    def stated(self) -> str:
        """Return the sentence for a page that knows no players."""
        return self.meaning or self.sentence


class Ruling(NamedTuple):
    """What was decided where the text is silent, and nobody has to choose; else an `Option`.

    `source` is the sentence nearest to it.
    """

    sentence: str
    source: Source


@dataclass(frozen=True, slots=True, eq=False)  # compared by identity: a fast cache key
class RuleSet:
    """A way to play, as its text gives it: data, and the function that creates its game."""

    slug: str
    title: str
    about: str  # one or two sentences on how it differs from the others
    in_short: str  # one short sentence, for lists
    edition: str
    texts: tuple[Text, ...]
    players: tuple[int, ...]
    unit: str  # the Japanese word of its texts for a round
    rounds: int | None  # of a session, by default; None: its texts name no number
    options: tuple[Option, ...]
    rules: tuple[Rule, ...]
    game: Callable[[Rules], Game]
    customs: tuple[Custom, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    partnership_players: tuple[int, ...] = ()  # numbers of players that can be partners
    usual_size: Callable[[Iterable[int]], int] = max  # of several numbers of players
    # The length of a cycle of trumps (clubs, diamonds, hearts) in rounds, if the text requires
    # sessions of whole cycles.
    trump_cycle: int | None = None


class Rules:
    """A rule set with chosen options and point values.

    Equal `fingerprint` means equal rules.
    """

    def __init__(
        self, rule_set: RuleSet, options: Mapping[str, Choice], points: Mapping[str, int]
    ) -> None:
        """Create the game. Use `scoring.choose` instead, which checks the values."""
        self.rule_set = rule_set
        self.options: Mapping[str, Choice] = MappingProxyType(dict(options))
        self.points: Mapping[str, int] = MappingProxyType(dict(points))
        self.by_item: Mapping[str, Rule] = {rule.item: rule for rule in rule_set.rules}
        self.customs: Mapping[str, Custom] = {custom.code: custom for custom in rule_set.customs}
        self.game = rule_set.game(self)

    @property
    def slug(self) -> str:
        """Return the rule set's slug, as in records, URLs and exports."""
        return self.rule_set.slug

    @property
    def possible(self) -> tuple[Rule, ...]:
        """Return the rules of the items that the chosen options do not rule out.

        >>> import scoring
        >>> classic = scoring.get_rule_set("goninkan-classic")
        >>> scoring.choose(classic, {"cut_off_round_scores": False}).possible[-1].item
        'cut_off_void'
        >>> scoring.choose(classic).possible[-1].item
        'voided'
        """
        return tuple(rule for rule in self.rule_set.rules if not self.options.get(rule.unless))

    @property
    def is_house_rule(self) -> bool:
        """Return whether any option or point value differs from the text."""
        return any(
            self.options[option.name] != option.default for option in self.rule_set.options
        ) or any(self.points[rule.item] != rule.points for rule in self.rule_set.rules)

    @property
    def fingerprint(self) -> str:
        """Return a hash of rule set, edition, options and points, the same on every machine.

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
                if not option.added_later or self.options[option.name] != option.default
            },
            "points": dict(self.points),
        }
        text = json.dumps(chosen, sort_keys=True, separators=(",", ":"))
        digest = int.from_bytes(hashlib.sha256(text.encode()).digest(), "big")
        letters = "".join(FINGERPRINT_LETTERS[(digest >> 5 * i) & 31] for i in range(8))
        return f"{letters[:4]}-{letters[4:]}"

    @property
    def usual_rounds(self) -> int | None:
        """Return the default number of rounds of a session; None if the text names no number.

        A last round in spades is added if the text requires whole cycles of trumps.

        >>> import scoring
        >>> association = scoring.get_rule_set("goninkan-association")
        >>> scoring.choose(association).usual_rounds
        9
        >>> scoring.choose(association, {"last_round_spades": True}).usual_rounds
        10
        """
        usual = self.rule_set.rounds
        return usual + self._rounds_after_cycles if usual and self.rule_set.trump_cycle else usual

    @property
    def _rounds_after_cycles(self) -> int:
        """Return 1 if a last round in spades follows the whole cycles of trumps, else 0."""
        return int(bool(self.options.get("last_round_spades")))

    def proposed_rounds(self, highest: int) -> tuple[int, ...]:
        """Return the numbers of rounds, at most `highest`, that complete a cycle of trumps.

        Each number includes the last round in spades, if that option is chosen. Empty if the rule
        set does not require whole cycles.

        >>> import scoring
        >>> association = scoring.get_rule_set("goninkan-association")
        >>> scoring.choose(association).proposed_rounds(12)
        (3, 6, 9, 12)
        >>> scoring.choose(association, {"last_round_spades": True}).proposed_rounds(12)
        (4, 7, 10)
        """
        cycle = self.rule_set.trump_cycle
        return tuple(range(cycle + self._rounds_after_cycles, highest + 1, cycle)) if cycle else ()

    def breaks_trump_cycle(self, rounds: int | None) -> bool:
        """Return whether a session of `rounds` rounds would end within a cycle of trumps.

        False if no number is planned (None), and if the rule set does not require whole cycles.
        """
        cycle = self.rule_set.trump_cycle
        if not cycle or not rounds:
            return False
        return rounds not in self.proposed_rounds(rounds)

    def line(self, item: str, **fields: Any) -> Line:
        """Return a line with the points of an item under these rules.

        `fields` are the other fields of the line: `deal`, `player` or `team`.
        """
        return Line(item, self.points[item], self.by_item[item].source, **fields)

    def advice(
        self, code: str, players: Mapping[str, str] = NOTHING, **values: str | int
    ) -> tuple[Advice, ...]:
        """Return the advice of the custom with this code; none if the text has no such custom.

        >>> import scoring
        >>> rules = scoring.choose(scoring.get_rule_set("gouji"))
        >>> [advice.code for advice in rules.advice("starting_card")], rules.advice("dealer")
        (['starting_card'], ())
        """
        custom = self.customs.get(code)
        return (Advice(code, custom.sentence, players, values, custom.source),) if custom else ()


# Crockford's base 32: without I, L, O and U, which are easily misread on paper.
FINGERPRINT_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
