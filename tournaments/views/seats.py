"""The seats of the newest session, where players find their own by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import SimpleLazyObject

from scoring.ranking.absence import Absence
from tournaments.i18n import romaji
from tournaments.i18n.player_search import Finder, finder_of
from tournaments.models import Entry
from tournaments.permissions import door, rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.queries import schedules
from tournaments.queries.events import Event
from tournaments.queries.name_order import reading_order
from tournaments.queries.schedules import PlannedPlace
from tournaments.queries.seated_tables import tables_in_play
from tournaments.web.public_pages import cached_for_spectators

SEATS_A_PAGE = 500


class PlayerSeat(NamedTuple):
    """A player's seat in the newest session.

    - `table`, `position`: the numbers of table and seat, of the substitute's for who is replaced;
      None without a seat
    - `session`: the number of the session of this seat
    - `romaji`: the folded reading, which a search compares
    - `planned`: the seats in sessions to come, as far as they are public
    - `sits_out`: whether the player was there, but the draw had no seat
    - `is_in_stage`: whether the session is one of the player's, not of a stage of others
    - `plays_for`: whom the player replaces in this seat
    - `substitute`: who plays in the player's stead
    """

    entry: Entry
    table: int | None
    position: int | None
    romaji: str
    planned: Sequence[PlannedPlace] = ()
    session: int | None = None
    sits_out: bool = False
    is_in_stage: bool = True
    plays_for: Entry | None = None
    substitute: Entry | None = None

    @property
    def is_listed(self) -> bool:
        """Return whether the player is shown without a search; players who are away are not."""
        is_seated = self.table is not None and self.substitute is None
        return is_seated or self.sits_out or bool(self.planned)

    @property
    def is_new(self) -> bool:
        """Return whether the player was not drawn for any of the sessions to come."""
        return bool(self.planned) and all(each.is_new for each in self.planned)

    @property
    def text(self) -> str:
        """Return the text that a search compares, besides the number and the romaji."""
        return f"{self.entry.name} {self.entry.reading} {self.entry.club}"

    def is_found(self, finds: Finder) -> bool:
        return finds(self.entry.key, self.text, self.romaji)


@requires(GET=Level.SEATS)
@cached_for_spectators
def seats(request: HttpRequest, slug: str) -> HttpResponse:
    """Show who sits where in the newest session, by reading; `q` in the query searches.

    Up to `SEATS_A_PAGE` players are one page, in which the script searches.
    The page shows no results: the reader may have the right to see seats only.
    """
    tournament = door.tournament_of(request)
    event = rights.event_with_seats(request, tournament, allow_older=True)
    planned = schedules.shown_sessions(tournament)
    session, everybody = newest_seats(event, schedules.places_in(planned))
    typed = request.GET.get("q", "").strip()
    finds = finder_of(typed)
    found = [each for each in everybody if not typed or each.is_found(finds)]
    is_whole = len(everybody) <= SEATS_A_PAGE
    shown = [each for each in found if is_whole or typed or each.is_listed]
    page = Paginator(shown, SEATS_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "tournament": event.tournament,
        "session": session,
        "is_on": tournament.closed_at is None and session in _sessions_on(event),
        "planned": planned,
        "seats": page.object_list,
        "page": page,
        "is_whole": is_whole,
        "is_somebody_shown": any(typed or each.is_listed for each in found),
        "typed": typed,
        "names": SimpleLazyObject(lambda: event.names),
        "folds": romaji.PAGE_FOLDS,
        "has_readings": any(each.entry.reading for each in everybody),
        "sees_event": rights.may_see(request, tournament),
        "rules_fingerprint": event.tournament.rules.fingerprint,
    }
    return render(request, "seats.html", context)


def newest_seats(
    event: Event, planned: Mapping[str, Sequence[PlannedPlace]]
) -> tuple[int | None, list[PlayerSeat]]:
    """Return the number of the session that players look for, or None, and the seats of everybody.

    It is the newest session, unless that is a play-off while another one is on: then it is that
    one, and who has no seat in it may have one in the play-off. Seats are ordered by reading or
    name; the players who are away come last, since only a search shows them. `planned` has each
    player's seats in sessions to come, by key.
    """
    tables = tables_in_play(event.tables)
    newest = _session_looked_for(event)
    substitutions = event.substitutions if newest else ()
    absent = {(each.session_number, each.substitute.key): each.entry for each in substitutions}
    by_entry = {
        entry.number: PlayerSeat(
            entry,
            table.sitting.shown_number,
            position,
            romaji.romaji_of(entry.reading),
            planned.get(entry.key, ()),
            table.sitting.session.number,
            plays_for=absent.get((table.sitting.session.number, entry.key)),
        )
        # The session looked for comes last, so that its seats are kept.
        for table in sorted(tables, key=lambda each: each.sitting.session.number == newest)
        if table.sitting.session.number >= (newest or 0)
        for position, entry in enumerate(table.entries, 1)
    }
    seats, seated = [*by_entry.values()], by_entry.keys()
    others = [entry for entry in event.entries if entry.number not in seated]
    out = event.sitting_out(newest) if newest and others else set()
    reasons = event.absences if newest and others else {}
    substitutes = {
        each.entry.number: each.substitute
        for each in substitutions
        if each.session_number == newest
    }
    for entry in others:
        own = PlayerSeat(
            entry,
            None,
            None,
            romaji.romaji_of(entry.reading),
            planned.get(entry.key, ()),
            sits_out=entry.number in out,
            is_in_stage=reasons.get(entry.key, {}).get(newest or 0) != Absence.NOT_IN_STAGE,
        )
        if substitute := substitutes.get(entry.number):
            own = own._replace(substitute=substitute)
            seat = by_entry.get(substitute.number)
            if seat is not None and seat.plays_for is not None:
                table, position, session = seat.table, seat.position, seat.session
                own = own._replace(table=table, position=position, session=session)
        seats.append(own)
    return newest, sorted(seats, key=_sort_key)


def _session_looked_for(event: Event) -> int | None:
    """See `newest_seats`; None before a session is seated."""
    numbers = {table.sitting.session.number for table in event.tables}
    newest = max(numbers, default=None)
    play_offs = event.tournament.play_off_numbers
    if newest not in play_offs:
        return newest
    return max((_sessions_on(event) & numbers).difference(play_offs), default=newest)


def _sessions_on(event: Event) -> set[int]:
    """Return the numbers of the sessions that are not over."""
    return {each.session.number for each in event.sessions if not each.is_over}


def _sort_key(seat: PlayerSeat) -> tuple[bool, tuple[int, str, str]]:
    """Listed players first, then by reading or name."""
    return not seat.is_listed, reading_order(seat.entry)
