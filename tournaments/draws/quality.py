"""The quality of a draw: repeats and their lower bound, clubmates, shares of tables and seats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from math import comb
from typing import Any

from tournaments.draws.bounds import count_meetings, repeats
from tournaments.draws.plan import Plan, Schedule, at_small_tables


@dataclass(frozen=True)
class Quality:
    """The quality of a draw. All but `clubmates` and `apart_broken` include earlier sessions.

    - `meetings`: the number of pairs by their number of meetings
    - `bound`: a lower bound of the repeats; `optimal`: whether the repeats reach it
    - `clubmates`: the number of pairs of one club at one table, over all drawn sessions
    - `apart_broken`: the number of pairs that share a table though they are kept apart
    - `small_table_spread`, `first_seat_spread`: the difference between the players with the most
      and the fewest small tables, and first dealer's seats
    """

    repeats: int
    meetings: dict[int, int]
    bound: int
    optimal: bool
    clubmates: int
    apart_broken: int
    small_table_spread: int
    first_seat_spread: int

    def as_json(self) -> dict[str, Any]:
        return asdict(self) | {"meetings": {str(key): n for key, n in self.meetings.items()}}


def meetings_of(plan: Plan, schedule: Schedule) -> dict[int, int]:
    """Return the number of pairs by number of meetings, earlier sessions included."""
    met = plan.meetings_before + count_meetings(schedule)
    return dict(sorted(Counter(met.values()).items()))


def count_pairs_meeting_again(
    history: Iterable[Sequence[Sequence[str]]],
    tables: Sequence[Sequence[str]],
    met: Iterable[Sequence[str]] = (),
) -> int:
    """Return the number of pairs at these tables who have sat at one table in the history.

    `met` are further pairs who have.

    >>> count_pairs_meeting_again([[["1", "2", "3"]]], [["2", "1"], ["3", "4"]])
    1
    """
    pairs = {pair for session in history for table in session for pair in _pairs_of(table)}
    pairs.update(map(frozenset, met))
    return sum(pair in pairs for table in tables for pair in _pairs_of(table))


def _pairs_of(table: Sequence[str]) -> Iterator[frozenset[str]]:
    return map(frozenset, combinations(table, 2))


def clubmates_of(plan: Plan, schedule: Schedule) -> int:
    """Return the number of pairs of one club at one table, over all sessions of the schedule."""
    club = [player.club for player in plan.request.players]
    return sum(
        comb(members, 2)
        for session in schedule
        for table in session
        for members in Counter(club[player] for player in table if club[player]).values()
    )


def quality_of(plan: Plan, schedule: Schedule) -> Quality:
    """The tables of `schedule` are in seat order."""
    meetings = meetings_of(plan, schedule)
    together = count_meetings(schedule)
    small, first = list(plan.small_tables_before), list(plan.first_seats_before)
    for session in schedule:
        for player in at_small_tables(session):
            small[player] += 1
        for table in session:
            first[table[0]] += 1
    return Quality(
        repeats=repeats(meetings),
        meetings=meetings,
        bound=plan.bound,
        optimal=repeats(meetings) == plan.bound,
        clubmates=clubmates_of(plan, schedule),
        apart_broken=sum(together[min(pair), max(pair)] for pair in plan.apart),
        small_table_spread=_spread(small),
        first_seat_spread=_spread(first),
    )


def quality_of_groups(groups: Sequence[Quality]) -> Quality:
    """Return the quality of groups drawn by themselves: sums, and the largest spread of a group."""
    meetings: Counter[int] = Counter()
    for each in groups:
        meetings.update(each.meetings)
    return Quality(
        repeats=sum(each.repeats for each in groups),
        meetings=dict(sorted(meetings.items())),
        bound=sum(each.bound for each in groups),
        optimal=all(each.optimal for each in groups),
        clubmates=sum(each.clubmates for each in groups),
        apart_broken=sum(each.apart_broken for each in groups),
        small_table_spread=max(each.small_table_spread for each in groups),
        first_seat_spread=max(each.first_seat_spread for each in groups),
    )


def _spread(counts: Sequence[int]) -> int:
    return max(counts) - min(counts)
