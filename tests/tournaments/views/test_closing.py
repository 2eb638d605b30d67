"""Closing and reopening an event, on its page and over the API."""

from __future__ import annotations

from datetime import timedelta
from io import BytesIO
from pathlib import Path

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from openpyxl import load_workbook
from pytest_django import Settings

from tests import api, cast
from tests.races import race
from tests.tournaments.views.event_ends import end, forget
from tournaments import backups
from tournaments.audit import append_entry
from tournaments.models import AuditEntry, Phone, Round, Sitting, Tournament
from tournaments.queries.open_matters import open_matters
from tournaments.services import (
    automatic_backups,
    closing,
    phones,
    seating,
    sessions,
    table_links,
)
from tournaments.services.adjustments import adjust_points
from tournaments.services.publications import publish, unpublish
from tournaments.services.tournaments import remove_tournament


@pytest.fixture
def address(tournament: Tournament) -> str:
    return reverse("close", args=[tournament.slug])


@pytest.mark.both
def test_closing_adds_one_audit_entry(tournament: Tournament) -> None:
    entries = cast.make_entries(tournament, 30)
    for _ in range(2):
        seated = [entries[i : i + 6] for i in range(0, 30, 6)]
        seating.open_session(tournament, seated, by=cast.SOMEBODY)
    for sitting in Sitting.objects.all():
        phones.join(sitting.token)
    before = AuditEntry.objects.count()
    with CaptureQueriesContext(connection) as queries:
        end(tournament)
    assert len(queries) < 15
    assert AuditEntry.objects.count() == before + 1
    tournament.refresh_from_db()
    act = AuditEntry.objects.get(kind=AuditEntry.Kind.CLOSED)
    assert act.at == tournament.closed_at
    assert not Sitting.objects.filter(closed_at=None).exists()
    assert not Sitting.objects.exclude(pin="").exists()
    assert not Phone.objects.filter(ended_at=None).exists()


@pytest.mark.both
def test_closing_twice_closes_once(sitting: Sitting) -> None:
    tournament = sitting.session.tournament
    for _ in range(2):
        end(tournament)
    for _ in range(2):
        closing.reopen(tournament, by=cast.SOMEBODY)
    kinds = list(AuditEntry.objects.order_by("number").values_list("kind", flat=True))
    assert kinds[-2:] == ["closed", "reopened"]
    assert (kinds.count("closed"), kinds.count("reopened")) == (1, 1)


def test_reopened_event_needs_new_links(sitting: Sitting) -> None:
    tournament = sitting.session.tournament
    old = sitting.token
    end(tournament)
    closing.reopen(tournament, by=cast.SOMEBODY)
    with pytest.raises(phones.NoSuchLink):
        phones.join(old)
    token = table_links.make_link(sitting, by=cast.SOMEBODY)
    assert phones.join(token).phone.is_writer


@pytest.mark.both
def test_club_table_is_never_over(client: Client, db: None) -> None:
    started = client.post(reverse("start-table", args=["goninkan-association"]))
    sitting = Sitting.objects.get()
    assert started["Location"] == sitting.get_absolute_url()
    tournament = sitting.session.tournament
    forget(tournament, ago=timedelta(days=400))
    end(tournament)
    assert client.get(f"{sitting.get_absolute_url()}play/").status_code == 200
    assert not AuditEntry.objects.filter(kind=AuditEntry.Kind.CLOSED).exists()


def test_row_tells_whether_an_event_was_over(tournament: Tournament) -> None:
    """Python and SQL agree, whatever ended the event."""
    club = cast.make_tournament(kind=Tournament.Kind.TABLE)
    old, revived, removed, closed = (cast.make_tournament() for _ in range(4))
    for each in (club, old, revived):
        forget(each)
    append_entry(revived, AuditEntry.Kind.UNPUBLISHED, cast.SOMEBODY)
    remove_tournament(removed, by=cast.SOMEBODY, reason="誤り")
    end(closed)
    over = {each for each in Tournament.every.all() if closing.was_over(each)}
    assert over == {old, removed, closed}
    assert not over & set(Tournament.every.filter(closing.open_condition()))
    assert {tournament, club, revived} <= set(Tournament.every.filter(closing.open_condition()))


