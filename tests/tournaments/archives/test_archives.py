"""An event in one file: it comes back as it was, anything else is refused and changes nothing."""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytest_django import DjangoDbBlocker

import scoring
from scoring.answers import answer
from tests import archive_files, cast, events, reading_apart
from tests.archive_files import made_up, sealed, unpacked
from tests.private import PRIVATE, private_in
from tournaments import archives, audit, backups, verifying
from tournaments.archives import files, reading
from tournaments.archives.writing import in_order
from tournaments.facts import registration
from tournaments.models import Act, Entry, Receipt, Sitting, Tournament
from tournaments.phones import joining
from tournaments.results.standings import sheets_for

pytestmark = pytest.mark.django_db
KILOBYTES = 200_000  # what reading a file may take
RULE_SETS = [rule_set.slug for rule_set in scoring.RULE_SETS]


@pytest.fixture
def owner() -> User:
    return User.objects.create_superuser("owner", password="owner")


@pytest.fixture
def by(owner: User) -> audit.Actor:
    return audit.Actor(owner, "owner")


@pytest.fixture
def browser(owner: User) -> Client:
    return cast.browser_of(owner)


@pytest.fixture(scope="module")
def lasting_event(lasting_database: DjangoDbBlocker) -> int:
    """An event with everything, made once for the tests of this file."""
    with lasting_database.unblock():
        return events.full_event().pk


@pytest.fixture
def event(lasting_event: int, db: None) -> Tournament:
    return Tournament.objects.get(pk=lasting_event)


def moved(event: Tournament, by: audit.Actor, *, private: bool = True) -> Tournament:
    """Return the event after it has gone from here and come back."""
    content = archives.archived(event, private=private)
    events.forget(event)
    return archives.bring_in(content, by=by)


@pytest.mark.parametrize("rule_set", RULE_SETS)
def test_it_comes_back_as_it_was(rule_set: str, by: audit.Actor, browser: Client) -> None:
    event = events.full_event(rule_set)
    assert verifying.verify(event) == []
    before, acts = events.said_of(event, browser), list(event.acts.values_list("digest"))
    again = moved(event, by)
    assert events.said_of(again, browser) == before
    assert list(again.acts.values_list("digest"))[: len(acts)] == acts
    assert verifying.verify(again) == []


def test_every_value_comes_back(event: Tournament, by: audit.Actor) -> None:
    """But for numbers that only the database knows, and what opens tables."""
    before = events.rows()
    moved(event, by)
    after = events.rows()
    for name, known in before.items():
        if name in {"TableSession", "Membership"}:
            continue
        stay_behind = {name for row in known for name in row if name.endswith("_id")}
        stay_behind |= {"id", "token", "pin", "last_act"}
        came = [
            sorted(repr(in_order(without(row, stay_behind))) for row in each)
            for each in (known, [row for row in after[name] if not is_new(name, row, known)])
        ]
        assert came[0] == came[1], name


def is_new(name: str, row: dict[str, Any], known: list[Any]) -> bool:
    """Return whether this is an act that bringing in has added."""
    return name == "Act" and row["number"] > len(known)


def without(row: dict[str, Any], names: set[str]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in names}


def test_the_same_event_is_the_same_bytes(event: Tournament) -> None:
    assert archives.archived(event, private=True) == archives.archived(event, private=True)


def test_what_was_brought_in_can_be_archived_again(event: Tournament, by: audit.Actor) -> None:
    again = moved(moved(event, by), by)
    kinds = list(again.acts.values_list("kind", flat=True))
    assert kinds.count(Act.Kind.ARCHIVE_READ) == 2


def test_whoever_brings_it_in_directs_it(event: Tournament, by: audit.Actor) -> None:
    again = moved(event, by)
    assert [(each.user, each.role) for each in again.memberships.all()] == [(by.user, "director")]


def test_the_trail_tells_of_the_file(event: Tournament, by: audit.Actor) -> None:
    content = archives.archived(event, private=False)
    events.forget(event)
    act = archives.bring_in(content, by=by).acts.get(kind=Act.Kind.ARCHIVE_READ)
    assert act.who == "owner"
    assert act.new is not None
    assert act.new["digest"] == hashlib.sha256(content).hexdigest()


@pytest.mark.parametrize("private", [True, False])
def test_private_data_come_only_when_asked_for(
    event: Tournament, by: audit.Actor, *, private: bool
) -> None:
    again = moved(event, by, private=private)
    kept = again.entries.values("contact", "birth_year", "notes").get(number=1)
    assert kept == (PRIVATE if private else {"contact": "", "birth_year": None, "notes": ""})


