"""The season table in a workbook."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.i18n.sentences import listed
from tournaments.i18n.series import STEPS, numbers_in_words
from tournaments.queries.season import Person, Season, SeasonEvent, State
from tournaments.tables.columns import Column, NumberColumn, PlainTable, PointsColumn

Cells = dict[str, str | float | None]  # by column name


class SeasonTable(PlainTable):
    """A row for each person: the total, then points and place of each event that counts."""

    rank = NumberColumn(_("Rank"))
    name = Column(_("Name"))
    club = Column(_("Club"))
    number = Column(_("Number"))
    division = Column(_("Class"))
    rank_in_class = NumberColumn(_("Rank in class"))
    total = PointsColumn(_("Total"))

    def __init__(
        self,
        season: Season,
        events: Sequence[tuple[int, SeasonEvent]],
        *,
        is_by_places: bool,
    ) -> None:
        """Set up with columns for these events, each with the number that the page shows.

        `is_by_places`: the points of an event are those of its places, not of its rounds.
        """
        counted = [(n, event) for n, event in events if event.state != State.WAITING]
        kind = NumberColumn if is_by_places else PointsColumn
        columns: list[tuple[str, Column]] = []
        for n, event in counted:
            columns.append((f"points_{n}", kind(f"{n} {event.name}")))
            columns.append((f"place_{n}", NumberColumn(gettext("Rank") + f" {n}")))
        columns.append(("dropped", Column(_("Does not count"))))
        columns.append(("decided_by", Column(_("Decided by"))))
        numbers = [n for n, _event in counted]
        unused = {} if season.classes else {"division": None, "rank_in_class": None}
        player_numbers = numbers_in_words(season)
        rows = [
            _cells(person, numbers) | {"number": player_numbers.get(person.row.who)} | unused
            for person in season.people
        ]
        super().__init__(rows, extra_columns=columns)


def _cells(person: Person, numbers: Sequence[int]) -> Cells:
    """Return the cells of a person; `numbers` are those of the events that count."""
    row = person.row
    decided_by = [str(STEPS[code]) for code in row.deciding_steps]
    cells: Cells = {
        "rank": row.rank,
        "name": person.name,
        "club": person.club,
        "division": person.division,
        "rank_in_class": person.rank_in_class,
        "total": _number(row.total),
        "decided_by": listed(decided_by) if decided_by else None,
    }
    dropped = []
    for n, cell in zip(numbers, row.cells, strict=True):
        if cell:
            cells |= {f"points_{n}": _number(cell.points), f"place_{n}": cell.rank}
            dropped += [] if cell.counts else [str(n)]
    return {**cells, "dropped": listed(dropped) if dropped else None}


def _number(points: Fraction) -> float:
    """Return points as an integer if they are whole, else rounded to two decimals."""
    return points.numerator if points.denominator == 1 else round(float(points), 2)
