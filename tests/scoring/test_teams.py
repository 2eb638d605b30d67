"""Teams: whose points count, and places with ties."""

from hypothesis import given
from hypothesis import strategies as st

from scoring.teams import Counting, Member, TeamPlace, rank_teams

EAST = [Member("A", {1: 5, 2: -4}), Member("B", {1: 1, 2: 6}), Member("C", {2: 2}, other=-1)]
WEST = [Member("D", {1: 3, 2: 3})]
TEAMS = {"East": EAST, "West": WEST}

members = st.lists(
    st.builds(
        Member,
        who=st.uuids().map(str),
        sessions=st.dictionaries(st.integers(1, 4), st.integers(-5, 5)),
        other=st.integers(-2, 0),
    ),
    max_size=5,
)


def points_of(places: tuple[TeamPlace, ...]) -> dict[str, int]:
    return {place.name: place.points for place in places}


def test_all_members_count() -> None:
    assert points_of(rank_teams(TEAMS, Counting.ALL)) == {"East": 9, "West": 6}


def test_the_best_members_count_and_the_others_are_listed_without_points() -> None:
    [east, west] = rank_teams(TEAMS, Counting.BEST, 2)
    assert (east.points, east.members) == (8, (("B", 7), ("A", 1), ("C", None)))
    assert (west.points, west.members) == (6, (("D", 6),))


def test_the_best_of_each_session_count() -> None:
    [east, _west] = rank_teams(TEAMS, Counting.BY_SESSION, 1)
    # Session 1: A's 5; session 2: B's 6; the penalty of C counts in full.
    assert east.points == 10
    assert dict(east.members) == {"A": 5, "B": 6, "C": -1}


def test_adjustments_of_a_team_count_for_it() -> None:
    places = rank_teams(TEAMS, Counting.ALL, adjustments={"East": -4})
    assert [(place.rank, place.name, place.points) for place in places] == [
        (1, "West", 6),
        (2, "East", 5),
    ]


def test_the_better_best_member_decides_between_equal_teams() -> None:
    teams = {
        "Even": [Member("A", {1: 3}), Member("B", {1: 3})],
        "Uneven": [Member("C", {1: 5}), Member("D", {1: 1})],
        "As uneven": [Member("E", {1: 1}), Member("F", {1: 5})],
    }
    places = rank_teams(teams, Counting.ALL)
    assert [(place.rank, place.name, place.tied) for place in places] == [
        (1, "Uneven", True),
        (1, "As uneven", True),
        (3, "Even", False),
    ]


@given(st.dictionaries(st.text(max_size=2), members, max_size=4))
def test_a_team_of_which_all_members_count_has_the_sum_of_their_points(
    teams: dict[str, list[Member]],
) -> None:
    everybody = points_of(rank_teams(teams, Counting.ALL))
    assert everybody == {
        name: sum(member.points for member in each) for name, each in teams.items()
    }
    for counting in (Counting.BEST, Counting.BY_SESSION):
        assert points_of(rank_teams(teams, counting, count=5)) == everybody


@given(st.dictionaries(st.text(max_size=2), members, max_size=4), st.sampled_from(Counting))
def test_the_points_of_a_team_are_those_of_the_members_that_count(
    teams: dict[str, list[Member]], counting: Counting
) -> None:
    for place in rank_teams(teams, counting, count=2):
        assert place.points == sum(points for _who, points in place.members if points is not None)
        assert len(place.members) == len(teams[place.name])


def test_missing_member_is_compared_as_0() -> None:
    """So a second player without points lifts no team above one that has none."""
    alone, with_nothing = [Member("A", {1: 5})], [Member("B", {1: 5}), Member("C", {1: 0})]
    places = rank_teams({"1": alone, "2": with_nothing}, Counting.ALL)
    assert [(place.rank, place.tied) for place in places] == [(1, True), (1, True)]
    with_loss = [Member("D", {1: 5}), Member("E", {1: -1}, other=0)]
    first, second = rank_teams({"1": alone, "2": with_loss}, Counting.ALL, adjustments={"2": 1})
    assert (first.name, second.rank) == ("1", 2)
