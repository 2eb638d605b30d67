"""Choose the form for a round by the kind of game."""

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
    return FORMS[sheet.rules.game.kind](sheet, number, typed)
