"""Two alternating files: at every moment one of them is whole."""

from __future__ import annotations

import errno
import os
import sqlite3
import stat
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from tests.tournaments.standby.databases import append, create, execute, rewrite, snapshot_of
from tournaments.standby import ciphers, folders
from tournaments.standby.ciphers import Cipher, Encrypted, Plain
from tournaments.standby.folders import Folder

KEY = bytes(range(32))


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return create(tmp_path / "database.sqlite3")


@pytest.fixture(params=[Plain(), Encrypted(KEY)], ids=["plain", "encrypted"])
def cipher(request: pytest.FixtureRequest) -> Cipher:
    found: Cipher = request.param
    return found


@pytest.fixture
def folder(tmp_path: Path, cipher: Cipher) -> Folder:
    path = tmp_path / "copies"
    folders.prepare_folder(path)
    return Folder(path, cipher)


def content_of(folder: Folder) -> bytes:
    newest = folder.newest()
    assert newest is not None
    return newest[1]


def test_patches_in_turn_equal_the_whole(database: Path, folder: Folder) -> None:
    """Also where the database shrinks, and where another process goes on with the files."""
    changes = ["", "DELETE FROM filler WHERE id > 50; VACUUM", "UPDATE filler SET content = id", ""]
    for change in changes:
        execute(database, change)
        append(database)
        snapshot = snapshot_of(database)
        folder.write(snapshot)
        again = Folder(folder.path, folder.cipher)
        assert content_of(again) == snapshot.content
        assert folder.newest() == again.newest()
        folder = again if "VACUUM" in change else folder
    assert {path.name for path in folder.path.iterdir()} == {
        *("copy-1", "copy-1.json", "copy-2", "copy-2.json"),
    }


def test_only_changed_pages_are_written(database: Path, folder: Folder) -> None:
    for _ in range(2):
        append(database)
        folder.write(snapshot_of(database))
    append(database)
    assert folder.write(snapshot_of(database)) < len(snapshot_of(database).content) // 3


def test_copy_holds_the_secrets_and_is_private(database: Path, folder: Folder) -> None:
    folder.write(snapshot_of(database))
    newest = folder.newest()
    assert newest is not None
    assert newest[0].secrets == {"secret-key": "a secret\n"}
    assert stat.S_IMODE(folder.path.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.path.iterdir()} == {0o600}


