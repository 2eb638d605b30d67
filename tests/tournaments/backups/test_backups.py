"""A backup is the whole database, verified before it counts; whatever is not one is refused."""

from __future__ import annotations

import json
import stat
import zipfile
from collections.abc import Callable
from datetime import timedelta
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session as DjangoSession
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction
from django.urls import reverse
from django.utils import timezone, translation
from pytest_django import Settings

from tests import cast
from tests.api import code, staff
from tournaments import backups
from tournaments import sealed_files as seals
from tournaments.audit import guards
from tournaments.backups import Contents, Manifest, Reason, files, postgresql, shelf, taking
from tournaments.models import Round, Sitting, StaffToken, Tournament
from tournaments.services import table_links, tokens
from tournaments.services.phones import join, join_with_pin, phone_of

CONTENT = b"SQLite format 3\x00" + bytes(range(256)) * 4
LONG_AGO = timezone.now() - timedelta(days=1)


def manifest(**changed: Any) -> Manifest:
    """Return the manifest of a small file that is no database."""
    known = Contents(("tournaments.0001_initial",), 1, 2)
    usual = Manifest(connection.vendor, LONG_AGO, Reason.BY_HAND, "", known, 0, "")
    return usual._replace(**changed)


def write(path: Path, content: bytes = CONTENT, **changed: Any) -> Path:
    """Write a file as a backup of such a database would be."""
    database = path.with_suffix(".database")
    database.write_bytes(content)
    length, digest = files.digest_of(database)
    files.write(path, database, manifest(**({"length": length, "sha256": digest} | changed)))
    return path


@pytest.fixture
def played(transactional_db: None, shared_database: None) -> Tournament:
    """A tournament with a round, in a database that other connections can see."""
    tournament = cast.make_tournament()
    cast.record(cast.make_sitting(tournament))
    return tournament


@pytest.fixture
def tampered() -> Callable[[str], None]:
    """Change what the database would not let anybody change."""

    def tamper(statement: str) -> None:
        guards.lift_guards()
        with connection.cursor() as cursor:
            cursor.execute(statement)
        guards.set_guards()

    return tamper


def exported(tournament: Tournament) -> bytes:
    """Return the workbook of the standings."""
    owner = cast.browser_of(User.objects.get_or_create(username="owner", is_superuser=True)[0])
    return owner.get(reverse("standings-workbook", args=[tournament.slug])).content


# Taking


def test_it_says_what_is_in_it(played: Tournament) -> None:
    made = backups.take(Reason.BY_HAND, who="director")
    read = files.read(made.path)
    assert read == made.manifest
    assert (read.reason, read.who, read.vendor) == ("by-hand", "director", connection.vendor)
    assert (read.contents.tournaments, read.contents.rounds) == (1, 1)
    assert "tournaments.0001_initial" in read.contents.migrations
    assert backups.present() == read.contents


