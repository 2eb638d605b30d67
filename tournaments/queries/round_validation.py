"""Checks whether facts may be recorded as a round of a sheet, or a round be corrected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.utils.translation import gettext_lazy as _

import scoring
from scoring.problems import Problems
from tournaments.audit import is_the_table
from tournaments.exceptions import OperationRefused
from tournaments.models import Acceptance, Round, Sitting
from tournaments.queries.sheets import Sheet, record_document, sheet_of
from tournaments.queries.what_if import with_rounds


class NotNext(OperationRefused):
    """A round before this one is not recorded, or the table takes no more rounds (`Finished`)."""

    code = "not_next"
    status = 422
    sentence = _("The round or deal before this one is not recorded yet. Record that first.")


class Finished(NotNext):
    """The table has played all its rounds, or records no rounds (`OnlyTotals`)."""

    code = "finished"
    sentence = _(
        "No more rounds can be recorded at this table: all that were agreed on have been "
        "played. Check whether one was recorded twice."
    )


class OnlyTotals(Finished):
    code = "only_totals"
    sentence = _(
        "Rounds are not recorded at this table: the desk enters only the totals. Take the "
        "totals to the desk."
    )


def is_accepted(row: Round) -> bool:
    return Acceptance.objects.filter(round=row).exists()


def is_by_desk(row: Round) -> bool:
    """Return whether the staff recorded this version.

    False for a published round, since a publication does not name who recorded it.
    """
    return bool(row.who) and not is_the_table(row.who)


def table_may_correct(sheet: Sheet, row: Round) -> bool:
    """Return whether the table may correct this complete round without the desk.

    It may if the round is the table's last one, was not recorded by the desk, and is not accepted.
    """
    is_last = row.number == len(sheet.rows)
    return is_last and not is_by_desk(row) and not hasattr(row, "acceptance")


def check_takes_rounds(sheet: Sheet) -> None:
    if sheet.is_totals_only:
        raise OnlyTotals


def check_round(sheet: Sheet, number: int, facts: Mapping[str, Any]) -> scoring.Record:
    """Return the sitting's record with round `number` added or replaced, after checking it.

    Raises `InvalidRecord` with all problems, as `manage.py score` reports them, and `NotNext` if
    earlier rounds are not recorded. For rounds of later players see `sheets_after_end`.
    """
    if not 1 <= number <= len(sheet.rows) + 1:
        raise NotNext
    rounds = [row.facts for row in sheet.rows]
    rounds[number - 1 : number] = [facts]
    tournament = sheet.sitting.session.tournament
    document = record_document(tournament, sheet.players, rounds)
    return scoring.read_record(document, sheet.rules, sheet.start)


def check_facts(rules: scoring.Rules, players: Sequence[str], number: int, facts: Any) -> None:
    """Raise `InvalidRecord` if the facts of a round are invalid by themselves.

    Unlike `check_round`, this ignores the rounds before and after.
    """
    problems = Problems()
    rules.game.read_round(problems, f"rounds[{number - 1}]", facts, players)
    if problems.listed:
        raise scoring.InvalidRecord(problems.listed, problems.unlisted)


def without_rounds_after_end(sheet: Sheet, number: int, facts: Mapping[str, Any]) -> Sheet:
    """Return the sheet without the later rounds if facts for round `number` end the game.

    Return the sheet unchanged if they do not end the game, or if they have other problems.
    """
    try:
        check_round(sheet, number, facts)
    except scoring.InvalidRecord as invalid:
        if {problem.code for problem in invalid.problems} == {"game_over"}:
            last_number = int(invalid.problems[0].params["deal"]) - sheet.rounds_before
            if last_number >= number:
                return sheet._replace(rows=sheet.rows[:last_number])
    return sheet


class Shortened(NamedTuple):
    """A sheet of later players at a table without its rounds after the end of the game."""

    sheet: Sheet
    after_end: tuple[Round, ...]
    problem: scoring.Problem  # of the first of these rounds


def sheets_after_end(sheet: Sheet, record: scoring.Record) -> list[Shortened]:
    """Return the sheets of later players at the table that lose rounds if a game ends earlier.

    `record` has corrected rounds of `sheet`, with which the game may end earlier.
    """
    if not sheet.rules.game.may_end_early:
        return []
    shortened: list[Shortened] = []
    before = sheet._replace(record=record)
    while following := Sitting.objects.filter(continues=before.sitting).first():
        later = sheet_of(following)._replace(earlier=(*before.earlier, before))
        rounds, problems = later.record.rounds, Problems()
        later.rules.game.check_rounds(
            problems, rounds, later.players, later.record.partners, later.start
        )
        left = len(rounds) - problems.count
        before = with_rounds(later, [row.facts for row in later.rows[:left]])
        if problems.count:
            shortened.append(Shortened(before, later.rows[left:], problems.listed[0]))
    return shortened


def rounds_after_end(sheet: Sheet, number: int, facts: Mapping[str, Any]) -> list[Round]:
    """Return the rounds at the table that no longer count with these facts for round `number`.

    Empty if the facts have other problems than that the game ends before these rounds.
    """
    remaining = without_rounds_after_end(sheet, number, facts)
    if sheet.row(number) is None:
        return []
    try:
        record = check_round(remaining, number, facts)
    except scoring.InvalidRecord:
        return []
    later = [row for each in sheets_after_end(sheet, record) for row in each.after_end]
    return [*sheet.rows[len(remaining.rows) :], *later]


def is_continuation(before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
    """Return whether facts `after` only add to `before`, such as a deal, and change nothing else.

    >>> before = {"kankei": ["1", "2"], "deals": [1]}
    >>> is_continuation(before, {"kankei": ["1", "2"], "deals": [1, 2]})
    True
    >>> is_continuation(before, {"kankei": ["1", "3"], "deals": [1, 2]})
    False
    """
    earlier = dict(before)
    deals = earlier.get("deals", [])
    # `after` without the deals that it adds.
    later = {**after, "deals": after.get("deals", [])[: len(deals)]} if deals else dict(after)
    if not earlier.get("cut_off"):  # may be present and false
        earlier.pop("cut_off", None)
        later.pop("cut_off", None)
    return later == earlier and dict(before) != dict(after)
