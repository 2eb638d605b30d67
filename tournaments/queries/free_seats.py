"""Where a player without a seat can sit down in a session that is being played."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from tournaments.models import Entry, Session
from tournaments.queries.seated_tables import tables_in_play
from tournaments.queries.sheets import Sheet, sheets_of


class FreeSeat(NamedTuple):
    """A seat at the table of a sheet: one more, or that of a player who is `away`."""

    sheet: Sheet
    away: Entry | None

    @property
    def seen(self) -> str:
        """Return the keys of the players at the table, as the form of its players sends them."""
        return ".".join(self.sheet.players)


def free_seats(session: Session, away: Collection[Entry]) -> list[FreeSeat]:
    """Return the seats for one more player, those of the players who are `away` first.

    The session is on. A table has no free seat at the largest size that the rules
    allow, and while a round is unfinished.
    """
    sizes = session.tournament.table_sizes
    tables = [
        sheet
        for sheet in tables_in_play(sheets_of(session.sittings.all()))
        if not sheet.is_finished and not sheet.has_unfinished_round
    ]
    return [
        *(FreeSeat(sheet, each) for sheet in tables for each in sheet.entries if each in away),
        *(FreeSeat(sheet, None) for sheet in tables if len(sheet.entries) + 1 in sizes),
    ]
