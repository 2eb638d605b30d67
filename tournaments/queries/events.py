"""Events: tournaments as one reader sees them; here in their current state.

Pages, prints, exports and the API take everything they show from an `Event`; `permissions` decides
which event a reader gets. `publications.events` has published events.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime

from django.db.models import Q
from django.utils.functional import cached_property

from scoring.ranking.absence import Absence
from tournaments.draws.sizes import table_plan
from tournaments.models import (
    Entry,
    Publication,
    Session,
    Sitting,
    Substitution,
    Tournament,
)
from tournaments.queries import progress
from tournaments.queries.plan import Plan
from tournaments.queries.player_names import player_names
from tournaments.queries.presence import competing
from tournaments.queries.progress import SessionProgress
from tournaments.queries.publications.showing import SEATING_KINDS, content_changes
from tournaments.queries.ranking_facts import RankingFacts, ranking_facts
from tournaments.queries.round_points import sessions_played
from tournaments.queries.seated_tables import SeatedTable, tables_of
from tournaments.queries.selection_changes import SelectionChange, selection_changes
from tournaments.queries.sheets import Sheet, in_play_at, sheets_for, sheets_of
from tournaments.queries.standings import (
    Standing,
    Tally,
    standings_of,
    tally_of,
)
from tournaments.queries.substitutions import substitutions_of
from tournaments.queries.team_standings import TeamStanding, team_standings_of


class NotThere(LookupError):
    """A session, table or player is not in the event as this reader sees it; answered with 404."""


def keep_stage_starts(tournament: Tournament, facts: RankingFacts) -> None:
    """Let pages name the stage of a session without reading the stages again."""
    starts = [(each.first_session, each.name) for each in facts.stages]
    tournament.__dict__.setdefault("stage_starts", starts)


class Event:
    """The current state of a tournament, as its staff and its tables see it."""

    publication: Publication | None = None

    def __init__(self, tournament: Tournament) -> None:
        """Everything but the tournament is read when it is first used, and cached."""
        self.tournament = tournament

    @cached_property
    def entries(self) -> list[Entry]:
        """Ordered by number."""
        return list(self.tournament.entries.all())

    @property
    def names(self) -> dict[str, str]:
        """By key; with the number where several have the name. Not cached: readers share events."""
        return player_names(self.entries)

    @cached_property
    def players(self) -> list[Entry]:
        """Return the entries without substitutes, ordered by number."""
        return competing(self.entries)

    @cached_property
    def sessions(self) -> list[SessionProgress]:
        return progress.sessions_of(self.tournament)

    @cached_property
    def plan(self) -> Plan:
        """Return the plan: the stages and their sessions, seated and to come."""
        return progress.plan_with(self.tournament, self.ranking_facts.stages, self.sessions)

    @cached_property
    def sheets(self) -> list[Sheet]:
        """Ordered by session and table."""
        return sheets_for(self.tournament)

    @cached_property
    def substitutions(self) -> Sequence[Substitution]:
        """Ordered by session and number of the absent player."""
        return substitutions_of(self.tournament)

    @cached_property
    def tables(self) -> Sequence[SeatedTable]:
        """Ordered by session and table; reads no rounds."""
        sittings = Sitting.objects.filter(session__tournament=self.tournament)
        return tables_of(sittings.order_by("session__number", "number"))

    @property
    def usual_table_size(self) -> int | None:
        """Return the size of most tables: of those of the last session, or of the proposed ones.

        The larger one of two that are as frequent. None without players.
        """
        allowed = self.tournament.table_sizes
        last = self.tables[-1].sitting.session_id if self.tables else None
        seated = [len(each.entries) for each in self.tables if each.sitting.session_id == last]
        sizes = [size for size in seated if size in allowed]
        counts = Counter(sizes or table_plan(len(self.players), allowed).mix)
        return max(counts, key=lambda size: (counts[size], size), default=None)

    @cached_property
    def sessions_with_results(self) -> set[int]:
        """Return the numbers of the sessions in which a round or total is recorded."""
        return {
            each.sitting.session.number for each in self.sheets if each.rows or each.typed_totals
        }

    @cached_property
    def results_substitutions(self) -> Sequence[Substitution]:
        """Return the substitutions shown beside results: those of sessions with results."""
        played = self.sessions_with_results
        return [each for each in self.substitutions if each.session_number in played]

    @property
    def has_later_sessions(self) -> bool:
        """Return whether sessions are played or to be played that the publication lacks.

        It is asked only of a publication that is not final.
        """
        return False

    def shows_only_seats(self, session: int) -> bool:
        """Return whether a session's rounds are left out, as they are not public yet."""
        return False

    @cached_property
    def ranking_facts(self) -> RankingFacts:
        facts = ranking_facts(
            self.tournament,
            entries=self.entries,
            sheets=self.sheets,
            substitutions=self.substitutions,
        )
        keep_stage_starts(self.tournament, facts)
        return facts

    @cached_property
    def standings(self) -> list[Standing]:
        """Players without a place come last."""
        return standings_of(self.ranking_facts)

    @cached_property
    def selection_changes(self) -> list[SelectionChange]:
        """Return the confirmed stages to which others would go on by now."""
        return selection_changes(self.ranking_facts)

    @cached_property
    def team_standings(self) -> list[TeamStanding]:
        """Teams without a place come last."""
        return team_standings_of(self.ranking_facts)

    @cached_property
    def sessions_played(self) -> Mapping[str, int]:
        """By key of the player."""
        return sessions_played(self.ranking_facts)

    @cached_property
    def absences(self) -> Mapping[str, Mapping[int, Absence]]:
        """By key of the player and session number; empty at a club table."""
        is_club_table = self.tournament.kind == Tournament.Kind.TABLE
        return {} if is_club_table else self.ranking_facts.absences

    def sitting_out(self, session: int) -> set[int]:
        """Return the numbers of the players who were there, but for whom the draw had no seat.

        Instead of a player whom a substitute was to replace, the substitute.
        """
        substitutes = {
            each.entry.key: each.substitute
            for each in self.substitutions
            if each.session_number == session
        }
        return {
            substitutes.get(entry.key, entry).number
            for entry in self.entries
            if self.absences.get(entry.key, {}).get(session) == Absence.SAT_OUT
        }

    @cached_property
    def tally(self) -> Tally:
        return tally_of(self.sheets)

    @cached_property
    def as_of(self) -> datetime:
        """Return the time of the last audit entry that changed results or seats.

        Without such an entry, return when the tournament was created.
        """
        changes = self.tournament.audit_entries.filter(
            content_changes() | Q(kind__in=SEATING_KINDS)
        )
        last = changes.order_by("number").last()
        return last.at if last else self.tournament.created_at

    @property
    def cache_key(self) -> str:
        """Return the digest of the last audit entry, under which derived files are cached.

        It changes whenever the event changes. Empty without audit entries.
        """
        last = self.tournament.audit_entries.order_by("-number").values_list("digest", flat=True)
        return last.first() or ""

    @property
    def parts_cache_key(self) -> str:
        """Return the key under which parts of pages made from this event may be cached.

        Empty here: those parts must not be cached. Only `CurrentEvent` has a mark.
        """
        return ""

    def session(self, number: int) -> tuple[Session, list[Sheet]]:
        """Raises `NotThere`."""
        session = self.tournament.sessions.filter(number=number).first()
        if session is None:
            raise NotThere
        return session, sheets_of(session.sittings.all())

    def sheet(self, session: int, table: int) -> Sheet:
        """Raises `NotThere`."""
        of_session = {"session__tournament": self.tournament, "session__number": session}
        sheets = sheets_of(Sitting.objects.filter(**of_session, number=table))
        if not sheets:
            raise NotThere
        return sheets[0]

    def table(self, session: int, table: int) -> Sheet:
        """Return the sheet of those who play now at the table of this sitting. Raises `NotThere`.

        Others may have played there before: `Sheet.earlier`.
        """
        return in_play_at(self.sheet(session, table), self.session(session)[1])

    def entry(self, number: int) -> Entry:
        """Raises `NotThere`."""
        for entry in self.entries:
            if entry.number == number:
                return entry
        raise NotThere


