"""An event as one reader sees it: as it is played, or as it was last announced.

Pages, prints, exports and the API read what they show from an `Event`; which one a reader gets is
for `access` to say. A published event is made of the publication alone: of what has been corrected
since, nothing is in it.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from functools import lru_cache
from typing import Any

from django.db.models import Exists, OuterRef
from django.utils.functional import cached_property

import scoring
from tournaments.models import (
    Acceptance,
    Entry,
    Publication,
    Round,
    Session,
    Sitting,
    SittingTotals,
    Tournament,
)
from tournaments.models.tournament import ANNOUNCED
from tournaments.queries import progress
from tournaments.queries.progress import Progress, SessionProgress, TournamentProgress
from tournaments.queries.publications import CHANGING_KINDS, SEATING_KINDS, Showing
from tournaments.queries.published_content import Progressed, Settings
from tournaments.queries.sheets import (
    SeatedTable,
    Sheet,
    sheet_from,
    sheets_of,
    tables_of,
    with_totals,
)
from tournaments.queries.standings import Standing, sheets_for, standings_of

logger = logging.getLogger(__name__)

NOT_LISTED = "%s is not listed, for it cannot be read: %s; run manage.py verify"
# What a row raises that nobody wrote here, or that was touched.
UNREADABLE = (AttributeError, LookupError, TypeError, ValueError)


class NotThere(LookupError):
    """Raised for a session, a table or a player that is not in an event, as its reader sees it."""


class Event:
    """A tournament as it is played: its staff and its tables see it so."""

    publication: Publication | None = None

    def __init__(self, tournament: Tournament) -> None:
        """Read nothing yet."""
        self.tournament = tournament

    @cached_property
    def entries(self) -> list[Entry]:
        """Return the players by number."""
        return list(self.tournament.entries.all())

    @cached_property
    def sessions(self) -> list[SessionProgress]:
        """Return the sessions, each with how far it has come."""
        return progress.sessions_of(self.tournament)

    @cached_property
    def sheets(self) -> list[Sheet]:
        """Return every table's sheet, by session and table."""
        return sheets_for(self.tournament)

    @cached_property
    def tables(self) -> Sequence[SeatedTable]:
        """Return who sits at every table, by session and table: no round is looked at."""
        sittings = Sitting.objects.filter(session__tournament=self.tournament)
        return tables_of(sittings.order_by("session__number", "number"))

    @cached_property
    def standings(self) -> list[Standing]:
        """Return everybody in the order of their places."""
        return standings_of(self.entries, self.sheets)

    @cached_property
    def as_of(self) -> datetime:
        """Return since when it stands as it is shown: the last act that changed something of it."""
        acts = self.tournament.audit_entries.filter(kind__in=CHANGING_KINDS | {*SEATING_KINDS})
        last = acts.order_by("number").last()
        return last.at if last else self.tournament.created_at

    @property
    def cache_key(self) -> str:
        """Return what is another as soon as anything of it is, as it is at this moment.

        It is empty where nothing has left a trace yet.
        """
        last = self.tournament.audit_entries.order_by("-number").values_list("digest", flat=True)
        return last.first() or ""

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


CACHE_SIZE = 4  # publications, each scored; one of a thousand players takes some 20 MB


def published_event(publication: Publication, present: Tournament) -> PublishedEvent:
    """Return the event as this publication announced it, scored the first time it is asked for.

    Of the tournament as it is at present it tells whether it is closed, what everybody sees, and
    whether these are the final results.
    """
    unchanging = (publication.pk, publication.at, publication.digest)
    return _published(
        *unchanging, present.closed_at, present.showing, is_final=publication.is_final
    )


@lru_cache(CACHE_SIZE)
def _published(
    pk: int,
    _at: datetime,
    _digest: str,
    closed_at: datetime | None,
    showing: str,
    *,
    is_final: bool,
) -> PublishedEvent:
    """Return it by all that it is made of: requests share it, and none of them changes it."""
    event = PublishedEvent(Publication.objects.select_related("tournament").get(pk=pk))
    event.tournament.closed_at, event.tournament.showing = closed_at, showing
    event.publication.is_final = is_final
    return event


def announced_progress(tournaments: Iterable[Tournament]) -> dict[int, TournamentProgress]:
    """Return what everybody finds in a list of those that are shown as announced, by primary key.

    One query, which takes no more of the publications than a list shows. One that cannot be read is
    left out, so that the others are listed: `verify` tells what is wrong with it.
    """
    present = {each.pk: each for each in tournaments}
    shown = [pk for pk, each in present.items() if each.showing == Showing.PUBLISHED]
    later = Publication.objects.filter(
        tournament=OuterRef("tournament"), number__gt=OuterRef("number")
    )
    newest = Publication.objects.filter(~Exists(later), tournament__in=shown)
    told = newest.values_list("tournament", "content__tournament", "content__progress")
    found: dict[int, TournamentProgress] = {}
    for pk, said, progressed in told:
        try:
            found[pk] = _as_listed(present[pk], said, progressed)
        except UNREADABLE as error:
            logger.warning(NOT_LISTED, present[pk].slug, type(error).__name__)
    return found


def with_readable_rules(tournaments: Iterable[Tournament]) -> list[Tournament]:
    """Return those of which a list can be made: by rules that there are."""
    found = []
    for each in tournaments:
        try:
            each.rules  # noqa: B018  which raises where they cannot be chosen
        except UNREADABLE as error:
            logger.warning(NOT_LISTED, each.slug, type(error).__name__)
        else:
            found.append(each)
    return found


