"""The audit trail: one chain of acts for each tournament.

An act is written in the transaction of what it tells of. Its digest covers every column and the
digest before it, so that a change anywhere shows: `verifying` looks for it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from django.utils import timezone

from tournaments.audit.actors import Actor
from tournaments.audit.locks import lock_tournament
from tournaments.models import AuditEntry, Sitting, Tournament

FIRST = "0" * 64  # what the first act follows


def append(
    tournament: Tournament,
    kind: AuditEntry.Kind,
    by: Actor,
    *,
    subject: Mapping[str, Any] | None = None,
    old: Any = None,
    new: Any = None,
    reason: str = "",
    at: datetime | None = None,
) -> AuditEntry:
    """Write what was done after all that was done before. Call it within the act's transaction.

    `at` is the moment that a row written with it names, if there is one.
    """
    # Whoever has the turn writes the next act: the chain never forks.
    lock_tournament(tournament, removed=True)
    last = AuditEntry.objects.filter(tournament=tournament).order_by("number").last()
    act = AuditEntry(
        tournament=tournament,
        number=last.number + 1 if last else 1,
        at=at or timezone.now(),
        who=by.who,
        kind=kind,
        subject=dict(subject or {}),
        old=old,
        new=new,
        reason=reason,
        previous=last.digest if last else FIRST,
    )
    act.digest = digest_of(act)
    act.save(force_insert=True)
    end(tournament, last_act=act.digest)
    return act


def end(tournament: Tournament, **digests: str) -> None:
    """Keep with which act or receipt a tournament's chain ends now. It has to be our turn."""
    Tournament.every.filter(pk=tournament.pk).update(**digests)


def at_table(
    sitting: Sitting, number: int | None = None, version: int | None = None
) -> dict[str, int]:
    """Return how the trail names a table, or a version of one of its rounds."""
    subject = {"session": sitting.session.number, "table": sitting.number}
    if number is not None and version is not None:
        subject |= {"round": number, "version": version}
    return subject


def digest_of(act: AuditEntry) -> str:
    """Return the digest of everything an act says, and of the digest it follows.

    Nothing in it is a number that only one database knows: it stays when the event moves.
    """
    said = [
        act.tournament.slug,
        act.number,
        act.at.astimezone(UTC).isoformat(timespec="microseconds"),
        act.who,
        act.kind,
        act.subject,
        act.old,
        act.new,
        act.reason,
        act.previous,
    ]
    return hashlib.sha256(canonical(said)).hexdigest()


def canonical(said: Any) -> bytes:
    """Return one spelling of some JSON, whichever database kept it.

    >>> canonical({"b": 1, "a": "x"})
    b'{"a":"x","b":1}'
    """
    return json.dumps(said, sort_keys=True, separators=(",", ":")).encode()
