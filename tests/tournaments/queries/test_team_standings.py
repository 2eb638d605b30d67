"""Standings of teams: places, whose points count, and agreement with the standings of players."""

from __future__ import annotations

import pytest

from scoring.stages.places import Carry
from scoring.stages.selection import Quota
from tests import cast, stages
from tests.cast import SOMEBODY, standings_for
from tournaments.models import Entry, Sitting, Tournament
from tournaments.queries.current_seats import EventWithSeats
from tournaments.queries.publications.events import published_event
from tournaments.queries.ranking_facts import ranking_facts
from tournaments.queries.team_standings import TeamStanding, team_standings_of
from tournaments.services import adjustments, ranking, seating, totals, versions
from tournaments.services.entries import add_entries
from tournaments.services.publications import publish

pytestmark = pytest.mark.django_db

Told = list[tuple[int | None, str, int | None, list[int | None]]]


@pytest.fixture
def sitting() -> Sitting:
    """A table that has played one round: 2, 4 and 5 have a point, the others −1.

    1, 2 and 3 are the team “East”, 4 and 5 “West”; 6 is in no team.
    """
    sitting = cast.make_sitting()
    cast.record(sitting)
    Entry.objects.filter(number__in=(1, 2, 3)).update(team="East")
    Entry.objects.filter(number__in=(4, 5)).update(team="West")
    return sitting


def choose(tournament: Tournament, **rules: object) -> None:
    seen = versions.ranking_version(tournament)
    ranking.set_ranking(tournament, rules, seen_version=seen, by=SOMEBODY)


def teams(tournament: Tournament) -> list[TeamStanding]:
    return team_standings_of(ranking_facts(Tournament.objects.get(pk=tournament.pk)))


def told(rows: list[TeamStanding]) -> Told:
    return [
        (
            row.place and row.place.rank,
            row.name,
            row.place and row.place.points,
            [member.counted for member in row.members],
        )
        for row in rows
    ]


def test_nobody_in_a_team_makes_no_standings() -> None:
    assert teams(cast.make_sitting().session.tournament) == []


def test_all_members_count_unless_chosen_otherwise(sitting: Sitting) -> None:
    tournament = sitting.session.tournament
    assert told(teams(tournament)) == [(1, "West", 2, [1, 1]), (2, "East", -1, [1, -1, -1])]
    choose(tournament, teams="best", team_members=1)
    assert told(teams(tournament)) == [
        (1, "East", 1, [1, None, None]),
        (1, "West", 1, [1, None]),
    ]


def test_points_of_the_team_itself_count_for_the_team_only(sitting: Sitting) -> None:
    tournament = sitting.session.tournament
    before = standings_for(tournament)
    adjustments.adjust_points(tournament, 1, "West", -4, by=SOMEBODY, reason="遅刻")
    adjustments.adjust_points(tournament, 2, "East", 9, by=SOMEBODY, reason="誤り")
    adjustments.take_back_adjustment(tournament, 2, by=SOMEBODY)
    first, second = teams(tournament)
    assert (first.name, first.adjusted, second.name, second.adjusted) == ("East", 0, "West", -4)
    assert second.place is not None
    assert second.place.points == -2
    assert standings_for(tournament) == before
    announced = published_event(publish(tournament, by=SOMEBODY), tournament)
    assert told(announced.team_standings) == told(teams(tournament))
    (line,) = announced.team_standings[1].adjustments
    assert (line.points, line.reason) == (-4, "遅刻")


def test_best_of_each_session_count(sitting: Sitting) -> None:
    """In the second session 1, 3 and 6 have the point."""
    tournament = sitting.session.tournament
    everybody = list(tournament.entries.all())
    turned = [everybody[1], everybody[0], everybody[3], everybody[2], *everybody[:3:-1]]
    session = seating.open_session(tournament, [turned], by=SOMEBODY)
    cast.record(session.sittings.get())
    choose(tournament, teams="by_session", team_members=1)
    rows = {row.name: row for row in teams(tournament)}
    east = rows["East"]
    assert east.place is not None
    assert east.place.points == 2
    assert sum(member.counted or 0 for member in east.members) == 2
    assert {member.points for member in east.members} == {0}


def test_points_of_members_are_those_of_the_standings(sitting: Sitting) -> None:
    tournament = sitting.session.tournament
    entry = tournament.entries.get(number=2)
    adjustments.adjust_points(tournament, 1, entry, -5, by=SOMEBODY, reason="遅刻")
    choose(tournament, missed="fixed", missed_points=-3)
    seated = list(tournament.entries.exclude(number=2))
    extra = cast.make_entries(tournament, 1)
    seating.open_session(tournament, [[*seated, *extra]], by=SOMEBODY)
    points = {row.entry: row.place.points for row in standings_for(tournament) if row.place}
    for row in teams(tournament):
        assert [points[member.entry] for member in row.members] == [
            member.points for member in row.members
        ]


def test_members_and_teams_without_a_round_stand_last(sitting: Sitting) -> None:
    tournament = sitting.session.tournament
    people = [{"name": "新人", "team": "East"}, {"name": "補欠", "team": "Later"}]
    add_entries(tournament, people, by=SOMEBODY)
    assert told(teams(tournament)) == [
        (1, "West", 2, [1, 1]),
        (2, "East", -1, [1, -1, -1, None]),
        (None, "Later", None, [None]),
    ]


def test_published_teams_stay_as_published(sitting: Sitting) -> None:
    tournament = sitting.session.tournament
    publication = publish(tournament, by=SOMEBODY)
    before = told(teams(tournament))
    choose(tournament, teams="best", team_members=1)
    Entry.objects.update(team="")
    assert told(published_event(publication, tournament).team_standings) == before


def play(tournament: Tournament, points: dict[int, int]) -> None:
    """Seat these players at a table of a new session, and enter their points as totals."""
    seated = [tournament.entries.get(number=number) for number in points]
    session = seating.open_session(tournament, [seated], by=SOMEBODY)
    typed = {str(number): own for number, own in points.items()}
    totals.enter_totals(session.sittings.get(), typed, seen_version=0, by=SOMEBODY)


def test_no_points_count_twice_over_stages() -> None:
    """Five go on with all their points; the sixth is no member of the final, and so not absent."""
    tournament = cast.make_tournament("goninkan-nakayoshi", totals_only=True)
    cast.make_entries(tournament, 6)
    play(tournament, {1: 20, 2: 3, 3: 1, 4: -4, 5: -9, 6: -11})
    wanted = stages.plan(Quota("", "", 5), carry=Carry.ALL)
    stages.confirm(stages.make_stage(tournament, wanted=wanted))
    play(tournament, {1: -8, 2: 4, 3: 4, 4: 0, 5: 0})
    choose(tournament, missed="fixed", missed_points=-3)
    Entry.objects.filter(number__in=(1, 6)).update(team="East")
    Entry.objects.filter(number=2).update(team="West")
    assert told(teams(tournament)) == [(1, "West", 7, [7]), (2, "East", 1, [12, -11])]


def test_adjustment_is_not_told_before_it_is_published(sitting: Sitting) -> None:
    tournament = sitting.session.tournament
    publication = publish(tournament, by=SOMEBODY)
    entry = tournament.entries.get(number=4)
    adjustments.adjust_points(tournament, 1, entry, -9, by=SOMEBODY, reason="遅刻")
    shown = EventWithSeats(published_event(publication, tournament), tournament)
    assert shown.ranking_facts.adjustments == []
