"""Coordinates of the chart of a running score."""

from itertools import chain, pairwise

from hypothesis import given
from hypothesis import strategies as st

from tournaments.queries.running_score import grid_points, running_score

SESSIONS = st.lists(st.lists(st.integers(-5_000, 5_000), max_size=40), max_size=5)


@given(SESSIONS)
def test_points_lie_within_the_chart(sessions: list[list[int]]) -> None:
    chart = running_score(sessions)
    for point in chart.points:
        assert chart.left <= point.x <= chart.right
        assert chart.top <= point.y <= chart.bottom
    assert all(chart.left <= x <= chart.right for x in chart.breaks)


@given(SESSIONS)
def test_line_starts_at_0_and_follows_the_totals(sessions: list[list[int]]) -> None:
    points = running_score(sessions).points
    assert points[0].total == 0
    assert [point.total for point in points[1:]] == [*chain.from_iterable(sessions)]
    assert len(points) == 1 + sum(map(len, sessions))


@given(SESSIONS)
def test_more_points_are_never_drawn_lower(sessions: list[list[int]]) -> None:
    points = sorted(running_score(sessions).points, key=lambda point: point.total)
    heights = [point.y for point in points]
    assert heights == sorted(heights, reverse=True)


@given(st.integers(-100_000, 100_000), st.integers(0, 100_000))
def test_grid_lines_are_few_evenly_spaced_and_cover_the_range(lowest: int, span: int) -> None:
    ticks = grid_points(lowest, lowest + span)
    assert 2 <= len(ticks) <= 8
    assert len({b - a for a, b in pairwise(ticks)}) == 1
    assert 0 in ticks
    assert ticks[0] <= lowest
    assert ticks[-1] >= lowest + span


@given(SESSIONS)
def test_labels_of_the_x_axis_do_not_overlap(sessions: list[list[int]]) -> None:
    named = [point.x for point in running_score(sessions).points if point.is_named]
    assert len(named) <= 15
    assert all(b - a >= 40 for a, b in pairwise(named))


def test_sessions_are_separated_by_breaks() -> None:
    chart = running_score([[1, 1], [], [1], [1]])
    assert chart.breaks == (chart.points[2].x, chart.points[3].x)
    assert running_score([[1, 1]]).breaks == ()
    assert running_score([]).breaks == ()
