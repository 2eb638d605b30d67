"""Published events: built from the content of a publication alone, without later changes.

`permissions` decides which readers get a published event; `queries.events` has the current state.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from functools import lru_cache
from itertools import zip_longest
from typing import Any

from django.db.models import Count, Exists, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils.functional import cached_property

import scoring
from scoring.ranking.absence import Absence
from scoring.ranking.results import ADJUSTMENT
from tournaments.models import (
    Acceptance,
    Adjustment,
    Entry,
    Publication,
    Round,
    Session,
    Sitting,
    SittingTotals,
    Stage,
    Substitution,
    TieDecision,
    Tournament,
)
from tournaments.models.tournament import SETTINGS
from tournaments.queries.events import LoadedEvent
from tournaments.queries.plan import plan_of
from tournaments.queries.progress import Progress, TournamentProgress
from tournaments.queries.publications.schema import Progressed, Settings
from tournaments.queries.publications.showing import Showing
from tournaments.queries.ranking_facts import RankingFacts
from tournaments.queries.sheets import Sheet, sheet_from, with_earlier, with_totals
from tournaments.queries.standings import Standing, with_sections, without_place

logger = logging.getLogger(__name__)

NOT_LISTED = "%s is not listed, for it cannot be read: %s; run manage.py verify"
# Exceptions raised by reading a row that was imported or tampered with.
UNREADABLE = (AttributeError, LookupError, TypeError, ValueError)
CACHE_SIZE = 4  # scored publications; one with a thousand players takes about 20 MB


def published_event(publication: Publication, current: Tournament) -> PublishedEvent:
    """Return the event of a publication, scored once and cached.

    `closed_at` and `showing` of its tournament are those of `current`. `publication` must be
    annotated with `is_final`.
    """
    return _cached_published_event(
        publication.pk,
        _published_at=publication.at,
        _content_digest=publication.digest,
        is_final=publication.is_final,
        closed_at=current.closed_at,
        showing=current.showing,
    )


@lru_cache(CACHE_SIZE)
def _cached_published_event(
    publication_pk: int,
    *,
    _published_at: datetime,
    _content_digest: str,
    is_final: bool,
    closed_at: datetime | None,
    showing: str,
) -> PublishedEvent:
    """Return a published event, cached by all arguments; requests must not change it.

    Time and digest only belong to the cache key: after a backup is restored, another publication
    may have the same primary key. `showing` is a `Tournament.Showing`: what the public sees.
    """
    publication = Publication.objects.select_related("tournament").get(pk=publication_pk)
    event = PublishedEvent(publication)
    event.tournament.closed_at, event.tournament.showing = closed_at, showing
    event.publication.is_final = is_final
    return event


def published_progress(tournaments: Iterable[Tournament]) -> dict[int, TournamentProgress]:
    """Return published settings and progress, by primary key of the tournament.

    Tournaments that are not shown as published are left out, and those whose publication cannot be
    read, which is logged. One query reads these parts of the newest publications and counts the
    sessions and tables that are seated now.
    """
    current = {each.pk: each for each in tournaments}
    shown = [pk for pk, each in current.items() if each.showing == Showing.PUBLISHED]
    later = Publication.objects.filter(
        tournament=OuterRef("tournament"), number__gt=OuterRef("number")
    )
    newest = Publication.objects.filter(~Exists(later), tournament__in=shown)
    sessions = Session.objects.filter(tournament=OuterRef("tournament"))
    # A table that goes on with other players is one table.
    tables = Sitting.objects.filter(session__tournament=OuterRef("tournament"), continues=None)
    contents = newest.values_list(
        *("tournament", "content__tournament", "content__progress", "content__stages"),
        _count_per_tournament(sessions, path="tournament"),
        _count_per_tournament(tables, path="session__tournament"),
    )
    by_tournament: dict[int, TournamentProgress] = {}
    for pk, settings, progressed, stages, sessions_now, tables_now in contents:
        try:
            published = _progress_from_content(current[pk], settings, progressed)
            plan = plan_of(
                published.tournament,
                [Stage(**each) for each in stages or ()],
                [n for n in range(1, sessions_now + 1) if n not in current[pk].play_off_numbers],
            )
            is_seated = tables_now <= published.progress.tables
            by_tournament[pk] = published._replace(
                is_more_to_come=plan.sessions_left > 0 or not is_seated
            )
        except UNREADABLE as error:
            logger.warning(NOT_LISTED, current[pk].slug, type(error).__name__)
    return by_tournament


def _count_per_tournament(rows: QuerySet[Any], path: str) -> Coalesce:
    """Return a subquery for the number of these rows, 0 if there are none.

    The rows are already filtered by the outer query's tournament; `path` is their lookup of it.
    """
    counted = rows.order_by().values(path).annotate(counted=Count("pk")).values("counted")
    return Coalesce(Subquery(counted), 0)


def with_readable_rules(tournaments: Iterable[Tournament]) -> list[Tournament]:
    """Return the tournaments whose stored rules are valid; the others are logged and left out."""
    readable = []
    for each in tournaments:
        try:
            each.rules  # noqa: B018  raises if they are invalid
        except UNREADABLE as error:
            logger.warning(NOT_LISTED, each.slug, type(error).__name__)
        else:
            readable.append(each)
    return readable


def _progress_from_content(
    current: Tournament, settings: Any, progressed: Any
) -> TournamentProgress:
    """Return a tournament with its progress, from `tournament` and `progress` of the content.

    `is_more_to_come` is not set yet. Raises one of `UNREADABLE` if a part is malformed or the rules
    are invalid.
    """
    Settings.model_validate(settings)
    progress = Progress(**Progressed.model_validate(progressed).model_dump())
    tournament = _tournament_from_content(current, settings)
    tournament.rules  # noqa: B018  raises if they are invalid
    return TournamentProgress(tournament, progress)


def _tournament_from_content(current: Tournament, settings: Mapping[str, Any]) -> Tournament:
    """Return an unsaved tournament with published settings and the current row's other fields."""
    published = {name: settings[name] for name in SETTINGS if name in settings}
    published["ranking"] = settings.get("ranking", {})  # missing in older publications
    published["held_on"] = date.fromisoformat(settings["held_on"])
    current_fields = ("pk", "slug", "kind", "showing", "closed_at")
    return Tournament(**{name: getattr(current, name) for name in current_fields}, **published)


