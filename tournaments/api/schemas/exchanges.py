"""What an exchange of two players changes."""

from __future__ import annotations

from typing_extensions import TypedDict

from tournaments.queries.exchanges import Exchange
from tournaments.queries.round_documents import no_other_keys


@no_other_keys
class ExchangedTableOut(TypedDict):
    """A table after the exchange: the numbers of its players, in seat order."""

    table: int
    players: list[int]


@no_other_keys
class ExchangeOut(TypedDict):
    """Two exchanged players, the number of corrected rounds, and the tables after the exchange.

    Send `seen` to carry out a planned exchange: it identifies the seats and rounds of the plan.
    """

    one: int
    other: int
    seen: str
    rounds: int
    tables: list[ExchangedTableOut]


def exchange_as_json(planned: Exchange) -> ExchangeOut:
    return {
        "one": planned.one.number,
        "other": planned.other.number,
        "seen": planned.stamp,
        "rounds": len(planned.rounds),
        "tables": [
            {
                "table": sheet.sitting.number,
                "players": [entry.number for entry in sheet.entries],
            }
            for sheet in planned.after
        ],
    }
