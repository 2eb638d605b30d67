"""Keeping an event as one file and bringing it in: pages, HTTP API and commands."""

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
from tests.api import Program, code, phone, staff, told
from tournaments import archives, backups
from tournaments.archives import files
from tournaments.audit import Actor
from tournaments.models import AuditEntry, Entry, Membership, Sitting, Tournament
from tournaments.services import tournaments
from tournaments.services.staff import give_role

pytestmark = pytest.mark.django_db
READ = "/tournaments/new/archive/"
ASKED_API = "/api/tournaments/archive"


@pytest.fixture
def event() -> Tournament:
    return events.full_event()


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
def test_a_director_keeps_the_event(
    event: Tournament, director: User, query: str, *, private: bool
) -> None:
    answer = cast.browser_of(director).get(reverse("archive", args=[event.slug]) + query)
    assert answer.headers["Content-Disposition"].endswith(f'{event.slug}{archives.SUFFIX}"')
    assert "no-store" in answer.headers["Cache-Control"]
    assert answer.content == archives.archived(event, private=private)


def test_the_settings_say_where(event: Tournament, director: User) -> None:
    page = cast.browser_of(director).get(reverse("edit-tournament", args=[event.slug]))
    address = reverse("archive", args=[event.slug])
    for found in (f'href="{address}"', f'href="{address}?private=1"'):
        assert found in page.content.decode()


def test_an_event_that_was_touched_is_said_to_be(event: Tournament, director: User) -> None:
    Entry.objects.filter(tournament=event, number=1).update(name="他人")
    browser = cast.in_english(cast.browser_of(director))
    page = browser.get(reverse("archive", args=[event.slug]), follow=True)
    assert "manage.py verify" in page.content.decode()
    assert code(staff(director).ask("GET", f"/api/tournaments/{event.slug}/archive")) == (
        409,
        "archive_not_whole",
    )


def test_creator_imports_an_archive(event: Tournament, creator: Client) -> None:
    content = archives.archived(event, private=True)
    events.forget(event)
    answer = creator.post(READ, upload(content))
    again = Tournament.objects.get(slug=event.slug)
    assert answer.headers["Location"] == again.get_absolute_url()
    (membership,) = Membership.objects.filter(tournament=again)
    assert (membership.user.username, membership.role) == ("creator", "director")
    assert [each.manifest.reason for each in backups.listed() if each.manifest] == ["before-import"]


def test_it_is_found_where_tournaments_are_created(creator: Client) -> None:
    assert f'href="{READ}"' in creator.get(reverse("choose-rules")).content.decode()


def test_one_that_is_here_is_linked(event: Tournament, creator: Client) -> None:
    answer = creator.post(READ, upload(archives.archived(event, private=False)))
    assert answer.status_code == 422
    assert f'href="{event.get_absolute_url()}"' in answer.content.decode()


@pytest.mark.parametrize("language", ["ja", "en", "zh-hans"])
def test_a_refusal_says_what_to_do(creator: Client, language: str) -> None:
    creator.cookies["language"] = language
    answer = creator.post(READ, upload(b"x" * 100))
    assert answer.status_code == 422
    assert str(archives.Foreign()) in answer.content.decode()
    assert backups.listed() == []


