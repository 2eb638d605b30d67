"""Recording and correcting rounds: each write adds versions and overwrites none."""

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
from tournaments.paper_entry.typed_sheets import TypedLine
from tournaments.queries.round_validation import (
    Finished,
    NotNext,
    check_round,
    check_takes_rounds,
    is_accepted,
    is_continuation,
    sheets_after_end,
    without_rounds_after_end,
)
from tournaments.queries.sheets import Sheet, canonical_facts, is_same_round, sheet_of
from tournaments.services import automatic_backups, closing, settlements, table_players


class RoundConflict(ConflictError):
    """The round has changed since the writer read it. `stored` is the version in force, or None."""

    def __init__(self, stored: Round | None) -> None:
        super().__init__("The round has changed since it was read.")
        self.stored = stored


class ReasonNeeded(OperationRefused):
    code = "reason_missing"
    status = 422
    at = "reason"
    sentence = _("Changing a recorded round needs a reason. Enter one.")


class NeedsDesk(OperationRefused):
    """A table tried to change a round that the other side has accepted."""

    code = "needs_desk"
    status = 403
    sentence = _(
        "The other side has accepted this round: only the desk can change it. Call the desk."
    )


class AfterChange(Finished):
    """Others have recorded rounds at the table since its players changed."""

    code = "after_change"
    status = 409
    at = "seen"
    sentence = _(
        "The players of this table had changed before this round arrived. The desk decides; "
        "tell the desk who played."
    )


@transaction.atomic
def record_round(
    sitting: Sitting,
    number: int,
    facts: Mapping[str, Any],
    *,
    seen_version: int,
    by: Actor,
    reason: str = "",
    set_aside: bool = False,
    is_decided: bool = False,
) -> Round:
    """Store a round's facts as its next version, and return the row.

    The arguments are as in `record_on_sheet`. Raises `RoundConflict` if there is a newer version,
    `scoring.InvalidRecord` with all problems of the facts, `ReasonNeeded`, `NeedsDesk`, `NotNext`,
    `Finished` for valid facts after the last round, and `closing.EventOver`.
    """
    sheet = lock_and_read_sheet(sitting)
    closing.check_table_may_write(sitting.session.tournament, by)
    recorded = record_on_sheet(
        sheet,
        number,
        facts,
        seen_version=seen_version,
        by=by,
        reason=reason,
        set_aside=set_aside,
        is_decided=is_decided,
    )
    return recorded.rows[number - 1]


def lock_and_read_sheet(sitting: Sitting) -> Sheet:
    lock_tournament(sitting.session.tournament)
    return sheet_of(sitting)


def record_on_sheet(
    sheet: Sheet,
    number: int,
    facts: Mapping[str, Any],
    *,
    seen_version: int,
    by: Actor,
    reason: str = "",
    set_aside: bool = False,
    is_decided: bool = False,
    written_by_table: bool = False,
) -> Sheet:
    """Store the next version of a whole round; return the sheet with it.

    `seen_version` is the version the writer was shown, 0 for a round not recorded yet. With
    `set_aside`, later rounds are set aside if the facts end the game: they stay on record and no
    longer count. With `is_decided`, the desk has decided a dispute about the round. With
    `written_by_table`, the desk stores what a table wrote.

    `sheet` has to be read under the lock, and the caller has checked that the writer may write.
    Call it inside `atomic()`: it may raise `NeedsDesk` after writing. Raises what `record_round`
    raises.
    """
    stored = _replaceable_version(sheet, number, seen_version, by)
    remaining = without_rounds_after_end(sheet, number, facts) if set_aside else sheet
    record = check_round(remaining, number, facts)
    taken: dict[str, int | None] = {}
    if stored is None and sheet.is_finished:
        is_from_table = by.is_the_table or written_by_table
        taken = _round_taken_back(sheet, is_from_table=is_from_table, is_decided=is_decided)
    later = sheets_after_end(sheet, record) if stored is not None else []
    if later and not set_aside:
        raise scoring.InvalidRecord([later[0].problem._replace(at=f"rounds[{len(sheet.rows)}]")])
    kind = _audit_kind(sheet, stored, facts, reason)
    row = Round.objects.create(
        sitting=sheet.sitting,
        number=number,
        version=stored.version + 1 if stored else _first_version(sheet, number),
        facts=dict(facts),
        reason=reason,
        who=by.who,
    )
    append_audit_entry(sheet.sitting, kind, row=row, stored=stored, by=by, more_subject=taken)
    rows_of_later = (each for shortened in later for each in shortened.after_end)
    for each in (*sheet.rows[len(remaining.rows) :], *rows_of_later):
        _set_round_aside(each, by=by, reason=reason)
    rows = (*remaining.rows[: number - 1], row, *remaining.rows[number:])
    recorded = remaining._replace(rows=rows, record=record, score=scoring.score(record))
    if sheet.sitting.rounds_planned is not None:  # perhaps others go on at the table
        table_players.reseat_who_goes_on(sheet, recorded, by=by)
    if row.version > 1 or taken or is_decided:
        settlements.settle_all_alike(recorded, row, stored_before=stored, by=by)
    if kind != AuditEntry.Kind.ROUND_CORRECTED:
        last = recorded.rounds_to_play
        is_last = last is not None and number >= last
        automatic_backups.schedule_after_writing(sheet.sitting, is_last=is_last)
    return recorded


