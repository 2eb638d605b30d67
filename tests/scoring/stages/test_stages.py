"""Stages: quotas, lines with ties, carried points, and the places of all stages together."""

import hashlib

from hypothesis import given
from hypothesis import strategies as st

from scoring.ranking.places import Place, rank, without_ranks
from scoring.ranking.results import Result
from scoring.stages.places import Carry, carried_points, merged_places
from scoring.stages.selection import AtLine, Candidate, Quota, select

DIVISIONS = ("", "dan", "kyu")


@st.composite
def candidates(draw: st.DrawFn) -> list[Candidate]:
    """Draw up to 12 players in the order of their ranks, many of them tied."""
    all_points = sorted(draw(st.lists(st.integers(-3, 3), max_size=12)), reverse=True)
    return [
        Candidate(
            f"player {i}",
            rank=all_points.index(points) + 1,
            points=points,
            division=draw(st.sampled_from(DIVISIONS)),
        )
        for i, points in enumerate(all_points)
    ]


quotas = st.lists(
    st.builds(
        Quota,
        group=st.sampled_from("AB"),
        division=st.sampled_from(DIVISIONS),
        places=st.none() | st.integers(0, 6),
        at_least=st.none() | st.integers(-3, 3),
    ),
    min_size=1,
    max_size=4,
)

FIVE = [
    Candidate("A", 1, 9, "dan"),
    Candidate("B", 2, 7, "kyu"),
    Candidate("C", 2, 7, "dan"),
    Candidate("D", 4, 3, "dan"),
    Candidate("E", 5, 1, "kyu"),
]


def test_quotas_take_the_first_of_each_division() -> None:
    chosen = select(FIVE, [Quota("final", "dan", 2), Quota("final", "kyu", 1)])
    assert (chosen.groups, chosen.tie) == ({"final": ("A", "C", "B")}, None)


def test_the_last_quota_gives_out_wild_cards_to_who_is_left() -> None:
    chosen = select(FIVE, [Quota("final", "dan", 1), Quota("final", "", 3)])
    assert chosen.groups == {"final": ("A", "B", "C", "D")}


def test_a_second_final_takes_the_next() -> None:
    chosen = select(FIVE, [Quota("A final", "", 3), Quota("B final", "", 2)])
    assert (chosen.groups, chosen.tie) == (
        {"A final": ("A", "B", "C"), "B final": ("D", "E")},
        None,
    )


def test_a_score_lets_everybody_pass_who_has_it() -> None:
    assert select(FIVE, [Quota("final", "", None, at_least=3)]).groups == {
        "final": ("A", "B", "C", "D")
    }


def test_a_tie_at_the_line_stays_open_and_with_it_the_quotas_after_it() -> None:
    quotas = [Quota("A final", "", 2), Quota("B final", "", 2)]
    chosen = select(FIVE, quotas)
    assert chosen.groups == {"A final": ("A",), "B final": ()}
    assert chosen.tie == (quotas[0], ("B", "C"), 1)


def test_a_tie_in_one_class_leaves_only_what_depends_on_it_open() -> None:
    tied = [*FIVE, Candidate("F", 5, 1, "dan"), Candidate("G", 4, 3, "kyu")]
    quotas = [Quota("dan", "dan", 2), Quota("kyu", "kyu", 1), Quota("more", "", 1)]
    chosen = select([*tied, Candidate("H", 2, 7, "dan")], quotas)
    assert chosen.groups == {"dan": ("A",), "kyu": ("B",), "more": ()}
    assert chosen.tie == (quotas[0], ("C", "H"), 1)
    assert chosen.undecided == set("CDEFGH")  # the last quota may take any of them


def test_ties_at_several_lines_are_all_told() -> None:
    tied = [*FIVE, Candidate("H", 2, 7, "dan"), Candidate("I", 2, 7, "kyu")]
    quotas = [Quota("dan", "dan", 2), Quota("kyu", "kyu", 1)]
    chosen = select(tied, quotas)
    assert chosen.ties == ((quotas[0], ("C", "H"), 1), (quotas[1], ("B", "I"), 1))
    assert chosen.tie == chosen.ties[0]
    assert chosen.undecided == set("BCHI")


def test_ties_at_the_line_are_settled_as_chosen_beforehand() -> None:
    first_two = [Quota("", "", 2)]
    assert select(FIVE, first_two, AtLine.ALL).groups[""] == ("A", "B", "C")
    assert select(FIVE, first_two, AtLine.NOBODY).groups[""] == ("A",)
    by_seed = {who: hashlib.sha256(f"7 {who}".encode()).hexdigest() for who in "BC"}
    winner = max(by_seed, key=by_seed.__getitem__)  # as in the ranking: the highest is first
    assert select(FIVE, first_two, AtLine.LOT, 7).groups[""] == ("A", winner)
    by_lot = {select(FIVE, first_two, AtLine.LOT, seed).groups[""] for seed in range(20)}
    assert by_lot == {("A", "B"), ("A", "C")}


