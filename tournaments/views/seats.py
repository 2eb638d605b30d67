"""The seats of the newest session, where players find their own by name."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from tournaments.i18n import romaji
from tournaments.models import Entry
from tournaments.models.people import search_key
from tournaments.permissions import door, rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.queries import schedules, stages
from tournaments.queries.events import Event
from tournaments.queries.schedules import PlannedPlace
from tournaments.queries.sheets import continued_tables
from tournaments.web.public_pages import cached_for_spectators


class PlayerSeat(NamedTuple):
    """A player's table and seat, None for no seat; `romaji` is the folded reading.

    `planned` are the places in sessions to come, where they are shown. `sits_out` tells who is
    there, or expected, but found no seat, from who is away.
    """

    entry: Entry
    table: int | None
    position: int | None
    romaji: str
    planned: Sequence[PlannedPlace] = ()
    sits_out: bool = False

    @property
    def is_listed(self) -> bool:
        """Return whether the player is shown also to who does not search."""
        return self.table is not None or self.sits_out or bool(self.planned)

    @property
    def text(self) -> str:
        """Return what is searched beside number and romaji."""
        return f"{self.entry.name} {self.entry.reading} {self.entry.club}"

    def is_found(self, typed: str) -> bool:
        """Return whether what was typed finds the player; the page's script decides it alike."""
        key, folded = search_key(typed), romaji.fold(typed)
        if key.isdecimal():
            return self.entry.key.startswith(key)
        return key in search_key(self.text) or bool(folded and folded in self.romaji)


@requires(GET=Level.SEATS)
@cached_for_spectators
def seats(request: HttpRequest, slug: str) -> HttpResponse:
    """Show who sits where in the newest session, ordered by reading. Shows no results."""
    event = rights.event_with_seats(request, door.tournament_of(request), allow_older=True)
    planned = schedules.shown_sessions(door.tournament_of(request))
    session, everybody = newest_seats(event, schedules.places_in(planned))
    typed = request.GET.get("q", "").strip()
    context = {
        "tournament": event.tournament,
        "session": session,
        "planned": planned,
        "seats": [each for each in everybody if not typed or each.is_found(typed)],
        "is_somebody_shown": any(
            each.is_found(typed) if typed else each.is_listed for each in everybody
        ),
        "typed": typed,
        "folds": json.dumps(romaji.FOLDS),
        "sees_event": rights.may_see(request, door.tournament_of(request)),
        "rules_fingerprint": event.tournament.rules.fingerprint,
    }
    return render(request, "seats.html", context)


def newest_seats(
    event: Event, planned: Mapping[str, Sequence[PlannedPlace]]
) -> tuple[int | None, list[PlayerSeat]]:
    """Return the newest session's number, None without one, and its seats by reading or name.

    `planned` has each player's places in sessions to come, by key. Those who are away come last:
    they are shown only to whoever searches for them.
    """
    numbers = [table.sitting.session.number for table in event.tables]
    newest = max(numbers, default=None)
    stopped = continued_tables(event.tables)
    found = [
        PlayerSeat(
            entry,
            table.sitting.number,
            position,
            romaji.romaji_of(entry.reading),
            planned.get(entry.key, ()),
        )
        for table in event.tables
        if table.sitting.session.number == newest and (newest, table.sitting.number) not in stopped
        for position, entry in enumerate(table.entries, 1)
    ]
    seated = {seat.entry.number for seat in found}
    others = [entry for entry in event.entries if entry.number not in seated]
    out = stages.sitting_out(event.tournament, newest, seated) if newest and others else set()
    found += [
        PlayerSeat(
            entry,
            None,
            None,
            romaji.romaji_of(entry.reading),
            planned.get(entry.key, ()),
            sits_out=entry.number in out,
        )
        for entry in others
    ]
    return newest, sorted(found, key=_order)


def _order(seat: PlayerSeat) -> tuple[bool, str]:
    """Return the key by which seats are listed."""
    return not seat.is_listed, search_key(seat.entry.reading or seat.entry.name)
