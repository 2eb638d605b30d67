"""All that the standings of a tournament are derived from, as one value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import scoring
from tournaments.models import Entry, Substitution, Tournament
from tournaments.queries.sheets import Sheet, sheets_for
from tournaments.queries.substitutions import substitutions_of


class RankingFacts(NamedTuple):
    """The players, ordered by number, all sheets, by session and table, and the ranking rules.

    `substitutions` tell who plays in whose stead, by session.

    What else a ranking depends on becomes a field here: everything that derives, previews or
    publishes standings passes this value on.
    """

    entries: list[Entry]
    sheets: list[Sheet]
    rules: scoring.RankingRules = scoring.USUAL_RANKING
    substitutions: Sequence[Substitution] = ()

    @property
    def steps(self) -> tuple[scoring.TieBreak, ...]:
        """Return the tie-breaks in their order."""
        return scoring.steps_of(self.rules, has_decisions=False)

    @property
    def contest(self) -> scoring.Contest:
        """Return these facts as `scoring` takes them."""
        return scoring.Contest(
            players=[entry.key for entry in self.entries],
            tables=[
                scoring.PlayedTable(
                    sheet.sitting.session.number,
                    sheet.record,
                    sheet.score.rounds,
                    is_typed=sheet.is_totals_only,
                )
                for sheet in self.sheets
            ],
            rules=self.rules,
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
    )
