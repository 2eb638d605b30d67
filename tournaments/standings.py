"""From the facts in force to ranked rows. Reads facts in few queries, asks scoring, writes nothing."""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

import scoring
from tournaments.models import Entry, Sitting, Tournament
from tournaments.sheets import Sheet, sheets_of


class Standing(NamedTuple):
    """One entry's row: its place as `scoring.rank` gives it."""

    entry: Entry
    place: scoring.Place


def sheets_for(tournament: Tournament) -> list[Sheet]:
    """Return every sitting's sheet, by session and table."""
    sittings = Sitting.objects.filter(session__tournament=tournament)
    return sheets_of(sittings.order_by("session__number", "number"))


def standings_for(tournament: Tournament, sheets: list[Sheet] | None = None) -> list[Standing]:
    """Return everybody in the order of their places; those who have not played yet come last."""
    rounds: dict[str, list[int]] = defaultdict(list)
    for sheet in sheets_for(tournament) if sheets is None else sheets:
        for score in sheet.score.rounds:
            if score.complete:
                for player, points in score.points.items():
                    rounds[player].append(points)
    entries = {entry.key: entry for entry in tournament.entries.all()}
    results = [scoring.Result(key, tuple(rounds[key])) for key in entries]
    return [Standing(entries[place.who], place) for place in scoring.rank(results)]
