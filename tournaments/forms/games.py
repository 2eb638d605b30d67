"""The form for a round, which belongs to the kind of game."""

from __future__ import annotations

from django.http import QueryDict

from tournaments.forms.rounds import RoundForm
from tournaments.game_kinds import kind_of
from tournaments.queries.sheets import Sheet


def round_form(sheet: Sheet, number: int, typed: QueryDict | None = None) -> RoundForm | None:
    """Return the form for round `number`, bound to `typed`, or None if it cannot be recorded.

    A table that records only totals has no rounds, and a new round needs the round before it to be
    complete.
    """
    if sheet.is_totals_only:
        return None
    if not 1 <= number <= len(sheet.rows) + 1 or (
        number > len(sheet.rows) and sheet.has_unfinished_round
    ):
        return None
    form: RoundForm = kind_of(sheet.rules.game).form(sheet, number, typed)
    return form
