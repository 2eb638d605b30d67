"""Recording and correcting rounds; each write adds versions, nothing is overwritten."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _

import scoring
from tournaments import audit
from tournaments.audit import Actor
from tournaments.audit.locks import lock_tournament
from tournaments.exceptions import ConflictError, OperationRefused
from tournaments.models import (
    AuditEntry,
    Round,
    Sitting,
)
from tournaments.paper_entry.typed_sheets import Line
from tournaments.queries.round_validation import (
    Finished,
    NotNext,
    check_round,
    check_takes_rounds,
    is_accepted,
    is_continuation,
    without_rounds_after_end,
)
from tournaments.queries.sheets import Sheet, canonical_facts, is_same_round, sheet_of
from tournaments.services import automatic_backups, closing


class RoundConflict(ConflictError):
    """The round has changed since the writer read it. `stored` is the version in force, or None."""

    def __init__(self, stored: Round | None) -> None:
        super().__init__("The round has changed since it was read.")
        self.stored = stored


class ReasonNeeded(OperationRefused):
    """Recorded facts would change without a reason."""

    code = "reason_missing"
    sentence = _("Say why the recorded round is changed.")


class NeedsDesk(OperationRefused):
    """A table tried to change a round that the other side has accepted."""

    code = "needs_desk"
    sentence = _("The other side has accepted this round: only the desk can change it.")


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
    """Store a round's facts as its next version, and return the row.

    `seen` is the version the writer was shown, 0 for a round not recorded yet. If these facts end
    the game and `set_aside` is true, later rounds are set aside in the same transaction: they stay
    on record and no longer count.

    Raises `RoundConflict` if there is a newer version, `scoring.InvalidRecord` with all problems of
    the facts, `ReasonNeeded`, `NeedsDesk`, `NotNext`, `Finished` for valid facts after the last
    round, and `closing.EventOver`.
    """
    sheet = lock_and_read_sheet(sitting)
    after = record_on_sheet(
        sheet, number, facts, seen=seen, by=by, reason=reason, set_aside=set_aside
    )
    return after.rows[number - 1]


def lock_and_read_sheet(sitting: Sitting) -> Sheet:
    """Take the tournament's lock and return the sitting's sheet."""
    lock_tournament(sitting.session.tournament)
    return sheet_of(sitting)


def record_on_sheet(
    sheet: Sheet,
    number: int,
    facts: Mapping[str, Any],
    *,
    seen: int,
    by: Actor,
    reason: str = "",
    set_aside: bool = False,
) -> Sheet:
    """Do what `record_round` does, on a sheet read under the lock; return the sheet afterwards.

    Call it inside `atomic()`: it may raise `NeedsDesk` after writing.
    """
    closing.check_table_may_write(sheet.sitting.session.tournament, by)
    stored = _checked_current_version(sheet, number, seen, by)
    remaining = without_rounds_after_end(sheet, number, facts) if set_aside else sheet
    record = check_round(remaining, number, facts)
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
    append_audit_entry(sheet.sitting, kind, row, stored, by)
    for later in sheet.rows[len(remaining.rows) :]:
        _set_aside(later, sheet.sitting, by, reason)
    if kind != AuditEntry.Kind.ROUND_CORRECTED:
        automatic_backups.after_writing(sheet.sitting, number)
    rows = (*remaining.rows[: number - 1], row, *remaining.rows[number:])
    return remaining._replace(rows=rows, record=record, score=scoring.score(record))


def _checked_current_version(sheet: Sheet, number: int, seen: int, by: Actor) -> Round | None:
    """Return the version in force, or None for a new round; raise if it cannot be replaced.

    Raises `OnlyTotals`, `NotNext`, `RoundConflict` and `NeedsDesk`.
    """
    check_takes_rounds(sheet)
    if not 1 <= number <= len(sheet.rows) + 1:
        raise NotNext
    stored = sheet.rows[number - 1] if number <= len(sheet.rows) else None
    if (stored.version if stored else 0) != seen:
        raise RoundConflict(stored)
    if stored is not None and by.is_the_table and is_accepted(stored):
        raise NeedsDesk
    return stored


def _first_version(sitting: Sitting, number: int) -> int:
    """Return the version number for a round not in force: 1, or the next if it was set aside."""
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
    append_audit_entry(sitting, AuditEntry.Kind.ROUND_CORRECTED, aside, row, by)


def _kind_of(
    sheet: Sheet, stored: Round | None, facts: Mapping[str, Any], reason: str
) -> AuditEntry.Kind:
    """Return the kind of audit entry for recording these facts. Raises `ReasonNeeded`."""
    if stored is None:
        return AuditEntry.Kind.ROUND_RECORDED
    if is_continuation(
        *(canonical_facts(sheet, stored.number, each) for each in (stored.facts, facts))
    ):
        return AuditEntry.Kind.ROUND_CONTINUED
    if not reason:
        raise ReasonNeeded
    return AuditEntry.Kind.ROUND_CORRECTED


def append_audit_entry(
    sitting: Sitting, kind: AuditEntry.Kind, row: Round, stored: Round | None, by: Actor
) -> None:
    """Append the audit entry for a version of a round; `stored` is the version before."""
    audit.append_entry(
        sitting.session.tournament,
        kind,
        by,
        subject=audit.table_subject(sitting, row.number, row.version),
        old=stored.facts if stored else None,
        new=row.facts,
        reason=row.reason,
        at=row.recorded_at,
    )


@transaction.atomic
def record_lines(
    sitting: Sitting,
    lines: Sequence[Line],
    *,
    seen: int,
    by: Actor,
    on_paper: Mapping[str, int] | None = None,
) -> list[Round]:
    """Record all lines of a paper sheet, or none if one is refused.

    `on_paper` holds the totals on the sheet that differ from the computed ones, by entry number; an
    audit entry stores both. `seen` is the version of the first line's round that was shown, 0 if it
    was not recorded. Raises what `record_round` raises.
    """
    sheet = lock_and_read_sheet(sitting)
    for line in lines:
        facts = line.facts or {}
        try:
            sheet = record_on_sheet(sheet, line.number, facts, seen=seen, by=by)
        except ReasonNeeded:
            # An unfinished round was typed unchanged: nothing to write.
            if not is_same_round(sheet, line.number, sheet.rows[line.number - 1].facts, facts):
                raise
        seen = 0
    if on_paper:
        audit.append_entry(
            sitting.session.tournament,
            AuditEntry.Kind.PAPER_OVERRULED,
            by,
            subject=audit.table_subject(sitting),
            old=dict(on_paper),
            new={player: sheet.score.totals[player] for player in on_paper},
        )
    return [sheet.rows[line.number - 1] for line in lines]
