"""The audit trail: one hash chain of audit entries for each tournament.

An entry is written in the same transaction as the change it records. Its digest covers every column
and the digest of the entry before it, so that `verification` finds any later change.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection, Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

from django.utils import timezone

from tournaments.audit.actors import Actor
from tournaments.audit.locks import lock_tournaments
from tournaments.audit.state import STATE_KINDS, check_state
from tournaments.models import AuditEntry, Sitting, Tournament

CHAIN_START = "0" * 64  # in place of the digest before the first entry


class ChainEnd(NamedTuple):
    """Number and digest of the last entry of a chain; 0 and `CHAIN_START` if it is empty."""

    number: int
    digest: str


def append_entry(
    tournament: Tournament,
    kind: AuditEntry.Kind,
    by: Actor,
    *,
    subject: Mapping[str, Any] | None = None,
    old: Any = None,
    new: Any = None,
    reason: str = "",
    at: datetime | None = None,
    is_locked: bool = False,
) -> AuditEntry:
    """Append an audit entry to the chain. Call it in the transaction of the recorded change.

    `subject`, `old` and `new` are JSON. `at` is the timestamp of the row the entry is about, if it
    has one; now by default. Takes the tournament's lock, so that the chain never forks; with
    `is_locked`, the caller holds the lock already. Raises `StateChanged` if the entry changes the
    state of the event, and `by` saw an older one.
    """
    if not is_locked:
        lock_tournaments([tournament.pk])
    end = chain_end(tournament)
    entry = next_entry(
        tournament, end, kind, by, subject=subject, old=old, new=new, reason=reason, at=at
    )
    store_entry(entry, by)
    return entry


def chain_end(tournament: Tournament) -> ChainEnd:
    entries = AuditEntry.objects.filter(tournament=tournament).order_by("-number")
    last = entries.values_list("number", "digest").first()
    return ChainEnd(*last) if last else ChainEnd(0, CHAIN_START)


def next_entry(
    tournament: Tournament,
    end: ChainEnd,
    kind: AuditEntry.Kind,
    by: Actor,
    *,
    subject: Mapping[str, Any] | None = None,
    old: Any = None,
    new: Any = None,
    reason: str = "",
    at: datetime | None = None,
) -> AuditEntry:
    """Return the entry that follows `end`. The other arguments are those of `append_entry`.

    The database is neither read nor changed, so that a large entry can be made before the lock.
    """
    entry = AuditEntry(
        tournament=tournament,
        number=end.number + 1,
        at=at or timezone.now(),
        who=by.who,
        kind=kind,
        subject=dict(subject or {}),
        old=old,
        new=new,
        reason=reason,
        previous=end.digest,
    )
    entry.digest = digest_of(entry)
    return entry


def store_entry(
    entry: AuditEntry, by: Actor, *, insert: Callable[[], object] | None = None
) -> None:
    """Store the next entry of a chain. The caller holds the lock of the tournament.

    `insert` inserts the row if it is prepared already. Raises `StateChanged` as `append_entry`.
    """
    seen = by.seen if entry.kind in STATE_KINDS else None
    if seen is not None:
        check_state(entry.tournament, seen)
    if insert is not None:
        insert()
    else:
        entry.save(force_insert=True)
    set_chain_end(entry.tournament, last_act=entry.digest)
    if seen is not None:
        seen.version = entry.number


def set_chain_end(tournament: Tournament, **digests: str) -> None:
    """Store the digest of the last entry of a chain: `last_act` (audit trail) or `last_receipt`.

    Call it under the tournament's lock.
    """
    Tournament.every.filter(pk=tournament.pk).update(**digests)


def append_table_entry(
    sitting: Sitting, kind: AuditEntry.Kind, by: Actor, **payload: Any
) -> AuditEntry:
    """Append an audit entry about a table; `payload` are further arguments of `append_entry`."""
    subject = table_subject(sitting)
    return append_entry(sitting.session.tournament, kind, by, subject=subject, **payload)


def last_number(tournament: Tournament, kinds: Collection[str], **subject: int) -> int:
    """Return the number of the last entry of these kinds about this subject, or 0.

    It is the version of what these entries change. Read it before what is shown with it, so that
    the version is never too new.
    """
    about = {f"subject__{name}": number for name, number in subject.items()}
    entries = tournament.audit_entries.filter(kind__in=kinds, **about).order_by("-number")
    return entries.values_list("number", flat=True).first() or 0


def table_subject(
    sitting: Sitting, round_number: int | None = None, version: int | None = None
) -> dict[str, int]:
    """Return the `subject` of an audit entry about a table, or a version of one of its rounds.

    `round_number` and `version` are given together or not at all.
    """
    subject = {"session": sitting.session.number, "table": sitting.number}
    if round_number is not None and version is not None:
        subject |= {"round": round_number, "version": version}
    return subject


def digest_of(entry: AuditEntry) -> str:
    """Return the SHA-256 of all columns of an entry, the previous digest among them.

    It covers no primary key, so that it stays valid when the event moves to another database.
    """
    columns = [
        entry.tournament.slug,
        entry.number,
        entry.at.astimezone(UTC).isoformat(timespec="microseconds"),
        entry.who,
        entry.kind,
        entry.subject,
        entry.old,
        entry.new,
        entry.reason,
        entry.previous,
    ]
    return hashlib.sha256(canonical_json(columns)).hexdigest()


def canonical_json(document: Any) -> bytes:
    """Serialise JSON in canonical form: sorted keys, no spaces, ASCII only.

    >>> canonical_json({"b": 1, "a": "x"})
    b'{"a":"x","b":1}'
    """
    return json.dumps(document, sort_keys=True, separators=(",", ":")).encode()
