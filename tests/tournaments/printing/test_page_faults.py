"""Printed forms have no text that is cut, in the margin, overlapping, or lost by a photocopy."""

from __future__ import annotations

from itertools import cycle

import pytest

import scoring
from tests.tournaments.printing import forms
from tests.tournaments.printing.forms import EVENTS, HARDEST, HOUSES, LANGUAGES, LONG, Form, House
from tournaments.printing import rendering

SLUGS = [rule_set.slug for rule_set in scoring.RULE_SETS]


def chosen_charts() -> list[Form]:
    """Return each chart in each language, with varying rules, rounds and names."""
    houses, rounds, events = cycle(HOUSES), cycle((12, None, 40, 0, 10)), cycle(EVENTS)
    return [
        forms.chart(slug, language, next(houses), next(rounds), next(events))
        for slug in SLUGS
        for language in LANGUAGES
    ]


def chosen_sheets() -> list[Form]:
    """Return each sheet in each language for long names, with varying numbers."""
    rounds, other_options = cycle((12, 10, 4, 19, 7)), cycle((False, True))
    found = []
    for slug in SLUGS:
        rule_set = scoring.get_rule_set(slug)
        players = cycle(rule_set.players)
        for language, size in zip(LANGUAGES, players, strict=False):
            house = next(other_options)
            found.append(
                forms.sheet(
                    slug,
                    language,
                    size,
                    next(rounds),
                    HARDEST,
                    House(other_options=house),
                    tournament=EVENTS[house],
                    totals_only=house,
                    partners=house and size in rule_set.partnership_players,
                )
            )
    return found


# The widest forms: three-digit points on the fullest chart, the check column of five players.
WIDEST = [
    forms.chart("goninkan-classic", "en", House(998), 12, EVENTS[1]),
    forms.chart("damarikan", "ja", House(998, other_options=True), 40, EVENTS[1]),
    forms.chart("damarikan", "en", House(998, other_options=True), 40, EVENTS[1]),
    forms.sheet("goninkan-classic", "en", 5, 10),
    forms.sheet("yoninkan", "ja", 4, 10, LONG),  # ten rows above a guide of five lines
    forms.sheet("goninkan-association", "zh-hans", 6, 10),  # the same in Chinese
    forms.sheet("gouji", "ja", 6, 9),  # the highest rows above a guide of two lines
    forms.cards("ja", LONG, 117, EVENTS[1]),
    forms.name_cards("en", forms.SHORT),
    forms.name_cards("ja", LONG, EVENTS[1]),
    forms.award_list("ja", LONG, EVENTS[1]),
    forms.seat_list("ja", LONG, EVENTS[1]),
    forms.award_list("en", forms.SHORT),
    forms.cards("en", LONG, 9999, EVENTS[0]),
    # The glyph of J begins left of its origin.
    forms.cards("en", ("Jan Christoffersen Bo", "Jo Lee"), 3),
]


def short_name(form: Form) -> str:
    return "-".join(form.name.split()[:3])


@pytest.mark.parametrize("form", chosen_charts(), ids=short_name)
def test_charts_have_no_faults(form: Form) -> None:
    assert forms.faults_of(form) == []


@pytest.mark.parametrize("form", chosen_sheets(), ids=short_name)
def test_score_sheets_have_no_faults(form: Form) -> None:
    assert forms.faults_of(form) == []


@pytest.mark.parametrize("form", WIDEST, ids=short_name)
def test_widest_forms_have_no_faults(form: Form) -> None:
    assert forms.faults_of(form) == []


def test_longest_form_of_every_other_template_has_no_faults() -> None:
    """Forms that no test above lays out, so that a new one is checked, too."""
    checked = {form.template for form in WIDEST}
    # The last ones of a template have the longest names.
    longest = {
        (form.template, form.language): form
        for form in forms.every_form()
        if form.template not in checked and form.language in {"ja", "en"}
    }
    faults = {form.name: found for form in longest.values() if (found := forms.faults_of(form))}
    assert faults == {}


@pytest.mark.parametrize(
    ("html", "fault"),
    [
        ("<p style='margin-left: -5mm'>near the edge", "mm from the left edge"),
        ("<p style='position: absolute'>one<p style='position: absolute'>over", "over each other"),
        ("<p style='width: 2em; overflow: hidden; white-space: nowrap'>cut off", "ink hidden"),
        ("<p style='width: 2em; height: 2em; overflow: hidden'>all of this below", "ink hidden"),
        ("<p style='width: 2em; overflow-wrap: anywhere'>broken", "word broken"),
        ("<table style='table-layout: fixed; width: 3em'><th>ディール", "word broken"),
        ("<table style='table-layout: fixed; width: 2em'><th>heading", "reaches the rule"),
        ("<dl><dt style='float: left'>label</dt><dd style='float: left; margin: 0'>value", "into"),
        ("<article class='card'>one</article><article class='card'>two<br>lines", "heights"),
        ("<p style='width: 3em; border: 1pt solid #000; white-space: nowrap'>too long", "across"),
        ("<hr style='border: 0; border-top: .4pt solid #000'>", "rule of 0.40 pt"),
        ("<hr style='border: 0; border-top: 1pt solid #999'>", "rule of lightness 0.60"),
    ],
)
def test_faults_are_detected(html: str, fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    page = "<style>@page { margin: 10mm } body { margin: 0 } p { margin: 5mm 0 }</style>"
    monkeypatch.setattr(rendering, "render_to_string", lambda *_: f"{page}{html}")
    faults = forms.printed(lambda: rendering.pdf("", {})).faults
    assert any(fault in found for found in faults)
