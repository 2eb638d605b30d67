"""What the two pages that draw seats show of a draw."""

from __future__ import annotations

from typing import Any

from tournaments import draws
from tournaments.forms.seating import DrawForm
from tournaments.models import Entry, Tournament
from tournaments.queries.seat_draws import SeatDraw, draw_seats


def propose_seats(
    tournament: Tournament, session: int, form: DrawForm, entries: list[Entry], out: list[Entry]
) -> dict[str, Any]:
    """Return the template context of a draw among those not in `out`, for a session by its number.

    With errors in the form nothing is drawn: it is not known who sits out. Where not everybody is
    seated, `nearest` has the numbers of players with which everybody would be.
    """
    playing = [entry for entry in entries if entry not in out]
    drawn: SeatDraw | None = None
    if not form.errors:
        drawn = draw_seats(tournament, session, playing, form.choices())
    context: dict[str, Any] = {
        "draw": drawn,
        "tables": drawn.tables if drawn else [],
        "left_out": [*out, *(drawn.sits_out if drawn else ())],
        "playing": len(playing),
    }
    if draws.divide_into_tables(len(playing), tournament.table_sizes) is None:
        context["nearest"] = draws.nearest_seatable(len(playing), tournament.table_sizes)
    return context


def typed_tables(context: dict[str, Any]) -> dict[str, str]:
    """Return the drawn tables and who sits out as the form of the tables holds them."""
    return {
        "out": " ".join(entry.key for entry in context["left_out"]),
        "tables": "\n".join(" ".join(entry.key for entry in table) for table in context["tables"]),
    }
