"""An event as one reader sees it; here the current state.

Pages, prints, exports and the API read what they show from an `Event`; `permissions` decides which
one a reader gets. `published_events` has events as they were published.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db.models import Q
from django.utils.functional import cached_property

from tournaments.models import (
    Entry,
    Publication,
    Session,
    Sitting,
    Substitution,
    Tournament,
)
from tournaments.queries import progress
from tournaments.queries.progress import SessionProgress
from tournaments.queries.publications import SEATING_KINDS, is_change
from tournaments.queries.ranking_facts import RankingFacts, ranking_facts
from tournaments.queries.sheets import (
    SeatedTable,
    Sheet,
    sheets_for,
    sheets_of,
    tables_of,
)
from tournaments.queries.standings import Standing, Tally, standings_of, tally_of
from tournaments.queries.substitutions import substitutions_of
from tournaments.queries.team_standings import TeamStanding, team_standings_of


class NotThere(LookupError):
    """A session, table or player is not in the event as this reader sees it; answered 404."""


class Event:
    """The current state of a tournament, as its staff and its tables see it."""

    publication: Publication | None = None

    def __init__(self, tournament: Tournament) -> None:
        """Keep the tournament; everything else is read lazily."""
        self.tournament = tournament

    @cached_property
    def entries(self) -> list[Entry]:
        """Return the players, ordered by number."""
        return list(self.tournament.entries.all())

    @cached_property
    def sessions(self) -> list[SessionProgress]:
        """Return the sessions with their progress."""
        return progress.sessions_of(self.tournament)

    @cached_property
    def sheets(self) -> list[Sheet]:
        """Return all sheets, ordered by session and table."""
        return sheets_for(self.tournament)

    @cached_property
    def substitutions(self) -> Sequence[Substitution]:
        """Return who plays in whose stead, by session."""
        return substitutions_of(self.tournament)

    @cached_property
    def tables(self) -> Sequence[SeatedTable]:
        """Return the players of all tables, by session and table, without reading rounds."""
        sittings = Sitting.objects.filter(session__tournament=self.tournament)
        return tables_of(sittings.order_by("session__number", "number"))

    @cached_property
    def ranking_facts(self) -> RankingFacts:
        """Return all that the standings are derived from."""
        return ranking_facts(
            self.tournament,
            entries=self.entries,
            sheets=self.sheets,
            substitutions=self.substitutions,
        )

    @cached_property
    def standings(self) -> list[Standing]:
        """Return all players in the order of their places."""
        return standings_of(self.ranking_facts)

    @cached_property
    def team_standings(self) -> list[TeamStanding]:
        """Return the teams in the order of their places, from the same facts as the standings."""
        return team_standings_of(self.ranking_facts)

    @cached_property
    def tally(self) -> Tally:
        """Return how many rounds count, are unfinished, and are planned."""
        return tally_of(self.sheets)

    @cached_property
    def as_of(self) -> datetime:
        """Return when something shown last changed: the time of that audit entry."""
        entries = self.tournament.audit_entries.filter(is_change() | Q(kind__in=SEATING_KINDS))
        last = entries.order_by("number").last()
        return last.at if last else self.tournament.created_at

    @property
    def cache_key(self) -> str:
        """Return a text that changes whenever the event does: the last audit entry's digest.

        Empty if there is no audit entry.
        """
        last = self.tournament.audit_entries.order_by("-number").values_list("digest", flat=True)
        return last.first() or ""

    @property
    def mark(self) -> str:
        """Return a text for all that pages show of this event now; empty if there is none.

        Only an event that is shared has one, and only if nothing has changed since its
        tournament's row was read: what is made of it can be shown wherever the mark is the same.
        """
        return ""

    def session(self, number: int) -> tuple[Session, list[Sheet]]:
        """Return a session and the sheets of its tables. Raises `NotThere`."""
        session = self.tournament.sessions.filter(number=number).first()
        if session is None:
            raise NotThere
        return session, sheets_of(session.sittings.all())

    def sheet(self, session: int, table: int) -> Sheet:
        """Return the sheet of one table. Raises `NotThere`."""
        of_session = {"session__tournament": self.tournament, "session__number": session}
        found = sheets_of(Sitting.objects.filter(**of_session, number=table))
        if not found:
            raise NotThere
        return found[0]

    def entry(self, number: int) -> Entry:
        """Return a player by number. Raises `NotThere`."""
        for entry in self.entries:
            if entry.number == number:
                return entry
        raise NotThere


CACHE_SIZE = 4  # scored publications; one with a thousand players takes about 20 MB


class LoadedEvent(Event):
    """An event that holds all its sheets, and finds sessions and tables among them."""

    def session(self, number: int) -> tuple[Session, list[Sheet]]:
        """Return a session and the sheets of its tables. Raises `NotThere`."""
        if number not in self._sessions_by_number:
            raise NotThere
        sheets = [sheet for sheet in self.sheets if sheet.sitting.session.number == number]
        return self._sessions_by_number[number], sheets

    def sheet(self, session: int, table: int) -> Sheet:
        """Return the sheet of one table. Raises `NotThere`."""
        if (session, table) not in self._sheets_by_numbers:
            raise NotThere
        return self._sheets_by_numbers[session, table]

    @property
    def tables(self) -> Sequence[SeatedTable]:
        """Return the players of all tables."""
        return [SeatedTable(each.sitting, each.entries) for each in self.sheets]

    @cached_property
    def sessions(self) -> list[SessionProgress]:
        """Return the sessions with the progress of their sheets."""
        return [
            SessionProgress(session, progress.progress_of_sheets(self.session(number)[1]))
            for number, session in self._sessions_by_number.items()
        ]

    @cached_property
    def _sessions_by_number(self) -> dict[int, Session]:
        """Return the sessions by number, in order."""
        return {each.number: each for each in self.tournament.sessions.order_by("number")}

    @cached_property
    def _sheets_by_numbers(self) -> dict[tuple[int, int], Sheet]:
        """Return the sheets by session number and table number."""
        return {
            (sheet.sitting.session.number, sheet.sitting.number): sheet for sheet in self.sheets
        }
