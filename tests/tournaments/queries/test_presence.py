"""Which mark of the roll call counts in a session."""

from __future__ import annotations

from itertools import product

import pytest

from tests import cast
from tests.cast import SOMEBODY
from tournaments.models import Presence, Tournament
from tournaments.queries.presence import Status, free_players, roll_call, status_in
from tournaments.services import presence

SESSIONS = 3


def expected_status(marks: tuple[Status | None, ...]) -> Status:
    """Compute the status after these marks, one for each session, one session at a time."""
    status = Status.EXPECTED
    for mark in marks:
        if status == Status.LATE:
            status = Status.EXPECTED
        status = mark or status
    return status


def test_mark_counts_until_a_newer_one() -> None:
    for marks in product([None, *Status], repeat=SESSIONS):
        stored = {number: str(mark) for number, mark in enumerate(marks, 1) if mark}
        for session in range(1, SESSIONS + 1):
            assert status_in(session, stored) == expected_status(marks[:session]), marks
        assert status_in(SESSIONS + 1, stored) == expected_status((*marks, None)), marks


@pytest.mark.django_db
def test_everybody_is_in_the_roll_call(tournament: Tournament) -> None:
    one, other, *_ = cast.make_entries(tournament, 6)
    cast.make_entries(cast.make_tournament(), 6)
    expected = Status.EXPECTED
    presence.mark_presence(one, 1, Status.LATE, seen_status=expected, by=SOMEBODY)
    presence.mark_presence(other, 1, Status.PRESENT, seen_status=expected, by=SOMEBODY)
    roll = roll_call(tournament, 1)
    assert [str(each) for each in roll.statuses.values()] == ["late", "present", *["expected"] * 4]
    assert roll.counts[Status.EXPECTED] == 4
    assert [entry.number for entry in roll.to_be_seated()] == [2, 3, 4, 5, 6]
    assert roll.to_be_seated(only_present=True) == [other]
    assert roll.away == {Status.LATE: [one]}
    assert roll_call(tournament, 2).to_be_seated()[0] == one


@pytest.mark.django_db
def test_mark_of_a_later_session_changes_no_earlier_one(tournament: Tournament) -> None:
    (entry,) = cast.make_entries(tournament, 1)
    Presence.objects.create(entry=entry, session_number=2, status=Status.ABSENT)
    assert roll_call(tournament, 1).statuses == {entry: Status.EXPECTED}
    assert roll_call(tournament, 2).statuses == {entry: Status.ABSENT}


@pytest.mark.django_db
def test_many_players_take_no_more_queries(
    tournament: Tournament, django_assert_num_queries: object
) -> None:
    cast.make_entries(tournament, 60)
    with django_assert_num_queries(4):  # type: ignore[operator]
        roll_call(tournament, 1)


@pytest.mark.django_db
def test_player_added_as_a_substitute_is_free_to_replace_somebody(tournament: Tournament) -> None:
    seated, other, away = cast.make_entries(tournament, 3)
    [substitute] = cast.make_entries(tournament, 1, is_substitute=True)
    for entry in (away, substitute):
        Presence.objects.create(entry=entry, session_number=1, status=Status.ABSENT)
    free = free_players(roll_call(tournament, 1), {seated})
    assert free == ([other], [substitute], [away])