@pytest.mark.usefixtures("shared_database")
def test_a_round_is_stored_before_the_closing_or_refused() -> None:
    tournament = cast.make_tournament(rounds_per_session=None)
    tables = cast.make_session(tournament, tables=7).sittings.all()
    playing = [(table, api.phone(table), cast.plain_round(table)) for table in tables]

    def write(number: int) -> object:
        if number == len(playing):
            while Round.objects.count() < len(playing):  # in the middle of it
                connection.close()
            return closing.close(tournament, by=cast.SOMEBODY)
        table, phone, facts = playing[number]
        said = []
        for round_ in range(1, 9):
            address = f"/api/sittings/{table.pk}/rounds/{round_}"
            answer = phone.put(address, {"facts": facts, "seen": 0})
            said.append((answer.status_code, api.json_of(answer).get("code")))
        return said

    *answers, closed = race(len(playing) + 1, write)
    assert closed is None
    for (table, _phone, _facts), said in zip(playing, answers, strict=True):
        assert isinstance(said, list), said
        stored = [status for status, _ in said if status == 201]
        assert table.rounds.count() == len(stored)
        assert said[len(stored) :] == [(401, "event_over")] * (8 - len(stored))
    at = AuditEntry.objects.get(kind=AuditEntry.Kind.CLOSED).number
    assert not AuditEntry.objects.filter(
        kind=AuditEntry.Kind.ROUND_RECORDED, number__gt=at
    ).exists()


@pytest.mark.django_db(transaction=True)
def test_a_backup_is_taken_once_it_is_closed(
    shared_database: None, settings: Settings, tmp_path: Path
) -> None:
    settings.BACKUPS_DIR = tmp_path / "backups"
    closing.close(cast.make_tournament(), by=cast.SOMEBODY)
    automatic_backups.wait_for_threads()
    reasons = [each.manifest.reason for each in backups.all_backups() if each.manifest]
    assert reasons == ["after-closing"]


def test_page_lists_the_open_matters(
    director: Client, tournament: Tournament, sitting: Sitting, address: str
) -> None:
    Tournament.objects.update(accepting="same", sessions_planned=2)
    tournament.refresh_from_db()
    cast.record(sitting, by=cast.AT_THE_TABLE)
    unfinished = cast.plain_round(sitting) | {
        "deals": [{"kankei": 9, "mukankei": 4}],
    }
    publish(tournament, by=cast.SOMEBODY)
    cast.record(sitting, unfinished, number=2, by=cast.AT_THE_TABLE)
    cast.make_call(sitting)
    cast.make_disagreement(sitting)
    found = {end.code: end.number for end in open_matters(tournament)}
    assert found == dict.fromkeys(
        (
            *("under_way", "missing", "calls", "disagreements", "unaccepted"),
            *("unplayed", "to_announce", "unannounced"),
        ),
        1,
    )
    assert len(director.get(address).context["open_matters"]) == 8


@pytest.mark.parametrize("was_published", [False, True])
def test_page_lists_results_that_only_the_staff_sees(
    director: Client, tournament: Tournament, sitting: Sitting, address: str, *, was_published: bool
) -> None:
    """Never published, or no longer; seats without results are no open matter."""

    def is_said() -> bool:
        tournament.refresh_from_db()
        is_listed = ("unseen", 1) in {(each.code, each.number) for each in open_matters(tournament)}
        assert ("成績を公開していません" in director.get(address).text) == is_listed
        return is_listed

    assert not is_said()
    cast.record(sitting)
    assert is_said()
    if was_published:
        publish(tournament, by=cast.SOMEBODY)
        assert not is_said()
        unpublish(tournament, by=cast.SOMEBODY)
        assert is_said()
    Tournament.objects.update(showing=Tournament.Showing.LIVE)
    assert not is_said()


def test_page_says_which_publication_becomes_final(
    director: Client, tournament: Tournament, sitting: Sitting, address: str
) -> None:
    cast.record(sitting)
    publish(tournament, by=cast.SOMEBODY)
    first = tournament.entries.get(number=1)
    adjust_points(tournament, 1, first, -2, by=cast.SOMEBODY, reason="遅刻")
    said = "最後の発表が、変更を含まないまま確定成績になります"
    assert said in director.get(address).text
    closing.close(tournament, by=cast.SOMEBODY)
    assert "確定成績" in Client().get(reverse("standings", args=[tournament.slug])).text
    closing.reopen(tournament, by=cast.SOMEBODY)
    cast.record(sitting, number=2)  # not announced: no publication becomes final
    assert said not in director.get(address).text


