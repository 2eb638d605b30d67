"""Rounds that arrive or are corrected after the players of their table have changed."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests import cast
from tests.api import Program, code, phone
from tests.cast import SOMEBODY
from tests.changed_tables import change, make_table, play, points, seated
from tournaments import verification
from tournaments.i18n.units import rounds_recorded
from tournaments.models import AuditEntry, Disagreement, Sitting, Tournament
from tournaments.queries import live_events, seat_lists
from tournaments.queries.events import Event
from tournaments.queries.sheets import sheet_of
from tournaments.services import disputes, rounds, seating

pytestmark = pytest.mark.django_db
Kind = AuditEntry.Kind


@pytest.fixture
def table() -> Sitting:
    return make_table()


def send_late(table: Sitting, writer: Program, facts: Any = None, seen: int = 0) -> Any:
    """Send the second round of a table from its phone, as often as it is called."""
    body = {"facts": facts or cast.plain_round(table), "seen": seen}
    return writer.put(f"/api/sittings/{table.pk}/rounds/2", body, f"late {seen}")


def test_round_that_arrives_after_a_change_is_stored_with_who_played_it(table: Sitting) -> None:
    tournament, writer = table.session.tournament, phone(table)
    play(table, 1)
    goes_on = change(table, 1, 2, 3, 4, 6)
    tournament.refresh_from_db()
    assert live_events.events.current(tournament).sheet(1, table.number).planned == 1
    for _ in range(2):
        assert send_late(table, writer).status_code == 201
    tournament.refresh_from_db()
    event = live_events.events.current(tournament)
    before, after = event.sheet(1, table.number), event.sheet(1, goes_on.number)
    assert (before.planned, after.planned, after.planned_at_table) == (2, 8, 10)
    assert after.next_round is not None
    assert after.next_round.round_number == 3
    assert (points(tournament)[5][1], 6 in points(tournament)) == (2, False)
    assert verification.verify(tournament) == []


@pytest.mark.parametrize(
    ("how", "last"),  # who sits in the last seat: 5, if the change is undone, or 6 in place of 5
    [("late", 5), ("late", 6), ("deal by deal", 6), ("decided", 6), ("corrected", 5)],
)
def test_seats_of_who_goes_on_follow_the_round_before(table: Sitting, how: str, last: int) -> None:
    tournament, writer = table.session.tournament, phone(table)
    play(table, 1)
    if how == "corrected":
        send_late(table, writer)
    goes_on = change(table, 1, 2, 3, 4, 6)
    change(goes_on, 1, 2, 3, 4, last)
    known = seated(goes_on)
    # The kankei 1 and 2 sit side by side, so that 2 and 3 change places.
    kankei = {"kankei": ["1", "2"], "dealer": "2"}
    late = cast.plain_round(table) | kankei | {"deals": [{"kankei": 9, "mukankei": 4}] * 3}
    match how:
        case "late":
            assert send_late(table, writer, late).status_code == 201
        case "deal by deal":
            first = late | {"deals": late["deals"][:1]}
            assert send_late(table, writer, first).status_code == 201
            assert send_late(table, writer, late, seen=1).status_code == 200
        case "decided":
            cast.record(goes_on, cast.plain_round(goes_on) | {"kankei": ["1", "4"]})
            assert code(send_late(table, writer, late)) == (409, "after_change")
            dispute = Disagreement.objects.get()
            disputes.take_disputed_facts(dispute, seen_version=0, by=SOMEBODY, reason="票を見た")
        case "corrected":
            cast.record(table, late, number=2, seen=1, reason="票を見た")
    assert seated(goes_on) == ["1", "3", "2", "4", str(last)]
    before = sheet_of(table).next_round
    assert before is not None
    assert before.dealer == "4"
    check_pages(goes_on, dealer="4" if how != "decided" else "1")
    tournament.refresh_from_db()
    live = live_events.events.current(tournament).sheet(1, goes_on.number)
    assert list(live.players) == seated(goes_on)
    if how == "late":  # a phone that does not know of it yet
        body = {"facts": cast.plain_round(goes_on), "seen": 0, "players": known}
        address = f"/api/sittings/{goes_on.pk}/rounds/1"
        assert writer.put(address, body, "first").status_code == 201
    assert verification.verify(tournament) == []


def test_seats_in_an_order_of_the_desk_do_not_follow_the_round_before(table: Sitting) -> None:
    play(table, 1)
    goes_on = change(table, 2, 1, 3, 4, 6)
    side_by_side = {"kankei": ["1", "2"], "deals": [{"kankei": 9, "mukankei": 4}] * 3}
    late = cast.plain_round(table) | side_by_side | {"dealer": "2"}
    assert send_late(table, phone(table), late).status_code == 201
    assert seated(goes_on) == ["2", "1", "3", "4", "6"]


def check_pages(sitting: Sitting, *, dealer: str) -> None:
    """Check that all pages have the same seats and the same next dealer."""
    tournament, sheet = sitting.session.tournament, sheet_of(sitting)
    desk = cast.browser_of(cast.make_staff(tournament, "scorekeeper"))
    own = sitting.get_absolute_url()
    assert sheet.next_round is not None
    assert (sheet.next_round.seats, sheet.next_round.dealer) == (sheet.players, dealer)
    state = desk.get(f"{own}play/").context["table"]
    assert (state["players"], state["state"]["next"]["dealer"]) == (sheet.players, dealer)
    paper = desk.get(f"{own}paper/").context["form"]
    assert [seat.name for seat in paper.seats()] == [entry.name for entry in sheet.entries]
    assert paper.typed.sheet.next_round == sheet.next_round
    listed = re.findall(r"</b> <bdi>(.*?)</bdi>", desk.get(sitting.session.get_absolute_url()).text)
    assert listed[:5] == [entry.name for entry in sheet.entries]
    seats = seat_lists.tables_of(sitting.session)
    assert seats[sitting.shown_number] == list(sheet.entries)
    first, *_others, last = seat_lists.versions_of(sitting.session)
    assert {key: place[1] for key, place in last.places.items()} == {
        key: seat for seat, key in enumerate(sheet.players, 1)
    }
    changes = seat_lists.changes_between(first, last, list(tournament.entries.all()))
    came_or_left = first.places.keys() ^ set(sheet.players)  # the game moved the others
    assert {each.entry.key for each in changes} == came_or_left
    history = reverse("history", args=[tournament.slug])
    told = desk.get(history, {"kind": Kind.PLAYERS_CHANGED}).context["table"].rows[0]
    assert told.get_cell("kind") == "席順の変更"
    assert "席順をそれに合わせました" in told.get_cell("reason")


def change_before_a_late_round(tournament: Tournament) -> tuple[Sitting, Sitting]:
    """Return a table whose round 2 arrives after its players have changed, and who goes on."""
    players = cast.make_entries(tournament, 6)
    table = seating.open_session(tournament, [players[:5]], by=SOMEBODY).sittings.get()
    writer = phone(table)
    play(table, 1)
    goes_on = change(table, 1, 2, 3, 4, 6)
    assert send_late(table, writer).status_code == 201
    return table, goes_on


def test_last_round_that_arrives_after_a_change_leaves_none_to_play(client: Client) -> None:
    tournament = cast.make_tournament("goninkan-classic", rounds_per_session=2, published=True)
    _table, goes_on = change_before_a_late_round(tournament)
    assert (sheet_of(goes_on).planned, sheet_of(goes_on).state) == (0, "done")
    assert (Event(tournament).tally.counted, Event(tournament).tally.planned) == (2, 2)
    for page in (goes_on, goes_on.session):
        assert rounds_recorded(2, 2, tournament.rules) in client.get(page.get_absolute_url()).text


def test_round_that_arrives_after_a_change_is_stored_without_planned_rounds() -> None:
    tournament = cast.make_tournament("goninkan-classic", rounds_per_session=None)
    table, goes_on = change_before_a_late_round(tournament)
    assert (sheet_of(table).planned, sheet_of(goes_on).planned) == (2, None)


def test_late_round_is_judged_by_the_players_whom_its_sender_knew(table: Sitting) -> None:
    writer, known = phone(table), list(sheet_of(table).players)
    goes_on = change(table, 1, 2, 3, 4, 6)
    body = {"facts": cast.plain_round(goes_on) | {"dealer": "6"}, "seen": 0, "players": known}
    answer = writer.put(f"/api/sittings/{goes_on.pk}/rounds/1", body, "k")
    assert answer.status_code == 422
    assert not Disagreement.objects.exists()


def test_open_disputes_about_a_late_round_are_limited(
    table: Sitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disputes, "MOST_OPEN", 0)
    writer = phone(table)
    play(table, 1)
    play(change(table, 1, 2, 3, 4, 6), 1)
    assert code(send_late(table, writer)) == (409, "after_change")
    assert not Disagreement.objects.exists()


@pytest.mark.parametrize("is_taken", [True, False])
def test_round_that_arrives_after_others_have_played_is_a_dispute(
    table: Sitting, *, is_taken: bool
) -> None:
    tournament, writer = table.session.tournament, phone(table)
    play(table, 1)
    goes_on = change(table, 1, 2, 3, 4, 6)
    play(goes_on, 1)
    for _ in range(2):
        assert code(send_late(table, writer)) == (409, "after_change")
    dispute = Disagreement.objects.get()
    assert (dispute.sitting, dispute.number) == (table, 2)
    if is_taken:
        disputes.take_disputed_facts(dispute, seen_version=0, by=SOMEBODY, reason="票を見た")
        assert send_late(table, writer).status_code == 200
    else:
        disputes.keep_stored_facts(dispute, seen_version=0, by=SOMEBODY)
        assert code(send_late(table, writer)) == (409, "settled")
    assert (sheet_of(table).planned, sheet_of(goes_on).rounds_before) == (
        (2, 2) if is_taken else (1, 1)
    )
    assert sheet_of(goes_on).planned_at_table == 10
    assert points(tournament)[5][1] == sheet_of(table).planned
    assert verification.verify(tournament) == []


@pytest.mark.parametrize("has_played", [True, False])
def test_round_of_others_is_never_stored_at_their_seats(
    table: Sitting, *, has_played: bool
) -> None:
    """Before the first round the seats change in place, as after a change that was taken back."""
    writer, sitting = phone(table), table
    if has_played:
        play(table, 1)
        sitting = change(table, 1, 2, 3, 4, 6)
    facts, players = cast.plain_round(sitting), list(sheet_of(sitting).players)
    change(sitting, 1, 2, 3, 4, 7)
    address = f"/api/sittings/{sitting.pk}/rounds/1"
    body = {"facts": facts, "seen": 0, "players": players}
    assert code(writer.put(address, body, "k")) == (409, "after_change")
    dispute = Disagreement.objects.get()
    assert dispute.facts == facts
    with pytest.raises(rounds.AfterChange):
        disputes.take_disputed_facts(dispute, seen_version=0, by=SOMEBODY, reason="票を見た")
    assert not sitting.rounds.exists()
    for wrong in (players[:2], [*players[:4], "99"], [*players[:4], players[0]]):
        assert code(writer.put(address, {**body, "players": wrong}, str(wrong))) == (
            409,
            "after_change",
        )
    assert Disagreement.objects.count() == 1
    assert verification.verify(table.session.tournament) == []
