"""Who is among the first: of all, and of each class."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from tournaments.models import Entry
from tournaments.queries.standings import Standing, classes_of

USUAL_PLACES, MOST_PLACES = 3, 100


class Award(NamedTuple):
    """A player's rank in one list, which others may share."""

    rank: int
    entry: Entry
    points: int
    is_tied: bool


class AwardList(NamedTuple):
    """The first places of a class; of all players if `division` is empty."""

    division: str
    awards: list[Award]


def award_lists(rows: Iterable[Standing], places: int) -> list[AwardList]:
    """Return the first places of all, then of each class if there are several; none empty."""
    known = list(rows)
    by_class = first_by_class(known, places)
    lists = [AwardList("", first_of_all(known, places))]
    lists += [AwardList(*each) for each in by_class.items()] if len(by_class) > 1 else []
    return [each for each in lists if each.awards]


def first_of_all(rows: Iterable[Standing], places: int) -> list[Award]:
    """Return who has one of the first places; more players if the last of these is shared."""
    ranked = [(row.place.rank, row) for row in rows if row.place and row.place.rank is not None]
    return _awards(ranked, places)


def first_by_class(rows: Iterable[Standing], places: int) -> dict[str, list[Award]]:
    """Return who has one of the first places in each class, by class; empty without classes."""
    known = list(rows)
    return {
        division: _awards(
            [
                (row.rank_in_class, row)
                for row in known
                if row.entry.division == division and row.rank_in_class is not None
            ],
            places,
        )
        for division in classes_of(known)
    }


def _awards(ranked: list[tuple[int, Standing]], places: int) -> list[Award]:
    shared = Counter(rank for rank, _row in ranked)
    return [
        Award(rank, row.entry, row.place.points if row.place else 0, is_tied=shared[rank] > 1)
        for rank, row in ranked
        if rank <= places
    ]
