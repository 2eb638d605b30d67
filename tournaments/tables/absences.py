"""The sessions that players did not play (出なかった回戦) in a workbook."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext_lazy as _

from scoring.ranking.absence import Absence
from tournaments.i18n.ranking import ABSENCES
from tournaments.i18n.session_names import session_name
from tournaments.i18n.stages import stage_of_session
from tournaments.models import Tournament
from tournaments.queries.stages import StageStandings
from tournaments.queries.standings import Standing
from tournaments.tables.columns import Column, NumberColumn, PlainTable, PointsColumn


class AbsencesTable(PlainTable):
    """A row for each player and session not played: why, and the points that it counts as."""

    number = NumberColumn(_("Number"))
    name = Column(_("Name"))
    session = Column(_("Session"))
    reason = Column(_("Reason"))
    points = PointsColumn(_("Points"))

    def __init__(
        self,
        standings: Sequence[Standing],
        absences: Mapping[str, Mapping[int, Absence]],
        tournament: Tournament,
        stages: Sequence[StageStandings] = (),
    ) -> None:
        """`stages` are those in which a session not played counts, if there are several."""
        rows = [*standings, *(row for each in stages for row in each.rows)]
        missed = {
            (row.entry.key, line.session): line.points
            for row in rows
            if row.place
            for line in row.place.lines
        }
        super().__init__(
            [
                {
                    "number": each.entry.number,
                    "name": each.entry.name,
                    "session": _session_in_stage(session, tournament),
                    "reason": str(ABSENCES[reason]),
                    "points": missed.get((each.entry.key, session)),
                }
                for each in standings
                for session, reason in absences.get(each.entry.key, {}).items()
                if reason != Absence.NOT_IN_STAGE
            ]
        )


def _session_in_stage(session: int, tournament: Tournament) -> str:
    """Return the name of a session with that of its stage, if there are several."""
    name = session_name(session, tournament.play_off_numbers)
    return " ".join(filter(None, (name, stage_of_session(session, tournament))))
