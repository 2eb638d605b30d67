"""Audit entries of every kind are described in the reader's language."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.utils import translation

import scoring
from tests import cast
from tournaments.game_kinds import kind_of
from tournaments.i18n.audit_entries import (
    FORMATTERS,
    before_and_after,
    entry_context,
    subject_words,
)
from tournaments.models import AuditEntry, Tournament
from tournaments.tables.audit_entries import AuditTable

pytestmark = pytest.mark.django_db

ENGLISH = re.compile("(?<![A-Za-z])(?!PIN|Goninkan)[A-Za-z]{2,}")  # except names
CODES = re.compile("[0-9A-Z]{4}-[0-9A-Z]{4}|[0-9a-f]{8,}")  # fingerprints, digests and seeds
PLACE = {"session": 1, "table": 2, "round": 3, "version": 1}
ENTRY = {"number": 7, "name": "成田 キヨ", "club": "なかよし村", "division": "一般"}
REGISTRATION = {
    "open": True,
    "closes_at": "2026-11-30T18:00:00+09:00",
    "capacity": 40,
    "automatic": False,
    "divisions": ["一般", "初心者"],
    "text": "参加費 千円",
}
KANKEI = {
    "trump": "hearts",
    "dealer": "6",
    "kankei": ["1", "3"],
    "deals": [
        {"kankei": 9, "mukankei": 4},
        {"kankei": 16, "mukankei": 0, "declaration": "juroku", "trump": "spades"},
    ],
    "cut_off": True,
}
SETTINGS = {
    "name": "新春大会",
    "held_on": "2026-01-10",
    "venue": "体育館",
    "rule_set": "goninkan-association",
    "options": {"cut_off_round_scores": False},
    "points": {"skunk": 2},
    "rounds_per_session": 6,
    "partners": True,
    "accepting": "same",
    "totals_only": True,
    "fingerprint": "1234-5678",
}
RANKING = {
    "tie_breaks": [each.code for each in scoring.TIE_BREAKS],
    "withdrawn": "listed",
    "missed": "fixed",
    "missed_points": -5,
    "absences": {"late": -2, "sat_out": "own_average"},
    "substitutes": "place",
    "lot_seed": "冬至",
}
CALL = {"kind": "director", "words": "札が足りない"}
SEATS = [["1", "2"], ["3", "4"]]
TOTALS = {"1": 12, "2": -12}
DIGEST = "abcdef" * 10 + "abcd"

# Payloads before and after, as audit entries store them: of kinds that `events.full_event` does not
# have, and in other shapes than there.
STAGE = {
    "name": "決勝",
    "quotas": [
        {"group": "", "division": "一般", "places": 3, "at_least": None},
        {"group": "二組", "division": "", "places": None, "at_least": 5},
        {"group": "", "division": "", "places": 3, "at_least": -5},
    ],
    "carry": "half",
    "at_line": "lot",
    "seed": 7,
}
PAYLOADS: dict[str, list[tuple[Any, Any]]] = {
    "rules_set": [(None, SETTINGS), (SETTINGS, SETTINGS | {"options": {}, "accepting": "second"})],
    "ranking_set": [(RANKING, RANKING | {"missed": "own_average"})],
    "points_adjusted": [
        (None, {"number": 1, "points": -5}),
        (None, {"team": "青", "points": 3}),
    ],
    "entries_added": [(None, [ENTRY, ENTRY | {"private": DIGEST}])],
    "private_changed": [(ENTRY | {"private": None}, ENTRY | {"private": DIGEST})],
    "session_reseated": [(SEATS, [["2", "1"], ["4", "3"]])],
    "schedule_hidden": [(None, None)],
    "session_ended": [(None, {"tables": [1, 3]}), (None, {"tables": []})],
    "session_resumed": [(None, None)],
    "presence_marked": [
        ({"number": 1, "status": "expected"}, {"number": 1, "status": status})
        for status in ("present", "late", "absent", "withdrawn")
    ],
    "stage_set": [(None, STAGE), (STAGE, STAGE | {"carry": "none", "at_line": "all", "seed": 0})],
    "member_replaced": [({"player": 1}, {"player": 2}), ({"player": 1}, {"player": None})],
    "substitute_removed": [({"number": 1, "substitute": 2}, None)],
    "roll_call_restarted": [({"present": [1, 2], "late": [3], "absent": [4]}, None)],
    "round_recorded": [(None, KANKEI)],
    "round_continued": [(KANKEI, KANKEI)],
    "withdrawn": [(None, None)],
    "closed": [(None, None)],
    "reopened": [(None, None)],
    "event_removed": [(None, None)],
    "event_restored": [(None, None)],
    "archive_read": [(None, {"digest": "0123456789" * 6 + "0123"})],
    "phone_joined": [(None, {"writer": each, "phone": DIGEST}) for each in (True, False)],
    "phone_took_over": [({"writer": 4}, {"writer": 5})],
    "link_made": [(None, None), (None, {"tables": [1, 2], "links": [DIGEST, DIGEST]})],
    "phones_ended": [(None, None)],
    "pin_made": [(None, None), (None, {"tables": [3], "pins": [DIGEST]})],
    "desk_called": [(None, CALL), (None, CALL | {"words": ""})],
    "call_taken_back": [(None, CALL)],
    "clock_set": [
        (None, {"seconds": 3600, "last_round": 300, "extra": {}}),
        (
            {"seconds": 3630, "last_round": None, "extra": {"2": -60}},
            {"seconds": 3600, "last_round": 300, "extra": {"2": 120, "10": 90}},
        ),
    ],
    "seats_hidden": [(None, None)],
    "clock_reset": [(None, None)],
    "paper_overruled": [(TOTALS, {"1": 11, "2": -11})],
    "registration_set": [(None, REGISTRATION), (REGISTRATION, {**REGISTRATION, "closes_at": None})],
    "clock_jumped": [(None, {"seconds": 90}), (None, {"seconds": -3600})],
    "private_end_set": [(None, "2027-05-26"), ("2027-05-26", None)],
    "private_erased": [
        (None, {"players": 1, "applications": 2}),
        (None, {"players": 0, "applications": 0}),
    ],
}
EVERY_ENTRY = [(kind, *described) for kind in PAYLOADS for described in PAYLOADS[kind]]


@pytest.fixture
def event_tournament(tournament: Tournament) -> Tournament:
    cast.make_entries(tournament, 6)
    return tournament


def test_every_kind_is_described(event: Tournament) -> None:
    """A new kind needs a description in `audit_entries.FORMATTERS`, and an entry to describe."""
    assert set(FORMATTERS) == set(AuditEntry.Kind)
    told = {*event.audit_entries.values_list("kind", flat=True), *PAYLOADS}
    assert told == set(AuditEntry.Kind), "Let `events.full_event` have an entry of each kind."


@pytest.mark.parametrize("language", ["ja", "zh-hans"])
def test_descriptions_of_a_full_event_are_translated(event: Tournament, language: str) -> None:
    context = entry_context(event)
    with translation.override(language):
        for entry in event.audit_entries.all():
            before, after = before_and_after(entry, context)
            place = subject_words(entry.subject, context)
            words = [str(entry.get_kind_display()), place, CODES.sub("", f"{before} {after}")]
            assert not ENGLISH.search(" ".join(words)), words
            is_secret = entry.kind in {"link_made", "pin_made"}
            assert bool(before) >= bool(entry.old)
            assert bool(after) >= bool(entry.new) or is_secret


@pytest.mark.parametrize("language", ["ja", "zh-hans"])
@pytest.mark.parametrize(("kind", "old", "new"), EVERY_ENTRY)
def test_descriptions_are_translated(
    event_tournament: Tournament, kind: str, old: Any, new: Any, language: str
) -> None:
    entry = AuditEntry(kind=kind, subject=PLACE, old=old, new=new)
    context = entry_context(event_tournament)
    with translation.override(language):
        described = before_and_after(entry, context)
        words = [str(entry.get_kind_display()), subject_words(entry.subject, context), *described]
    assert not ENGLISH.search(" ".join(words)), words
    for side, text in zip((old, new), described, strict=True):
        assert bool(text) == bool(side)
        assert DIGEST not in text


@pytest.mark.parametrize(("kind", "name"), [("link_made", "links"), ("pin_made", "pins")])
def test_digest_of_one_table_is_not_shown(
    event_tournament: Tournament, kind: str, name: str
) -> None:
    entry = AuditEntry(kind=kind, subject=PLACE, new={name: [DIGEST]})
    assert before_and_after(entry, entry_context(event_tournament)) == ("", "")


def test_description_of_a_round_has_names(event_tournament: Tournament) -> None:
    entry = AuditEntry(kind="round_recorded", subject=PLACE, new=KANKEI)
    context = entry_context(event_tournament)
    with translation.override("en"):
        _before, after = before_and_after(entry, context)
        place = subject_words(PLACE, context)
    assert place == "Session 1 · Table 2 · Round 3"
    assert "Dealer: 木村 勇 / Kankei: 成田 キヨ, 対馬 ハル / 9–4 / 16–0 spades Juroku" in after


@pytest.mark.parametrize(
    ("rule_set", "facts", "words"),
    [
        (
            "gong-zhu",
            {"captured": {"10": ["C10"], "2": ["SQ", "HA"]}, "exposed": ["SQ"]},
            ["2 ♠Q ♥A", "10 ♣10", "オープン：♠Q"],
        ),
        (
            "gouji",
            {"finish": list("135246"), "teams": [list("135"), list("246")]},
            ["1 → 3 → 5 → 2 → 4 → 6", "第1チーム：1、3、5", "第2チーム：2、4、6"],
        ),
    ],
)
def test_description_of_a_deal(rule_set: str, facts: dict[str, Any], words: list[str]) -> None:
    rules = scoring.choose(scoring.get_rule_set(rule_set))
    with translation.override("ja"):
        assert list(kind_of(rules.game).facts_in_words(facts, str, rules)) == words


def test_description_of_a_withdrawn_round(event_tournament: Tournament) -> None:
    entry = AuditEntry(kind="round_corrected", subject=PLACE, old=KANKEI, new={})
    with translation.override("en"):
        assert before_and_after(entry, entry_context(event_tournament))[1] == "no longer counts"


def test_description_of_settings_has_changes_only(event_tournament: Tournament) -> None:
    new = SETTINGS | {"venue": "公民館", "points": {}}
    entry = AuditEntry(kind="rules_set", old=SETTINGS, new=new)
    with translation.override("en"):
        before, after = before_and_after(entry, entry_context(event_tournament))
    assert before == "Venue: 体育館 / Points: Skunk: +2"
    assert after == "Venue: 公民館 / Points: As in the text"


UNEXPECTED: tuple[Any, ...] = (
    *(5, "x", [], [["a"]], [5], {}, {"finish": 3}, {"captured": 5}, {"kankei": [["a"]]}),
    *({"captured": {"1": 5}}, {"finish": [[]]}, {"deals": [{"declaration": []}]}, {"digest": 7}),
    *({"trump": ["clubs"]}, {"rule_set": "whist"}, {"options": 3}, {"tables": [[]]}, {"1": {}}),
    *({"other": 1, "stored": 2}, {"kind": [], "words": 1}, {"writer": {}}, {"1" * 5000: 1}),
)


@pytest.mark.parametrize("kind", AuditEntry.Kind.values)
def test_entries_with_unexpected_payloads_are_shown(
    event_tournament: Tournament, kind: str
) -> None:
    """An imported archive may hold payloads that this version never writes."""
    entries = [
        AuditEntry(
            kind=kind,
            subject={"session": "x", "table": [], "round": -1},
            old=unexpected,
            new=unexpected,
        )
        for unexpected in UNEXPECTED
    ]
    table = AuditTable(entries, entry_context(event_tournament), event_tournament.slug)
    for row, unexpected in zip(table.rows, UNEXPECTED, strict=True):
        assert len([str(cell) for cell in row]) == len(table.columns), unexpected


def test_payload_without_a_description_is_shown_as_json(event_tournament: Tournament) -> None:
    entry = AuditEntry(kind="round_disputed", old={"captured": "木"}, new={"finish": 3})
    before, after = before_and_after(entry, entry_context(event_tournament))
    assert (before, after) == ('{"captured": "木"}', '{"finish": 3}')
