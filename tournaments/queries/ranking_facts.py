"""All that the standings of a tournament are derived from, as one value."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import scoring
from scoring.stages.places import Stage as PlayedStage
from tournaments.models import Adjustment, Entry, Stage, Substitution, TieDecision, Tournament
from tournaments.queries.presence import withdrawn_from
from tournaments.queries.progress import progress_of_sheets
from tournaments.queries.sheets import Sheet, sheets_for
from tournaments.queries.substitutions import substitutions_of


class RankingFacts(NamedTuple):
    """The players, ordered by number, all sheets, by session and table, ranking rules and stages.

    - `substitutions`: who plays in whose stead, by session
    - `withdrawn`: the session from which a player takes part no more, by the number as text
    - `adjustments`: those in force, by number
    - `decisions`: the decisions on ties in force, the newest first

    What else a ranking depends on becomes a field here: everything that derives, previews or
    publishes standings passes this value on.
    """

    entries: list[Entry]
    sheets: list[Sheet]
    rules: scoring.RankingRules = scoring.USUAL_RANKING
    substitutions: Sequence[Substitution] = ()
    withdrawn: Mapping[str, int] = MappingProxyType({})
    adjustments: Sequence[Adjustment] = ()
    decisions: Sequence[TieDecision] = ()
    stages: Sequence[Stage] = ()

    @property
    def steps(self) -> tuple[scoring.TieBreak, ...]:
        """Return the tie-breaks in their order."""
        return scoring.steps_of(
            self.rules, play_offs=self.play_offs, decisions=self._scored_decisions
        )

    @property
    def _scored_decisions(self) -> list[scoring.TieDecision]:
        return [each.as_scored() for each in self.decisions]

    @property
    def counting_sheets(self) -> list[Sheet]:
        """Return the sheets of all sessions but play-offs."""
        return [sheet for sheet in self.sheets if not sheet.is_play_off]

    @property
    def play_offs(self) -> list[scoring.PlayOff]:
        """Return the play-offs as `scoring` takes them, the newest first."""
        return play_offs_of(self.sheets)

    @property
    def played_stages(self) -> list[PlayedStage]:
        """Return the stages for which it is confirmed who goes on, as `scoring` takes them."""
        return [stage.as_played() for stage in self.stages if stage.is_confirmed]

    @property
    def contest(self) -> scoring.Contest:
        """Return these facts as `scoring` takes them."""
        counts_missed = self.rules.missed != scoring.USUAL_RANKING.missed
        sheets = self.counting_sheets
        return scoring.Contest(
            players=[entry.key for entry in self.entries],
            tables=[
                scoring.PlayedTable(
                    sheet.sitting.session.number,
                    sheet.record,
                    sheet.score.rounds,
                    is_typed=sheet.is_totals_only,
                )
                for sheet in sheets
            ],
            rules=self.rules,
            sessions_over=sessions_over(sheets) if counts_missed else frozenset(),
            withdrawn=self.withdrawn,
            reserves={entry.key for entry in self.entries if entry.is_substitute},
            substitutes=[
                scoring.Stand(each.session_number, each.entry.key, each.substitute.key)
                for each in self.substitutions
            ],
            adjustments=[
                scoring.PointsAdjusted(each.number, each.entry.key, each.points)
                for each in self.adjustments
                if each.entry is not None
            ],
            play_offs=self.play_offs,
            decisions=self._scored_decisions,
        )


def play_offs_of(sheets: Iterable[Sheet]) -> list[scoring.PlayOff]:
    """Return the play-offs among these sheets, the newest first."""
    by_session: dict[int, list[Sheet]] = defaultdict(list)
    for sheet in sheets:
        if sheet.is_play_off:
            by_session[sheet.sitting.session.number].append(sheet)
    return [_play_off(number, by_session[number]) for number in sorted(by_session, reverse=True)]


def _play_off(number: int, sheets: Sequence[Sheet]) -> scoring.PlayOff:
    tied = frozenset(map(str, sheets[0].sitting.session.tied or ()))
    points: dict[str, int] = defaultdict(int)
    for sheet in sheets:
        for score in sheet.score.rounds:
            for player in tied.intersection(sheet.players) if score.complete else ():
                points[player] += score.points[player]
    return scoring.PlayOff(number, tied, dict(points))


def sessions_over(sheets: Iterable[Sheet]) -> frozenset[int]:
    """Return the numbers of the sessions that are over, as `progress` counts it.

    One without a planned number of rounds is over when it is ended or the next is seated.
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
    """Read the facts of a tournament as they are now; what is given is not read."""
    return RankingFacts(
        entries=list(tournament.entries.all()) if entries is None else entries,
        sheets=sheets_for(tournament) if sheets is None else sheets,
        substitutions=substitutions_of(tournament) if substitutions is None else substitutions,
        rules=tournament.ranking_rules,
        withdrawn=withdrawn_from(tournament),
        adjustments=adjustments_in_force(tournament),
        decisions=decisions_in_force(tournament),
        stages=list(tournament.stages.all()),
    )


def adjustments_in_force(tournament: Tournament) -> list[Adjustment]:
    """Return the adjustments that are not taken back, by number, with their players."""
    found = tournament.adjustments.filter(taken_back_at=None).select_related("entry")
    return list(found.order_by("number"))


def decisions_in_force(tournament: Tournament) -> list[TieDecision]:
    """Return the decisions that are not taken back, the newest first."""
    return list(tournament.tie_decisions.filter(taken_back_at=None).order_by("-number"))
