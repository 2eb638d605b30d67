"""The fields of a deal of a face-card game, and radio buttons for its usual results.

A deal stops when a side reaches its target, so the winner and the face cards of the losing side
give both counts. Counts for which there is no button are typed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from django import forms
from django.forms.boundfield import BoundField, BoundWidget
from django.forms.utils import flatatt
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.kankei import FACE_CARDS, KankeiGame, Verdict
from tournaments.i18n import sentences

SIDES = ("kankei", "mukankei")
TWO_RESULTS = _(
    "A result is chosen, but other counts are typed as well. Leave one of the two empty."
)

EXTRA_FACE_CARDS = (1, 2)  # by which the last trick can exceed a target

Counts = tuple[int, int]  # face cards of the kankei and of the mukankei


class ResultRow(NamedTuple):
    """The results by which one side wins: a radio button and a label for each."""

    kankei_won: bool
    target: int
    choices: tuple[tuple[Any, str], ...]

    @property
    def counts_above_target(self) -> tuple[int, ...]:
        """Return the counts above the target that a last trick with several face cards gives."""
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
    possible_declarations: tuple[str, ...]
    successful_declarations: tuple[str, ...]
    result: BoundField
    rows: tuple[ResultRow, ResultRow]
    has_usual_counts: bool  # without counts, or with counts for which there is a radio button
    chooser: str  # the sentence on who chooses its trump and leads; empty for the first deal

    @property
    def are_number_fields_open(self) -> bool:
        """Return whether the number fields have errors, or counts without a radio button."""
        return bool(not self.has_usual_counts or self.kankei.errors or self.mukankei.errors)


def deal_form_fields(
    game: KankeiGame, deal: int, suits: Sequence[tuple[str, Any]]
) -> dict[str, forms.Field]:
    """Return the fields of deal number `deal` by name: ``deal_1_kankei`` and so on.

    `suits` are the choices of its trump.
    """
    fields: dict[str, DealCount | DealChoice] = {}
    for side, label in (("kankei", _("Kankei")), ("mukankei", _("Mukankei"))):
        fields[f"deal_{deal}_{side}"] = DealCount(
            label=label,
            required=False,
            widget=forms.NumberInput(attrs={"min": 0, "max": FACE_CARDS, "inputmode": "numeric"}),
        )
    fields[f"deal_{deal}_result"] = result_field(game, deal)
    declarations = [
        (each, sentences.declaration_name(each, game.rules)) for each in game.declarations[deal]
    ]
    fields[f"deal_{deal}_declaration"] = DealChoice(
        label=_("Declaration"),
        choices=[("", _("None")), *declarations],
        required=False,
        widget=forms.RadioSelect,
    )
    fields[f"deal_{deal}_trump"] = DealChoice(
        label=_("Trump"),
        choices=[("", _("Not noted")), *suits],
        required=False,
        widget=forms.RadioSelect,
    )
    for field in fields.values():
        words = gettext("Deal %(number)s, %(field)s")
        field.full_label = words % {"number": deal, "field": field.label}
    return {**fields}


def result_field(game: KankeiGame, deal: int) -> DealChoice:
    """Return the field for a deal's result, with a radio button for each usual result.

    It accepts all possible results: the page's script may send others.
    """
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
    pairs = (
        (kankei, mukankei)
        for kankei in kankei_counts
        for mukankei in range(FACE_CARDS + 1 - kankei)
    )
    return tuple(
        counts
        for counts in pairs
        if isinstance(game.verdict(deal, *counts, declaration=None), Verdict)
    )


@lru_cache(maxsize=64)
def usual_results(game: KankeiGame, deal: int) -> tuple[Counts, ...]:
    """Return the counts at which deal number `deal` stops because a side reaches its target.

    16–0 and 0–16 follow, if a declaration can succeed with them.
    """
    kankei, mukankei = game.targets[deal]
    at_target = [(kankei, count) for count in range(FACE_CARDS - kankei + 1)]
    at_target += [(count, mukankei) for count in range(FACE_CARDS - mukankei + 1)]
    sixteens = [(FACE_CARDS, 0), (0, FACE_CARDS)]
    return (
        *(
            counts
            for counts in at_target
            if isinstance(game.verdict(deal, *counts, declaration=None), Verdict)
        ),
        *(counts for counts in sixteens if successful_declarations(game, deal, counts)),
    )


def successful_declarations(game: KankeiGame, deal: int, counts: Counts) -> tuple[str, ...]:
    """Return the declarations of deal number `deal` that succeed with these counts."""
    verdicts = {
        declaration: game.verdict(deal, *counts, declaration)
        for declaration in game.declarations[deal]
    }
    return tuple(
        declaration
        for declaration, verdict in verdicts.items()
        if isinstance(verdict, Verdict) and verdict.outcome == declaration
    )


def possible_declarations(game: KankeiGame, deal: int, counts: Counts) -> tuple[str, ...]:
    """Return the declarations of deal number `deal` that are possible with these counts.

    A declaration stays possible if the verdict refuses a count rather than the declaration, as
    with 9–0 after 16 was declared.
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


