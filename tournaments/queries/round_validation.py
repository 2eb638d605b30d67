"""Whether facts may be recorded as a round of a sheet. Reads; writes nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext_lazy as _

import scoring
from scoring.problems import Problems
from tournaments.exceptions import OperationRefused
from tournaments.models import Acceptance, Round
from tournaments.queries.sheets import Sheet, record_document


class NotNext(OperationRefused):
    """Raised when a round is not the next: one before it is missing, or `Finished`."""

    code = "not_next"
    sentence = _("The round or deal before this one is not recorded yet.")


class Finished(NotNext):
    """Raised when nothing more is to be played: all rounds agreed on are, or `OnlyTotals`."""

    code = "finished"
    sentence = _("No more rounds are taken down at this table: those agreed on are all played.")


class OnlyTotals(Finished):
    """Raised where nobody takes down rounds: the desk types in what everybody ended with."""

    code = "only_totals"
    sentence = _("No rounds are taken down at this table: the desk types in only totals.")


def is_accepted(row: Round) -> bool:
    """Return whether the other side has agreed to a round as it stands in this version."""
    return Acceptance.objects.filter(round=row).exists()


def check_takes_rounds(sheet: Sheet) -> None:
    """Raise `OnlyTotals` where there are no rounds to be looked at or taken down."""
    if sheet.is_totals_only:
        raise OnlyTotals


def check_round(sheet: Sheet, number: int, facts: Mapping[str, Any]) -> scoring.Record:
    """Return the sitting's record with this round in its place.

    Raises `InvalidRecord`, with the same problems as `manage.py score` finds in that record, and
    `NotNext` where rounds before it are missing in it.
    """
    if not 1 <= number <= len(sheet.rows) + 1:
        raise NotNext
    rounds = [row.facts for row in sheet.rows]
    rounds[number - 1 : number] = [facts]
    tournament = sheet.sitting.session.tournament
    return scoring.read_record(record_document(tournament, sheet.players, rounds), sheet.rules)


def check_facts(rules: scoring.Rules, players: Sequence[str], number: int, facts: Any) -> None:
    """Raise `InvalidRecord` where no round of this game with these players reads so, by itself.

    Whether it fits the rounds beside it is not asked: `check_round` does.
    """
    problems = Problems()
    rules.game.read_round(problems, f"rounds[{number - 1}]", facts, players)
    if problems.found:
        raise scoring.InvalidRecord(problems.found, problems.more)


def without_rounds_after_end(sheet: Sheet, number: int, facts: Mapping[str, Any]) -> Sheet:
    """Return the sheet without the rounds played after these facts had ended the game.

    It is the sheet as it is where the rounds recorded since fit, or where other things are wrong.
    """
    try:
        check_round(sheet, number, facts)
    except scoring.InvalidRecord as invalid:
        if {problem.code for problem in invalid.problems} == {"game_over"}:
            last = int(invalid.problems[0].params["deal"])
            if last >= number:
                return sheet._replace(rows=sheet.rows[:last])
    return sheet


def is_continuation(before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
    """Return whether the facts only go on: everything recorded before still stands in them.

    >>> goes_on({"kankei": ["1", "2"], "deals": [1]}, {"kankei": ["1", "2"], "deals": [1, 2]})
    True
    >>> goes_on({"kankei": ["1", "2"], "deals": [1]}, {"kankei": ["1", "3"], "deals": [1, 2]})
    False
    """
    told = dict(before)
    deals = told.get("deals", [])
    kept = {**after, "deals": after.get("deals", [])[: len(deals)]} if deals else dict(after)
    if not told.get("cut_off"):  # may be said of a round that is not cut off, too
        told.pop("cut_off", None)
        kept.pop("cut_off", None)
    return kept == told and dict(before) != dict(after)
