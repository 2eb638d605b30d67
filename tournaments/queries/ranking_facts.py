"""The facts from which the standings of a tournament are derived, as one value."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from django.utils.functional import cached_property

import scoring
from scoring.ranking.absence import Absence
from scoring.stages.places import Stage as PlayedStage
from scoring.stages.places import absences_by_session
from tournaments.models import Adjustment, Entry, Stage, Substitution, TieDecision, Tournament
from tournaments.queries.presence import away_from
from tournaments.queries.progress import progress_of_sheets
from tournaments.queries.sheets import Sheet, sheets_for
from tournaments.queries.substitutions import substitutions_of


@dataclass(frozen=True, eq=False)
class RankingFacts:
    """Everything on which a ranking depends. What is derived from it is derived once.

    - `entries`: the players, ordered by number
    - `sheets`: the sheets of all tables, ordered by session and table
    - `substitutions`: ordered by session
    - `withdrawn`: the session from which a player does not take part, by the player's key
    - `away`: by session and key, why other players were not there; None if that is not known
    - `adjustments`: those in force, ordered by number
    - `decisions`: the decisions on ties that are in force, the newest first
    - `stages`: the stages after the first, confirmed or not, ordered by number

    Everything that derives, previews or publishes standings passes this value on, so a new fact
    only needs a new field.
    """

    entries: list[Entry]
    sheets: list[Sheet]
    rules: scoring.RankingRules = scoring.USUAL_RANKING
    substitutions: Sequence[Substitution] = ()
    withdrawn: Mapping[str, int] = field(default_factory=dict)
    away: Mapping[int, Mapping[str, Absence]] | None = field(default_factory=dict)
    adjustments: Sequence[Adjustment] = ()
    decisions: Sequence[TieDecision] = ()
    stages: Sequence[Stage] = ()

    @cached_property
    def steps(self) -> tuple[scoring.TieBreak, ...]:
        """Return the tie-breaks in their order, also those for play-offs and decisions if any."""
        return scoring.steps_of(
            self.rules, play_offs=self.play_offs, decisions=self._scored_decisions
        )

    @cached_property
    def _scored_decisions(self) -> list[scoring.TieDecision]:
        """The newest first."""
        return [each.as_scored() for each in self.decisions]

    @cached_property
    def counting_sheets(self) -> list[Sheet]:
        """Without the sheets of play-offs."""
        return [sheet for sheet in self.sheets if not sheet.is_play_off]

    @cached_property
    def play_offs(self) -> list[scoring.PlayOff]:
        """The newest first."""
        return play_offs_of(self.sheets)

    @cached_property
    def played_stages(self) -> list[PlayedStage]:
        return [stage.as_played() for stage in self.confirmed_stages]

    @cached_property
    def confirmed_stages(self) -> list[Stage]:
        """Without the first stage."""
        return [stage for stage in self.stages if stage.is_confirmed]

    @cached_property
    def contest(self) -> scoring.Contest:
        """Return these facts without stages as an object of `scoring`.

        Adjustments of teams are left out: they do not belong to players.
        """
        sheets = self.counting_sheets
        return scoring.Contest(
            players=[entry.key for entry in self.entries],
            tables=[
                scoring.PlayedTable(
                    sheet.sitting.session.number,
                    sheet.record,
                    sheet.score.rounds,
                    has_typed_totals=sheet.is_totals_only,
                )
                for sheet in sheets
            ],
            rules=self.rules,
            sessions_over=sessions_over(sheets),
            withdrawn=self.withdrawn,
            away=self.away,
            reserves={entry.key for entry in self.entries if entry.is_substitute},
            substitutes=[
                scoring.Substitution(each.session_number, each.entry.key, each.substitute.key)
                for each in self.substitutions
            ],
            adjustments=[
                scoring.Adjustment(each.number, each.entry.key, each.points)
                for each in self.adjustments
                if each.entry is not None
            ],
            play_offs=self.play_offs,
            decisions=self._scored_decisions,
        )

    @cached_property
    def absences(self) -> dict[str, dict[int, Absence]]:
        """By key of the player and session number."""
        return absences_by_session(self.contest, self.played_stages)


def play_offs_of(sheets: Iterable[Sheet]) -> list[scoring.PlayOff]:
    """The newest first."""
    by_session: dict[int, list[Sheet]] = defaultdict(list)
    for sheet in sheets:
        if sheet.is_play_off:
            by_session[sheet.sitting.session.number].append(sheet)
    return [_play_off(number, by_session[number]) for number in sorted(by_session, reverse=True)]


def _play_off(number: int, sheets: Sequence[Sheet]) -> scoring.PlayOff:
    """Return a play-off with the points of the tied players in its complete rounds.

    Players who only fill the tables get no points.
    """
    tied = frozenset(map(str, sheets[0].sitting.session.tied or ()))
    points: dict[str, int] = defaultdict(int)
    for sheet in sheets:
        for score in sheet.score.rounds:
            # In seat order: a set has another order in each process, and so would a workbook.
            for player in sheet.players if score.complete else ():
                if player in tied:
                    points[player] += score.points[player]
    return scoring.PlayOff(number, tied, dict(points))


def sessions_over(sheets: Iterable[Sheet]) -> frozenset[int]:
    """Return the numbers of the sessions that are over.

    A session is over if the desk ended it or all its planned rounds are complete. Without a planned
    number of rounds, a session is also over once a later session is seated.
    """
    by_session: dict[int, list[Sheet]] = defaultdict(list)
    for sheet in sheets:
        by_session[sheet.sitting.session.number].append(sheet)
    last = max(by_session, default=0)
    return frozenset(
        number
        for number, tables in by_session.items()
        if tables[0].sitting.session.ended_at is not None
        or (counted := progress_of_sheets(tables)).is_complete
        or (counted.planned is None and number < last)
    )


def ranking_facts(
    tournament: Tournament,
    *,
    entries: list[Entry] | None = None,
    sheets: list[Sheet] | None = None,
    substitutions: Sequence[Substitution] | None = None,
) -> RankingFacts:
    """Arguments that are given are not read from the database."""
    sheets = sheets_for(tournament) if sheets is None else sheets
    entries = list(tournament.entries.all()) if entries is None else entries
    away = away_from(tournament, sessions_of(sheets), entries)
    return RankingFacts(
        entries=entries,
        sheets=sheets,
        substitutions=substitutions_of(tournament) if substitutions is None else substitutions,
        rules=tournament.ranking_rules,
        withdrawn=away.withdrawn,
        away=away.by_session,
        adjustments=adjustments_in_force(tournament),
        decisions=decisions_in_force(tournament),
        stages=list(tournament.stages.all()),
    )


def sessions_of(sheets: Iterable[Sheet]) -> frozenset[int]:
    """Return the numbers of the sessions of these sheets but play-offs."""
    return frozenset(sheet.sitting.session.number for sheet in sheets if not sheet.is_play_off)


def adjustments_in_force(tournament: Tournament) -> list[Adjustment]:
    """Ordered by number, with their entries."""
    rows = tournament.adjustments.filter(taken_back_at=None).select_related("entry")
    return list(rows.order_by("number"))


def decisions_in_force(tournament: Tournament) -> list[TieDecision]:
    """The newest first."""
    return list(tournament.tie_decisions.filter(taken_back_at=None).order_by("-number"))