def test_decided_players_go_on_if_they_are_as_many_as_fit() -> None:
    wanted = [Quota("A final", "", 2), Quota("B final", "", 2)]
    chosen = select(FIVE, wanted, decided={"C"})
    assert (chosen.groups, chosen.tie) == ({"A final": ("A", "C"), "B final": ("B", "D")}, None)
    assert select(FIVE, wanted, decided={"B", "C"}).tie == (wanted[0], ("B", "C"), 1)
    assert select(FIVE, wanted, decided={"E"}).tie == (wanted[0], ("B", "C"), 1)


@given(candidates(), quotas, st.sampled_from(AtLine), st.integers(0, 9))
def test_nobody_goes_on_twice_or_past_somebody_better_of_the_same_division(
    ranked: list[Candidate], wanted: list[Quota], at_line: AtLine, seed: int
) -> None:
    chosen = select(ranked, wanted, at_line, seed)
    going = [who for members in chosen.groups.values() for who in members]
    assert len(going) == len(set(going))
    for quota in wanted if len(wanted) == 1 else ():
        eligible = [
            each
            for each in ranked
            if quota.division in ("", each.division)
            and (quota.at_least is None or each.points >= quota.at_least)
        ]
        assert set(going) <= {each.who for each in eligible}
        worst = max((each.rank for each in eligible if each.who in going), default=0)
        assert all(each.who in going for each in eligible if each.rank < worst)
        if at_line in {AtLine.OPEN, AtLine.NOBODY} and quota.places is not None:
            assert len(going) <= quota.places
        if at_line == AtLine.LOT and quota.places is not None:
            assert len(going) == min(quota.places, len(eligible))


@given(candidates(), quotas, st.integers(0, 9))
def test_the_same_seed_gives_the_same_lot(
    ranked: list[Candidate], wanted: list[Quota], seed: int
) -> None:
    again = select(ranked[::-1], wanted, AtLine.LOT, seed)
    assert set(map(frozenset, again.groups.values())) == set(
        map(frozenset, select(ranked, wanted, AtLine.LOT, seed).groups.values())
    )


@given(st.integers(-999, 999))
def test_carried_points_are_none_half_rounded_up_or_all(points: int) -> None:
    assert carried_points(points, Carry.NONE) == 0
    assert carried_points(points, Carry.ALL) == points
    assert 0 <= 2 * carried_points(points, Carry.HALF) - points <= 1


def _ranked(**points: int) -> tuple[Place, ...]:
    return rank([Result(who, (each,)) for who, each in points.items()])


def test_finalists_stand_above_all_others() -> None:
    heats = (*_ranked(A=9, B=8, C=7, D=7, E=1), *without_ranks(_ranked(F=99)))
    final = _ranked(B=2, C=1)
    places = merged_places([final, heats])
    assert [(place.rank, place.who, place.separated_by) for place in places] == [
        (1, "B", None),
        (2, "C", "points"),
        (3, "A", "stage"),
        (4, "D", "points"),
        (5, "E", "points"),
        (None, "F", None),
    ]
    separates = ["points", "stage", "points", "points", None, None]
    assert [place.separates for place in places] == separates


def test_ties_stay_ties_below_a_final_and_end_where_one_of_the_two_is_in_it() -> None:
    heats = _ranked(A=9, B=7, C=7, D=7)
    places = merged_places([_ranked(B=2), heats])
    assert [(place.rank, place.who, place.tied) for place in places] == [
        (1, "B", False),
        (2, "A", False),
        (3, "C", True),
        (3, "D", True),
    ]


@given(st.lists(st.integers(0, 2), max_size=9), st.sets(st.integers(0, 8)))
def test_everybody_has_one_place_and_ranks_count_who_is_above(
    all_points: list[int], finalists: set[int]
) -> None:
    heats = rank([Result(str(i), (points,)) for i, points in enumerate(all_points)])
    final = rank([Result(str(i), (i % 2,)) for i in sorted(finalists) if i < len(all_points)])
    places = merged_places([final, heats])
    assert sorted(place.who for place in places) == sorted(place.who for place in heats)
    ranks = [place.rank for place in places]
    assert all(rank in (i + 1, ranks[i - 1]) for i, rank in enumerate(ranks))
    assert all(place.tied == (ranks.count(place.rank) > 1) for place in places)
