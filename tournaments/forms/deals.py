"""The fields of a deal, and its usual results, each of which one tap gives.

Play stops when a side has what it needs, so who won and how many face cards the others took by then
say both counts. Anything else is typed.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from django import forms
from django.forms.boundfield import BoundField
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scoring.kankei import FACE_CARDS, KankeiGame, Verdict

SIDES = ("kankei", "mukankei")
TWO_RESULTS = _("One result is chosen, and other counts are typed. Leave one of the two empty.")

MORE = (1, 2)

Counts = tuple[int, int]  # of the kankei, of the mukankei


class ResultRow(NamedTuple):
    """The results by which one side wins a deal: the radio button and the label of each."""

    kankei_won: bool
    target: int
    choices: tuple[tuple[Any, str], ...]

    @property
    def more(self) -> tuple[int, ...]:
        """Return what else the winners often hold: their last trick brought several face cards."""
        return tuple(self.target + more for more in MORE)


class DealCount(forms.CharField):
    """How many face cards a side holds. `full_label` also names the deal, for a list of errors."""

    full_label: str | Promise = ""


class DealChoice(forms.ChoiceField):
    """What was chosen in a deal. `full_label` also names the deal, for a list of errors."""

    full_label: str | Promise = ""


class DealFields(NamedTuple):
    """One deal of the form: its fields, what wins it, and how it stands."""

    number: int
    kankei: BoundField
    mukankei: BoundField
    declaration: BoundField
    trump: BoundField
    targets: tuple[int, int]
    state: str  # waiting, open, won or lost
    legal: tuple[str, ...]  # declarations that the counts do not rule out
    made: tuple[str, ...]  # declarations that the counts make
    result: BoundField
    rows: tuple[ResultRow, ResultRow]
    is_usual: bool  # a radio button says its counts, or there are none
    chooser: str  # who chooses its trump and leads, in a sentence


def result_field(game: KankeiGame, deal: int) -> DealChoice:
    """Return the field for the result of this deal: any that can be, offering the usual ones."""
    field = DealChoice(
        label=_("Result"),
        choices=[(value_of(each), value_of(each)) for each in _all_results(game, deal)],
        required=False,
        widget=forms.RadioSelect,
    )
    field.widget.choices = [(value_of(each), "") for each in usual_results(game, deal)]
    return field


@lru_cache(maxsize=64)
def _all_results(game: KankeiGame, deal: int) -> tuple[Counts, ...]:
    counts = range(FACE_CARDS + 1)
    both = ((own, others) for own in counts for others in range(FACE_CARDS + 1 - own))
    return tuple(each for each in both if isinstance(game.verdict(deal, *each, None), Verdict))


@lru_cache(maxsize=64)
def usual_results(game: KankeiGame, deal: int) -> tuple[Counts, ...]:
    """Return the counts at which a deal stops, and all sixteen where they can be declared."""
    kankei, mukankei = game.targets[deal]
    stops = [(kankei, others) for others in range(FACE_CARDS - kankei + 1)]
    stops += [(others, mukankei) for others in range(FACE_CARDS - mukankei + 1)]
    sixteen = [(FACE_CARDS, 0), (0, FACE_CARDS)]
    made = [each for each in sixteen if made_by(game, deal, each)]
    return (
        *(each for each in stops if isinstance(game.verdict(deal, *each, None), Verdict)),
        *made,
    )


def made_by(game: KankeiGame, deal: int, counts: Counts) -> tuple[str, ...]:
    """Return the declarations of a deal that these counts make, not miss."""
    verdicts = {each: game.verdict(deal, *counts, each) for each in game.declarations[deal]}
    return tuple(
        declaration
        for declaration, verdict in verdicts.items()
        if isinstance(verdict, Verdict) and verdict.outcome == declaration
    )


def value_of(counts: Counts) -> str:
    """Return the value of a result's radio button.

    >>> value_of((9, 4))
    '9-4'
    """
    return "-".join(map(str, counts))


def rows_of(game: KankeiGame, deal: int, field: BoundField) -> tuple[ResultRow, ResultRow]:
    """Return the results of a deal as two rows: won by the kankei, and lost."""
    boxes = {box.data["value"]: box for box in field}
    rows: dict[bool, list[tuple[Any, str]]] = {True: [], False: []}
    for counts in usual_results(game, deal):
        verdict = game.verdict(deal, *counts, None)
        won = isinstance(verdict, Verdict) and verdict.kankei_won
        others = counts[1] if won else counts[0]
        label = "–".join(map(str, counts)) if FACE_CARDS in counts else str(others)
        rows[won].append((boxes[value_of(counts)].tag(), label))
    kankei, mukankei = game.targets[deal]
    return (
        ResultRow(True, kankei, tuple(rows[True])),
        ResultRow(False, mukankei, tuple(rows[False])),
    )


def chosen_counts(
    result: str, typed: Mapping[str, Any], before: Mapping[str, Any]
) -> dict[str, Any] | None:
    """Return the counts said by the radio button and the two fields; None if they differ.

    Where one of them still says what the page came with, the other was changed.

    >>> chosen_counts("9-4", {}, {})
    {'kankei': 9, 'mukankei': 4}
    >>> chosen_counts("9-4", {"kankei": 9, "mukankei": 5}, {}) is None
    True
    >>> chosen_counts("9-4", {"kankei": 9, "mukankei": 5}, {"kankei": 9, "mukankei": 5})
    {'kankei': 9, 'mukankei': 4}
    """
    if not result:
        return dict(typed)
    parts = [int(part) for part in result.split("-") if part.isdecimal() and len(part) < 3]
    if len(parts) != len(SIDES):
        return dict(typed)
    chosen = dict(zip(SIDES, parts, strict=True))
    if typed and typed not in (chosen, before):
        return dict(typed) if chosen == before else None
    return chosen


def is_countable(deal: Mapping[str, Any]) -> bool:
    """Return whether both counts of a deal are there and can be of sixteen face cards.

    >>> is_countable({"kankei": 9, "mukankei": 7}), is_countable({"kankei": 9, "mukankei": 9})
    (True, False)
    """
    counts = [deal.get(side) for side in SIDES]
    numbers = [count for count in counts if type(count) is int and 0 <= count <= FACE_CARDS]
    return len(numbers) == 2 and sum(numbers) <= FACE_CARDS
