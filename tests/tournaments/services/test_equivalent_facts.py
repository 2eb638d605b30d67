"""Facts in another order or spelling are the same round."""

from __future__ import annotations

from typing import Any

import pytest

from tests import cast
from tests.api import code, json_of, phone, staff
from tournaments.models import AuditEntry, Disagreement, Round, Sitting
from tournaments.paper_entry import typed_sheets
from tournaments.queries.sheets import sheet_of
from tournaments.services.rounds import record_lines

WON, LOST = {"kankei": 9, "mukankei": 4}, {"kankei": 5, "mukankei": 9}


def address(sitting: Sitting) -> str:
    return f"/api/sittings/{sitting.pk}/rounds/1"


def equivalent_facts(facts: dict[str, Any], players: list[str]) -> list[dict[str, Any]]:
    """Return the same round in other orders, and with defaults written out."""
    if "finish" in facts:
        teams = [players[::2], players[1::2]]
        return [facts | {"teams": teams}, facts | {"teams": [team[::-1] for team in teams]}]
    if "captured" in facts:
        turned = {player: cards[::-1] for player, cards in reversed(facts["captured"].items())}
        none = {player: [] for player in players} | facts["captured"]
        return [facts | {"captured": turned}, facts | {"captured": none}, facts | {"exposed": []}]
    first, *others = facts["deals"]
    return [
        facts | {"kankei": facts["kankei"][::-1]},
        facts | {"cut_off": False},
        facts | {"trump": "clubs"},
        facts | {"deals": [first | {"trump": "clubs"}, *others]},
    ]


@pytest.mark.parametrize(
    "rule_set", ["goninkan-association", "damarikan", "yoninkan", "gong-zhu", "gouji"]
)
@pytest.mark.django_db
def test_equivalent_facts_are_answered_like_the_stored_ones(rule_set: str) -> None:
    sitting = cast.make_sitting(cast.make_tournament(rule_set))
    table, facts = phone(sitting), cast.plain_round(sitting)
    first = table.put(address(sitting), {"facts": facts, "seen": 0})
    assert first.status_code == 201
    for other in equivalent_facts(facts, cast.keys(sitting)):
        again = table.put(address(sitting), {"facts": other, "seen": 0})
        assert (again.status_code, json_of(again)) == (200, json_of(first)), other
    assert not Disagreement.objects.exists()


@pytest.mark.parametrize("changes", [{"trump": "hearts"}, {"cut_off": True}, {"deals": [LOST]}])
@pytest.mark.django_db
def test_different_facts_are_a_conflict(changes: dict[str, Any]) -> None:
    sitting = cast.make_sitting()
    table, facts = phone(sitting), cast.plain_round(sitting) | {"deals": [WON]}
    table.put(address(sitting), {"facts": facts, "seen": 0})
    other = table.put(address(sitting), {"facts": facts | changes, "seen": 0})
    assert code(other) == (409, "stale")


@pytest.mark.django_db
def test_round_typed_from_paper_equals_the_one_sent_by_a_phone() -> None:
    """A sheet gives neither the trump that follows from the round nor the order of kankei."""
    sitting = cast.make_sitting()
    _, second, third, fourth, _, sixth = cast.keys(sitting)
    sheet = sheet_of(sitting)
    typed = typed_sheets.read_sheet(sheet, "6 42 59")
    record_lines(sitting, typed.lines, seen_version=0, by=cast.SOMEBODY)
    facts = {"dealer": sixth, "trump": "clubs", "kankei": [second, fourth], "deals": [LOST]}
    table = phone(sitting)
    answer = table.put(address(sitting), {"facts": facts, "seen": 0})
    assert (answer.status_code, json_of(answer)["version"]) == (200, 1)
    facts["kankei"] = [second, third]
    assert code(table.put(address(sitting), {"facts": facts, "seen": 0})) == (409, "stale")


@pytest.mark.django_db
def test_unfinished_round_typed_as_it_is_stored_is_not_stored_again() -> None:
    sitting = cast.make_sitting()
    [line] = typed_sheets.read_sheet(sheet_of(sitting), "6 24 94").lines
    record_lines(sitting, [line], seen_version=0, by=cast.SOMEBODY)
    [stored] = record_lines(sitting, [line], seen_version=1, by=cast.SOMEBODY)
    assert (stored.version, Round.objects.count()) == (1, 1)


@pytest.mark.django_db
def test_round_continues_from_equivalent_facts() -> None:
    sitting = cast.make_sitting()
    facts = cast.plain_round(sitting) | {"deals": [WON]}
    keeper = staff(cast.make_staff(sitting.session.tournament, "keeper"))
    keeper.put(address(sitting), {"facts": facts, "seen": 0})
    on = facts | {"trump": "clubs", "kankei": facts["kankei"][::-1], "deals": [WON, LOST]}
    assert keeper.put(address(sitting), {"facts": on, "seen": 1}).status_code == 200
    assert Round.objects.get(version=2).facts == on
    assert AuditEntry.objects.latest("number").kind == AuditEntry.Kind.ROUND_CONTINUED
