"""Standings: ranks, classes, sessions and teams."""

from typing import Any

import pytest

from tests import cast
from tests.cast import (
    SOMEBODY,
    keys,
    make_entries,
    make_sitting,
    make_tournament,
    plain_round,
    record,
    standings_for,
)
from tournaments.models import Entry, Sitting, Tournament
from tournaments.queries.ranking_facts import ranking_facts
from tournaments.queries.sheets import sheets_for
from tournaments.queries.standings import Tally, named_in, tally_of, teams_of
from tournaments.services import seating
from tournaments.services.entries import add_entries
from tournaments.services.play_offs import open_play_off
from tournaments.services.seating import PlayOffPlan

pytestmark = pytest.mark.django_db

WON = {"kankei": 9, "mukankei": 4}
LOST = {"kankei": 5, "mukankei": 8}


def ranks(tournament: Tournament) -> list[tuple[int | None, str, int | None]]:
    return [
        (row.place and row.place.rank, row.entry.key, row.place and row.place.points)
        for row in standings_for(tournament)
    ]


def play(sitting: Sitting, *rounds: Any) -> None:
    """Record these deals as rounds dealt by the last player, with players 1 and 3 as kankei."""
    for number, deals in enumerate(rounds, 1):
        record(sitting, plain_round(sitting) | {"deals": deals}, number=number)


def test_equal_points_share_a_rank() -> None:
    sitting = make_sitting()
    play(sitting, [LOST])
    assert ranks(sitting.session.tournament) == [
        (1, "2", 1),
        (1, "4", 1),
        (1, "5", 1),
        (4, "1", -1),
        (4, "3", -1),
        (4, "6", -1),
    ]


def test_entries_without_rounds_come_last() -> None:
    sitting = make_sitting()
    make_entries(sitting.session.tournament, 2)
    play(sitting, [LOST])
    rows = standings_for(sitting.session.tournament)
    assert [row.entry.key for row in rows[-2:]] == ["7", "8"]
    assert [row.place for row in rows[-2:]] == [None, None]


def test_round_under_way_scores_nothing_and_is_counted_apart() -> None:
    sitting = make_sitting()
    play(sitting, [LOST], [WON])
    sheets = sheets_for(sitting.session.tournament)
    assert tally_of(sheets) == Tally(1, 1, planned=10, session=1)
    tournament = sitting.session.tournament
    seating.open_session(tournament, [list(tournament.entries.all())], by=SOMEBODY)
    assert tally_of(sheets_for(tournament)) == tally_of(sheets)  # nothing is played there yet
    assert {
        row.place.rounds_played for row in standings_for(sitting.session.tournament) if row.place
    } == {1}


def test_place_names_the_deciding_tie_break() -> None:
    sitting = make_sitting()
    play(sitting, [WON, WON, WON], [LOST], [LOST], [LOST], [LOST])
    by_key = {row.entry.key: row.place for row in standings_for(sitting.session.tournament)}
    assert [by_key[key].points for key in "12"] == [0, 0]  # type: ignore[union-attr]
    assert by_key["1"].separated_by == "rounds_won"  # type: ignore[union-attr]


def test_ranks_within_a_class() -> None:
    sitting = make_sitting()
    Entry.objects.filter(number__in=(1, 4)).update(division="有段者")
    play(sitting, [LOST])
    in_class = {
        row.entry.key: row.rank_in_class for row in standings_for(sitting.session.tournament)
    }
    assert in_class == {"2": 1, "5": 1, "3": 3, "6": 3, "4": 1, "1": 2}


def test_entry_without_a_class_has_no_rank_in_class() -> None:
    sitting = make_sitting()
    Entry.objects.filter(number__in=(1, 4)).update(division="")
    play(sitting, [LOST])
    rows = standings_for(sitting.session.tournament)
    assert {row.entry.key for row in rows if row.rank_in_class is None} == {"1", "4"}


def test_points_add_up_over_sessions() -> None:
    tournament = make_tournament()
    entries = make_entries(tournament, 6)
    for _session in range(2):
        session = seating.open_session(tournament, [entries], by=SOMEBODY)
        play(session.sittings.get(), [LOST])
    assert ranks(tournament)[0] == (1, "2", 2)


@pytest.mark.parametrize("tables", [1, 20])
def test_number_of_queries_is_constant(tables: int, django_assert_num_queries: Any) -> None:
    tournament = make_tournament()
    entries = make_entries(tournament, 6 * tables)
    groups = [entries[i : i + 6] for i in range(0, len(entries), 6)]
    for sitting in seating.open_session(tournament, groups, by=SOMEBODY).sittings.all():
        record(sitting)
    with django_assert_num_queries(10):
        standings_for(tournament)


def test_more_than_a_thousand_can_be_ranked() -> None:
    tournament = make_tournament()
    entries = make_entries(tournament, 1002)
    groups = [entries[i : i + 6] for i in range(0, len(entries), 6)]
    seating.open_session(tournament, groups, by=SOMEBODY)
    assert len(standings_for(tournament)) == 1002


def test_gouji_teams_have_totals_of_their_own() -> None:
    sitting = make_sitting(make_tournament("gouji"))
    one, two, three, four, five, six = keys(sitting)
    record(sitting, {"finish": [one, three, five, two, four, six]})
    teams = teams_of(sheets_for(sitting.session.tournament))
    assert [(team.number, team.points, team.has_changed) for team in teams] == [
        (1, 6, False),
        (2, -6, False),
    ]
    changed = [[one, two, three], [four, five, six]]
    record(sitting, {"finish": [one, three, five, two, four, six], "teams": changed}, number=2)
    teams = teams_of(sheets_for(sitting.session.tournament))
    assert [team.has_changed for team in teams] == [True, True]
    assert [entry.key for entry in teams[0].members] == [one, two, three]


def test_partners_have_totals_of_their_own() -> None:
    sitting = make_sitting(make_tournament("gong-zhu", partners=True), players=4)
    record(sitting)
    teams = teams_of(sheets_for(sitting.session.tournament))
    assert [[entry.key for entry in team.members] for team in teams] == [["1", "3"], ["2", "4"]]


def test_games_without_teams_have_no_team_totals() -> None:
    sitting = make_sitting()
    record(sitting)
    assert teams_of(sheets_for(sitting.session.tournament)) == []
    assert teams_of(sheets_for(make_sitting(make_tournament("gouji")).session.tournament)) == []


def test_filter_ignores_width_and_case_of_names() -> None:
    tournament = make_tournament()
    add_entries(tournament, [{"name": "成田　ＫＩＹＯ"}, {"name": "工藤 正"}], by=SOMEBODY)
    rows = standings_for(tournament)
    assert [row.entry.key for row in named_in(rows, "成田kiyo")] == ["1"]


@pytest.mark.django_db
def test_points_of_a_play_off_are_in_seat_order() -> None:
    tournament = cast.make_sitting().session.tournament
    everybody = list(tournament.entries.all())[::-1]
    plan = PlayOffPlan([each.number for each in everybody], rounds=1)
    session = open_play_off(tournament, plan, [everybody], number=2, by=cast.SOMEBODY)
    cast.record(session.sittings.get())
    [play_off] = ranking_facts(tournament).play_offs
    assert list(play_off.points) == ["6", "5", "4", "3", "2", "1"]
