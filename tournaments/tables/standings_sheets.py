"""The standings in a workbook: a column for each session, and totals that the workbook computes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from tournaments.i18n.session_names import session_name
from tournaments.models import Substitution, Tournament
from tournaments.queries.sections import Section
from tournaments.queries.standings import Standing
from tournaments.tables.columns import Column, PointsColumn, Total
from tournaments.tables.standings import StandingsTable

BESIDE_SESSIONS = ("carried", "missed", "adjusted")  # columns of points that belong to no session
PointsBySession = Mapping[str, Mapping[int, int]]  # by key of the player


class SessionColumn(PointsColumn):
    def __init__(self, title: str, session: int, points: PointsBySession) -> None:
        super().__init__(title, accessor="entry__key")
        self.session, self.points = session, points

    def value(self, value: Any) -> int | None:
        """Return the points of the player with this key; None without a complete round."""
        return self.points.get(value, {}).get(self.session)


class StandingsSheetTable(StandingsTable):
    """The standings with a column for each session; the points are the sum of what counts.

    Points of sessions of earlier stages are shown, but only those carried over count.
    """

    def __init__(
        self,
        standings: Sequence[Standing],
        tournament: Tournament,
        names: Mapping[str, str],
        *,
        classes: Sequence[str],
        points: PointsBySession,
        stages: Sequence[Collection[int]],
        sessions: Collection[int] | None = None,
        substitutions: Iterable[Substitution] = (),
    ) -> None:
        """Set up with points by session.

        `stages` has the sessions of each stage, the first one first. With `sessions` only these
        have columns.
        """
        self.points_by_session, self.stages = points, stages
        with_points = {number for each in standings for number in points.get(each.entry.key, ())}
        self.sessions = sorted(each for each in with_points if sessions is None or each in sessions)
        super().__init__(standings, tournament, names, classes=classes, substitutions=substitutions)
        self.beside = [name for name in BESIDE_SESSIONS if name in self.columns.names()]

    def more_columns(self) -> list[tuple[str, Column]]:
        points, play_offs = self.points_by_session, self.tournament.play_off_numbers
        return [
            (_column_name(each), SessionColumn(session_name(each, play_offs), each, points))
            for each in self.sessions
        ]

    def columns_to_exclude(self, standings: Sequence[Standing]) -> list[str]:
        """Return the names of the columns that are empty, or the same in all rows or elsewhere."""
        excluded = [*super().columns_to_exclude(standings), "won"]
        if len({each.section for each in standings if each.section}) < 2:
            excluded.append("stage")
        if any(each.rank_among_all for each in standings):
            excluded.append("division")
        return excluded

    def order_of_columns(self) -> Sequence[str]:
        """Return the names of the columns: first all that is added up, then details."""
        sessions = map(_column_name, self.sessions)
        first = ("rank", "name", "remarks", "stage", *sessions, *BESIDE_SESSIONS, "points")
        details = ("division", "rank_in_class", "rank_among_all", "number", "team", "club")
        return (*first, *details, "rounds_played", *self.steps, "...")

    def value_missed(self, value: int) -> int | None:
        return value or None

    def value_adjusted(self, value: int) -> int | None:
        return value or None

    def value_points(self, value: int, record: Standing) -> int:
        """Return the points as the sum of the sessions that count, and of what counts beside them.

        A plain number if these cells have another sum, as before the first result of a stage.
        """
        own = self.points_by_session.get(record.entry.key, {})
        counting = [each for each in self.sessions if each in self._sessions_of(record.section)]
        beside = [getattr(record, name) or 0 for name in self.beside]
        if sum(own.get(each, 0) for each in counting) + sum(beside) != value:
            return value
        parts = [(_column_name(counting[0]), _column_name(counting[-1]))] if counting else []
        parts += [(self.beside[0], self.beside[-1])] if self.beside else []
        return Total(value, parts) if parts else value

    def _sessions_of(self, section: Section | None) -> Collection[int]:
        """Return the sessions whose points count in a section; without stages all sessions."""
        if section is None:
            return self.sessions
        stage = int(section.code.partition(".")[0])
        return self.stages[stage - 1 if section.has_begun else stage - 2]


def _column_name(session: int) -> str:
    return f"session_{session}"
