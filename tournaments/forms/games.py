"""The form for a round of each kind of game."""

from __future__ import annotations

from django.http import QueryDict

from tournaments.forms.captures import CapturesForm
from tournaments.forms.finish import FinishForm
from tournaments.forms.kankei import KankeiForm
from tournaments.forms.rounds import RoundForm
from tournaments.queries.sheets import Sheet

FORMS: dict[str, type[RoundForm]] = {
    "kankei": KankeiForm,
    "captures": CapturesForm,
    "finish": FinishForm,
}


def round_form(sheet: Sheet, number: int, typed: QueryDict | None = None) -> RoundForm | None:
    """Return the form for a round, bound to `typed`; None if the round cannot be recorded.

    It cannot before the one before it is complete, nor at a table that records only totals.
    """
    if sheet.is_totals_only:
        return None
    if not 1 <= number <= len(sheet.rows) + 1 or (
        number > len(sheet.rows) and sheet.has_unfinished_round
    ):
        return None
    return FORMS[sheet.rules.game.kind](sheet, number, typed)