@pytest.mark.parametrize("call", ["write", "fsync", "ftruncate"])
def test_interrupted_copy_leaves_the_one_before(
    database: Path, folder: Folder, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    """Whichever call of the copy fails, and whether the next process knows of it or not."""
    for _ in range(2):
        rewrite(database)
        folder.write(snapshot_of(database))
    expected = content_of(folder)
    for failing in range(1, 40, 5):
        rewrite(database)
        with monkeypatch.context() as patch, suppress(OSError):
            patch.setattr(os, call, fail_at(getattr(os, call), failing))
            folder.write(snapshot_of(database))
            expected = snapshot_of(database).content  # so many calls were not made
        assert content_of(Folder(folder.path, folder.cipher)) == expected
    rewrite(database)
    folder.write(snapshot_of(database))
    assert content_of(folder) == snapshot_of(database).content


def fail_at(function: Callable[..., Any], number: int) -> Callable[..., Any]:
    """Return a function that fails at its call of this number."""
    calls = iter(range(1, 10_000))

    def failing(*arguments: Any) -> Any:
        if next(calls) == number:
            raise OSError(errno.ENOSPC, "No space left on device")
        return function(*arguments)

    return failing


def test_torn_file_never_counts(database: Path, folder: Folder) -> None:
    """A power cut may bring the sidecar of a half-written file back."""
    folder.write(snapshot_of(database))
    whole = content_of(folder)
    rewrite(database)
    folder.write(snapshot_of(database))
    newest = next(iter(folder.sidecars()))
    with (folder.path / newest).open("r+b") as file:
        file.seek(5000)
        file.write(b"torn")
    assert content_of(Folder(folder.path, folder.cipher)) == whole
    (folder.path / newest).write_bytes(b"")
    assert content_of(Folder(folder.path, folder.cipher)) == whole


def test_file_changed_by_another_computer_is_read_again(database: Path, folder: Folder) -> None:
    for _ in range(2):
        append(database)
        folder.write(snapshot_of(database))
    older = list(folder.sidecars())[1]
    (folder.path / older).write_bytes(b"x" * 10_000)
    append(database)
    folder.write(snapshot_of(database))
    assert content_of(Folder(folder.path, folder.cipher)) == snapshot_of(database).content


def test_unreadable_sidecar_does_not_count(database: Path, folder: Folder) -> None:
    folder.write(snapshot_of(database))
    whole = content_of(folder)
    for content in (b"", b"{}", b"[]", b"\xff", b'{"format": "other", "version": 1}'):
        (folder.path / "copy-1.json").write_bytes(content)
        assert content_of(folder) == whole


def test_twelve_copies_are_kept(database: Path, folder: Folder) -> None:
    first = snapshot_of(database)
    for age in range(14, 0, -1):
        header = first.header._replace(made_at=first.header.made_at - 600 * age)
        folder.keep(first._replace(header=header))
    kept = sorted(folder.path.glob("kept-*.json"))
    assert len(kept) == folders.MOST_KEPT
    assert folder.content(kept[0].stem, next(iter(folder.sidecars().values()))) == first.content


def test_kept_copies_older_than_a_day_are_deleted(database: Path, folder: Folder) -> None:
    first = snapshot_of(database)
    folder.keep(first._replace(header=first.header._replace(made_at=first.header.made_at - 90_000)))
    folder.keep(first)
    assert len(list(folder.path.glob("kept-*.json"))) == 1


def test_copy_without_a_newer_one_is_found_among_the_kept(database: Path, folder: Folder) -> None:
    folder.keep(snapshot_of(database))
    folder.write(snapshot_of(database))
    for name in ("copy-1", "copy-2"):
        (folder.path / name).unlink(missing_ok=True)
    assert content_of(folder) == snapshot_of(database).content


def test_full_disk_keeps_no_partial_copy(
    database: Path, folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.write(snapshot_of(database))
    monkeypatch.setattr(os, "write", fail_at(os.write, 3))
    with pytest.raises(OSError, match="No space"):
        folder.keep(snapshot_of(database))
    assert not list(folder.path.glob("kept-*"))


def test_encrypted_copy_reveals_nothing(database: Path, tmp_path: Path) -> None:
    execute(database, "INSERT INTO filler (content) VALUES ('a private telephone number')")
    folder = Folder(tmp_path, Encrypted(KEY))
    folder.write(snapshot_of(database))
    written = b"".join(path.read_bytes() for path in tmp_path.glob("copy-*"))
    assert not any(word in written for word in (b"telephone", b"SQLite", b"secret", b"digest"))
    assert Folder(tmp_path, Encrypted(bytes(32))).newest() is None
    assert Folder(tmp_path).newest() is None


def test_record_cannot_stand_in_another_place() -> None:
    cipher = Encrypted(KEY)
    record = cipher.seal("1", b"page")
    assert cipher.unseal("1", record) == b"page"
    for place, changed in (("2", record), ("1", record[:-1]), ("1", b"short")):
        with pytest.raises(ciphers.WrongKey):
            cipher.unseal(place, changed)


def test_key_depends_on_passphrase_and_salt() -> None:
    cheap = {"n": 2, "r": 8, "p": 1}
    one, two = (ciphers.new_parameters() | cheap for _ in range(2))
    keys = {ciphers.derive_key(*each) for each in (("a", one), ("a", two), ("b", one), ("a", one))}
    assert len(keys) == 3


def test_copy_opens_as_a_database(database: Path, folder: Folder) -> None:
    folder.write(snapshot_of(database))
    with closing(sqlite3.connect(":memory:")) as opened:
        opened.deserialize(content_of(folder))
        assert opened.execute("SELECT count(*) FROM filler").fetchone() == (100,)
