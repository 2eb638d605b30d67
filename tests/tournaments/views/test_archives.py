"""Exporting and importing by pages, the HTTP API and commands."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

import scoring
from tests import cast, events
from tests.api import Program, code, json_of, phone, staff
from tournaments import archives, backups
from tournaments.archives import files
from tournaments.audit import Actor
from tournaments.models import AuditEntry, Entry, Membership, Sitting, Tournament
from tournaments.services import tournaments
from tournaments.services.staff import give_role

pytestmark = pytest.mark.django_db
IMPORT_PAGE = "/tournaments/new/archive/"
IMPORT_API = "/api/tournaments/archive"


@pytest.fixture
def director(event: Tournament) -> User:
    user = cast.make_creator("director")
    give_role(event, user, "director", by=cast.SOMEBODY)
    return user


def upload(content: bytes) -> dict[str, Any]:
    return {"file": SimpleUploadedFile(f"x{archives.SUFFIX}", content)}


@pytest.mark.parametrize(
    ("query", "private"), [("", False), ("?private=1", True), ("?private=0", False)]
)
def test_director_downloads_the_archive(
    event: Tournament, director: User, query: str, *, private: bool
) -> None:
    answer = cast.browser_of(director).get(reverse("archive", args=[event.slug]) + query)
    assert answer.headers["Content-Disposition"].endswith(f'{event.slug}{archives.SUFFIX}"')
    assert "no-store" in answer.headers["Cache-Control"]
    assert answer.content == archives.export_archive(event, with_private=private)


def test_settings_page_links_to_the_archive(event: Tournament, director: User) -> None:
    page = cast.browser_of(director).get(reverse("edit-tournament", args=[event.slug]))
    address = reverse("archive", args=[event.slug])
    for found in (f'href="{address}"', f'href="{address}?private=1"'):
        assert found in page.content.decode()


def test_refused_export_says_who_can_help(event: Tournament, director: User) -> None:
    Entry.objects.filter(tournament=event, number=1).update(name="他人")
    browser = cast.in_english(cast.browser_of(director))
    page = browser.get(reverse("archive", args=[event.slug]), follow=True)
    assert "Ask the owner of this server" in page.content.decode()
    assert code(staff(director).ask("GET", f"/api/tournaments/{event.slug}/archive")) == (
        409,
        "archive_not_whole",
    )


def test_creator_imports_an_archive(event: Tournament, creator: Client) -> None:
    content = archives.export_archive(event, with_private=True)
    events.forget(event)
    answer = creator.post(IMPORT_PAGE, upload(content))
    again = Tournament.objects.get(slug=event.slug)
    assert answer.headers["Location"] == again.get_absolute_url()
    (membership,) = Membership.objects.filter(tournament=again)
    assert (membership.user.username, membership.role) == ("creator", "director")
    assert [each.manifest.reason for each in backups.all_backups() if each.manifest] == [
        "before-import"
    ]


def test_import_is_linked_from_new_tournament(creator: Client) -> None:
    assert f'href="{IMPORT_PAGE}"' in creator.get(reverse("choose-rules")).content.decode()


@pytest.mark.both
def test_existing_event_is_linked(event: Tournament, creator: Client) -> None:
    answer = creator.post(IMPORT_PAGE, upload(archives.export_archive(event, with_private=False)))
    assert answer.status_code == 422
    assert f'href="{event.get_absolute_url()}"' in answer.content.decode()


@pytest.mark.parametrize("language", ["ja", "en", "zh-hans"])
def test_refusal_is_shown_in_each_language(creator: Client, language: str) -> None:
    creator.cookies["language"] = language
    answer = creator.post(IMPORT_PAGE, upload(b"x" * 100))
    assert answer.status_code == 422
    assert str(archives.Foreign()) in answer.content.decode()
    assert backups.all_backups() == []


def test_file_above_the_limit_is_refused_unread(
    creator: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tournaments.forms.archives.LARGEST", 10)
    answer = creator.post(IMPORT_PAGE, upload(b"x" * 11))
    assert str(archives.TooLarge()) in answer.content.decode()


def test_body_size_limit_is_that_of_an_archive(creator: Client) -> None:
    """Other forms have smaller limits."""
    answer = creator.post(IMPORT_PAGE, upload(b"x" * (files.LARGEST - 10)))
    assert answer.status_code == 422
    assert creator.post(IMPORT_PAGE, upload(b"x" * (files.LARGEST + 200_000))).status_code == 413


# Over HTTP


def post_archive(program: Program, content: bytes) -> HttpResponse:
    answer: HttpResponse = program.client.post(  # type: ignore[assignment]
        IMPORT_API, upload(content), headers={"Authorization": f"Bearer {program.token}"}
    )
    return answer


@pytest.fixture
def busy(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Hold the lock for exports and imports, as another request would."""
    monkeypatch.setattr(files, "SECONDS_TO_WAIT", 0)
    with files.one_at_a_time():
        yield