@pytest.mark.parametrize("private", [True, False])
def test_nothing_private_is_in_what_is_given_away(event: Tournament, *, private: bool) -> None:
    text = unpacked(archives.archived(event, private=private))["event.json"].decode()
    assert private_in(text) == (set(PRIVATE) if private else set())


@pytest.mark.parametrize("private", [True, False])
def test_what_is_private_is_watched_after_a_move_as_before(
    event: Tournament, by: audit.Actor, *, private: bool
) -> None:
    again = moved(moved(event, by, private=private), by)
    assert verifying.verify(again) == []
    again.entries.filter(number=1).update(birth_year=1900)
    assert len(verifying.verify(again)) == 1


def test_new_links_and_phones_are_watched_after_a_move(event: Tournament, by: audit.Actor) -> None:
    again = moved(event, by)
    sitting = Sitting.objects.filter(session__tournament=again, closed_at=None)[0]
    joining.join(sitting.token)
    assert verifying.verify(again) == []
    Sitting.objects.filter(pk=sitting.pk).update(token="another", pin="another")
    sitting.phones.create(digest="0" * 64)
    assert len(verifying.verify(again)) == 3


def test_an_archive_of_the_first_version_still_comes_in(event: Tournament, by: audit.Actor) -> None:
    """As it was when no act told a digest and no entry had a salt."""
    events.as_before_digests(event)
    event.entries.update(salt="")
    content = archives.archived(event, private=True)
    events.forget(event)

    def older(manifest: Any, told: Any) -> None:
        manifest["version"] = 1
        for entry in told["entries"]:
            del entry["private"]["salt"]

    again = archives.bring_in(made_up(content, older), by=by)
    assert again.entries.get(number=1).contact == PRIVATE["contact"]


def test_what_opens_tables_stays_behind(event: Tournament, by: audit.Actor) -> None:
    tokens = set(Sitting.objects.values_list("token", flat=True))
    content = archives.archived(event, private=True)
    for token in tokens:
        assert token.encode() not in unpacked(content)["event.json"]
    events.forget(event)
    again = archives.bring_in(content, by=by)
    found = Sitting.objects.filter(session__tournament=again)
    assert not tokens & set(found.values_list("token", flat=True))


def test_a_request_that_comes_again_after_the_move_is_known(
    event: Tournament, by: audit.Actor
) -> None:
    columns = ("number", "key", "request", "answer", "at", "digest")
    known = list(event.receipts.order_by("number").values(*columns))
    again = moved(event, by)
    assert list(again.receipts.order_by("number").values(*columns)) == known


def test_a_club_s_table_moves_too(by: audit.Actor) -> None:
    rules = scoring.get_rule_set("gouji").choose()
    sitting = registration.start_table(
        Tournament(name="今夜の一卓"), rules, "一二三四五六", by=cast.SOMEBODY
    )
    cast.record(sitting)
    again = moved(sitting.session.tournament, by)
    assert again.kind == Tournament.Kind.TABLE


def test_an_empty_event_is_one_too(by: audit.Actor) -> None:
    event = Tournament(name="空の大会")
    rules = scoring.get_rule_set("gouji").choose()
    registration.create_tournament(event, rules, by=cast.SOMEBODY)
    assert moved(event, by).entries.count() == 0


# What is refused


@pytest.fixture
def gone(event: Tournament) -> bytes:
    """The archive of an event that is no longer here."""
    content = archives.archived(event, private=True)
    events.forget(event)
    return content


def assert_refused(content: bytes, by: audit.Actor) -> type[Exception]:
    """Return why it is refused; nothing has changed."""
    before = events.rows()
    with pytest.raises(archives.NotRead) as refused:
        archives.bring_in(content, by=by)
    assert events.rows() == before
    assert backups.listed() == []
    assert str(refused.value)
    return refused.type


def test_what_was_made_up_well_comes_in(gone: bytes, by: audit.Actor) -> None:
    """So that the refusals below are for what was changed, and for nothing else."""
    archives.bring_in(made_up(gone, lambda *_: None), by=by)


@pytest.mark.parametrize("content", [b"", b"PK", b"name\n", b"PK\x05\x06" + bytes(18), b"x" * 999])
def test_what_is_no_archive_is_refused(content: bytes, by: audit.Actor) -> None:
    assert assert_refused(content, by) is archives.Foreign