class LoadedEvent(Event):
    """An event whose sheets are all in memory: sessions and tables are looked up among them."""

    def session(self, number: int) -> tuple[Session, list[Sheet]]:
        if number not in self._sessions_by_number:
            raise NotThere
        sheets = [sheet for sheet in self.sheets if sheet.sitting.session.number == number]
        return self._sessions_by_number[number], sheets

    def sheet(self, session: int, table: int) -> Sheet:
        if (session, table) not in self._sheets_by_session_and_table:
            raise NotThere
        return self._sheets_by_session_and_table[session, table]

    @property
    def tables(self) -> Sequence[SeatedTable]:
        return [SeatedTable(each.sitting, each.entries) for each in self.sheets]

    @cached_property
    def sessions(self) -> list[SessionProgress]:
        return [
            SessionProgress(session, progress.progress_of_sheets(self.session(number)[1]))
            for number, session in self._sessions_by_number.items()
        ]

    @cached_property
    def _sessions_by_number(self) -> dict[int, Session]:
        return {each.number: each for each in self.tournament.sessions.order_by("number")}

    @cached_property
    def _sheets_by_session_and_table(self) -> dict[tuple[int, int], Sheet]:
        return {
            (sheet.sitting.session.number, sheet.sitting.number): sheet for sheet in self.sheets
        }
