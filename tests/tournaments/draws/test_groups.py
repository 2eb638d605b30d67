"""Players of different groups never share a table; each group is drawn as by itself."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournaments.draws.asking import check_legal, draw, no_clock, players
from tournaments import draws
from tournaments.draws import Draw, InvalidRequest, Player, as_document, read_request

SIZES = (5, 6)


def people(*groups: tuple[str, int]) -> list[Player]:
    """Return players numbered from 1; a group is its name and number of players."""
    names = [group for group, count in groups for _ in range(count)]
    return [
        replace(each, group=name) for each, name in zip(players(len(names)), names, strict=True)
    ]


@st.composite
def grouped(choose: st.DrawFn) -> Draw:
    """Draws of groups in any order, of all methods, behind a session of everybody."""
    counts = choose(st.lists(st.integers(5, 14), min_size=1, max_size=4))
    everybody = choose(st.permutations(people(*((f"G{n}", k) for n, k in enumerate(counts)))))
    ids = [player.id for player in everybody]
    pairs = choose(st.lists(st.tuples(*[st.sampled_from(ids)] * 2), max_size=2))
    seed = choose(st.integers(0, 99))
    before = draw([replace(each, group="") for each in everybody], *SIZES, seed=seed, steps=0)
    return draw(
        list(everybody),
        *SIZES,
        seed=seed,
        steps=choose(st.sampled_from([0, 300])),
        history=[tuple(map(tuple, before.sessions[0].tables))],
        sessions=choose(st.integers(1, 2)),
        method=choose(st.sampled_from(["lot", "fewest_repeats", "level", "mixed"])),
        apart=[pair for pair in pairs if _may_be_apart(pair, everybody)],
    )


def _may_be_apart(pair: tuple[str, str], everybody: list[Player]) -> bool:
    """Return whether two differ and are not both of a group with a single table."""
    groups = [player.group for player in everybody if player.id in pair]
    sizes = [sum(each.group == group for each in everybody) for group in groups]
    return len(groups) == 2 and min(sizes) >= 12


@settings(max_examples=60, deadline=None)
@given(grouped())
def test_no_table_mixes_groups_and_each_group_is_legal(drawn: Draw) -> None:
    group_of = {player.id: player.group for player in drawn.request.players}
    for session in drawn.sessions:
        order = []
        for table in session.tables:
            [group] = {group_of[name] for name in table}
            order.append(group)
        assert len(list(dict.fromkeys(order))) == sum(
            one != other for one, other in zip(order, [None, *order], strict=False)
        )  # group by group
        seated = [name for table in session.tables for name in table] + session.sits_out
        assert sorted(seated) == sorted(group_of)
    for group in set(group_of.values()):
        check_legal(_alone(drawn, group))


def _alone(drawn: Draw, group: str) -> Draw:
    """Return the part of a draw that belongs to a group."""
    inside = {player.id for player in drawn.request.players if player.group == group}
    request = replace(
        drawn.request,
        players=[player for player in drawn.request.players if player.id in inside],
        apart=[pair for pair in drawn.request.apart if inside.issuperset(pair)],
    )
    sessions = [
        draws.Session(
            [table for table in each.tables if table[0] in inside],
            [name for name in each.sits_out if name in inside],
        )
        for each in drawn.sessions
    ]
    return replace(drawn, request=request, sessions=sessions)


@settings(max_examples=30, deadline=None)
@given(grouped())
def test_what_is_written_is_drawn_again(drawn: Draw) -> None:
    again = draws.draw(read_request(as_document(drawn.request)), no_clock)
    assert again.as_json() == drawn.as_json()


def test_group_is_drawn_as_by_itself_with_the_next_seed() -> None:
    both = draw(people(("A", 12), ("B", 11)), *SIZES, seed=7)
    parts = [
        draw(people(("A", 12)), *SIZES, seed=7),
        draw(people(("A", 12), ("B", 11))[12:], *SIZES, seed=8),
    ]
    tables = [table for part in parts for table in part.sessions[0].tables]
    assert both.sessions[0].tables == tables
    assert both.quality.repeats == sum(part.quality.repeats for part in parts)
    assert both.quality.bound == sum(part.quality.bound for part in parts)


def test_one_group_is_the_same_as_none() -> None:
    assert draw(people(("A", 17)), seed=3).as_json() == draw(people(("", 17)), seed=3).as_json()


def test_tables_of_those_fixed_are_counted_over_all_groups() -> None:
    drawn = draw(people(("A", 12), ("B", 12)), 6, fixed={"13": 4, "1": 2})
    assert "13" in drawn.sessions[0].tables[3]
    assert "1" in drawn.sessions[0].tables[1]


def test_what_cannot_be_seated_is_told_by_the_tables_of_all_groups() -> None:
    everybody = [replace(each, points=-int(each.id)) for each in people(("A", 12), ("B", 12))]
    circle = [(str(13 + i), str(13 + (i + 1) % 5)) for i in range(5)]  # three tables would do
    changes: list[tuple[dict[str, Any], str]] = [
        ({"apart": circle}, "no tables keep everybody apart"),
        ({"fixed": {"13": 3, "14": 3}, "method": "mixed"}, "at table 3;"),  # of one pot
    ]
    for change, text in changes:
        with pytest.raises(InvalidRequest) as refused:
            draw(everybody, 6, **change)
        assert text in refused.value.problems[0].message


@pytest.mark.parametrize(
    ("change", "at", "text"),
    [
        ({"players": [{"id": "1", "group": 5}, {"id": "2"}]}, "players[0].group", "text"),
        ({"fixed": [{"id": "1", "table": 3}]}, "fixed", "1 to 2"),
        ({"fixed": [{"id": "13", "table": 1}]}, "fixed", "3 to 4"),
        (
            {
                "fixed": [{"id": "13", "table": 3}, {"id": "14", "table": 3}],
                "apart": [["13", "14"]],
            },
            "apart",
            "table 3",
        ),
        ({"sizes": [13], "fixed": []}, "players", "do not fill"),
        ({"steps": None}, "steps", "steps"),
        ({"sizes": None, "tables": [6, 6, 6, 6]}, "tables", "tables"),
    ],
)
def test_groups_that_cannot_be_kept_are_refused(
    change: dict[str, object], at: str, text: str
) -> None:
    rows = [{"id": each.id, "group": each.group} for each in people(("A", 12), ("B", 12))]
    document = {"players": rows, "sizes": [6], "steps": 0, **change}
    with pytest.raises(InvalidRequest) as refused:
        read_request({key: value for key, value in document.items() if value is not None})
    problem = refused.value.problems[0]
    assert problem.at == at
    assert text in problem.message
