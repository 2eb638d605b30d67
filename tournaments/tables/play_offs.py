"""The points of play-offs, which only decide the order of tied players."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from tournaments.i18n.session_names import session_name
from tournaments.models import Tournament
from tournaments.queries.ranking_facts import RankingFacts
from tournaments.tables.columns import Column, NumberColumn, PlainTable, PointsColumn


class PlayOffsTable(PlainTable):
    """A row for every tied player of each play-off with a result, by session, then by points."""

    play_off = Column(_("Play-off"))
    number = NumberColumn(_("Number"))
    name = Column(_("Name"))
    points = PointsColumn(_("Points"))

    def __init__(self, tournament: Tournament, facts: RankingFacts) -> None:
        entries = {entry.key: entry for entry in facts.entries}
        numbers = tournament.play_off_numbers
        rows = [
            {
                "play_off": session_name(each.session, numbers),
                "number": entries[key].number,
                "name": entries[key].name,
                "points": points,
            }
            for each in reversed(facts.play_offs)
            for key, points in sorted(each.points.items(), key=lambda item: -item[1])
        ]
        super().__init__(rows)
