"""Places: shared ranks, tie-breaks and the deciding tie-break."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from scoring import TIE_BREAKS, USUAL_TIE_BREAKS, Place, Result, rank
from scoring.ranking.places import sort_key
from scoring.ranking.tie_breaks import BEST_ROUND, POINTS, WORST_ROUND

# Few and small, so that ties are common.
results = st.lists(st.lists(st.integers(-3, 3), max_size=4).map(tuple), max_size=9).map(
    lambda entries: [Result(f"entry {i}", rounds) for i, rounds in enumerate(entries)]
)


def own_values(place: Place) -> list[tuple[bool, int]]:
    return [sort_key(each) for each in place.values]


def ranks(places: tuple[Place, ...]) -> list[tuple[int | None, str]]:
    return [(place.rank, place.who) for place in places]


def test_default_tie_breaks_are_points_rounds_won_and_best_round() -> None:
    assert [step.code for step in USUAL_TIE_BREAKS] == ["points", "rounds_won", "best_round"]
    shown = Result("A", (13, -1, 0, 4), beside_rounds=-6)
    values = {step.code: step.value(shown) for step in TIE_BREAKS if step.value}
    assert {code: value for code, value in values.items() if value} == {
        "points": 10,
        "rounds_won": 2,
        "best_round": 13,
        "worst_round": -1,
    }


def test_most_points_come_first() -> None:
    places = rank([Result("A", (1, -1)), Result("B", (4, 4)), Result("C", (13,))])
    assert ranks(places) == [(1, "C"), (2, "B"), (3, "A")]
    assert [place.points for place in places] == [13, 8, 0]
    assert [place.rounds_played for place in places] == [1, 2, 2]


def test_no_entries_have_no_places() -> None:
    assert rank([]) == ()


def test_equal_entries_share_a_rank_and_the_next_rank_is_skipped() -> None:
    places = rank([Result("A", (2,)), Result("B", (4,)), Result("C", (4,)), Result("D", (2,))])
    assert ranks(places) == [(1, "B"), (1, "C"), (3, "A"), (3, "D")]
    assert all(place.tied for place in places)


def test_three_may_share_a_rank() -> None:
    places = rank([Result(who, (1, 0)) for who in "ABC"] + [Result("D", (0,))])
    assert ranks(places) == [(1, "A"), (1, "B"), (1, "C"), (4, "D")]
    assert [place.tied for place in places] == [True, True, True, False]


def test_rounds_won_decide_between_equal_points() -> None:
    places = rank([Result("A", (4, -2, 0)), Result("B", (1, 1))])
    assert ranks(places) == [(1, "B"), (2, "A")]
    assert [place.separated_by for place in places] == [None, "rounds_won"]


def test_the_best_round_decides_between_as_many_rounds_won() -> None:
    places = rank([Result("A", (2, 2, -1)), Result("B", (3, 1, -1))])
    assert ranks(places) == [(1, "B"), (2, "A")]
    assert places[1].separated_by == "best_round"
    assert [place.values for place in places] == [(3, 2, 3), (3, 2, 2)]


def test_carried_points_do_not_count_as_rounds() -> None:
    typed = Result("A", (), beside_rounds=9)
    places = rank(
        [typed, Result("B", (4, 1), beside_rounds=-1), Result("C", (4,)), Result("D", (3, 1))]
    )
    assert [
        (p.rank, p.who, p.points, p.rounds_played, p.values, p.separated_by) for p in places
    ] == [
        (1, "A", 9, 0, (9, 0, None), None),
        (2, "B", 4, 2, (4, 2, 4), "points"),
        (3, "D", 4, 2, (4, 2, 3), "best_round"),
        (4, "C", 4, 1, (4, 1, 4), "rounds_won"),
    ]


def test_entry_without_rounds_has_0_points_and_is_below_its_equals() -> None:
    places = rank([Result("A", ()), Result("B", (-1,)), Result("C", (1,)), Result("D", (0,))])
    assert ranks(places) == [(1, "C"), (2, "D"), (3, "A"), (4, "B")]
    assert places[2].separated_by == "best_round"
    assert [place.rank for place in rank([Result("A", ()), Result("B", ())])] == [1, 1]


def test_other_tie_breaks_may_be_chosen() -> None:
    entries = [Result("A", (4, -4)), Result("B", (1, -1))]
    assert ranks(rank(entries)) == [(1, "A"), (2, "B")]
    assert ranks(rank(entries, (POINTS, WORST_ROUND))) == [(1, "B"), (2, "A")]
    assert ranks(rank(entries, (POINTS,))) == [(1, "A"), (1, "B")]
    assert ranks(rank(entries, (BEST_ROUND, POINTS))) == [(1, "A"), (2, "B")]


def test_tie_breaks_have_unique_codes_and_titles() -> None:
    assert len({step.code for step in TIE_BREAKS}) == len(TIE_BREAKS)
    assert len({step.title for step in TIE_BREAKS}) == len(TIE_BREAKS)
    assert set(USUAL_TIE_BREAKS) <= set(TIE_BREAKS)


def test_values_of_tie_breaks_are_points_but_for_counts_and_places() -> None:
    counts = [step.code for step in TIE_BREAKS if step.is_count]
    assert counts == ["rounds_won", "three_deals", "skunks", "juroku"]
    assert [step.code for step in TIE_BREAKS if step.is_place] == ["place_before"]


@given(results)
def test_everybody_has_one_place(entries: list[Result]) -> None:
    assert sorted(place.who for place in rank(entries)) == sorted(e.who for e in entries)


@given(results)
def test_rank_is_one_more_than_the_number_of_better_entries(entries: list[Result]) -> None:
    places = rank(entries)
    for place in places:
        assert place.rank == 1 + sum(own_values(other) > own_values(place) for other in places)
        assert place.tied == (sum(other.values == place.values for other in places) > 1)


@given(results)
def test_deciding_tie_break_is_the_first_difference(
    entries: list[Result],
) -> None:
    codes = [step.code for step in USUAL_TIE_BREAKS]
    for above, below in pairwise(rank(entries)):
        if below.separated_by is None:
            assert (above.rank, above.values) == (below.rank, below.values)
        else:
            at = codes.index(below.separated_by)
            assert above.values[:at] == below.values[:at]
            assert own_values(above)[at] > own_values(below)[at]


@given(results)
def test_order_of_entries_changes_no_rank(entries: list[Result]) -> None:
    forwards = {place.who: place.rank for place in rank(entries)}
    assert forwards == {place.who: place.rank for place in rank(reversed(entries))}