def test_a_file_larger_than_any_event_is_refused_unread(
    creator: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tournaments.forms.archives.LARGEST", 10)
    answer = creator.post(READ, upload(b"x" * 11))
    assert str(archives.TooLarge()) in answer.content.decode()


def test_as_much_as_an_archive_may_be_sent(creator: Client) -> None:
    """More than any other form takes."""
    answer = creator.post(READ, upload(b"x" * (files.LARGEST - 10)))
    assert answer.status_code == 422
    assert creator.post(READ, upload(b"x" * (files.LARGEST + 200_000))).status_code == 413


# Over HTTP


def bring_in(program: Program, content: bytes) -> HttpResponse:
    answer: HttpResponse = program.client.post(  # type: ignore[assignment]
        ASKED_API, upload(content), headers={"Authorization": f"Bearer {program.token}"}
    )
    return answer


@pytest.fixture
def at_work(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Somebody else's archive is being written or read, for longer than anybody waits."""
    monkeypatch.setattr(files, "PATIENCE", 0)
    with files.alone():
        yield


@pytest.mark.usefixtures("at_work")
def test_whoever_would_wait_long_for_anothers_archive_comes_again(
    event: Tournament, director: User
) -> None:
    page, program = cast.browser_of(director), staff(director)
    api = f"/api/tournaments/{event.slug}/archive"
    for answer in (
        page.get(reverse("archive", args=[event.slug])),
        page.post(READ, upload(b"PK")),
        page.get(api),
        page.post(ASKED_API, upload(b"PK")),
    ):
        assert answer.status_code == 503
        assert answer.headers["Retry-After"] == "5"
        assert "no-store" in answer.headers["Cache-Control"]
    assert code(program.ask("GET", api)) == (503, "busy")


def test_once_it_is_done_the_next_one_is_let_in(event: Tournament, director: User) -> None:
    page = cast.browser_of(director)
    for _ in range(2):
        assert page.get(reverse("archive", args=[event.slug])).status_code == 200


def test_a_program_moves_an_event(event: Tournament, director: User) -> None:
    program = staff(director)
    answer = program.ask("GET", f"/api/tournaments/{event.slug}/archive?private=1")
    assert answer.content == archives.archived(event, private=True)
    events.forget(event)
    moved = bring_in(program, answer.content)
    assert moved.status_code == 201
    assert (told(moved)["slug"], told(moved)["role"]) == (event.slug, "director")
    assert code(bring_in(program, answer.content)) == (409, "archive_here_already")
    assert code(bring_in(program, answer.content[:-1])) == (422, "archive_damaged")
    assert code(bring_in(program, b"")) == (422, "archive_foreign")


def test_a_phone_that_sends_again_after_the_move_has_sent_once(director: User) -> None:
    """Under the key of that write: the table has another address and the phone another token."""
    sitting = cast.make_sitting()
    event, facts = sitting.session.tournament, cast.plain_round(sitting)
    body = {"facts": facts, "seen": 0}
    first = phone(sitting).put(f"/api/sittings/{sitting.pk}/rounds/1", body, key="made once")
    content = archives.archived(event, private=True)
    events.forget(event)
    cast.make_sitting()  # so that numbers of rows are others than before
    again = archives.bring_in(content, by=Actor(director, "director"))
    table = Sitting.objects.get(session__tournament=again)
    assert table.pk != sitting.pk
    second = phone(table).put(f"/api/sittings/{table.pk}/rounds/1", body, key="made once")
    assert (second.status_code, told(second)) == (201, told(first))
    assert table.rounds.count() == 1


# Commands


def test_commands_move_an_event(event: Tournament, director: User, tmp_path: Path) -> None:
    file = tmp_path / "event.zip"
    call_command("archive", event.slug, file, "--with-private")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert file.read_bytes() == archives.archived(event, private=True)
    events.forget(event)
    call_command("read_archive", file, director="director")
    again = Tournament.objects.get(slug=event.slug)
    assert again.memberships.get().user == director
    act = again.audit_entries.filter(kind=AuditEntry.Kind.ARCHIVE_READ).get()
    assert act.who == "director"


def test_without_a_director_it_is_the_owner_s(event: Tournament, tmp_path: Path) -> None:
    file = tmp_path / "event.zip"
    call_command("archive", event.slug, file)
    events.forget(event)
    call_command("read_archive", file)
    assert not Tournament.objects.get(slug=event.slug).memberships.exists()


def test_commands_say_what_is_wrong(
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


def test_a_tournament_set_up_here_moves_with_its_rules(director: User) -> None:
    """House rules are part of what is kept."""
    new = Tournament(name="ハウスルール", rounds_per_session=10)
    rules = scoring.choose(cast.make_tournament().rules.rule_set, {}, {"skunk": 2})
    event = tournaments.create_tournament(new, rules, by=Actor(director, "director"))
    content = archives.archived(event, private=False)
    events.forget(event)
    again = archives.bring_in(content, by=Actor(director, "director"))
    assert again.rules.fingerprint == rules.fingerprint