def test_missing_totals_are_open_matters(tournament: Tournament) -> None:
    tournament.totals_only = True
    tournament.rounds_per_session = None
    tournament.save()
    assert open_matters(tournament) == []
    cast.make_sitting(tournament)
    assert [(end.code, end.number) for end in open_matters(tournament)] == [("missing", 1)]
    sessions.end_session(tournament.sessions.get(), stopping=[1], by=cast.SOMEBODY)
    tournament.refresh_from_db()
    assert "missing" not in {end.code for end in open_matters(tournament)}


def test_the_director_closes_and_opens_again(
    director: Client, tournament: Tournament, sitting: Sitting, address: str
) -> None:
    overview = reverse("tournament", args=[tournament.slug])
    refused = director.post(address, {"do": "close"})  # a table has not played yet
    assert (refused.status_code, refused.context["is_refused"]) == (422, True)
    assert not closing.is_over(tournament)
    director.post(address, {"do": "close", "despite": "yes"})
    assert closing.is_over(tournament)
    assert director.get(overview).context["next_step"] == "closed"
    assert director.get(address).context["tournament"].closed_at is not None
    director.post(address, {"do": "reopen"})
    assert not closing.is_over(tournament)
    assert director.get(overview).context["next_step"] != "closed"


@pytest.mark.parametrize("role", ["director", "scorekeeper"])
def test_overview_of_a_closed_tournament_names_what_the_reader_can_still_do(
    tournament: Tournament, role: str
) -> None:
    cast.make_sitting(tournament)
    closing.close(tournament, by=cast.SOMEBODY)
    client = cast.in_english(cast.browser_of(cast.make_staff(tournament, "小山内", role)))
    told = client.get(tournament.get_absolute_url()).text
    assert "Mistakes can still be corrected" in told
    may_publish = client.get(reverse("publish", args=[tournament.slug])).status_code == 200
    assert may_publish == (role == "director")
    assert ("and the results published" in told) == may_publish
    assert ("Only the director can publish" in told) != may_publish


def test_public_pages_say_that_it_is_closed(director: Client, tournament: Tournament) -> None:
    cast.make_sitting(tournament)
    publish(tournament, by=cast.SOMEBODY)
    end(tournament)
    for browser in (Client(), director):
        for page in (reverse("home"), reverse("tournament", args=[tournament.slug])):
            shown = browser.get(page)
            assert "_partials/closed.html" in [each.name for each in shown.templates]


def test_closing_changes_no_publication(sitting: Sitting) -> None:
    """That play has ended is public without a publication; results are not."""
    tournament = sitting.session.tournament
    cast.record(sitting)
    publish(tournament, by=cast.SOMEBODY)
    told, *results = (
        reverse(name, args=[tournament.slug])
        for name in ("api-tournament", "api-standings", "standings-workbook")
    )
    standings, workbook = results
    before, shown = Client().get(told).json(), Client().get(standings).content
    cells = cells_of(Client().get(workbook).content)
    end(tournament)
    after = Client().get(told).json()
    assert after | {"closed_at": None} == before
    assert after["closed_at"] is not None
    assert Client().get(standings).content == shown
    changed = {*cells_of(Client().get(workbook).content)} ^ {*cells}
    assert {cell for *_place, cell in changed} == {"第1報", "確定成績"}  # its name alone


def cells_of(workbook: bytes) -> list[tuple[str, int, int, object]]:
    """Every filled cell, by sheet, row and column."""
    return [
        (sheet.title, i, j, value)
        for sheet in load_workbook(BytesIO(workbook))
        for i, row in enumerate(sheet.values)
        for j, value in enumerate(row)
        if value is not None
    ]


def test_api_closes_and_reopens(tournament: Tournament) -> None:
    program = api.staff(cast.make_staff(tournament, "api-director", "director"))
    at = f"/api/tournaments/{tournament.slug}"
    assert program.get(at)["closed_at"] is None
    closed = api.json_of(program.post(f"{at}/close"))["closed_at"]
    assert closed is not None
    assert api.json_of(program.post(f"{at}/close"))["closed_at"] == closed
    assert api.json_of(program.post(f"{at}/reopen"))["closed_at"] is None


def test_closed_event_verifies(sitting: Sitting) -> None:
    from tournaments.verification import verify  # noqa: PLC0415

    tournament = sitting.session.tournament
    end(tournament)
    assert verify(tournament) == []
