"""The fields of a deal of a face-card game, and radio buttons for its usual results.

A deal stops when a side reaches its target, so the winner and the face cards of the others give
both counts. Other counts are typed.
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

EXTRA_FACE_CARDS = (1, 2)  # that the last trick can add to a target

Counts = tuple[int, int]  # of the kankei, of the mukankei


class ResultRow(NamedTuple):
    """The results by which one side wins: a radio button and a label for each."""

    kankei_won: bool
    target: int
    choices: tuple[tuple[Any, str], ...]

    @property
    def counts_above_target(self) -> tuple[int, ...]:
        """Return counts above the target, reached when the last trick has several face cards."""
        return tuple(self.target + extra for extra in EXTRA_FACE_CARDS)


class DealCount(forms.CharField):
    """The face cards of a side. `full_label` also names the deal, for the list of errors."""

    full_label: str | Promise = ""


class DealChoice(forms.ChoiceField):
    """A choice in a deal. `full_label` also names the deal, for the list of errors."""

    full_label: str | Promise = ""


class DealFields(NamedTuple):
    """A deal as the page shows it: its fields, targets and state."""

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
    is_usual: bool  # no counts, or those of a radio button
    chooser: str  # who chooses its trump and leads, in a sentence


def result_field(game: KankeiGame, deal: int) -> DealChoice:
    """Return the field for a deal's result: radio buttons for the usual ones; it accepts all."""
    field = DealChoice(
        label=_("Result"),
        choices=[(radio_value(counts),) * 2 for counts in _possible_results(game, deal)],
        required=False,
        widget=forms.RadioSelect,
    )
    field.widget.choices = [(radio_value(counts), "") for counts in usual_results(game, deal)]
    return field


@lru_cache(maxsize=64)
def _possible_results(game: KankeiGame, deal: int) -> tuple[Counts, ...]:
    """Return all counts with which the deal of this number can end without a declaration."""
    kankei_counts = range(FACE_CARDS + 1)
    pairs = ((own, others) for own in kankei_counts for others in range(FACE_CARDS + 1 - own))
    return tuple(
        counts
        for counts in pairs
        if isinstance(game.verdict(deal, *counts, declaration=None), Verdict)
    )


@lru_cache(maxsize=64)
def usual_results(game: KankeiGame, deal: int) -> tuple[Counts, ...]:
    """Return the counts at which deal number `deal` stops, and 16–0 where that can be declared."""
    kankei, mukankei = game.targets[deal]
    stops = [(kankei, others) for others in range(FACE_CARDS - kankei + 1)]
    stops += [(others, mukankei) for others in range(FACE_CARDS - mukankei + 1)]
    sixteen = [(FACE_CARDS, 0), (0, FACE_CARDS)]
    made = [counts for counts in sixteen if declarations_made(game, deal, counts)]
    return (
        *(
            counts
            for counts in stops
            if isinstance(game.verdict(deal, *counts, declaration=None), Verdict)
        ),
        *made,
    )


def declarations_made(game: KankeiGame, deal: int, counts: Counts) -> tuple[str, ...]:
    """Return the declarations of a deal that succeed with these counts."""
    verdicts = {
        declaration: game.verdict(deal, *counts, declaration)
        for declaration in game.declarations[deal]
    }
    return tuple(
        declaration
        for declaration, verdict in verdicts.items()
        if isinstance(verdict, Verdict) and verdict.outcome == declaration
    )


def declarations_possible(game: KankeiGame, deal: int, counts: Counts) -> tuple[str, ...]:
    """Return the declarations of a deal that are possible with these counts.

    Where a count must be wrong, as with 9–0 after 16 was declared, the declaration stays.
    """
    verdicts = {
        declaration: game.verdict(deal, *counts, declaration)
        for declaration in game.declarations[deal]
    }
    return tuple(
        declaration
        for declaration, verdict in verdicts.items()
        if isinstance(verdict, Verdict) or verdict.field != "declaration"
    )


def radio_value(counts: Counts) -> str:
    """Return the value of a result's radio button.

    >>> radio_value((9, 4))
    '9-4'
    """
    return "-".join(map(str, counts))


def result_rows(
    game: KankeiGame, deal_number: int, field: BoundField
) -> tuple[ResultRow, ResultRow]:
    """Return the usual results of a deal as two rows: won by the kankei, and the others.

    The others are those lost, and 16–0, which the verdict refuses without a declaration.

    `field` is the bound field made by `result_field`.
    """
    boxes = {box.data["value"]: box for box in field}
    rows: dict[bool, list[tuple[Any, str]]] = {True: [], False: []}
    for counts in usual_results(game, deal_number):
        verdict = game.verdict(deal_number, *counts, declaration=None)
        won = isinstance(verdict, Verdict) and verdict.kankei_won
        losers_count = counts[1] if won else counts[0]
        label = "–".join(map(str, counts)) if FACE_CARDS in counts else str(losers_count)
        rows[won].append((boxes[radio_value(counts)].tag(), label))
    kankei, mukankei = game.targets[deal_number]
    return (
        ResultRow(kankei_won=True, target=kankei, choices=tuple(rows[True])),
        ResultRow(kankei_won=False, target=mukankei, choices=tuple(rows[False])),
    )


def chosen_counts(
    result: str, typed: Mapping[str, Any], initial: Mapping[str, Any]
) -> dict[str, Any] | None:
    """Return the counts by side, of the radio button or of the two fields; None if they differ.

    `result` is the button's value, `typed` the fields' counts, `initial` those before typing. If
    one of the two still has its initial value, the other one counts.

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
    if typed and typed not in (chosen, initial):
        return dict(typed) if chosen == initial else None
    return chosen


def is_countable(deal: Mapping[str, Any]) -> bool:
    """Return whether both counts of a deal are given and sum to at most sixteen.

    >>> is_countable({"kankei": 9, "mukankei": 7}), is_countable({"kankei": 9, "mukankei": 9})
    (True, False)
    """
    counts = [deal.get(side) for side in SIDES]
    numbers = [count for count in counts if type(count) is int and 0 <= count <= FACE_CARDS]
    return len(numbers) == 2 and sum(numbers) <= FACE_CARDS
