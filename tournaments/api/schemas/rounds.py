"""The rounds of a table. One round is a `queries.round_documents.RoundOut`, as in receipts."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict

from tournaments.models import Acceptance
from tournaments.queries.round_documents import RoundOut, no_other_keys, round_as_json
from tournaments.queries.sheets import Sheet


@no_other_keys
class RoundsOut(TypedDict):
    """The rounds in force of a table."""

    rounds: list[RoundOut]


def rounds_as_json(sheet: Sheet) -> list[RoundOut]:
    """Ordered by number; `sheet` may be from a publication."""
    accepted = _accepted_numbers(sheet)
    return [
        round_as_json(played, is_accepted=played.row.number in accepted) for played in sheet.rounds
    ]


def _accepted_numbers(sheet: Sheet) -> set[int]:
    """Return the numbers of the accepted rounds.

    Rounds read from a publication are unsaved rows; they have an attribute `acceptance` if they
    were accepted.
    """
    published = [row for row in sheet.rows if row._state.adding]
    stored_pks = [row.pk for row in sheet.rows if not row._state.adding]
    acceptances = Acceptance.objects.filter(round__in=stored_pks)
    return {row.number for row in published if hasattr(row, "acceptance")} | set(
        acceptances.values_list("round__number", flat=True)
    )


@no_other_keys
class AcceptedOut(TypedDict):
    """The version of a round that was accepted."""

    number: int
    version: int
    accepted: Literal[True]
