"""Marking players in the roll call, and starting it again."""

from __future__ import annotations

from functools import partial

import pytest
from django.urls import reverse

from tests import cast
from tests.cast import SOMEBODY
from tests.races import race
from tournaments import verification
from tournaments.models import AuditEntry, Entry, Presence, Tournament
from tournaments.queries import presence as presence_queries
from tournaments.queries.events import NotThere
from tournaments.queries.presence import Status, roll_call, seats_to_change, status_of
from tournaments.services import closing, entries, presence, seating
from tournaments.services.presence import MarkedOtherwise, RollCallChanged
from tournaments.services.table_players import change_players

pytestmark = pytest.mark.django_db
Kind = AuditEntry.Kind


@pytest.fixture
def entry(tournament: Tournament) -> Entry:
    """The first of six players."""
    return cast.make_entries(tournament, 6)[0]


def mark(entry: Entry, session: int, status: Status, seen: Status = Status.EXPECTED) -> None:
    presence.mark_presence(entry, session, status, seen_status=seen, by=SOMEBODY)


def stored(entry: Entry) -> dict[int, str]:
    return dict(entry.presence.values_list("session_number", "status"))


def restart(tournament: Tournament, session: int, seen: int | None = None) -> None:
    version = presence_queries.marks_version(tournament) if seen is None else seen
    presence.restart_roll_call(tournament, session, seen_version=version, by=SOMEBODY)


def written(tournament: Tournament) -> list[str]:
    """Return the kinds of the audit entries about the roll call."""
    kinds = tournament.audit_entries.filter(kind__in=presence_queries.KINDS)
    return list(kinds.order_by("number").values_list("kind", flat=True))


def test_same_mark_again_writes_nothing(tournament: Tournament, entry: Entry) -> None:
    for _ in range(2):
        mark(entry, 1, Status.PRESENT)
    assert stored(entry) == {1: "present"}
    [told] = tournament.audit_entries.filter(kind=Kind.PRESENCE_MARKED)
    assert (told.subject, told.old, told.new) == (
        {"session": 1},
        {"number": 1, "status": "expected"},
        {"number": 1, "status": "present"},
    )


def test_mark_carried_from_before_is_not_written_again(entry: Entry) -> None:
    seating.open_session(entry.tournament, [list(entry.tournament.entries.all())], by=SOMEBODY)
    mark(entry, 1, Status.ABSENT)
    mark(entry, 2, Status.ABSENT, seen=Status.ABSENT)
    assert stored(entry) == {1: "absent"}
    mark(entry, 2, Status.EXPECTED, seen=Status.ABSENT)
    assert stored(entry) == {1: "absent", 2: "expected"}


def test_mark_made_since_is_not_overwritten(entry: Entry) -> None:
    mark(entry, 1, Status.LATE)
    with pytest.raises(MarkedOtherwise) as marked:
        mark(entry, 1, Status.PRESENT)
    assert marked.value.mark == Status.LATE
    mark(entry, 1, Status.PRESENT, seen=Status.LATE)
    assert stored(entry) == {1: "present"}


def test_later_marks_end_when_a_player_withdraws(tournament: Tournament, entry: Entry) -> None:
    seating.open_session(tournament, [list(tournament.entries.all())], by=SOMEBODY)
    mark(entry, 2, Status.PRESENT)
    mark(entry, 1, Status.WITHDRAWN)
    assert stored(entry) == {1: "withdrawn"}
    assert verification.verify(tournament) == []
    mark(entry, 2, Status.PRESENT, seen=Status.WITHDRAWN)  # comes back
    assert stored(entry) == {1: "withdrawn", 2: "present"}
    assert verification.verify(tournament) == []


def test_roll_is_called_for_seated_sessions_and_the_next(entry: Entry) -> None:
    for session in (0, 2, 10**9):
        with pytest.raises(NotThere):
            mark(entry, session, Status.PRESENT)


def test_closed_event_has_no_roll_call(tournament: Tournament, entry: Entry) -> None:
    mark(entry, 1, Status.PRESENT)
    closing.close(tournament, by=SOMEBODY)
    for write in (partial(mark, entry, 1, Status.LATE), partial(restart, tournament, 1)):
        with pytest.raises(closing.EventClosed):
            write()


def test_club_table_has_no_roll_call() -> None:
    club = cast.make_sitting(cast.make_tournament(kind=Tournament.Kind.TABLE)).session.tournament
    with pytest.raises(seating.OneTable):
        mark(club.entries.all()[0], 1, Status.PRESENT)


def test_marks_of_a_removed_player_are_removed(tournament: Tournament, entry: Entry) -> None:
    mark(entry, 1, Status.ABSENT)
    other = Entry.objects.get(pk=entry.pk)
    entries.remove_entry(entry, by=SOMEBODY)
    assert not Presence.objects.exists()
    assert verification.verify(tournament) == []
    with pytest.raises(Entry.DoesNotExist):
        mark(other, 1, Status.PRESENT, seen=Status.ABSENT)


def test_restart_expects_everybody_who_has_not_withdrawn(tournament: Tournament) -> None:
    present, late, withdrawn, other, *_ = cast.make_entries(tournament, 6)
    statuses = (Status.PRESENT, Status.LATE, Status.WITHDRAWN)
    for entry, status in zip((present, late, withdrawn), statuses, strict=True):
        mark(entry, 1, status)
    restart(tournament, 1)
    assert [stored(each) for each in (present, late, withdrawn, other)] == [
        {1: "expected"},
        {1: "expected"},
        {1: "withdrawn"},
        {},
    ]
    told = tournament.audit_entries.get(kind=Kind.ROLL_CALL_RESTARTED)
    assert told.old == {"present": [1], "late": [2]}
    assert verification.verify(tournament) == []