@pytest.mark.usefixtures("busy")
def test_second_archive_at_the_same_time_answers_503(event: Tournament, director: User) -> None:
    page, program = cast.browser_of(director), staff(director)
    api = f"/api/tournaments/{event.slug}/archive"
    for answer in (
        page.get(reverse("archive", args=[event.slug])),
        page.post(IMPORT_PAGE, upload(b"PK")),
        page.get(api),
        page.post(IMPORT_API, upload(b"PK")),
    ):
        assert answer.status_code == 503
        assert answer.headers["Retry-After"] == "5"
        assert "no-store" in answer.headers["Cache-Control"]
    assert code(program.ask("GET", api)) == (503, "busy")


def test_next_archive_is_made_after_the_first(event: Tournament, director: User) -> None:
    page = cast.browser_of(director)
    for _ in range(2):
        assert page.get(reverse("archive", args=[event.slug])).status_code == 200


def test_api_exports_and_imports(event: Tournament, director: User) -> None:
    program = staff(director)
    answer = program.ask("GET", f"/api/tournaments/{event.slug}/archive?private=1")
    assert answer.content == archives.export_archive(event, with_private=True)
    events.forget(event)
    moved = post_archive(program, answer.content)
    assert moved.status_code == 201
    assert (json_of(moved)["slug"], json_of(moved)["role"]) == (event.slug, "director")
    assert code(post_archive(program, answer.content)) == (409, "archive_here_already")
    assert code(post_archive(program, answer.content[:-1])) == (422, "archive_damaged")
    assert code(post_archive(program, b"")) == (422, "archive_foreign")


def test_idempotency_key_is_honoured_after_an_import(director: User) -> None:
    """The imported table has another primary key, and the phone another token."""
    sitting = cast.make_sitting()
    event, facts = sitting.session.tournament, cast.plain_round(sitting)
    body = {"facts": facts, "seen": 0}
    first = phone(sitting).put(f"/api/sittings/{sitting.pk}/rounds/1", body, key="made once")
    content = archives.export_archive(event, with_private=True)
    events.forget(event)
    cast.make_sitting()  # so that numbers of rows are others than before
    again = archives.import_archive(content, by=Actor(director, "director"))
    table = Sitting.objects.get(session__tournament=again)
    assert table.pk != sitting.pk
    second = phone(table).put(f"/api/sittings/{table.pk}/rounds/1", body, key="made once")
    assert (second.status_code, json_of(second)) == (201, json_of(first))
    assert table.rounds.count() == 1


# Commands


def test_commands_export_and_import(event: Tournament, director: User, tmp_path: Path) -> None:
    file = tmp_path / "event.zip"
    call_command("archive", event.slug, file, "--with-private")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert file.read_bytes() == archives.export_archive(event, with_private=True)
    events.forget(event)
    call_command("read_archive", file, director="director")
    again = Tournament.objects.get(slug=event.slug)
    assert again.memberships.get().user == director
    entry = again.audit_entries.filter(kind=AuditEntry.Kind.ARCHIVE_READ).get()
    assert entry.who == "director"


def test_command_without_director_gives_no_role(event: Tournament, tmp_path: Path) -> None:
    file = tmp_path / "event.zip"
    call_command("archive", event.slug, file)
    events.forget(event)
    call_command("read_archive", file)
    assert not Tournament.objects.get(slug=event.slug).memberships.exists()


def test_commands_report_errors(
    event: Tournament, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANG", "en_US.UTF-8")
    file = tmp_path / "event.zip"
    call_command("archive", event.slug, file)
    wrong: list[tuple[list[Any], dict[str, Any], str]] = [
        (["archive", "no-such-event"], {}, "no-such-event"),
        (["archive", event.slug, file], {}, "exists"),  # never over another file
        (["read_archive", file], {}, "here already"),
        (["read_archive", tmp_path / "gone.zip"], {}, "gone.zip"),
        (["read_archive", file], {"director": "nobody"}, "nobody"),
    ]
    for arguments, options, said in wrong:
        with pytest.raises(CommandError, match=said):
            call_command(*arguments, **options)


def test_house_rules_are_imported(director: User) -> None:
    new = Tournament(name="ハウスルール", rounds_per_session=10)
    rules = scoring.choose(cast.make_tournament().rules.rule_set, {}, {"skunk": 2})
    event = tournaments.create_tournament(new, rules, by=Actor(director, "director"))
    content = archives.export_archive(event, with_private=False)
    events.forget(event)
    again = archives.import_archive(content, by=Actor(director, "director"))
    assert again.rules.fingerprint == rules.fingerprint