class PublishedEvent(LoadedEvent):
    """A tournament as published, built from a publication's content.

    Its model instances are not saved. Sittings have their real primary keys, because the API
    addresses them by these; sessions and entries have their numbers.
    """

    publication: Publication

    def __init__(self, publication: Publication) -> None:
        self.publication = publication
        super().__init__(
            _tournament_from_content(publication.tournament, publication.content["tournament"])
        )
        self.tournament.play_off_numbers = [
            each["number"] for each in publication.content["sessions"] if each.get("tied")
        ]
        # Not those of the database, which may have changed since.
        self.tournament.__dict__["stage_starts"] = [
            (each["first_session"], each["name"]) for each in publication.content.get("stages", ())
        ]

    @cached_property
    def entries(self) -> list[Entry]:
        facts = self.publication.content["entries"]
        return [Entry(pk=each["number"], tournament=self.tournament, **each) for each in facts]

    @cached_property
    def ranking_facts(self) -> RankingFacts:
        content = self.publication.content
        return RankingFacts(
            self.entries,
            self.sheets,
            rules=self.tournament.ranking_rules,
            substitutions=self.substitutions,
            withdrawn=self._withdrawn,
            away=self._away,
            adjustments=[self._adjustment(**each) for each in content.get("adjustments", ())],
            decisions=[
                TieDecision(**each) if isinstance(each, dict) else TieDecision(order=each)
                for each in content.get("decisions", ())
            ],
            stages=[
                Stage(tournament=self.tournament, **each) for each in content.get("stages", ())
            ],
        )

    def _adjustment(self, player: int | None = None, **others: Any) -> Adjustment:
        entry = self.entry(player) if player else None
        return Adjustment(tournament=self.tournament, entry=entry, **others)

    @cached_property
    def _withdrawn(self) -> dict[str, int]:
        withdrawals = self.publication.content.get("withdrawn", ())
        return {self.entry(each["player"]).key: each["session"] for each in withdrawals}

    @cached_property
    def _away(self) -> dict[int, dict[str, Absence]] | None:
        """Return who was not there, by session and key; None in older publications."""
        rows = self.publication.content.get("away")
        if rows is None:
            return None
        away: defaultdict[int, dict[str, Absence]] = defaultdict(dict)
        for each in rows:
            away[each["session"]][self.entry(each["player"]).key] = Absence(each["reason"])
        return dict(away)

    @cached_property
    def standings(self) -> list[Standing]:
        """Return the published standings as stored, not derived again; players without place last.

        A place is stored without `separates`, which is `separated_by` of the next place.
        """
        with_place: list[Standing] = []
        withdrawn = self._withdrawn
        stored = self.publication.content["standings"]
        for row, following in zip_longest(stored, stored[1:]):
            fields = dict(row) | {"separates": following["separated_by"] if following else None}
            number, rank_in_class = fields.pop("number"), fields.pop("rank_in_class")
            fields["values"] = tuple(fields["values"])
            fields["lines"] = tuple(map(_line_from_content, fields.get("lines", ())))
            place = scoring.Place(**fields)
            is_withdrawn = place.who in withdrawn
            with_place.append(Standing(self.entry(number), place, rank_in_class, is_withdrawn))
        placed = {row.entry.key for row in with_place}
        rows = with_place + without_place(self.entries, placed, withdrawn)
        return with_sections(rows, self.ranking_facts)

    @cached_property
    def sheets(self) -> list[Sheet]:
        sheets = [
            self._sheet(self._sessions_by_number[session["number"]], table)
            for session in self.publication.content["sessions"]
            for table in session["tables"]
        ]
        return with_earlier(sheets)

    @cached_property
    def substitutions(self) -> Sequence[Substitution]:
        by_number = {entry.number: entry for entry in self.entries}
        return [
            Substitution(
                entry=by_number[each["player"]],
                substitute=by_number[each["substitute"]],
                session_number=each["session"],
            )
            for each in self.publication.content.get("substitutions", ())
        ]

    @property
    def has_later_sessions(self) -> bool:
        """Return whether sessions were seated, and not ended, before anything was recorded."""
        return any(
            each.session.ended_at is None and each.session.number not in self.sessions_with_results
            for each in self.sessions
        )

    @cached_property
    def as_of(self) -> datetime:
        return self.publication.at

    @property
    def cache_key(self) -> str:
        """Return the publication's digest, number and time, and whether it is final."""
        publication = self.publication
        key = f"{publication.digest} {publication.number} {publication.at.isoformat()}"
        return f"{key} final" if publication.is_final else key

    @cached_property
    def _sessions_by_number(self) -> dict[int, Session]:
        """The sessions are unsaved instances."""
        sessions = self.publication.content["sessions"]
        return {each["number"]: _session_from_content(self.tournament, each) for each in sessions}

    @cached_property
    def _sitting_pks(self) -> dict[tuple[int, int], int]:
        """By (session number, table number)."""
        sittings = Sitting.objects.filter(session__tournament=self.publication.tournament_id)
        rows = sittings.values_list("session__number", "number", "pk")
        return {(session, table): pk for session, table, pk in rows}

    def _sheet(self, session: Session, table: Mapping[str, Any]) -> Sheet:
        """Return the scored sheet of a table, given as in the publication's content.

        Its sitting has no primary key if the table was removed since.
        """
        pk = self._sitting_pks.get((session.number, table["number"]))
        continued = table.get("continues")
        sitting = Sitting(
            pk=pk,
            session=session,
            number=table["number"],
            token="",
            continues=Sitting(session=session, number=continued) if continued else None,
            rounds_planned=table.get("rounds_planned"),
        )
        by_number = {entry.number: entry for entry in self.entries}
        rows = [
            _round_from_content(sitting, number, each)
            for number, each in enumerate(table["rounds"], 1)
        ]
        sheet = sheet_from(sitting, [by_number[each] for each in table["players"]], rows)
        totals = table["totals"]
        return with_totals(sheet, SittingTotals(points=totals) if totals is not None else None)


