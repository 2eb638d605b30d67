"""Nothing on a printed form is cut, in the margin, over something else, or lost by a photocopy."""

from __future__ import annotations

from itertools import cycle

import pytest

import scoring
from tests.tournaments.printing import forms, ink
from tests.tournaments.printing.forms import EVENTS, HOUSES, LANGUAGES, LONG, Form, House
from tournaments.printing import rendering

SLUGS = [rule_set.slug for rule_set in scoring.RULE_SETS]


def chosen_charts() -> list[Form]:
    """Return each chart in each language, with other rules, rounds and names each time."""
    houses, rounds, events = cycle(HOUSES), cycle((12, None, 40, 0, 10)), cycle(EVENTS)
    return [
        forms.chart(slug, language, next(houses), next(rounds), next(events))
        for slug in SLUGS
        for language in LANGUAGES
    ]


def chosen_sheets() -> list[Form]:
    """Return each sheet in each language for long names, with other numbers each time."""
    rounds, turned = cycle((12, 10, 4, 19, 7)), cycle((False, True))
    found = []
    for slug in SLUGS:
        rule_set = scoring.get_rule_set(slug)
        players = cycle(rule_set.players)
        for language, size in zip(LANGUAGES, players, strict=False):
            house = next(turned)
            found.append(
                forms.sheet(
                    slug,
                    language,
                    size,
                    next(rounds),
                    LONG,
                    House(turned=house),
                    tournament=EVENTS[house],
                    totals_only=house,
                    partners=house and size in rule_set.partners_of,
                )
            )
    return found


# The widest of all: numbers of three digits on the fullest chart, five players' check column.
WORST = [
    forms.chart("goninkan-classic", "en", House(998), 12, EVENTS[1]),
    forms.chart("damarikan", "ja", House(998, turned=True), 40, EVENTS[1]),
    forms.sheet("goninkan-classic", "en", 5, 10),
    forms.sheet("yoninkan", "ja", 4, 10, LONG),  # ten rows above a guide of five lines
    forms.cards("ja", LONG, 117, EVENTS[1]),
    forms.cards("en", LONG, 9999, EVENTS[0]),
    forms.cards("en", ("Jan Christoffersen Bo", "Jo Lee"), 3),  # a J begins left of its place
]


def short(form: Form) -> str:
    """Return as much of a form's name as tells it from others in a list."""
    return "-".join(form.name.split()[:3])


@pytest.mark.parametrize("form", chosen_charts(), ids=short)
def test_a_chart_prints_whole(form: Form) -> None:
    assert forms.faults_of(form) == []


@pytest.mark.parametrize("form", chosen_sheets(), ids=short)
def test_a_score_sheet_prints_whole(form: Form) -> None:
    assert forms.faults_of(form) == []


@pytest.mark.parametrize("form", WORST, ids=short)
def test_the_fullest_forms_print_whole(form: Form) -> None:
    assert forms.faults_of(form) == []


@pytest.mark.parametrize(
    ("html", "fault"),
    [
        ("<p style='margin-left: -5mm'>near the edge", "mm from the left edge"),
        ("<p style='position: absolute'>one<p style='position: absolute'>over", "over each other"),
        ("<p style='width: 2em; overflow: hidden; white-space: nowrap'>cut off", "letter cut"),
        ("<p style='width: 3em; border: 1pt solid #000; white-space: nowrap'>too long", "across"),
        ("<hr style='border: 0; border-top: .4pt solid #000'>", "rule of 0.40 pt"),
        ("<hr style='border: 0; border-top: 1pt solid #999'>", "rule of lightness 0.60"),
    ],
)
def test_what_is_wrong_is_found(html: str, fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    page = "<style>@page { margin: 10mm } body { margin: 0 } p { margin: 5mm 0 }</style>"
    monkeypatch.setattr(rendering, "render_to_string", lambda *_: f"{page}{html}")
    assert any(fault in found for found in ink.faults_of(rendering.pdf("", {})))