def test_only_its_owner_can_read_it(played: Tournament) -> None:
    made = backups.take(Reason.BY_HAND)
    assert stat.S_IMODE(made.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(made.path.parent.stat().st_mode) == 0o700


def test_nothing_is_left_beside_it(played: Tournament, settings: Settings) -> None:
    made = backups.take(Reason.BY_HAND)
    left = {path.name for path in settings.BACKUPS_DIR.iterdir()}
    assert left == {made.path.name, ".lock"}


def test_two_in_one_second_are_two(played: Tournament) -> None:
    made = {backups.take(Reason.BY_HAND).path for _ in range(3)}
    assert {each.path for each in backups.listed()} == made
    assert len(made) == 3


def test_one_that_cannot_be_read_back_does_not_count(
    played: Tournament, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write_badly(path: Path, *what: Any) -> None:
        written(path, *what)
        content = bytearray(path.read_bytes())
        content[len(content) // 2] ^= 1
        path.write_bytes(content)

    written = files.write
    monkeypatch.setattr(files, "write", write_badly)
    with pytest.raises(backups.NotTaken):
        backups.take(Reason.BY_HAND)
    assert [path.name for path in settings.BACKUPS_DIR.iterdir()] == [".lock"]


def test_what_a_crash_left_is_cleared_away(played: Tournament, settings: Settings) -> None:
    left = settings.BACKUPS_DIR / ".unfinished-x"
    left.mkdir(parents=True)
    (left / "database").write_text("half")
    backups.take(Reason.BY_HAND)
    assert not left.exists()


def test_old_automatic_ones_go_and_others_stay(
    played: Tournament, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many are made for one reason, those for another stay."""
    monkeypatch.setattr(shelf, "MOST_OF_A_REASON", 2)
    reasons = [Reason.BY_HAND, Reason.AFTER_SESSION, *[Reason.BY_HAND, Reason.BEFORE_IMPORT] * 3]
    settings.BACKUPS_DIR.mkdir()
    for day, reason in enumerate(reasons):
        write(shelf.new_name(settings.BACKUPS_DIR, reason, LONG_AGO - timedelta(days=9 - day)))
    backups.take(Reason.BEFORE_IMPORT)
    names = [each.path.name[25:-4] for each in backups.listed()]
    assert sorted(names) == sorted(
        ["before-import"] * 2 + ["by-hand"] * 4 + ["after-session"],
    )


def test_one_that_goes_while_it_is_looked_at_keeps_its_size(played: Tournament) -> None:
    backups.take(Reason.BY_HAND)
    (listed,) = backups.listed()
    length = listed.path.stat().st_size
    listed.path.unlink()
    assert listed.size == length
    assert backups.listed() == []


def test_one_from_elsewhere_is_not_the_one_that_is_missing(
    played: Tournament, tmp_path: Path
) -> None:
    made = backups.take(Reason.BY_HAND, to=tmp_path / "stick.zip")
    shelf.want()
    shelf.give_up()
    backups.bring_in([made.path.read_bytes()])
    assert backups.is_missing()
    assert shelf.newest() is None
    backups.take(Reason.BY_HAND)
    assert not backups.is_missing()


def test_a_missing_pg_dump_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(postgresql, "DEBIAN", tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(backups.NotTaken, match="postgresql-client"):
        postgresql.check(tmp_path / "database", Contents((), 0, 0))


def test_it_never_replaces_another_file(played: Tournament, tmp_path: Path) -> None:
    taken = tmp_path / "taken.zip"
    taken.write_text("mine")
    with pytest.raises(backups.ThereAlready, match=r"taken\.zip"):
        backups.take(Reason.BY_HAND, to=taken)
    with pytest.raises(CommandError) as told, translation.override("en"):
        call_command("backup", to=taken)
    assert "disk" not in str(told.value)
    assert taken.read_text() == "mine"


# What is refused


def test_every_changed_byte_is_found(tmp_path: Path) -> None:
    path = write(tmp_path / "whole.zip")
    whole = path.read_bytes()
    for place in range(len(whole)):
        changed = bytearray(whole)
        changed[place] ^= 1 << place % 8
        path.write_bytes(changed)
        with pytest.raises((backups.Damaged, backups.Foreign)):
            files.read(path)


def test_every_missing_end_is_found(tmp_path: Path) -> None:
    path = write(tmp_path / "whole.zip")
    whole = path.read_bytes()
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        with pytest.raises((backups.Damaged, backups.Foreign)):
            files.read(path)
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(backups.Damaged):
        files.read(path)


def a_zip(**members: str) -> bytes:
    stream = BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in members.items():
            archive.writestr(name.replace("_json", ".json"), content)
    return stream.getvalue()


def sealed(content: bytes) -> bytes:
    """Return a zip as if it had been sealed by us."""
    stream = BytesIO(content)
    with zipfile.ZipFile(stream, "a") as archive:
        archive.comment = seals.UNSEALED
    seals.write_seal(stream)
    return stream.getvalue()


FOREIGN = {
    "empty": b"",
    "text": b"No backup at all." * 20,
    "another zip": a_zip(readme="x" * 100),
    "a zip with another manifest": a_zip(manifest_json='{"format": "other"}'),
    "sealed without manifest": sealed(a_zip(readme="x")),
    "sealed with another manifest": sealed(a_zip(manifest_json='{"format": "other"}')),
    "sealed with a list": sealed(a_zip(manifest_json="[]")),
    "sealed with no JSON": sealed(a_zip(manifest_json="{")),
}


@pytest.mark.parametrize("content", FOREIGN.values(), ids=FOREIGN)
def test_a_foreign_file_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "foreign.zip"
    path.write_bytes(content)
    with pytest.raises(backups.Foreign):
        files.read(path)


def test_a_manifest_that_says_too_little_is_refused(tmp_path: Path) -> None:
    said = {"format": files.KIND.format, "version": files.KIND.version, "vendor": "sqlite"}
    path = tmp_path / "half.zip"
    path.write_bytes(sealed(a_zip(manifest_json=json.dumps(said))))
    with pytest.raises(backups.Damaged):
        files.read(path)


@pytest.mark.parametrize("text", ["[" * 200_000, '{"a":' * 100_000])
def test_a_manifest_of_any_depth_is_refused(text: str, tmp_path: Path, settings: Settings) -> None:
    settings.BACKUPS_DIR = tmp_path
    path = shelf.new_name(tmp_path, Reason.BY_HAND)
    path.write_bytes(sealed(a_zip(manifest_json=text)))
    with pytest.raises(backups.Foreign):
        files.read(path)
    assert [each.manifest for each in backups.listed()] == [None]


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_what_unpacks_without_limit_is_not_unpacked(method: int, tmp_path: Path) -> None:
    path = write(tmp_path / "whole.zip")
    known, stream = files.read(path), BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr(seals.MANIFEST, json.dumps(known.as_json()))
        archive.writestr(files.DATABASE, CONTENT, method)
    path.write_bytes(sealed(stream.getvalue()))
    assert files.read(path) == known
    with pytest.raises(backups.Damaged):
        files.unpack(path, known, tmp_path / "database")


@pytest.mark.parametrize(("more", "is_read"), [(0, True), (1, False), (30_000_000, False)])
def test_a_manifest_has_a_length(tmp_path: Path, more: int, *, is_read: bool) -> None:
    known = files.read(write(tmp_path / "known.zip"))
    told = json.dumps(known.as_json())
    text = told + " " * (files.KIND.longest_manifest - len(told) + more)
    stream = BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(seals.MANIFEST, text)
    path = tmp_path / "long.zip"
    path.write_bytes(sealed(stream.getvalue()))
    if is_read:
        assert files.read(path) == known
    else:
        with pytest.raises(backups.Damaged):
            files.read(path)


def test_a_later_format_is_refused(tmp_path: Path) -> None:
    said = {"format": files.KIND.format, "version": files.KIND.version + 1}
    path = tmp_path / "later.zip"
    path.write_bytes(sealed(a_zip(manifest_json=json.dumps(said))))
    with pytest.raises(backups.Newer):
        files.read(path)


@pytest.mark.parametrize(
    ("changed", "refusal"),
    [
        ({"vendor": "oracle"}, backups.OtherDatabase),
        ({"contents": Contents(("tournaments.9999_later",), 1, 2)}, backups.Newer),
        ({"sha256": "0" * 64}, backups.Damaged),
        ({"length": 5}, backups.Damaged),
        ({"length": 10**12}, backups.Damaged),
        ({}, backups.Damaged),  # the content is no database
    ],
)
def test_what_does_not_fit_is_refused_and_nothing_changes(
    played: Tournament, tmp_path: Path, changed: dict[str, Any], refusal: type[backups.Refused]
) -> None:
    path, before = write(tmp_path / "other.zip", **changed), everything()
    for use in (backups.examine, backups.restore):
        with pytest.raises(refusal):
            use(path)
    with pytest.raises(refusal):
        backups.bring_in([path.read_bytes()])
    assert everything() == before
    assert backups.listed() == []


def everything() -> Any:
    """Return the file of the database byte by byte, or what can be asked of a server."""
    if connection.vendor == "sqlite":
        connection.close()
        return Path(str(connection.settings_dict["NAME"])).read_bytes()
    return [list(model.objects.order_by("pk").values()) for model in (Tournament, Round)]


# Restoring


def test_everything_is_as_it_was(played: Tournament) -> None:
    before, made = exported(played), backups.take(Reason.BY_HAND)
    cast.record(cast.make_sitting(played))
    cast.make_entries(cast.make_tournament(), 1)
    assert exported(played) != before
    kept = backups.restore(made.path, who="director")
    assert Tournament.objects.get() == played
    assert exported(played) == before
    assert kept is not None
    assert kept.manifest is not None
    assert (kept.manifest.reason, kept.manifest.who) == ("before-restore", "director")
    assert (kept.manifest.contents.tournaments, kept.manifest.contents.rounds) == (2, 2)
    backups.restore(kept.path)
    assert Round.objects.count() == 2


def test_no_log_in_token_or_phone_is_revived(played: Tournament) -> None:
    """Neither those of the backup nor those of now; the cards on the tables still open them."""
    keeper = cast.make_user("keeper")
    sitting = Sitting.objects.get()
    pin = table_links.make_pin(sitting, by=cast.SOMEBODY)
    browsers, programs, phones = [], [], []

    def let_in() -> None:
        browser = cast.browser_of(keeper)
        browser.get(reverse("join-table", args=[sitting.token]), follow=True)
        browsers.append(browser)
        programs.append(staff(keeper))
        phones.append(join(sitting.token).secret)

    let_in()
    made = backups.take(Reason.BY_HAND)
    tokens.revoke_tokens(keeper)
    let_in()
    backups.restore(made.path)
    play = f"{sitting.get_absolute_url()}play/"
    for browser in browsers:
        assert browser.get(reverse("account")).status_code == 302
        assert browser.get(play).status_code == 404
    assert {code(each.ask("GET", "/api/token"))[0] for each in programs} == {401}
    assert [phone_of(each) for each in phones] == [None, None]
    assert not DjangoSession.objects.exists()
    assert not StaffToken.objects.exists()
    stored = Sitting.objects.get()
    assert join_with_pin(stored, pin).phone.is_writer
    assert join(sitting.token).phone.sitting == stored
    call_command("verify")


def test_what_is_kept_is_guarded_afterwards(played: Tournament) -> None:
    backups.restore(backups.take(Reason.BY_HAND).path)
    for statement in ("DELETE FROM tournaments_round", "UPDATE tournaments_act SET number = 7"):
        with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)
    call_command("verify")


def test_a_trail_that_does_not_fit_is_refused(
    played: Tournament, tampered: Callable[[str], None]
) -> None:
    tampered("UPDATE tournaments_act SET who = 'x' WHERE number = 1")
    made, before = backups.take(Reason.BY_HAND), everything()
    with pytest.raises(backups.Tampered, match=played.slug):
        backups.restore(made.path)
    assert everything() == before


def test_one_from_elsewhere_joins_the_others(played: Tournament, tmp_path: Path) -> None:
    made = backups.take(Reason.BY_HAND, to=tmp_path / "stick.zip")
    assert backups.listed() == []
    brought = backups.bring_in([made.path.read_bytes()])
    assert backups.listed() == [brought]
    assert brought.name.endswith("-brought")
    assert stat.S_IMODE(brought.path.stat().st_mode) == 0o600
    assert brought.path.read_bytes() == made.path.read_bytes()


def test_present_and_taken_count_the_same(played: Tournament, tmp_path: Path) -> None:
    copied = taking.engine().copy(tmp_path / "copy")
    assert copied == backups.present()
