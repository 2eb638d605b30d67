"""Tables whose players change after some rounds."""

from __future__ import annotations

from tests import cast
from tests.cast import SOMEBODY
from tournaments.models import Entry, Sitting, Tournament
from tournaments.queries.sheets import sheet_of
from tournaments.services import seating
from tournaments.services.table_players import change_players


def make_table() -> Sitting:
    """A table of five of seven players, who play ten rounds of five or six players each."""
    tournament = cast.make_tournament("goninkan-classic")
    players = cast.make_entries(tournament, 7)
    return seating.open_session(tournament, [players[:5]], by=SOMEBODY).sittings.get()


def entries_of(sitting: Sitting, *numbers: int) -> list[Entry]:
    return [sitting.session.tournament.entries.get(number=number) for number in numbers]


def change(sitting: Sitting, *numbers: int, withdraw: bool | None = None) -> Sitting:
    """Replace the players of the table by these; the page showed the present ones."""
    seen = sheet_of(sitting).players
    players = entries_of(sitting, *numbers)
    return change_players(
        sitting, players, seen_players=seen, withdraw=withdraw, by=SOMEBODY, reason="途中参加"
    )


def seated(sitting: Sitting) -> list[str]:
    return list(sheet_of(sitting).players)


def play(sitting: Sitting, count: int, first: int = 1) -> None:
    for number in range(first, first + count):
        cast.record(sitting, number=number)


def points(tournament: Tournament) -> dict[int, tuple[int, int]]:
    """Return points and rounds played of each player who has a place."""
    return {
        row.entry.number: (row.place.points, row.place.rounds_played)
        for row in cast.standings_for(tournament)
        if row.place is not None
    }
