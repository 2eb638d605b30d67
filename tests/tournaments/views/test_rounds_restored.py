"""An earlier version of a round, restored over any other, is stored as it was."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from scoring.kankei import KankeiGame
from tests import cast
from tests.pressing import press
from tournaments.models import Round, Sitting
from tournaments.queries.sheets import is_same_round, sheet_of

WON, ALL, LAST, UNUSUAL, LOST = (
    {"kankei": kankei, "mukankei": mukankei}
    for kankei, mukankei in ((9, 4), (16, 0), (9, 3), (10, 1), (2, 12))
)


def versions(sitting: Sitting) -> list[dict[str, Any]]:
    """Return facts of the table's first round that differ in all that a round may have."""
    players, game = cast.keys(sitting), sitting.session.tournament.rules.game
    plain = cast.plain_round(sitting)
    match game.kind:
        case "captures":
            cards = plain["captured"][players[0]]
            split = {players[1]: cards[:2], players[2]: cards[2:]}
            return [plain, {"captured": split}, plain | {"exposed": cards[:1]}]
        case "finish":
            teams = [players[:3], players[3:]]
            return [plain, {"finish": players[::-1], "teams": teams}, {"finish": players[::-1]}]
    assert isinstance(game, KankeiGame)
    declared = ALL | {"declaration": game.declarations[2][0], "trump": "spades"}
    facts = [
        plain | {"deals": [WON, ALL, LAST]},
        plain | {"deals": [WON, declared, LAST], "trump": "hearts"},
        plain | {"deals": [UNUSUAL | {"trump": "diamonds"}, LOST]},
        plain | {"deals": [LOST], "kankei": players[1:3]},
    ]
    if game.may_be_cut_off:
        facts.append(plain | {"deals": [WON], "cut_off": True})
    return facts


def restore(browser: Client, sitting: Sitting, version: int) -> Round:
    """Open a version and save it as the page fills it in; return what is stored."""
    session = sitting.session
    address = reverse(
        "record-round", args=[session.tournament.slug, session.number, sitting.number, 1]
    )
    page = browser.get(f"{address}?version={version}")
    answer = press(browser, address, page, form_with="reason")
    assert answer.status_code == 200, answer.context["form"].errors
    return Round.objects.latest("version")


@pytest.mark.parametrize("rule_set", ["goninkan-association", "damarikan", "gong-zhu", "gouji"])
@pytest.mark.django_db
def test_any_version_restored_over_any_other_is_stored_as_it_was(rule_set: str) -> None:
    sitting = cast.make_sitting(cast.make_tournament(rule_set))
    browser = cast.browser_of(cast.make_staff(sitting.session.tournament, "keeper"))
    stored: list[Round] = []
    for facts in versions(sitting):
        stored.append(cast.record(sitting, facts, seen=len(stored), reason="misread"))
    for newer, older in permutations(stored, 2):
        sheet = sheet_of(sitting)
        if not is_same_round(sheet, 1, newer.facts, sheet.rows[0].facts):
            seen = sheet.rows[0].version
            cast.record(sitting, newer.facts, seen=seen, reason="misread")
        restored = restore(browser, sitting, older.version)
        assert is_same_round(sheet, 1, restored.facts, older.facts)
