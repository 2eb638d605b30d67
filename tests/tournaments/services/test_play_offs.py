"""Play-offs: they decide the order of tied players, and count for nothing else."""

from __future__ import annotations

import pytest

from tests import cast, stages
from tests.cast import SOMEBODY, standings_for
from tournaments import verification
from tournaments.models import Presence, Session, Sitting, Tournament
from tournaments.queries import play_offs as queries
from tournaments.queries import stages as stage_queries
from tournaments.queries.events import Event
from tournaments.queries.publications.events import published_event
from tournaments.queries.ranking_facts import ranking_facts
from tournaments.queries.round_points import points_by_round
from tournaments.queries.seat_draws import earlier_seats
from tournaments.services import ranking, seating, sessions
from tournaments.services.adjustments import PlayOffIsOn, decide_tie, draw_lot
from tournaments.services.play_offs import open_play_off
from tournaments.services.publications import publish
from tournaments.services.seating import AlreadySeated, PlayersAway, PlayOffPlan, TiedNotSeated

pytestmark = pytest.mark.django_db


@pytest.fixture
def sitting() -> Sitting:
    """A table of six that has played one round: players 2, 4 and 5 have a point, the others −1."""
    sitting = cast.make_sitting()
    cast.record(sitting)
    return sitting


def seat(tournament: Tournament, *tied: int, number: int = 2) -> Session:
    """Seat these players, and fill the table with the others; 1, 3 and 5 get a point."""
    everybody = {entry.number: entry for entry in tournament.entries.all()}
    table = [everybody[each] for each in (2, 1, 4, 3, 5, 6)]
    plan = PlayOffPlan(tied, rounds=1)
    return open_play_off(tournament, plan, [table], number=number, by=SOMEBODY)


def order(tournament: Tournament) -> list[tuple[int | None, int]]:
    rows = standings_for(Tournament.objects.get(pk=tournament.pk))
    return [(row.place.rank, row.entry.number) for row in rows if row.place]


def test_play_off_decides_the_order_of_the_tied_only(sitting: Sitting) -> None:
    tournament = sitting.session.tournament
    before = order(tournament)
    assert before[3:] == [(4, 1), (4, 3), (4, 6)]
    for _ in range(2):
        session = seat(tournament, 6, 1)
    assert (session.tied, session.rounds_planned) == ([1, 6], 1)
    assert order(tournament) == before
    cast.record(session.sittings.get())  # 1, 3 and 5 have the point
    assert order(tournament) == before  # 3 is tied with them, and did not play it off
    third = seat(tournament, 1, 3, 6, number=3)
    cast.record(third.sittings.get())
    assert order(tournament)[3:] == [(4, 1), (4, 3), (6, 6)]
    points = {row.entry.number: row.place and row.place.points for row in standings_for(tournament)}
    assert points == {2: 1, 4: 1, 5: 1, 1: -1, 3: -1, 6: -1}
    assert verification.verify(tournament) == []


def test_nothing_else_counts_a_play_off(sitting: Sitting) -> None:
    tournament = sitting.session.tournament
    ranking.set_ranking(tournament, {"missed": "own_average"}, seen_version=0, by=SOMEBODY)
    cast.record(seat(tournament, 2, 4, 5).sittings.get())
    event = Event(tournament)
    assert event.tally.counted == 1
    assert all(not row.missed for row in event.standings)
    assert all(len(own) == 1 for own in points_by_round(ranking_facts(tournament)).values())
    earlier = earlier_seats(tournament, 3)
    assert len(earlier.tables) == 1
    assert len(earlier.met) == 15  # the pairs of the six at its table: they have met there
    assert [each.progress.planned for each in event.sessions][1] == 1


