"""Somebody plays in an absent player's stead."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from tests import cast
from tests.cast import SOMEBODY
from tests.races import race
from tournaments import archives, audit, verification
from tournaments.exceptions import ConflictError
from tournaments.models import AuditEntry, Entry, Presence, Session, Substitution, Tournament
from tournaments.queries import presence as presence_queries
from tournaments.queries.current_seats import EventWithSeats
from tournaments.queries.events import Event
from tournaments.queries.presence import Status
from tournaments.queries.publications.events import PublishedEvent
from tournaments.queries.seated_tables import last_continuation
from tournaments.queries.sheets import sheet_of
from tournaments.queries.substitutions import seats_given
from tournaments.services import (
    closing,
    entries,
    presence,
    publications,
    ranking,
    seating,
    substitutions,
    table_players,
)
from tournaments.services.substitutions import (
    NotCompeting,
    SeatGiven,
    add_substitute,
    remove_substitute,
)
from tournaments.services.table_players import change_players

pytestmark = pytest.mark.django_db
Kind = AuditEntry.Kind
YAMADA = {"name": "山田 太郎", "reading": "やまだ たろう"}


@pytest.fixture
def absent(tournament: Tournament) -> Entry:
    """The first of seven players, marked as absent in session 1."""
    entry = cast.make_entries(tournament, 7)[0]
    mark(entry, Status.ABSENT)
    return entry


def mark(entry: Entry, status: Status, seen: Status = Status.EXPECTED, session: int = 1) -> None:
    presence.mark_presence(entry, session, status, seen_status=seen, by=SOMEBODY)


def entry_of(tournament: Tournament, number: int) -> Entry:
    return tournament.entries.get(number=number)


def to_be_seated(tournament: Tournament, session: int = 1) -> list[int]:
    roll = presence_queries.roll_call(tournament, session)
    return [entry.number for entry in roll.to_be_seated()]


def seated(session: Session) -> list[int]:
    return [entry.number for entry in seating.seating_of(session)[0]]


def test_new_substitute_is_drawn_in_the_players_stead(
    tournament: Tournament, absent: Entry
) -> None:
    row = add_substitute(absent, 1, YAMADA, by=SOMEBODY)
    assert (row.substitute.number, row.substitute.is_substitute) == (8, True)
    assert to_be_seated(tournament) == [2, 3, 4, 5, 6, 7, 8]
    assert verification.verify(tournament) == []


def test_substitute_of_one_session_is_away_in_the_next(
    tournament: Tournament, absent: Entry
) -> None:
    add_substitute(absent, 1, YAMADA, by=SOMEBODY)
    cast.seat_who_left(tournament, [2, 3, 4, 5, 6, 8])
    assert to_be_seated(tournament, 2) == [2, 3, 4, 5, 6, 7]
    mark(entry_of(tournament, 8), Status.PRESENT, seen=Status.ABSENT, session=2)
    assert to_be_seated(tournament, 2) == [2, 3, 4, 5, 6, 7, 8]


@pytest.mark.parametrize("is_recorded", [True, False])
def test_nobody_plays_for_a_substitute_or_in_a_seat_that_is_given(
    scorekeeper: Client, tournament: Tournament, absent: Entry, *, is_recorded: bool
) -> None:
    """Where players stay at a table that somebody has left, a substitute can join them."""
    Tournament.objects.update(rule_set="goninkan-classic")  # tables of five or six
    tournament.refresh_from_db()
    row = add_substitute(absent, 1, YAMADA, by=SOMEBODY)
    mark(row.substitute, Status.WITHDRAWN, seen=Status.PRESENT)
    with pytest.raises(NotCompeting):
        add_substitute(row.substitute, 1, entry_of(tournament, 7), by=SOMEBODY)
    remove_substitute(absent, 1, seen_substitute=8, by=SOMEBODY)
    mark(absent, Status.PRESENT, seen=Status.ABSENT)
    mark(row.substitute, Status.ABSENT, seen=Status.WITHDRAWN)
    session = cast.seat_who_left(tournament, range(1, 7))
    table = session.sittings.get()
    if is_recorded:
        cast.record(table)

    def play_on(*numbers: int) -> None:
        last = session.sittings.order_by("number").last()
        assert last is not None
        players = [entry_of(tournament, number) for number in numbers]
        change_players(
            last, players, seen_players=sheet_of(last).players, withdraw=True, by=SOMEBODY
        )

    roll_call = reverse("roll-call", args=[tournament.slug, 1])
    page = reverse("substitute", args=[tournament.slug, 1, 6])
    play_on(1, 2, 3, 4, 5)
    assert seats_given(tournament, 1) == set()
    assert page in scorekeeper.get(roll_call).text
    assert "<form" in scorekeeper.get(page).text.split("<main")[1]
    play_on(1, 2, 3, 4, 5, 7)
    sixth = entry_of(tournament, 6)
    assert seats_given(tournament, 1) == {sixth.key}
    assert page not in scorekeeper.get(roll_call).text
    assert "もう別の人が着いています" in scorekeeper.get(page).text
    with pytest.raises(SeatGiven):
        add_substitute(sixth, 1, row.substitute, by=SOMEBODY)
    closing.close(Tournament.objects.get(), by=SOMEBODY)
    for number, is_to_reopen in ((1, True), (6, False)):  # to reopen does not give the seat back
        text = scorekeeper.get(reverse("substitute", args=[tournament.slug, 1, number])).text
        assert ("大会は終了しています" in text) == is_to_reopen


def test_restarted_roll_call_expects_no_substitute(tournament: Tournament, absent: Entry) -> None:
    add_substitute(absent, 1, YAMADA, by=SOMEBODY)
    version = presence_queries.marks_version(tournament)
    presence.restart_roll_call(tournament, 1, seen_version=version, by=SOMEBODY)
    assert not Presence.objects.filter(entry__number=8).exists()
    assert to_be_seated(tournament) == [2, 3, 4, 5, 6, 7, 8]
    assert verification.verify(tournament) == []


def test_player_of_the_list_can_be_a_substitute(tournament: Tournament, absent: Entry) -> None:
    add_substitute(absent, 1, entry_of(tournament, 7), by=SOMEBODY)
    assert not entry_of(tournament, 7).is_substitute
    assert to_be_seated(tournament) == [2, 3, 4, 5, 6, 7]


def test_same_substitute_again_writes_nothing(tournament: Tournament, absent: Entry) -> None:
    for _ in range(2):
        add_substitute(absent, 1, YAMADA, by=SOMEBODY)
    assert tournament.entries.count() == 8
    told = tournament.audit_entries.get(kind=Kind.SUBSTITUTE_ADDED)
    assert (told.subject, told.new) == ({"session": 1}, {"number": 1, "substitute": 8})


def test_another_substitute_is_refused(tournament: Tournament, absent: Entry) -> None:
    add_substitute(absent, 1, YAMADA, by=SOMEBODY)
    with pytest.raises(substitutions.AlreadyReplaced):
        add_substitute(absent, 1, entry_of(tournament, 7), by=SOMEBODY)


def test_only_who_is_away_is_replaced(tournament: Tournament, absent: Entry) -> None:
    with pytest.raises(substitutions.NotAway):
        add_substitute(entry_of(tournament, 2), 1, YAMADA, by=SOMEBODY)


def test_substitute_must_be_free(tournament: Tournament, absent: Entry) -> None:
    other = entry_of(tournament, 2)
    mark(other, Status.ABSENT)
    add_substitute(absent, 1, YAMADA, by=SOMEBODY)
    for number in (1, 2, 8):  # replaced, away, a substitute already
        with pytest.raises(substitutions.NotFree):
            add_substitute(other, 1, entry_of(tournament, number), by=SOMEBODY)


def test_seat_goes_to_the_substitute_and_back(tournament: Tournament, absent: Entry) -> None:
    session = cast.seat_who_left(tournament, range(1, 7))
    with pytest.raises(substitutions.NotFree):
        add_substitute(absent, 1, entry_of(tournament, 2), by=SOMEBODY)
    add_substitute(absent, 1, YAMADA, by=SOMEBODY)
    assert seated(session) == [8, 2, 3, 4, 5, 6]
    assert verification.verify(tournament) == []
    for _ in range(2):
        remove_substitute(absent, 1, seen_substitute=8, by=SOMEBODY)
    assert seated(session) == [1, 2, 3, 4, 5, 6]
    assert not Substitution.objects.exists()
    assert verification.verify(tournament) == []


def test_seats_with_records_stay(tournament: Tournament, absent: Entry) -> None:
    session = cast.seat_who_left(tournament, range(1, 7))
    add_substitute(absent, 1, YAMADA, by=SOMEBODY)
    cast.record(session.sittings.get())
    remove_substitute(absent, 1, seen_substitute=8, by=SOMEBODY)
    assert seated(session) == [8, 2, 3, 4, 5, 6]
    assert verification.verify(tournament) == []


def test_substitute_takes_over_between_two_rounds(tournament: Tournament, absent: Entry) -> None:
    session = cast.seat_who_left(tournament, range(1, 7))
    table = session.sittings.get()
    cast.record(table)
    for _ in range(2):
        add_substitute(absent, 1, YAMADA, by=SOMEBODY)
    assert [list(sheet_of(each).players) for each in session.sittings.order_by("number")] == [
        ["1", "2", "3", "4", "5", "6"],
        ["8", "2", "3", "4", "5", "6"],
    ]
    remove_substitute(absent, 1, seen_substitute=8, by=SOMEBODY)  # nothing is played there yet
    assert list(sheet_of(last_continuation(table)).players) == [
        "1",
        "2",
        "3",
        "4",
        "5",
        "6",
    ]
    assert verification.verify(tournament) == []


def test_substitute_waits_for_the_end_of_the_round(tournament: Tournament, absent: Entry) -> None:
    table = cast.seat_who_left(tournament, range(1, 7)).sittings.get()
    won = {"kankei": 9, "mukankei": 4}
    cast.record(table, cast.plain_round(table) | {"deals": [won]})
    with pytest.raises(table_players.RoundUnderWay):
        add_substitute(absent, 1, YAMADA, by=SOMEBODY)
    assert not Entry.objects.filter(number=8).exists()


def test_unseen_substitute_is_not_taken_back(tournament: Tournament, absent: Entry) -> None:
    add_substitute(absent, 1, YAMADA, by=SOMEBODY)
    with pytest.raises(ConflictError):
        remove_substitute(absent, 1, seen_substitute=7, by=SOMEBODY)


def test_players_of_a_substitution_stay_on_record(tournament: Tournament, absent: Entry) -> None:
    row = add_substitute(absent, 1, YAMADA, by=SOMEBODY)
    for entry in (absent, row.substitute):
        with pytest.raises(entries.StaysOnRecord):
            entries.remove_entry(entry, by=SOMEBODY)
    assert entries.remove_removable(tournament, [absent, row.substitute], by=SOMEBODY) == []


def test_substitute_has_no_place_before_a_round(tournament: Tournament, absent: Entry) -> None:
    announced = PublishedEvent(publications.publish(tournament, by=SOMEBODY))
    add_substitute(absent, 1, YAMADA, by=SOMEBODY)
    assert 8 not in [row.entry.number for row in cast.standings_for(tournament)]
    session = cast.seat_who_left(tournament, [8, 2, 3, 4, 5, 6])
    with_seats = EventWithSeats(announced, tournament)
    assert 8 in [entry.number for entry in with_seats.entries]
    assert 8 not in [row.entry.number for row in with_seats.standings]
    cast.record(session.sittings.get())
    assert 8 in [row.entry.number for row in cast.standings_for(tournament)]


@pytest.mark.parametrize(
    ("choice", "placed"), [("substitute", {8}), ("place", {1}), ("nobody", set())]
)
def test_rounds_are_credited_as_the_director_chose(
    tournament: Tournament, absent: Entry, choice: str, placed: set[int]
) -> None:
    add_substitute(absent, 1, YAMADA, by=SOMEBODY)
    cast.record(cast.seat_who_left(tournament, [8, 2, 3, 4, 5, 6]).sittings.get())
    ranking.set_ranking(tournament, {"substitutes": choice}, seen_version=0, by=SOMEBODY)
    rows = cast.standings_for(Tournament.objects.get(pk=tournament.pk))
    found = {row.entry.number: row.place.points for row in rows if row.place is not None}
    assert found.keys() == {2, 3, 4, 5, 6} | placed
    assert all(found[number] == found[3] for number in placed)  # both were kankei
    current = Tournament.objects.get(pk=tournament.pk)
    announced = PublishedEvent(publications.publish(current, by=SOMEBODY))
    shown = [row.entry.number for row in announced.standings]
    assert shown == [row.entry.number for row in rows]


def test_changed_substitution_is_detected(tournament: Tournament, absent: Entry) -> None:
    add_substitute(absent, 1, YAMADA, by=SOMEBODY)
    Substitution.objects.update(substitute=entry_of(tournament, 7))
    assert verification.verify(tournament) != []


def test_substitutions_are_published_and_archived(tournament: Tournament, absent: Entry) -> None:
    add_substitute(absent, 1, YAMADA, by=SOMEBODY)
    session = cast.seat_who_left(tournament, [8, 2, 3, 4, 5, 6])
    cast.record(session.sittings.get())
    publication = publications.publish(tournament, by=SOMEBODY)
    assert publication.content["substitutions"] == [{"session": 1, "player": 1, "substitute": 8}]
    assert verification.verify(tournament) == []
    archive = archives.export_archive(tournament, with_private=True)
    Tournament.every.filter(pk=tournament.pk).update(slug="old-one")
    read = archives.import_archive(archive, by=audit.Actor(None, "somebody"))
    [row] = Event(read).substitutions
    assert (row.entry.number, row.substitute.number, row.session_number) == (1, 8, 1)
    assert row.substitute.is_substitute


@pytest.mark.usefixtures("shared_database")
def test_one_of_many_concurrent_substitutes_is_stored() -> None:
    tournament = cast.make_tournament()
    absent, *others = cast.make_entries(tournament, 5)
    mark(absent, Status.ABSENT)
    results = race(4, lambda number: add_substitute(absent, 1, others[number], by=SOMEBODY))
    refused = [each for each in results if isinstance(each, Exception)]
    assert [type(each) for each in refused] == [substitutions.AlreadyReplaced] * 3
    assert Substitution.objects.count() == 1
