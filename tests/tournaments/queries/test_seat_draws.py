"""What a draw is asked with: players, clubs, points and the tables of earlier sessions."""

from itertools import combinations

import pytest

from tests import cast
from tests.cast import SOMEBODY
from tournaments import draws
from tournaments.models import Entry, Tournament
from tournaments.queries.seat_draws import Choices, SeatDraw, draw_seats
from tournaments.services import seating
from tournaments.services.table_players import change_players

FEWEST = Choices("fewest_repeats", separates_clubs=True, seed=1)


@pytest.fixture
def entries(tournament: Tournament) -> list[Entry]:
    return cast.make_entries(tournament, 12)


def seat(tournament: Tournament, *tables: list[Entry]) -> None:
    seating.open_session(tournament, tables, by=SOMEBODY)


def request_of(tournament: Tournament, session: int, choices: Choices) -> draws.Request:
    drawn = draw_seats(tournament, session, list(tournament.entries.all()), choices)
    assert drawn is not None
    return drawn.drawn.request


def test_history_is_of_earlier_sessions_in_seat_order(
    tournament: Tournament, entries: list[Entry]
) -> None:
    seat(tournament, entries[5::-1], entries[6:])
    seat(tournament, entries[::2], entries[1::2])
    first, second = (request_of(tournament, session, FEWEST).history for session in (2, 3))
    assert first == [(("6", "5", "4", "3", "2", "1"), ("7", "8", "9", "10", "11", "12"))]
    assert second[:1] == first
    assert second[1][0] == ("1", "3", "5", "7", "9", "11")


@pytest.mark.parametrize("method", ["lot", "fewest_repeats", "level", "mixed"])
def test_points_are_asked_where_standing_counts(
    tournament: Tournament, entries: list[Entry], method: str
) -> None:
    sitting = cast.make_sitting(tournament)
    cast.record(sitting)
    choices = Choices(method, separates_clubs=False, seed=1)
    asked = request_of(tournament, 2, choices)
    standings = cast.standings_for(tournament)
    points = {row.entry.key: row.place.points for row in standings if row.place}
    assert any(points.values())
    expected = points if method in {"level", "mixed"} else {}
    assert {each.id: each.points for each in asked.players if each.points} == {
        key: value for key, value in expected.items() if value
    }


def test_club_in_two_spellings_is_one(tournament: Tournament, entries: list[Entry]) -> None:
    clubs = ["A倶楽部", "Ａ倶楽部", "a 倶楽部", "が会", "か\u3099会", "", "　"]
    for entry, club in zip(entries, clubs, strict=False):
        Entry.objects.filter(pk=entry.pk).update(club=club)
    drawn = draw_seats(tournament, 1, list(tournament.entries.all()), FEWEST)
    assert drawn is not None
    of_request = [each.club for each in drawn.drawn.request.players]
    assert of_request[:7] == ["A倶楽部"] * 3 + ["が会"] * 2 + [""] * 2
    one = drawn.choices._replace(table_mix=(12,))
    together = draw_seats(tournament, 1, list(tournament.entries.all()), one)
    assert together is not None
    assert together.quality.clubmates == 3 + 1 + 10  # of five others


def test_too_few_for_a_table_are_not_drawn(tournament: Tournament) -> None:
    assert draw_seats(tournament, 1, cast.make_entries(tournament, 4), FEWEST) is None


def test_meetings_are_counted_with_those_of_earlier_sessions(
    tournament: Tournament, entries: list[Entry]
) -> None:
    seat(tournament, entries[:6], entries[6:])
    drawn = draw_seats(tournament, 2, entries, FEWEST)
    assert isinstance(drawn, SeatDraw)
    assert drawn.met_twice == 12
    assert drawn.most_meetings == 2
    assert drawn.quality.optimal


def test_who_left_between_rounds_has_met_those_of_that_time(
    tournament: Tournament, entries: list[Entry]
) -> None:
    newcomer = Entry.objects.create(tournament=tournament, number=13, name="三浦")
    seat(tournament, entries[:6], entries[6:])
    sitting = tournament.sessions.get().sittings.get(number=1)
    cast.record(sitting)
    seen, others = [entry.key for entry in entries[:6]], entries[1:6]
    change_players(sitting, [newcomer, *others], seen_players=seen, by=SOMEBODY)
    drawn = draw_seats(tournament, 2, [*entries, newcomer], FEWEST)
    assert drawn is not None
    old = [{*"123456"}, {*"23456", "13"}, {*"789", "10", "11", "12"}]
    pairs = [pair for table in drawn.tables for pair in combinations(table, 2)]
    met = sum(any({one.key, two.key} <= table for table in old) for one, two in pairs)
    assert drawn.meeting_again == drawn.met_twice == drawn.quality.repeats == met
    assert draws.read_request(drawn.facts["request"]).met == drawn.drawn.request.met
