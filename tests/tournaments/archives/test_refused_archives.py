"""An import that is refused changes nothing."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests import archive_files, events, reading_process
from tests.archive_files import made_up, sealed, unpacked
from tournaments import archives, audit, backups
from tournaments.archives import files, importing
from tournaments.models import Entry, Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.alike]  # refused before anything is stored
KILOBYTES = 200_000  # limit of memory for reading a file


def assert_refused(content: bytes, by: audit.Actor) -> type[Exception]:
    """Assert that an import changes no row and takes no backup; return the type of the refusal."""
    before = events.rows()
    with pytest.raises(archives.ImportRefused) as refused:
        archives.import_archive(content, by=by)
    assert events.rows() == before
    assert backups.all_backups() == []
    assert str(refused.value)
    return refused.type


def test_rebuilt_archive_is_imported(exported: bytes, by: audit.Actor) -> None:
    """The refusals below are therefore due to the change, not to `made_up`."""
    archives.import_archive(made_up(exported, lambda *_: None), by=by)


@pytest.mark.parametrize("content", [b"", b"PK", b"name\n", b"PK\x05\x06" + bytes(18), b"x" * 999])
def test_other_file_is_foreign(content: bytes, by: audit.Actor) -> None:
    assert assert_refused(content, by) is archives.Foreign


def test_sealed_zip_of_another_format_is_foreign(by: audit.Actor) -> None:
    for parts in ({"a": b"b"}, {"manifest.json": b"[]"}, {"manifest.json": b'{"format": "x"}'}):
        assert assert_refused(sealed(parts), by) is archives.Foreign


def test_newer_version_is_refused(exported: bytes, by: audit.Actor) -> None:
    newer = made_up(exported, lambda manifest, _: manifest.update(version=3, more={}))
    assert assert_refused(newer, by) is archives.Newer


@pytest.mark.parametrize(("more", "is_accepted"), [(0, True), (1, False), (30_000_000, False)])
def test_length_of_manifest_is_limited(
    exported: bytes, by: audit.Actor, more: int, *, is_accepted: bool
) -> None:
    parts = unpacked(exported)
    manifest = parts["manifest.json"]
    parts["manifest.json"] = manifest + b" " * (
        files.ARCHIVE.longest_manifest - len(manifest) + more
    )
    content = sealed(parts, manifest=zipfile.ZIP_DEFLATED)
    if is_accepted:
        assert archives.import_archive(content, by=by).audit_entries.exists()
    else:
        assert assert_refused(content, by) is archives.Damaged
        with pytest.raises(archives.Damaged):
            archives.import_archive(content, by=by, unlimited=True)


def test_existing_event_is_refused(event: Tournament, by: audit.Actor) -> None:
    content = archives.export_archive(event, with_private=True)
    assert assert_refused(content, by) is archives.AlreadyExists


def set_unknown_rule_set(manifest: Any, event: Any) -> None:
    event["tournament"]["rule_set"] = "bridge"


def set_unknown_option(manifest: Any, event: Any) -> None:
    event["tournament"]["options"] = {"no_such_option": True}


def set_other_fingerprint(manifest: Any, event: Any) -> None:
    manifest["fingerprint"] = "0" * len(manifest["fingerprint"])


@pytest.mark.parametrize(
    "change", [set_unknown_rule_set, set_unknown_option, set_other_fingerprint]
)
def test_unknown_or_different_rules_are_refused(
    exported: bytes, by: audit.Actor, change: Callable[[Any, Any], object]
) -> None:
    assert assert_refused(made_up(exported, change), by) is archives.OtherRules


LIMITS = ["LARGEST", "LARGEST_UNPACKED", "MOST_OBJECTS", "MOST_SEPARATORS"]


@pytest.mark.parametrize("name", LIMITS)
def test_zip_bomb_is_refused(
    exported: bytes, by: audit.Actor, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, name, 50)
    assert assert_refused(exported, by) is archives.TooLarge


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
@pytest.mark.parametrize("name", ["manifest.json", "event.json"])
def test_unbounded_compression_method_is_refused(
    exported: bytes, by: audit.Actor, name: str, method: int
) -> None:
    content = sealed(unpacked(exported), **{name.partition(".")[0]: method})
    refusal = archives.Foreign if name == "manifest.json" else archives.Damaged
    assert assert_refused(content, by) is refusal


def test_length_of_lists_is_limited(exported: bytes, by: audit.Actor) -> None:
    def lengthen(_manifest: Any, event: Any) -> None:
        event["receipts"] *= 50_001

    assert assert_refused(made_up(exported, lengthen), by) in {archives.TooLarge, archives.Damaged}


@pytest.mark.posix("each file is read in a forked process, which tells its memory")
def test_memory_to_read_a_file_is_limited(exported: bytes, tmp_path: Path) -> None:
    """Each file is as large as is accepted, and read in its own process."""
    for name, content in archive_files.largest(exported):
        (tmp_path / name).write_bytes(content)
    for read in reading_process.read("archive", *tmp_path.iterdir()):
        assert read.outcome == "read", read.name
        assert read.kilobytes < KILOBYTES, read.name


def test_unexpected_error_is_logged(
    exported: bytes,
    by: audit.Actor,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def fail(*_what: Any) -> None:
        raise TypeError("a bug")

    monkeypatch.setattr(importing, "_create_rounds", fail)
    assert assert_refused(exported, by) is archives.Damaged
    assert "a bug" in caplog.text


DELETED = object()
FIRST_TABLE = "sessions 0 tables 0"
CHANGES: dict[str, Any] = {
    "acts 3": DELETED,
    "acts 0 who": "x",
    "acts 0 kind": "flown",
    "entries 5": DELETED,
    "entries 0 name": "他人",
    "entries 1 name": "\0",
    "entries 0 number": 0,
    "entries 2 name": "長" * 201,
    "tournament slug": "../..",
    "tournament venue": "他所",
    "tournament showing": "all",
    "tournament kind": "table",
    "tournament more": 1,
    "tournament name": DELETED,
    "tournament created_at": "2026-01-01T00:00:00Z",
    "tournament closed_at": "2026-01-01T00:00:00Z",
    "sessions 1": DELETED,
    "sessions 0 totals_only": True,
    f"{FIRST_TABLE} players": [6, 5, 4, 3, 2, 1],
    f"{FIRST_TABLE} players 5": 99,
    f"{FIRST_TABLE} players 0": DELETED,
    f"{FIRST_TABLE} rounds 0": DELETED,
    f"{FIRST_TABLE} rounds 0 facts": {},
    f"{FIRST_TABLE} rounds 1 facts": {"x": float("nan")},
    f"{FIRST_TABLE} rounds 0 accepted_at": None,
    "sessions 1 tables 0 totals 0 points": {"2": 5},
    "publications 0": DELETED,
    "publications 0 content standings": [],
    "receipts 0 key": "長" * 201,
    "receipts 0 answer body version": 2,
    "receipts 0": DELETED,
    f"{FIRST_TABLE} disagreements 0 facts": {"mukankei": 10**12},
    f"{FIRST_TABLE} disagreements 0": DELETED,
    f"{FIRST_TABLE} calls 0 words": "他の話",
    f"{FIRST_TABLE} closed_at": "2026-01-01T00:00:00Z",
}


@pytest.mark.parametrize("path", CHANGES)
def test_inconsistent_archive_is_refused(exported: bytes, by: audit.Actor, path: str) -> None:
    def change(_manifest: Any, event: Any) -> None:
        *above, last = [int(part) if part.isdecimal() else part for part in path.split()]
        for part in above:
            event = event[part]
        if CHANGES[path] is DELETED:
            del event[last]
        else:
            event[last] = CHANGES[path]

    assert assert_refused(made_up(exported, change), by) is archives.Damaged


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
def test_manifest_of_another_event_is_refused(
    exported: bytes, by: audit.Actor, other: dict[str, Any]
) -> None:
    touched = made_up(exported, lambda manifest, _: manifest.update(other))
    assert assert_refused(touched, by) is archives.Damaged


@settings(
    max_examples=300,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(data=st.data())
def test_flipped_bit_is_detected(exported: bytes, by: audit.Actor, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(exported) - 1))
    bit = data.draw(st.integers(0, 7))
    flipped = bytearray(exported)
    flipped[at] ^= 1 << bit
    with pytest.raises((archives.Damaged, archives.Foreign)):
        files.read(bytes(flipped))


def test_truncated_or_extended_file_is_detected(exported: bytes) -> None:
    for length in range(0, len(exported), 7):
        with pytest.raises((archives.Damaged, archives.Foreign)):
            files.read(exported[:length])
    with pytest.raises(archives.Damaged):
        files.read(exported + b"\n")


def test_inconsistent_event_is_not_exported(event: Tournament) -> None:
    Entry.objects.filter(tournament=event, number=1).update(name="他人")
    with pytest.raises(archives.Inconsistent):
        archives.export_archive(event, with_private=True)


def test_unlimited_import_has_no_size_limit(
    exported: bytes, by: audit.Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in LIMITS:
        monkeypatch.setattr(files, name, 50)
    assert assert_refused(exported, by) is archives.TooLarge
    assert archives.import_archive(exported, by=by, unlimited=True).entries.exists()
