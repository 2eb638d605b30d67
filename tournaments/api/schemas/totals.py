"""The typed totals of a table. Their document is `queries.round_documents.TotalsOut`."""

from __future__ import annotations

from typing_extensions import TypedDict

from tournaments.queries.round_documents import TotalsOut, no_other_keys


@no_other_keys
class TotalsInForceOut(TypedDict):
    """The typed totals of a table; null if there are none."""

    totals: TotalsOut | None


@no_other_keys
class TotalsSentOut(TypedDict):
    """The totals that were sent, and the version that their writer had seen."""

    seen: int
    points: dict[str, int]