def test_those_whom_no_play_off_has_parted_may_play_one(sitting: Sitting) -> None:
    tournament = sitting.session.tournament

    def ties() -> list[list[int]]:
        event = Event(Tournament.objects.get(pk=tournament.pk))
        found = queries.open_ties(event.standings, event.ranking_facts)
        return [[row.entry.number for row in tie] for tie in found]

    assert ties() == [[2, 4, 5], [1, 3, 6]]
    cast.record(seat(tournament, 1, 3, 6).sittings.get())
    assert ties() == [[2, 4, 5], [1, 3]]
    chosen = {"tie_breaks": ["points", "play_off", "best_round"]}
    ranking.set_ranking(tournament, chosen, seen_version=0, by=SOMEBODY)
    assert ties() == [[2, 4, 5], [1, 3]]


def test_tie_at_the_line_is_played_off(sitting: Sitting) -> None:
    """Four go on: 2, 4, 5, and one of 1, 3 and 6."""
    tournament = sitting.session.tournament
    final = stages.make_stage(tournament)
    found = stage_queries.going_on(final)
    assert found.tie is not None
    assert [row.entry.number for row in found.tied] == [1, 3, 6]
    everybody = {entry.number: entry for entry in tournament.entries.all()}
    table = [everybody[each] for each in (1, 3, 2, 6, 4, 5)]  # the second, fourth and fifth win
    plan = PlayOffPlan([1, 3, 6], rounds=1)
    session = open_play_off(tournament, plan, [table], number=2, by=SOMEBODY)
    cast.record(session.sittings.get())
    assert stage_queries.going_on(final).tie is not None  # 3 and 6 are still tied
    plan, table = PlayOffPlan([3, 6]), [everybody[each] for each in (3, 6, 2, 1, 4, 5)]
    session = open_play_off(tournament, plan, [table], number=3, by=SOMEBODY)
    cast.record(session.sittings.get())
    assert stages.confirm(final).members == [{"group": "", "players": [2, 4, 5, 6]}]
    assert final.tournament.stages.get().first_session == 4


@pytest.mark.parametrize("tied", [[], [2], [2, 2], [2, 9]])
def test_tied_without_a_seat_are_refused(sitting: Sitting, tied: list[int]) -> None:
    with pytest.raises(TiedNotSeated):
        seat(sitting.session.tournament, *tied)


def test_nobody_who_withdrew_is_seated(sitting: Sitting) -> None:
    tournament = sitting.session.tournament
    Presence.objects.create(
        entry=tournament.entries.get(number=6), session_number=1, status="withdrawn"
    )
    with pytest.raises(PlayersAway):
        seat(tournament, 2, 4)


def test_second_play_off_of_the_same_players_is_refused_until_the_first_is_over(
    sitting: Sitting,
) -> None:
    tournament = sitting.session.tournament
    first = seat(tournament, 2, 4, 5)
    with pytest.raises(PlayOffIsOn):
        seat(tournament, 2, 4, number=3)
    for otherwise in (draw_lot, decide_tie):
        with pytest.raises(PlayOffIsOn):  # asked for on a page that is older than the play-off
            otherwise(tournament, 1, [2, 4], by=SOMEBODY, reason="")
    seat(tournament, 1, 3, number=3)
    sessions.end_session(first, stopping={1}, by=SOMEBODY)
    seat(tournament, 2, 4, 5, number=4)


def test_another_play_off_under_the_same_number_is_refused(sitting: Sitting) -> None:
    tournament = sitting.session.tournament
    seat(tournament, 2, 4, 5)
    with pytest.raises(AlreadySeated):
        seat(tournament, 2, 4)
    sessions.remove_session(tournament.sessions.get(number=2), by=SOMEBODY)
    seating.open_session(tournament, [list(tournament.entries.all())], by=SOMEBODY)
    assert verification.verify(tournament) == []
    Session.objects.filter(number=2).update(tied=[1, 2])
    (fault,) = verification.verify(tournament)
    assert fault.what == "session 2 play-off"


def test_publication_keeps_it(sitting: Sitting) -> None:
    tournament = sitting.session.tournament
    cast.record(seat(tournament, 1, 3, 6).sittings.get())
    announced = published_event(publish(tournament, by=SOMEBODY), tournament)
    live = order(tournament)
    assert [(row.place.rank, row.entry.number) for row in announced.standings if row.place] == live
    assert verification.verify(tournament) == []