def _line_from_content(content: Sequence[Any]) -> scoring.SumLine:
    """Return a line of a total; earlier versions did not store why a session was missed."""
    line = scoring.SumLine(*content)
    if line.item == ADJUSTMENT:
        return line
    return line._replace(reason=Absence(line.reason or Absence.UNKNOWN))


def _session_from_content(tournament: Tournament, content: Mapping[str, Any]) -> Session:
    """Return an unsaved session; its primary key is its number."""
    ended_at = content.get("ended_at")  # missing in publications of earlier versions
    return Session(
        pk=content["number"],
        tournament=tournament,
        number=content["number"],
        totals_only=content["totals_only"],
        ended_at=datetime.fromisoformat(ended_at) if ended_at is not None else None,
        tied=content.get("tied"),
        rounds_planned=content.get("rounds_planned"),
    )


def _round_from_content(sitting: Sitting, number: int, content: Mapping[str, Any]) -> Round:
    """Return an unsaved round, with an unsaved acceptance if the round was accepted."""
    fields = {**content, "recorded_at": datetime.fromisoformat(content["recorded_at"])}
    is_accepted = fields.pop("accepted")
    row = Round(sitting=sitting, number=number, **fields)
    if is_accepted:
        row.acceptance = Acceptance(round=row)
    return row
