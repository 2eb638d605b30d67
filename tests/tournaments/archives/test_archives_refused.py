"""What is no archive of an event, or none as it was made, is refused and changes nothing."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests import archive_files, events, reading_apart
from tests.archive_files import made_up, sealed, unpacked
from tournaments import archives, audit, backups
from tournaments.archives import files, reading
from tournaments.models import Entry, Tournament

pytestmark = pytest.mark.django_db
KILOBYTES = 200_000  # what reading a file may take


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
        assert archives.bring_in(content, by=by).audit_entries.exists()
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


def test_whoever_owns_the_machine_brings_in_an_event_of_any_size(
    gone: bytes, by: audit.Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in LIMITS:
        monkeypatch.setattr(files, name, 50)
    assert assert_refused(gone, by) is archives.TooLarge
    assert archives.bring_in(gone, by=by, is_own=True).entries.exists()
