"""A published event as the public sees it: with current seats where no results are published.

Seats are not results, so they are public at once. A session that was seated after the publication,
or had no recorded facts in it, is shown with its current seats and without rounds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from datetime import datetime
from functools import cached_property

from django.utils.functional import SimpleLazyObject

from tournaments.models import (
    Entry,
    Publication,
    Round,
    Session,
    Sitting,
    SittingTotals,
    Substitution,
    Tournament,
)
from tournaments.models.tournament import number_after_play_offs
from tournaments.queries.events import Event, NotThere
from tournaments.queries.progress import Progress, SessionProgress
from tournaments.queries.publications.events import PublishedEvent
from tournaments.queries.ranking_facts import RankingFacts
from tournaments.queries.seated_tables import SeatedTable, tables_in_play, tables_of
from tournaments.queries.sheets import Sheet, sheet_from, with_earlier
from tournaments.queries.standings import Standing
from tournaments.queries.substitutions import substitutions_of
from tournaments.queries.team_standings import TeamStanding


class EventWithSeats(Event):
    """A published event, and the current seats of sessions without published results."""

    publication: Publication

    def __init__(self, published: PublishedEvent, current: Tournament) -> None:
        """Combine a published event with the tournament's current row.

        The published event is shared by requests and must not be changed.
        """
        super().__init__(copy(published.tournament))
        play_offs = {*published.tournament.play_off_numbers, *current.play_off_numbers}
        self.tournament.play_off_numbers = sorted(play_offs)
        self.publication = published.publication
        self._published_event = published
        self._current = current
        # Read by the pages only that name the stage of a session.
        self.tournament.__dict__["stage_starts"] = SimpleLazyObject(self._stage_starts)

    def _stage_starts(self) -> list[tuple[int | None, str]]:
        """Return the published starts up to the last session with results, then the current ones.

        It may have been confirmed since who goes on, and the first session of the final be seated.
        """
        last = max(self.sessions_with_results, default=0)
        play_offs = self.tournament.play_off_numbers

        def has_opened(first: int | None) -> bool:
            return first is not None and number_after_play_offs(first, play_offs) <= last

        published, current = self._published_event.tournament, self._current
        return [
            *(each for each in published.stage_starts if has_opened(each[0])),
            *(each for each in current.stage_starts if not has_opened(each[0])),
        ]

    @cached_property
    def entries(self) -> list[Entry]:
        """Return the published players, then those who were added since."""
        return [*self._published_event.entries, *self._newcomers]

    @property
    def standings(self) -> list[Standing]:
        return self._published_event.standings

    @property
    def ranking_facts(self) -> RankingFacts:
        return self._published_event.ranking_facts

    @property
    def team_standings(self) -> list[TeamStanding]:
        return self._published_event.team_standings

    @property
    def sessions_played(self) -> Mapping[str, int]:
        return self._published_event.sessions_played

    @property
    def sheets(self) -> list[Sheet]:
        """Return the published sheets, without the sheets that only show current seats."""
        return self._published_event.sheets

    @cached_property
    def substitutions(self) -> Sequence[Substitution]:
        """Return the published substitutions, and the current ones of sessions with current seats.

        Current substitutions of players who are not in this event are left out.
        """
        by_number = {entry.number: entry for entry in self.entries}
        current = [
            Substitution(
                entry=by_number[each.entry.number],
                substitute=by_number[each.substitute.number],
                session_number=each.session_number,
            )
            for each in substitutions_of(self._current)
            if each.session_number in self._sheets_without_rounds
            and {each.entry.number, each.substitute.number} <= by_number.keys()
        ]
        return [*self.results_substitutions, *current]

    @cached_property
    def sessions_with_results(self) -> set[int]:
        """Return the published ones, and those that ended, by then, without any."""
        ended = {
            each.session.number
            for each in self._published_event.sessions
            if each.session.ended_at is not None
        }
        return self._published_event.sessions_with_results | ended

    @property
    def results_substitutions(self) -> Sequence[Substitution]:
        return self._published_event.results_substitutions

    @property
    def has_later_sessions(self) -> bool:
        """Return whether a session without published results is on, to be played, or was played."""
        later = [each.sitting for each in self._current_tables]
        if any(each.session.ended_at is None for each in later) and not self._current.closed_at:
            return True
        return any(
            recorded.objects.filter(sitting__in=[each.pk for each in later]).exists()
            for recorded in (Round, SittingTotals)
        )

    @property
    def as_of(self) -> datetime:
        return self._published_event.as_of

    @property
    def cache_key(self) -> str:
        """Return the published event's key. Anything with current seats must not use it."""
        return self._published_event.cache_key

    @cached_property
    def sessions(self) -> list[SessionProgress]:
        """Return the sessions with published results, then those shown with current seats."""
        with_results = [
            each
            for each in self._published_event.sessions
            if each.session.number in self.sessions_with_results
        ]
        return [
            *with_results,
            *(_progress_without_rounds(sheets) for sheets in self._sheets_without_rounds.values()),
        ]

    @property
    def tables(self) -> Sequence[SeatedTable]:
        sheets = [
            each for each in self.sheets if _session_number(each) in self.sessions_with_results
        ]
        sheets += [
            each for of_session in self._sheets_without_rounds.values() for each in of_session
        ]
        return [SeatedTable(each.sitting, each.entries) for each in sheets]

    def session(self, number: int) -> tuple[Session, list[Sheet]]:
        """Return a session and its sheets, without rounds if only seats are shown.

        Raises `NotThere`.
        """
        if number in self._sheets_without_rounds:
            sheets = self._sheets_without_rounds[number]
            return sheets[0].sitting.session, sheets
        if number not in self.sessions_with_results:
            raise NotThere
        return self._published_event.session(number)

    def shows_only_seats(self, session: int) -> bool:
        return session in self._sheets_without_rounds

    def sheet(self, session: int, table: int) -> Sheet:
        _session_row, sheets = self.session(session)
        for sheet in sheets:
            if sheet.sitting.number == table:
                return sheet
        raise NotThere

    @cached_property
    def _current_tables(self) -> list[SeatedTable]:
        sittings = Sitting.objects.filter(session__tournament=self._current)
        without_results = sittings.exclude(session__number__in=self.sessions_with_results)
        return tables_of(without_results.order_by("session__number", "number"))

    @cached_property
    def _newcomers(self) -> list[Entry]:
        """Return the players who are not published, as they were added since, ordered by number."""
        published = {entry.number for entry in self._published_event.entries}
        return [each for each in self._current.entries.all() if each.number not in published]

    @cached_property
    def _sheets_without_rounds(self) -> dict[int, list[Sheet]]:
        """Return a sheet without rounds for each of `_current_tables`, by session number.

        Players who are published have their published names.
        """
        by_number = {entry.number: entry for entry in self.entries}
        sheets: dict[int, list[Sheet]] = {}
        for table in self._current_tables:
            seated = table.sitting.session
            session = Session(
                pk=seated.number,  # as in `PublishedEvent`; unique within the event
                tournament=self.tournament,
                number=seated.number,
                totals_only=seated.totals_only,
                ended_at=seated.ended_at,
                tied=seated.tied,
                rounds_planned=seated.rounds_planned,
            )
            sitting = Sitting(
                pk=table.sitting.pk,
                session=session,
                number=table.sitting.number,
                token="",
                continues=table.sitting.continues,
                rounds_planned=table.sitting.rounds_planned,
            )
            players = [by_number[entry.number] for entry in table.entries]
            sheets.setdefault(session.number, []).append(sheet_from(sitting, players, []))
        return {number: with_earlier(of_session) for number, of_session in sheets.items()}


def _session_number(sheet: Sheet) -> int:
    return sheet.sitting.session.number


def _progress_without_rounds(sheets: list[Sheet]) -> SessionProgress:
    return SessionProgress(
        sheets[0].sitting.session,
        Progress(tables=len(tables_in_play(sheets)), recorded=0, planned=None),
    )