def test_somebody_else_s_sealed_zip_is_foreign(by: audit.Actor) -> None:
    for parts in ({"a": b"b"}, {"manifest.json": b"[]"}, {"manifest.json": b'{"format": "x"}'}):
        assert assert_refused(sealed(parts), by) is archives.Foreign


def test_a_newer_one_is_refused(gone: bytes, by: audit.Actor) -> None:
    newer = made_up(gone, lambda manifest, _: manifest.update(version=3, more={}))
    assert assert_refused(newer, by) is archives.Newer


@pytest.mark.parametrize(("more", "is_read"), [(0, True), (1, False), (30_000_000, False)])
def test_a_manifest_has_a_length(gone: bytes, by: audit.Actor, more: int, *, is_read: bool) -> None:
    parts = unpacked(gone)
    told = parts["manifest.json"]
    parts["manifest.json"] = told + b" " * (files.KIND.longest_manifest - len(told) + more)
    content = sealed(parts, manifest=zipfile.ZIP_DEFLATED)
    if is_read:
        assert archives.bring_in(content, by=by).acts.exists()
    else:
        assert assert_refused(content, by) is archives.Damaged
        with pytest.raises(archives.Damaged):
            archives.bring_in(content, by=by, is_own=True)


def test_an_event_that_is_here_is_refused(event: Tournament, by: audit.Actor) -> None:
    content = archives.archived(event, private=True)
    assert assert_refused(content, by) is archives.HereAlready


def other_rules(manifest: Any, event: Any) -> None:
    event["tournament"]["rule_set"] = "bridge"


def other_option(manifest: Any, event: Any) -> None:
    event["tournament"]["options"] = {"no_such_option": True}


def other_fingerprint(manifest: Any, event: Any) -> None:
    manifest["fingerprint"] = "0" * len(manifest["fingerprint"])


@pytest.mark.parametrize("change", [other_rules, other_option, other_fingerprint])
def test_other_rules_are_refused(
    gone: bytes, by: audit.Actor, change: Callable[[Any, Any], object]
) -> None:
    assert assert_refused(made_up(gone, change), by) is archives.OtherRules


LIMITS = ["LARGEST", "LARGEST_UNPACKED", "MOST_OBJECTS", "MOST_MARKS"]


@pytest.mark.parametrize("name", LIMITS)
def test_a_bomb_is_refused(
    gone: bytes, by: audit.Actor, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, name, 50)
    assert assert_refused(gone, by) is archives.TooLarge


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
@pytest.mark.parametrize("name", ["manifest.json", "event.json"])
def test_what_unpacks_without_limit_is_not_unpacked(
    gone: bytes, by: audit.Actor, name: str, method: int
) -> None:
    content = sealed(unpacked(gone), **{name.partition(".")[0]: method})
    refusal = archives.Foreign if name == "manifest.json" else archives.Damaged
    assert assert_refused(content, by) is refusal


def test_lists_are_no_longer_than_an_event_s(gone: bytes, by: audit.Actor) -> None:
    def lengthen(_manifest: Any, event: Any) -> None:
        event["receipts"] *= 50_001

    assert assert_refused(made_up(gone, lengthen), by) in {archives.TooLarge, archives.Damaged}


@pytest.mark.alike
def test_no_file_takes_much_memory(gone: bytes, tmp_path: Path) -> None:
    """Each in a process of its own, as large as it is still read."""
    for name, content in archive_files.largest(gone):
        path = tmp_path / name
        path.write_bytes(content)
        (read,) = reading_apart.read("archive", path)
        assert read.outcome == "read", name
        assert read.kilobytes < KILOBYTES, name


def test_a_mistake_of_ours_is_told_to_whoever_runs_it(
    gone: bytes, by: audit.Actor, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_what: Any) -> None:
        raise TypeError("our own mistake")

    monkeypatch.setattr(reading, "_rounds", fail)
    assert assert_refused(gone, by) is archives.Damaged
    assert "our own mistake" in caplog.text