def _round_taken_back(
    sheet: Sheet, *, is_from_table: bool, is_decided: bool
) -> dict[str, int | None]:
    """Let a table record one more round that was played before its players changed.

    The table that continues it then plays one round less. Returns what the audit entry adds to its
    subject. Raises `Finished` if all rounds are played, and `AfterChange` if a table sends the
    round when others have recorded rounds since.
    """
    stopped = sheet.sitting
    following = Sitting.objects.filter(continues=stopped, continued_by=None).first()
    if following is None or not sheet.may_be_prolonged or not (is_from_table or is_decided):
        raise Finished
    recorded = following.rounds.values("number").distinct().count()
    if recorded and not is_decided:
        raise AfterChange
    stopped.rounds_planned = len(sheet.rows) + 1
    stopped.save(update_fields=["rounds_planned"])
    return {"goes_on_at": following.number, "rounds": stopped.rounds_planned}


def _replaceable_version(sheet: Sheet, number: int, seen_version: int, by: Actor) -> Round | None:
    """Return the version in force that the next one replaces, None for a new round.

    Raises `OnlyTotals` if the table records no rounds, `NotNext`, `RoundConflict` if the writer was
    shown another version, and `NeedsDesk` if a table would replace an accepted one.
    """
    check_takes_rounds(sheet)
    if not 1 <= number <= len(sheet.rows) + 1:
        raise NotNext
    stored = sheet.row(number)
    if (stored.version if stored else 0) != seen_version:
        raise RoundConflict(stored)
    if stored is not None and by.is_the_table and _is_accepted(sheet, stored):
        raise NeedsDesk
    return stored


def _is_accepted(sheet: Sheet, stored: Round) -> bool:
    """Return whether the version in force of a round is accepted.

    The database is queried only if the round is complete, because no other one can be accepted.
    """
    return sheet.score.rounds[stored.number - 1].complete and is_accepted(stored)


def _first_version(sheet: Sheet, number: int) -> int:
    """Return the next version number of a round that has no version in force.

    That is 1, unless earlier versions were set aside.
    """
    if not sheet.rules.game.may_end_early:
        return 1  # rounds are set aside only in games that may end early
    latest = Round.objects.filter(sitting=sheet.sitting, number=number).order_by("version").last()
    return latest.version + 1 if latest is not None and latest.is_set_aside else 1


def _set_round_aside(row: Round, *, by: Actor, reason: str) -> None:
    """Store a next version without facts, so that the round no longer counts.

    Raises `NeedsDesk` if a table would set aside an accepted round.
    """
    if by.is_the_table and is_accepted(row):
        raise NeedsDesk
    without_facts = Round.objects.create(
        sitting=row.sitting,
        number=row.number,
        version=row.version + 1,
        facts={},
        reason=reason,
        who=by.who,
    )
    append_audit_entry(
        row.sitting, AuditEntry.Kind.ROUND_CORRECTED, row=without_facts, stored=row, by=by
    )


def _audit_kind(
    sheet: Sheet, stored: Round | None, facts: Mapping[str, Any], reason: str
) -> AuditEntry.Kind:
    """Return the kind of audit entry for storing these facts after the version `stored`.

    Raises `ReasonNeeded` for a correction (neither a new round nor a continuation) without one.
    """
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
    sitting: Sitting,
    kind: AuditEntry.Kind,
    *,
    row: Round,
    stored: Round | None,
    by: Actor,
    more_subject: Mapping[str, int | None] = {},
) -> None:
    """Append the audit entry for `row`, a new version of a round; `stored` is the version before.

    Call it under the lock.
    """
    audit.append_entry(
        sitting.session.tournament,
        kind,
        by,
        subject={**audit.table_subject(sitting, row.number, row.version), **more_subject},
        old=stored.facts if stored else None,
        new=row.facts,
        reason=row.reason,
        at=row.recorded_at,
        is_locked=True,
    )


@transaction.atomic
def record_lines(
    sitting: Sitting,
    lines: Sequence[TypedLine],
    *,
    seen_version: int,
    by: Actor,
    on_paper: Mapping[str, int] | None = None,
) -> list[Round]:
    """Record all lines of a paper sheet, or none if one is refused; return the rounds in force.

    `on_paper` holds the totals on the sheet that differ from the computed ones, by entry number; an
    audit entry stores both. `seen_version` is the version of the first line's round that was shown,
    0 if it was not recorded. Raises what `record_round` raises.
    """
    sheet = lock_and_read_sheet(sitting)
    closing.check_table_may_write(sitting.session.tournament, by)
    for line in lines:
        facts = line.facts or {}
        try:
            sheet = record_on_sheet(sheet, line.number, facts, seen_version=seen_version, by=by)
        except ReasonNeeded:
            # The unfinished round was typed as it is stored: nothing to write.
            if not is_same_round(sheet, line.number, sheet.rows[line.number - 1].facts, facts):
                raise
        seen_version = 0  # the rounds of the other lines are new
    if on_paper:
        audit.append_table_entry(
            sitting,
            AuditEntry.Kind.PAPER_OVERRULED,
            by,
            old=dict(on_paper),
            new={player: sheet.totals_by_seat[player] for player in on_paper},
        )
    return [sheet.rows[line.number - 1] for line in lines]
