"""Whatever is asked for, the draw is legal, and the same again for the same request."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournaments.draws.asking import check_legal, draw, no_clock, played, players
from tournaments import draws
from tournaments.draws import Draw, InvalidRequest, Player, Request

ROOT = Path(__file__).resolve().parents[3]
FIGURES = [
    (12, (6,), 3, 36),
    (24, (6,), 4, 48),
    (30, (6,), 4, 30),
    (36, (6,), 3, 0),
    (34, (5, 6), 4, 0),
    (60, (6,), 6, 0),
    (342, (6,), 8, 0),
    (1000, (6,), 8, 0),
]


@pytest.mark.parametrize(("people", "sizes", "sessions", "repeats"), FIGURES)
def test_the_figures_are_reached(
    people: int, sizes: tuple[int, ...], sessions: int, repeats: int
) -> None:
    drawn = draw(people, *sizes, sessions=sessions, seed=1, steps=12_000_000)
    check_legal(drawn)
    assert drawn.quality.repeats == drawn.quality.bound == repeats
    assert drawn.quality.optimal
    assert drawn.steps is None


def test_34_players_share_the_small_tables_as_evenly_as_no_repeat_allows() -> None:
    drawn = draw(34, 5, 6, sessions=4, seed=1, steps=0)
    assert (drawn.quality.repeats, drawn.quality.small_table_spread) == (0, 2)


@st.composite
def drawn_ones(choose: st.DrawFn) -> Draw | None:
    """Draws of all methods, behind a history, with clubs, standings, sit-outs and constraints."""
    count = choose(st.integers(6, 40))
    texts = st.sampled_from(["", "A", "B", "C"])
    people = [
        Player(str(i), choose(texts), choose(st.integers(0, 9)), choose(st.integers(0, 2)))
        for i in range(count)
    ]
    ids = st.sampled_from([player.id for player in people])
    pairs = choose(st.lists(st.tuples(ids, ids).filter(lambda p: p[0] < p[1]), max_size=4))
    pairs_met = st.tuples(ids, ids | st.just("gone")).filter(lambda p: p[0] != p[1])
    sizes = choose(st.sampled_from([(4,), (5, 6), (4, 5), (3, 5), (6,)]))
    fixed = choose(st.dictionaries(ids, st.just(1), max_size=2))
    pairs = [pair for pair in pairs if not fixed.keys() >= {*pair}]  # who cannot be kept apart
    seed = choose(st.integers(0, 10**9))
    before = played(draw([*people[1:], Player("gone")], *sizes, seed=seed, sessions=2, steps=0))
    try:
        return draw(
            people,
            *sizes,
            seed=seed,
            steps=choose(st.sampled_from([0, 500, 3000])),
            history=before[: choose(st.integers(0, 2))],
            met=choose(st.lists(pairs_met, max_size=9)),
            sessions=choose(st.integers(1, 4)),
            method=choose(st.sampled_from(["lot", "fewest_repeats", "level", "mixed"])),
            apart=list(dict.fromkeys(pairs)),
            fixed=fixed,
            clubs=choose(st.booleans()),
        )
    except InvalidRequest:
        return None


@settings(max_examples=60, deadline=None)
@given(drawn_ones())
def test_every_draw_is_legal(drawn: Draw | None) -> None:
    if drawn is not None:
        check_legal(drawn)
        check_quality(drawn)


def check_quality(drawn: Draw) -> None:
    """Compare the quality with meetings that are counted in another way."""
    here = {player.id for player in drawn.request.players}
    sessions = [*drawn.request.history, *played(drawn)]
    together = [frozenset(each) for session in [*sessions, drawn.request.met] for each in session]
    meetings = {
        (one, other): sum(one in each and other in each for each in together)
        for one, other in combinations(sorted(here), 2)
    }
    assert drawn.quality.repeats == sum(n * (n - 1) // 2 for n in meetings.values())
    assert sum(drawn.quality.meetings.values()) == sum(n > 0 for n in meetings.values())


def test_the_same_seed_draws_the_same() -> None:
    assert draw(40, 5, sessions=3, seed=7) == draw(40, 5, sessions=3, seed=7)
    assert draw(40, 5, seed=7).sessions != draw(40, 5, seed=8).sessions


def test_a_search_that_time_ended_is_repeated_by_its_steps() -> None:
    seconds = iter(range(1000))
    everybody = players(20)
    request = Request(everybody, sizes=[4], sessions=6, seed=3, seconds=20)
    ended = draws.draw(request, lambda: float(next(seconds)))
    assert ended.steps
    assert "20.0 s" in ended.how
    again = draws.draw(replace(request, steps=ended.steps), no_clock)
    assert again.sessions == ended.sessions
    assert again.quality == ended.quality


def test_a_search_that_is_stopped_gives_its_best() -> None:
    request = Request(players(20), sizes=[4], sessions=6, seed=3)
    stopped = draws.draw(request, no_clock, lambda steps, _cost: steps < 5000)
    check_legal(stopped)
    assert stopped.steps
    assert stopped.steps >= 5000


def test_hashes_of_texts_change_nothing() -> None:
    request = {
        "players": [{"id": f"選手{i}", "club": "ABC"[i % 3]} for i in range(26)],
        "sizes": [5, 6],
        "sessions": 5,
        "apart": [["選手1", "選手2", "選手3"]],
        "seed": 5,
        "steps": 30_000,
    }
    answers = {
        subprocess.run(
            [sys.executable, "manage.py", "draw", "-"],
            input=json.dumps(request).encode(),
            stdout=subprocess.PIPE,
            cwd=ROOT,
            env=os.environ | {"PYTHONHASHSEED": seed},
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(answers) == 1


def test_lots_are_fair() -> None:
    """Over many draws every player has every seat about equally often."""
    counts = [[0] * 12 for _ in range(12)]
    for seed in range(3000):
        seated = draw(12, 6, method="lot", seed=seed, clubs=False).sessions[0].tables
        for seat, name in enumerate(name for table in seated for name in table):
            counts[int(name) - 1][seat] += 1
    assert all(180 < count < 330 for row in counts for count in row)
