"""Every write of what a table wrote down, each in one transaction. Nothing is overwritten."""

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
    ending_with,
    goes_on,
    is_accepted,
)
from tournaments.queries.sheets import Sheet, canonical_facts, is_the_same, sheet_of
from tournaments.services import automatic_backups, closing


class RoundConflict(ConflictError):
    """Raised when the round has changed since its writer looked. `stored` is the one in force."""

    def __init__(self, stored: Round | None) -> None:
        """Keep the version in force, None when there is no such round yet."""
        super().__init__("The round has changed since it was read.")
        self.stored = stored


class ReasonNeeded(OperationRefused):
    """Raised when facts already recorded would change and nobody says why."""

    code = "reason_missing"
    sentence = _("Say why the recorded round is changed.")


class NeedsDesk(OperationRefused):
    """Raised when a table would change a round to which the other side has agreed."""

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
    """Store a round's facts as its next version and return them.

    With `set_aside`, rounds recorded after the one in which these facts end the game are set aside
    in the same act: they stay on record and count no more.

    `seen` is the version the writer looked at, 0 for a round not recorded yet. Raises
    `RoundConflict` when another has come since, `scoring.InvalidRecord` with all the problems of
    the facts, `ReasonNeeded` when recorded facts would change without a reason, `NeedsDesk` when a
    table would change what the other side has agreed to, `NotNext`, `Finished` where the facts are
    right but come after the last round, and `closing.EventOver` when a table would write after the
    event.
    """
    sheet = lock_and_read_sheet(sitting)
    after = record_on_sheet(
        sheet, number, facts, seen=seen, by=by, reason=reason, set_aside=set_aside
    )
    return after.rows[number - 1]


def lock_and_read_sheet(sitting: Sitting) -> Sheet:
    """Take the turn of the tournament in which a table plays, and return its sheet as it is now."""
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
    append_audit_entry(sheet.sitting, kind, row, stored, by)
    for later in sheet.rows[len(kept.rows) :]:
        _set_aside(later, sheet.sitting, by, reason)
    if kind != AuditEntry.Kind.ROUND_CORRECTED:
        automatic_backups.after_writing(sheet.sitting, number)
    rows = (*kept.rows[: number - 1], row, *kept.rows[number:])
    return kept._replace(rows=rows, record=record, score=scoring.score(record))


def _to_follow(sheet: Sheet, number: int, seen: int, by: Actor) -> Round | None:
    """Return the version that a new one would follow, or say why there cannot be a new one."""
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
    append_audit_entry(sitting, AuditEntry.Kind.ROUND_CORRECTED, aside, row, by)


def _kind_of(
    sheet: Sheet, stored: Round | None, facts: Mapping[str, Any], reason: str
) -> AuditEntry.Kind:
    """Return what recording these facts would be. Raises `ReasonNeeded`."""
    if stored is None:
        return AuditEntry.Kind.ROUND_RECORDED
    if goes_on(*(canonical_facts(sheet, stored.number, each) for each in (stored.facts, facts))):
        return AuditEntry.Kind.ROUND_CONTINUED
    if not reason:
        raise ReasonNeeded
    return AuditEntry.Kind.ROUND_CORRECTED


def append_audit_entry(
    sitting: Sitting, kind: AuditEntry.Kind, row: Round, stored: Round | None, by: Actor
) -> None:
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


@transaction.atomic
def record_lines(
    sitting: Sitting,
    lines: Sequence[Line],
    *,
    seen: int,
    by: Actor,
    on_paper: Mapping[str, int] | None = None,
) -> list[Round]:
    """Record every line of a paper sheet, or none if one of them cannot be.

    `on_paper` are totals that the sheet has otherwise than these rounds come to: an act keeps both.

    `seen` is the version of the first line's round that its writer looked at, 0 if there was none.
    Raises what `record_round` raises.
    """
    sheet = lock_and_read_sheet(sitting)
    for line in lines:
        facts = line.facts or {}
        try:
            sheet = record_on_sheet(sheet, line.number, facts, seen=seen, by=by)
        except ReasonNeeded:
            # A round under way that is typed just as it is stored: nothing to write.
            if not is_the_same(sheet, line.number, sheet.rows[line.number - 1].facts, facts):
                raise
        seen = 0
    if on_paper:
        audit.append(
            sitting.session.tournament,
            AuditEntry.Kind.PAPER_OVERRULED,
            by,
            subject=audit.at_table(sitting),
            old=dict(on_paper),
            new={player: sheet.score.totals[player] for player in on_paper},
        )
    return [sheet.rows[line.number - 1] for line in lines]