GONE = object()
FIRST_TABLE = "sessions 0 tables 0"
TOUCHED: dict[str, Any] = {
    "acts 3": GONE,
    "acts 0 who": "x",
    "acts 0 kind": "flown",
    "entries 5": GONE,
    "entries 0 name": "他人",
    "entries 1 name": "\0",
    "entries 0 number": 0,
    "entries 2 name": "長" * 201,
    "tournament slug": "../..",
    "tournament venue": "他所",
    "tournament showing": "all",
    "tournament kind": "table",
    "tournament more": 1,
    "tournament name": GONE,
    "tournament created_at": "2026-01-01T00:00:00Z",
    "tournament closed_at": "2026-01-01T00:00:00Z",
    "sessions 1": GONE,
    "sessions 0 totals_only": True,
    f"{FIRST_TABLE} players": [6, 5, 4, 3, 2, 1],
    f"{FIRST_TABLE} players 5": 99,
    f"{FIRST_TABLE} players 0": GONE,
    f"{FIRST_TABLE} rounds 0": GONE,
    f"{FIRST_TABLE} rounds 0 facts": {},
    f"{FIRST_TABLE} rounds 1 facts": {"x": float("nan")},
    f"{FIRST_TABLE} rounds 0 accepted_at": None,
    "sessions 1 tables 0 totals 0 points": {"2": 5},
    "publications 0": GONE,
    "publications 0 content standings": [],
    "receipts 0 key": "長" * 201,
    "receipts 0 answer body version": 2,
    "receipts 0": GONE,
    f"{FIRST_TABLE} disagreements 0 facts": {"mukankei": 10**12},
    f"{FIRST_TABLE} disagreements 0": GONE,
    f"{FIRST_TABLE} calls 0 words": "他の話",
    f"{FIRST_TABLE} closed_at": "2026-01-01T00:00:00Z",
}


@pytest.mark.parametrize("path", TOUCHED)
def test_what_does_not_fit_together_is_refused(gone: bytes, by: audit.Actor, path: str) -> None:
    def touch(_manifest: Any, event: Any) -> None:
        *above, last = [int(part) if part.isdecimal() else part for part in path.split()]
        for part in above:
            event = event[part]
        if TOUCHED[path] is GONE:
            del event[last]
        else:
            event[last] = TOUCHED[path]

    assert assert_refused(made_up(gone, touch), by) is archives.Damaged


@pytest.mark.parametrize(
    "other",
    [
        {"standings": "0" * 64},
        {"slug": "another"},
        {"name": "別の大会"},
        {"last_act": {"number": 1, "at": "2026-01-01T00:00:00Z", "who": "別人"}},
        {"last_act": None},
        {"private": False},
    ],
)
def test_a_manifest_that_tells_of_another_event_is_refused(
    gone: bytes, by: audit.Actor, other: dict[str, Any]
) -> None:
    touched = made_up(gone, lambda manifest, _: manifest.update(other))
    assert assert_refused(touched, by) is archives.Damaged


@settings(
    max_examples=300,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(data=st.data())
def test_a_byte_that_is_another_is_noticed(
    gone: bytes, by: audit.Actor, data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(gone) - 1))
    bit = data.draw(st.integers(0, 7))
    flipped = bytearray(gone)
    flipped[at] ^= 1 << bit
    with pytest.raises((archives.Damaged, archives.Foreign)):
        files.read(bytes(flipped))


def test_every_length_but_its_own_is_noticed(gone: bytes) -> None:
    for length in range(0, len(gone), 7):
        with pytest.raises((archives.Damaged, archives.Foreign)):
            files.read(gone[:length])
    with pytest.raises(archives.Damaged):
        files.read(gone + b"\n")


def test_an_event_that_was_touched_is_not_archived(event: Tournament) -> None:
    Entry.objects.filter(tournament=event, number=1).update(name="他人")
    with pytest.raises(archives.NotWhole):
        archives.archived(event, private=True)


def test_nothing_is_kept_under_the_same_key_twice(gone: bytes, by: audit.Actor) -> None:
    again = archives.bring_in(gone, by=by)
    assert Receipt.objects.filter(tournament=again).count() == 2


def test_whoever_owns_the_machine_brings_in_an_event_of_any_size(
    gone: bytes, by: audit.Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in LIMITS:
        monkeypatch.setattr(files, name, 50)
    assert assert_refused(gone, by) is archives.TooLarge
    assert archives.bring_in(gone, by=by, is_own=True).entries.exists()


def test_it_holds_the_records_that_anybody_can_score(event: Tournament) -> None:
    records = unpacked(archives.archived(event, private=False))["records.jsonl"]
    scored = [answer(line) for line in records.splitlines()]
    assert scored
    assert all(each["ok"] for each in scored)
    sheets = [sheet for sheet in sheets_for(event) if sheet.rows and not sheet.is_totals_only]
    assert [each["totals"] for each in scored] == [sheet.score.totals for sheet in sheets]