def test_restart_again_writes_nothing(tournament: Tournament, entry: Entry) -> None:
    mark(entry, 1, Status.PRESENT)
    seen = presence_queries.marks_version(tournament)
    for _ in range(2):
        restart(tournament, 1, seen)
    assert written(tournament) == [Kind.PRESENCE_MARKED, Kind.ROLL_CALL_RESTARTED]


def test_restart_loses_no_mark_made_since(tournament: Tournament, entry: Entry) -> None:
    seen = presence_queries.marks_version(tournament)
    mark(entry, 1, Status.PRESENT)
    with pytest.raises(RollCallChanged):
        restart(tournament, 1, seen)
    assert stored(entry) == {1: "present"}


def test_restart_of_the_next_session_keeps_the_marks_of_the_last(
    tournament: Tournament, entry: Entry
) -> None:
    mark(entry, 1, Status.PRESENT)
    seating.open_session(tournament, [list(tournament.entries.all())], by=SOMEBODY)
    restart(tournament, 2)
    assert stored(entry) == {1: "present", 2: "expected"}


@pytest.mark.usefixtures("shared_database")
def test_one_of_many_concurrent_marks_wins() -> None:
    (entry,) = cast.make_entries(cast.make_tournament(), 1)
    marks = [Status.PRESENT, Status.LATE, Status.ABSENT, Status.WITHDRAWN]
    results = race(4, lambda number: mark(entry, 1, marks[number]))
    winners = [status for status, result in zip(marks, results, strict=True) if result is None]
    assert [str(each) for each in winners] == list(stored(entry).values())
    assert all(isinstance(each, MarkedOtherwise) for each in results if each is not None), results
    assert written(entry.tournament) == [Kind.PRESENCE_MARKED]


@pytest.mark.usefixtures("shared_database")
def test_same_mark_by_many_is_stored_once() -> None:
    (entry,) = cast.make_entries(cast.make_tournament(), 1)
    assert race(8, lambda _number: mark(entry, 1, Status.PRESENT)) == [None] * 8
    assert written(entry.tournament) == [Kind.PRESENCE_MARKED]


@pytest.mark.usefixtures("shared_database")
def test_concurrent_marks_of_different_players_are_all_stored() -> None:
    tournament = cast.make_tournament()
    players = cast.make_entries(tournament, 8)
    assert race(8, lambda number: mark(players[number], 1, Status.PRESENT)) == [None] * 8
    assert presence_queries.roll_call(tournament, 1).counts[Status.PRESENT] == 8
    assert len(written(tournament)) == 8


@pytest.mark.parametrize("has_played", [False, True])
def test_who_is_away_and_seated_is_not_said_not_to_have_come(
    tournament: Tournament, *, has_played: bool
) -> None:
    """The same seats have to change, whether the player never came or has left."""
    players = cast.make_entries(tournament, 6)
    table = seating.open_session(tournament, [players], by=SOMEBODY).sittings.get()
    if has_played:
        cast.record(table)
    seen = status_of(players[3], 1)
    presence.mark_presence(players[3], 1, Status.ABSENT, seen_status=seen, by=SOMEBODY)
    assert seats_to_change(roll_call(tournament, 1), tournament).away == [players[3]]
    browser = cast.browser_of(cast.make_staff(tournament, "boss", "director"))
    for name, numbers in (("tournament", []), ("roll-call", [1])):
        page = browser.get(reverse(name, args=[tournament.slug, *numbers])).text
        told = page.partition('data-seats="away"')[2].partition("</p>")[0]
        assert "遅刻・欠席・棄権になっている選手" in told
        assert players[3].name in told
        assert "来ていない" not in told


def test_who_plays_is_present_unless_marked_as_away(tournament: Tournament) -> None:
    """Also after the roll call is restarted; not who has left."""
    players = cast.make_entries(tournament, 14)
    session = seating.open_session(tournament, [players[:6], players[6:12]], by=SOMEBODY)
    playing, _waiting = session.sittings.all()
    cast.record(playing)
    goes_on = change_players(
        playing,
        [players[12], *players[1:6]],
        seen_players=cast.keys(playing),
        by=SOMEBODY,
    )
    roll = roll_call(tournament, 1)
    present = [each.number for each in roll.with_status({Status.PRESENT})]
    assert present == [2, 3, 4, 5, 6]
    assert not roll.has_begun  # nobody is marked: this event calls no roll
    assert [status_of(each, 1) for each in players] == list(roll.statuses.values())
    assert seats_to_change(roll, tournament).unseated == []
    cast.record(goes_on)
    assert status_of(players[12], 1) == Status.PRESENT
    assert roll_call(tournament, 2).counts[Status.PRESENT] == 0
    before = written(tournament)
    mark(players[1], 1, Status.EXPECTED, seen=Status.PRESENT)
    restart(tournament, 1)
    assert written(tournament) == before
    for _pressed_twice in range(2):
        mark(players[1], 1, Status.PRESENT, seen=Status.PRESENT)
    assert written(tournament) == [*before, "presence_marked"]
    mark(players[1], 1, Status.EXPECTED, seen=Status.PRESENT)
    mark(players[12], 1, Status.ABSENT, seen=Status.PRESENT)
    mark(players[12], 1, Status.PRESENT, seen=Status.ABSENT)
    assert roll_call(tournament, 1).has_begun
    mark(players[1], 1, Status.ABSENT, seen=Status.PRESENT)
    assert status_of(players[1], 1) == Status.ABSENT
    restart(tournament, 1)
    assert status_of(players[1], 1) == Status.PRESENT
    assert verification.verify(tournament) == []