def input_tag(box: BoundWidget, *name: str) -> SafeString:
    """Return a radio button or check box as HTML, called `name` where no label surrounds it.

    Without its id, which nothing refers to. `BoundWidget.tag` renders two templates for each, a
    quarter of the time of a phone's page.
    """
    named = (box.data[key] for key in ("type", "name", "value"))
    others = {key: value for key, value in box.data["attrs"].items() if key != "id"}
    others |= {"aria-label": " ".join(name)} if name else {}
    return format_html('<input type="{}" name="{}" value="{}"{}>', *named, flatatt(others))


def result_rows(
    game: KankeiGame, deal_number: int, field: BoundField
) -> tuple[ResultRow, ResultRow]:
    """Return the usual results of a deal as two rows: won by the kankei, and all others.

    16–0 is in the second row, since without a declaration it has no verdict. `field` is the bound
    field of `result_field`.
    """
    boxes = {box.data["value"]: box for box in field}
    rows: dict[bool, list[tuple[Any, str]]] = {True: [], False: []}
    for counts in usual_results(game, deal_number):
        verdict = game.verdict(deal_number, *counts, declaration=None)
        kankei_won = isinstance(verdict, Verdict) and verdict.kankei_won
        losers_count = counts[1] if kankei_won else counts[0]
        label = "–".join(map(str, counts)) if FACE_CARDS in counts else str(losers_count)
        rows[kankei_won].append((input_tag(boxes[radio_value(counts)]), label))
    kankei, mukankei = game.targets[deal_number]
    return (
        ResultRow(kankei_won=True, target=kankei, choices=tuple(rows[True])),
        ResultRow(kankei_won=False, target=mukankei, choices=tuple(rows[False])),
    )


def agreed_counts(
    result: str, typed: Mapping[str, Any], initial: Mapping[str, Any]
) -> dict[str, Any] | None:
    """Return a deal's counts by side, of the radio button or of the two number fields.

    `result` is the button's value; `typed` and `initial` are the present and the initial counts of
    the number fields. If button and fields differ, the one that still has its initial value is
    ignored. None if both were changed: they conflict.

    >>> agreed_counts("9-4", {}, {})
    {'kankei': 9, 'mukankei': 4}
    >>> agreed_counts("9-4", {"kankei": 9, "mukankei": 5}, {}) is None
    True
    >>> agreed_counts("9-4", {"kankei": 9, "mukankei": 5}, {"kankei": 9, "mukankei": 5})
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
    """Return whether both counts of a deal are given as numbers and sum to at most sixteen.

    >>> is_countable({"kankei": 9, "mukankei": 7}), is_countable({"kankei": 9, "mukankei": 9})
    (True, False)
    """
    counts = [deal.get(side) for side in SIDES]
    numbers = [count for count in counts if type(count) is int and 0 <= count <= FACE_CARDS]
    return len(numbers) == 2 and sum(numbers) <= FACE_CARDS
