"""Every write of what a table wrote down, each in one transaction. Nothing is overwritten."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _

import scoring
from scoring.problems import Problems
from tournaments import audit
from tournaments.audit import Actor
from tournaments.audit.turns import take_turn
from tournaments.facts import backing_up, closing
from tournaments.facts.not_done import NotDone, Stale
from tournaments.facts.sheets import Sheet, document, sheet_of, written_out
from tournaments.models import Acceptance, Act, Round, Sitting


class StaleRound(Stale):
    """Raised when the round has changed since its writer looked. `stored` is the one in force."""

    def __init__(self, stored: Round | None) -> None:
        """Keep the version in force, None when there is no such round yet."""
        super().__init__("The round has changed since it was read.")
        self.stored = stored


class ReasonNeeded(NotDone):
    """Raised when facts already recorded would change and nobody says why."""

    code = "reason_missing"
    sentence = _("Say why the recorded round is changed.")


class NeedsDesk(NotDone):
    """Raised when a table would change a round to which the other side has agreed."""

    code = "needs_desk"
    sentence = _("The other side has accepted this round: only the desk can change it.")


class NotNext(NotDone):
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


@transaction.atomic
def record_round(
    sitting: Sitting,
    number: int,
    facts: Mapping[str, Any],
    *,
    seen: int,
    by: Actor,
    reason: str = "",
    set_aside: bool = False,
) -> Round:
    """Store a round's facts as its next version and return them.

    With `set_aside`, rounds recorded after the one in which these facts end the game are set aside
    in the same act: they stay on record and count no more.

    `seen` is the version the writer looked at, 0 for a round not recorded yet. Raises `StaleRound`
    when another has come since, `scoring.InvalidRecord` with all the problems of the facts,
    `ReasonNeeded` when recorded facts would change without a reason, `NeedsDesk` when a table
    would change what the other side has agreed to, `NotNext`, `Finished` where the facts are right
    but come after the last round, and `closing.EventOver` when a table would write after the event.
    """
    sheet = sheet_in_turn(sitting)
    after = record_on(sheet, number, facts, seen=seen, by=by, reason=reason, set_aside=set_aside)
    return after.rows[number - 1]


def sheet_in_turn(sitting: Sitting) -> Sheet:
    """Take the turn of the tournament in which a table plays, and return its sheet as it is now."""
    take_turn(sitting.session.tournament)
    return sheet_of(sitting)


def record_on(
    sheet: Sheet,
    number: int,
    facts: Mapping[str, Any],
    *,
    seen: int,
    by: Actor,
    reason: str = "",
    set_aside: bool = False,
) -> Sheet:
    """Do what `record_round` does on a sheet read in this very turn; return what stands then.

    For whoever writes more in one transaction, which is undone where this raises after writing:
    only a `NeedsDesk` comes so late.
    """
    closing.check_table_may_write(sheet.sitting.session.tournament, by)
    stored = _to_follow(sheet, number, seen, by)
    kept = ending_with(sheet, number, facts) if set_aside else sheet
    record = check_round(kept, number, facts)
    if stored is None and sheet.is_finished:
        raise Finished
    kind = _kind_of(sheet, stored, facts, reason)
    row = Round.objects.create(
        sitting=sheet.sitting,
        number=number,
        version=seen + 1 if stored else _first_version(sheet.sitting, number),
        facts=dict(facts),
        reason=reason,
        who=by.who,
    )
    tell(sheet.sitting, kind, row, stored, by)
    for later in sheet.rows[len(kept.rows) :]:
        _set_aside(later, sheet.sitting, by, reason)
    if kind != Act.Kind.ROUND_CORRECTED:
        backing_up.after_writing(sheet.sitting, number)
    rows = (*kept.rows[: number - 1], row, *kept.rows[number:])
    return kept._replace(rows=rows, record=record, score=scoring.score(record))


def _to_follow(sheet: Sheet, number: int, seen: int, by: Actor) -> Round | None:
    """Return the version that a new one would follow, or say why there cannot be a new one."""
    check_takes_rounds(sheet)
    if not 1 <= number <= len(sheet.rows) + 1:
        raise NotNext
    stored = sheet.rows[number - 1] if number <= len(sheet.rows) else None
    if (stored.version if stored else 0) != seen:
        raise StaleRound(stored)
    if stored is not None and by.is_the_table and is_accepted(stored):
        raise NeedsDesk
    return stored


def _first_version(sitting: Sitting, number: int) -> int:
    """Return the version of a round that does not count yet; it may have been set aside before."""
    before = Round.objects.filter(sitting=sitting, number=number).order_by("version").last()
    return before.version + 1 if before is not None and before.is_set_aside else 1


def _set_aside(row: Round, sitting: Sitting, by: Actor, reason: str) -> None:
    if by.is_the_table and is_accepted(row):
        raise NeedsDesk
    aside = Round.objects.create(
        sitting=sitting,
        number=row.number,
        version=row.version + 1,
        facts={},
        reason=reason,
        who=by.who,
    )
    tell(sitting, Act.Kind.ROUND_CORRECTED, aside, row, by)


def _kind_of(sheet: Sheet, stored: Round | None, facts: Mapping[str, Any], reason: str) -> Act.Kind:
    """Return what recording these facts would be. Raises `ReasonNeeded`."""
    if stored is None:
        return Act.Kind.ROUND_RECORDED
    if goes_on(*(written_out(sheet, stored.number, each) for each in (stored.facts, facts))):
        return Act.Kind.ROUND_CONTINUED
    if not reason:
        raise ReasonNeeded
    return Act.Kind.ROUND_CORRECTED


def tell(sitting: Sitting, kind: Act.Kind, row: Round, stored: Round | None, by: Actor) -> None:
    """Leave the act of a recorded round in the trail."""
    audit.append(
        sitting.session.tournament,
        kind,
        by,
        subject=audit.at_table(sitting, row.number, row.version),
        old=stored.facts if stored else None,
        new=row.facts,
        reason=row.reason,
        at=row.recorded_at,
    )


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
    return scoring.read_record(document(tournament, sheet.players, rounds), sheet.rules)


def check_read(rules: scoring.Rules, players: Sequence[str], number: int, facts: Any) -> None:
    """Raise `InvalidRecord` where no round of this game with these players reads so, by itself.

    Whether it fits the rounds beside it is not asked: `check_round` does.
    """
    problems = Problems()
    rules.game.read_round(problems, f"rounds[{number - 1}]", facts, players)
    if problems.found:
        raise scoring.InvalidRecord(problems.found, problems.more)


def ending_with(sheet: Sheet, number: int, facts: Mapping[str, Any]) -> Sheet:
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


def goes_on(before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
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
