"""An announced event as the public sees it: results as announced, later seats as they are now.

Where people sit is no result. A session in which nothing had been recorded when it was announced,
or which has been seated since, shows who sits where at this moment, and nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import cached_property

from tournaments.models import Entry, Publication, Session, Sitting, Tournament
from tournaments.queries.events import Event, NotThere, PublishedEvent
from tournaments.queries.progress import Progress, SessionProgress
from tournaments.queries.sheets import SeatedTable, Sheet, sheet_from, tables_of
from tournaments.queries.standings import Standing


class EventWithSeats(Event):
    """What was announced, and the seats of sessions without announced results."""

    publication: Publication

    def __init__(self, announced: PublishedEvent, present: Tournament) -> None:
        """Take what was announced, which requests share; read the present seats when asked."""
        super().__init__(announced.tournament)
        self.publication = announced.publication
        self._announced = announced
        self._present = present

    @cached_property
    def entries(self) -> list[Entry]:
        """Return the players as announced, and those who have a seat since."""
        return [*self._announced.entries, *self._newcomers]

    @property
    def standings(self) -> list[Standing]:
        """Return the places as they were announced; newcomers have none yet."""
        waiting = [Standing(entry, None, None) for entry in self._newcomers]
        return [*self._announced.standings, *waiting]

    @property
    def sheets(self) -> list[Sheet]:
        """Return every table's sheet as it was announced: what the results are made of."""
        return self._announced.sheets

    @property
    def as_of(self) -> datetime:
        """Return when it was announced."""
        return self._announced.as_of

    @property
    def cache_key(self) -> str:
        """Return that of what was announced: seats are in nothing that is kept by it."""
        return self._announced.cache_key

    @cached_property
    def sessions(self) -> list[SessionProgress]:
        """Return the sessions with results as far as announced, and those that are only seated."""
        with_results = [
            each for each in self._announced.sessions if each.session.number in self._with_results
        ]
        return [*with_results, *(_seated(sheets) for sheets in self._seats.values())]

    @property
    def tables(self) -> Sequence[SeatedTable]:
        """Return who sits at every table."""
        sheets = [each for each in self.sheets if _session(each) in self._with_results]
        sheets += [each for of_session in self._seats.values() for each in of_session]
        return [SeatedTable(each.sitting, each.entries) for each in sheets]

    def session(self, number: int) -> tuple[Session, list[Sheet]]:
        """Return a session and its tables: with their rounds, or who sits there. Or `NotThere`."""
        if number in self._seats:
            sheets = self._seats[number]
            return sheets[0].sitting.session, sheets
        if number not in self._with_results:
            raise NotThere
        return self._announced.session(number)

    def sheet(self, session: int, table: int) -> Sheet:
        """Return the sheet of one table. Raises `NotThere`."""
        _found, sheets = self.session(session)
        for sheet in sheets:
            if sheet.sitting.number == table:
                return sheet
        raise NotThere

    @cached_property
    def _with_results(self) -> set[int]:
        """Return the sessions of which something recorded was announced."""
        return {_session(each) for each in self.sheets if each.rows or each.typed}

    @cached_property
    def _seated_now(self) -> list[SeatedTable]:
        """Return the tables, as they are now, of sessions without announced results."""
        sittings = Sitting.objects.filter(session__tournament=self._present)
        others = sittings.exclude(session__number__in=self._with_results)
        return tables_of(others.order_by("session__number", "number"))

    @cached_property
    def _newcomers(self) -> list[Entry]:
        known = {entry.number for entry in self._announced.entries}
        found = {entry.number: entry for table in self._seated_now for entry in table.entries}
        return [found[number] for number in sorted(found.keys() - known)]

    @cached_property
    def _seats(self) -> dict[int, list[Sheet]]:
        """Return those sessions' tables as sheets without rounds, players named as announced."""
        by_number = {entry.number: entry for entry in self.entries}
        seats: dict[int, list[Sheet]] = {}
        for table in self._seated_now:
            seated = table.sitting.session
            session = Session(
                pk=seated.number,  # as those announced: no two are alike
                tournament=self.tournament,
                number=seated.number,
                totals_only=seated.totals_only,
                ended_at=seated.ended_at,
            )
            sitting = Sitting(
                pk=table.sitting.pk, session=session, number=table.sitting.number, token=""
            )
            players = [by_number[entry.number] for entry in table.entries]
            seats.setdefault(session.number, []).append(sheet_from(sitting, players, []))
        return seats


def _session(sheet: Sheet) -> int:
    return sheet.sitting.session.number


def _seated(sheets: list[Sheet]) -> SessionProgress:
    """Return a session of which only the seats are shown."""
    return SessionProgress(sheets[0].sitting.session, Progress(len(sheets), 0, None))