def _as_listed(present: Tournament, said: Any, progressed: Any) -> TournamentProgress:
    Settings.model_validate(said)
    progress = Progress(**Progressed.model_validate(progressed).model_dump())
    tournament = _as_announced(present, said)
    tournament.rules  # noqa: B018  as above
    return TournamentProgress(tournament, progress)


def _as_announced(present: Tournament, said: Mapping[str, Any]) -> Tournament:
    """Return a tournament by what was announced of it, and what never changes of it."""
    announced = {field: said[field] for field in ANNOUNCED}
    announced["held_on"] = date.fromisoformat(said["held_on"])
    names = ("pk", "slug", "kind", "showing", "closed_at")
    return Tournament(**{name: getattr(present, name) for name in names}, **announced)


class PublishedEvent(Event):
    """A tournament as a publication announced it; everybody sees it so.

    Its rows are made of what was announced and stand in no database. Tables keep their primary
    keys, by which the API addresses them.
    """

    publication: Publication

    def __init__(self, publication: Publication) -> None:
        """Take everything from the publication."""
        self.publication = publication
        super().__init__(_as_announced(publication.tournament, publication.content["tournament"]))

    @cached_property
    def entries(self) -> list[Entry]:
        """Return the players as they were announced."""
        facts = self.publication.content["entries"]
        return [Entry(pk=each["number"], tournament=self.tournament, **each) for each in facts]

    @cached_property
    def sessions(self) -> list[SessionProgress]:
        """Return the sessions as far as they had come."""
        return [
            SessionProgress(session, progress.progress_of_sheets(self.session(session.number)[1]))
            for session in self._sessions.values()
        ]

    @cached_property
    def standings(self) -> list[Standing]:
        """Return the places as they were announced, whatever the rules would make of them today."""
        placed = {}
        for told in self.publication.content["standings"]:
            kept = dict(told)
            number, in_class = kept.pop("number"), kept.pop("rank_in_class")
            place = scoring.Place(**kept | {"values": tuple(kept["values"])})
            placed[number] = Standing(self.entry(number), place, in_class)
        waiting = [each for each in self.entries if each.number not in placed]
        return [*placed.values(), *(Standing(entry, None, None) for entry in waiting)]

    @property
    def tables(self) -> Sequence[SeatedTable]:
        """Return who sat at every table."""
        return [SeatedTable(each.sitting, each.entries) for each in self.sheets]

    @cached_property
    def sheets(self) -> list[Sheet]:
        """Return every table's sheet as it stood."""
        return [
            self._sheet(self._sessions[told["number"]], table)
            for told in self.publication.content["sessions"]
            for table in told["tables"]
        ]

    def session(self, number: int) -> tuple[Session, list[Sheet]]:
        """Return a session that was announced and the sheets of its tables. Raises `NotThere`."""
        if number not in self._sessions:
            raise NotThere
        sheets = [sheet for sheet in self.sheets if sheet.sitting.session.number == number]
        return self._sessions[number], sheets

    def sheet(self, session: int, table: int) -> Sheet:
        """Return the sheet of one table. Raises `NotThere`."""
        if (session, table) not in self._by_place:
            raise NotThere
        return self._by_place[session, table]

    @cached_property
    def _by_place(self) -> dict[tuple[int, int], Sheet]:
        return {
            (sheet.sitting.session.number, sheet.sitting.number): sheet for sheet in self.sheets
        }

    @cached_property
    def as_of(self) -> datetime:
        """Return when it was announced."""
        return self.publication.at

    @property
    def cache_key(self) -> str:
        """Return the digest of what was announced, with its number, moment and name."""
        announced = self.publication
        told = f"{announced.digest} {announced.number} {announced.at.isoformat()}"
        return f"{told} final" if announced.is_final else told

    @cached_property
    def _sessions(self) -> dict[int, Session]:
        sessions = self.publication.content["sessions"]
        return {told["number"]: _session(self.tournament, told) for told in sessions}

    @cached_property
    def _sitting_keys(self) -> dict[tuple[int, int], int]:
        sittings = Sitting.objects.filter(session__tournament=self.publication.tournament_id)
        places = sittings.values_list("session__number", "number", "pk")
        return {(session, table): pk for session, table, pk in places}

    def _sheet(self, session: Session, told: Mapping[str, Any]) -> Sheet:
        pk = self._sitting_keys.get((session.number, told["number"]))
        sitting = Sitting(pk=pk, session=session, number=told["number"], token="")
        by_number = {entry.number: entry for entry in self.entries}
        rows = [_round(sitting, number, each) for number, each in enumerate(told["rounds"], 1)]
        sheet = sheet_from(sitting, [by_number[each] for each in told["players"]], rows)
        totals = told["totals"]
        return with_totals(sheet, SittingTotals(points=totals) if totals is not None else None)


def _session(tournament: Tournament, told: Mapping[str, Any]) -> Session:
    ended_at = told.get("ended_at")  # publications made before tell nothing of it
    return Session(
        pk=told["number"],
        tournament=tournament,
        number=told["number"],
        totals_only=told["totals_only"],
        ended_at=datetime.fromisoformat(ended_at) if ended_at is not None else None,
    )


def _round(sitting: Sitting, number: int, told: Mapping[str, Any]) -> Round:
    kept = {**told, "recorded_at": datetime.fromisoformat(told["recorded_at"])}
    is_accepted = kept.pop("accepted")
    row = Round(sitting=sitting, number=number, **kept)
    if is_accepted:
        row.acceptance = Acceptance(round=row)
    return row
