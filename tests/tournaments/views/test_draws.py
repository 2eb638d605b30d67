"""How seats were drawn: stored, shown, drawn again by the command, and marked when changed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests import cast, events
from tests.cast import SOMEBODY
from tests.proposals import assign, propose
from tournaments import archives, verification
from tournaments.audit import Actor
from tournaments.forms.draws import DrawForm
from tournaments.models import AuditEntry, Draw, Entry, Session, Tournament
from tournaments.queries import seated_tables
from tournaments.queries.draw_records import DrawRecord, draw_record
from tournaments.services import seating
from tournaments.services.entries import add_entries
from tournaments.services.table_players import change_players

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def address(tournament: Tournament) -> str:
    """The page for seating the first session of 34 players of six clubs."""
    people = [{"name": f"選手{i}", "club": f"会{i % 6}"} for i in range(1, 31)]
    add_entries(tournament, people, by=SOMEBODY)
    return reverse("seat-session", args=[tournament.slug])


def seat(director: Client, address: str, **asked: str) -> Session:
    """Draw the next session on the page, and seat it as drawn."""
    page = propose(director, address, **({"out": ""} | asked if asked else {}))
    assert assign(director, page).status_code == 302
    return Session.objects.latest("number")


def file_address(session: Session) -> str:
    return reverse("draw-file", args=[session.tournament.slug, session.number])


def record_of(session: Session) -> DrawRecord:
    tables = seated_tables.tables_of(session.sittings.all())
    seats = seated_tables.assigned_seats(tables)
    found = draw_record(session.tournament, session.number, seats)
    assert found
    return found


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"method": "lot"},
        {"method": "level"},
        {"method": "mixed", "separates_clubs": "on"},
        {"apart": "1 2\n3 4 5", "fixed": "7: 2\n8: 2", "out": "9"},
    ],
    ids=["usual", "lot", "level", "mixed", "wishes"],
)
def test_the_command_draws_the_stored_file_again(
    director: Client, address: str, tmp_path: Path, asked: dict[str, str]
) -> None:
    seat(director, address)
    session = seat(director, address, **asked)
    file = tmp_path / "draw.json"
    file.write_bytes(director.get(file_address(session)).content)
    done = subprocess.run(
        [sys.executable, "manage.py", "draw", str(file)], cwd=ROOT, capture_output=True, check=True
    )
    answer = json.loads(done.stdout)
    assert answer == session.draw.answer
    assert answer["sessions"][0]["tables"] == [
        [entry.key for entry in table] for table in seating.seating_of(session)
    ]


def test_file_names_nobody(director: Client, address: str) -> None:
    session = seat(director, address)
    assert "選手" not in director.get(file_address(session)).text


def test_page_tells_how_seats_were_drawn(director: Client, address: str) -> None:
    session = seat(director, address, apart="1 2", fixed="7: 2")
    page = cast.in_english(director).get(session.get_absolute_url())
    assert page.context["record"].changed == 0
    for words in (str(session.draw.answer["seed"]), "1–2", "7 → 2", "File to draw again"):
        assert words in page.text
    assert "Changed after the draw" not in page.text


def test_wishes_are_kept_for_the_next_draw(director: Client, address: str) -> None:
    seat(director, address, apart="1 2", fixed="7: 2")
    page = propose(director, address)
    assert page.context["draw_form"]["apart"].value() == "1 2"
    assert page.context["draw_form"]["fixed"].value() == "7: 2"
    assert 7 in {entry.number for entry in page.context["tables"][1]}


def test_teammates_never_share_a_table(director: Client, address: str) -> None:
    for entry in Entry.objects.all():
        Entry.objects.filter(pk=entry.pk).update(team=f"組{entry.number % 7}")
    page = propose(director, address)
    for table in page.context["tables"]:
        assert len({entry.number % 7 for entry in table}) == 6
    session = seat(director, address)
    assert record_of(session).apart
    form = director.get(address).context["draw_form"]
    assert form["apart"].value() == ""  # they are kept apart as teammates
    assert form["separates_teams"].value()
    finalists = Entry.objects.filter(number__in=[5, 10, 15, 20, 25])  # each of another team
    assert DrawForm(finalists, last_draw=record_of(session))["apart"].value() == ""


def test_teammates_are_kept_apart_by_default_only_where_that_can_be(
    director: Client, address: str
) -> None:
    """Otherwise the draw that the page proposes would be refused."""
    Entry.objects.update(team="組")
    form = director.get(address).context["draw_form"]
    assert not form["separates_teams"].value()
    assert seat(director, address).sittings.exists()
    ticked = propose(director, address, out="", separates_teams="on")
    assert ticked.status_code == 422
    assert any("チェックを外すと" in each for each in ticked.context["draw_problems"])


def test_impossible_wishes_are_explained(director: Client, address: str) -> None:
    page = propose(director, address, out="", apart="1 2", fixed="1: 3\n2: 3\n4: 99")
    assert page.status_code == 422
    told = page.context["draw_problems"]
    assert any("選手1" in each and "選手2" in each and "3" in each for each in told)
    assert any("99" in each for each in told)
    assert not any("kept apart" in each for each in told)  # Japanese


def test_chosen_tables_are_drawn(director: Client, address: str) -> None:
    Tournament.objects.update(rule_set="goninkan-classic")
    page = propose(director, address)
    assert [plan.mix for _value, plan, _is_drawn in page.context["mixes"]] == [(6,) * 5, (5,) * 6]
    assert [plan.players for plan in page.context["around"]] == list(range(27, 34))
    chosen = propose(director, address, out="", mix=page.context["mixes"][1][0])
    assert [len(table) for table in chosen.context["tables"]] == [5] * 6
    refused = propose(director, address, out="", mix="10x3")
    assert refused.context["draw_form"].errors["mix"]


def test_seats_changed_by_hand_are_told(director: Client, address: str) -> None:
    session = seat(director, address)
    [one, *table], *others = seating.seating_of(session)
    [other, *rest], *others = others
    tables, seen = [[other, *table], [one, *rest], *others], seating.seats_version(session)
    seating.reseat(session, tables, seen_version=seen, by=SOMEBODY)
    assert record_of(session).changed == 2
    page = cast.in_english(director).get(session.get_absolute_url())
    assert "Changed after the draw" in page.text
    assert verification.verify(session.tournament) == []


def test_seats_changed_by_the_game_are_not_told(director: Client, address: str) -> None:
    session = seat(director, address)
    table, newcomer = (
        session.sittings.get(number=1),
        Entry.objects.create(tournament=session.tournament, number=99, name="遅刻"),
    )
    cast.record(table)
    players = seating.seating_of(session)[0]
    turned = [players[1], players[0], *players[2:]]  # as the game left them
    told, seen = [], players
    for now in ([newcomer, *turned[1:]], turned):
        keys = [entry.key for entry in seen]
        table = change_players(table, now, seen_players=keys, by=SOMEBODY)
        cast.record(table)
        page = director.get(session.get_absolute_url())
        told.append((page.context["record"].changed, record_of(session).changed))
        seen = now
    assert told == [(2, 2), (0, 0)]


def test_who_left_or_took_a_seat_was_given_no_other(director: Client, address: str) -> None:
    session = seat(director, address)
    table = session.sittings.get(number=1)
    cast.record(table)
    players = seating.seating_of(session)[0]
    seen = [entry.key for entry in players]
    [newcomer] = cast.make_entries(session.tournament, 1)
    change_players(table, [newcomer, *players[1:]], seen_players=seen, by=SOMEBODY)
    page = cast.in_english(director).get(session.get_absolute_url()).text
    assert "2 players have another seat than the one drawn, or have taken or left one." in page
    assert "given another seat" not in page


def test_another_draw_replaces_the_first(director: Client, address: str) -> None:
    session = seat(director, address)
    reseating = reverse("reseat-session", args=[session.tournament.slug, 1])
    assign(director, propose(director, reseating, out="", seed="77"))
    assert record_of(session).answer["seed"] == 77
    assert record_of(session).changed == 0
    assert verification.verify(session.tournament) == []


@pytest.mark.both
@pytest.mark.parametrize(
    "change",
    [
        lambda draw: Draw.objects.update(answer=draw.answer | {"seed": 1}),
        lambda draw: Draw.objects.update(request=draw.request | {"seed": 1}),
        lambda draw: draw.delete(),
    ],
    ids=["answer", "request", "row"],
)
def test_manipulated_draw_is_found(director: Client, address: str, change: Any) -> None:
    session = seat(director, address)
    assert verification.verify(session.tournament) == []
    change(session.draw)
    assert verification.verify(session.tournament)


def test_draw_survives_an_archive(director: Client, address: str) -> None:
    tournament = seat(director, address).tournament
    before = Draw.objects.values("request", "answer").get()
    content = archives.export_archive(tournament, with_private=True)
    events.forget(tournament)
    again = archives.import_archive(content, by=Actor(cast.make_user("owner"), "owner"))
    assert Draw.objects.values("request", "answer").get() == before
    assert verification.verify(again) == []
    entry = again.audit_entries.get(kind=AuditEntry.Kind.SESSION_OPENED)
    assert entry.subject["draw"] == before


def test_points_are_not_told_before_they_are_announced(
    director: Client, client: Client, address: str, tournament: Tournament
) -> None:
    session = seat(director, address, method="level")
    Tournament.objects.update(showing=Tournament.Showing.PUBLISHED)
    assert director.get(file_address(session)).status_code == 200
    assert client.get(file_address(session)).status_code == 404
    Tournament.objects.update(showing=Tournament.Showing.LIVE)
    assert client.get(file_address(session)).status_code == 200
