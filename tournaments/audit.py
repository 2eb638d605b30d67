"""The audit trail: one chain of acts for each tournament, and the check that nobody touched it.

An act is written in the transaction of what it tells of. Its digest covers every column and the
digest before it, so that a change anywhere shows; the rounds are compared with what the acts say.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

from django.contrib.auth.models import User
from django.utils import timezone

from tournaments.models import Act, Round, SittingTotals, Tournament

FIRST = "0" * 64  # what the first act follows
THE_TABLE = "table"  # how the trail names whoever holds a table link


class Actor(NamedTuple):
    """Who does something: a member of staff, or a table whose link somebody holds."""

    user: User | None
    who: str


class Fault(NamedTuple):
    """Something that does not fit: which act or round, and what is wrong with it."""

    what: str
    wrong: str


def append(
    tournament: Tournament,
    kind: Act.Kind,
    by: Actor,
    *,
    subject: Mapping[str, Any] | None = None,
    old: Any = None,
    new: Any = None,
    reason: str = "",
    at: datetime | None = None,
) -> Act:
    """Write what was done after all that was done before. Call it within the act's transaction.

    `at` is the moment that a row written with it names, if there is one.
    """
    # Whoever holds the tournament's row writes the next act: the chain never forks.
    Tournament.objects.select_for_update().get(pk=tournament.pk)
    last = Act.objects.filter(tournament=tournament).order_by("number").last()
    act = Act(
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
    return act


def digest_of(act: Act) -> str:
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


def verify(tournament: Tournament) -> list[Fault]:
    """Return everything that does not fit in a tournament's trail."""
    acts = list(tournament.acts.select_related("tournament").order_by("number"))
    return [
        *_broken_links(acts),
        *_strange_rounds(tournament, acts),
        *_strange_totals(tournament, acts),
    ]


def _broken_links(acts: list[Act]) -> Iterator[Fault]:
    previous = FIRST
    for number, act in enumerate(acts, 1):
        what = f"act {act.number}"
        if act.number != number:
            yield Fault(what, f"should be act {number}: one is missing")
        if act.previous != previous:
            yield Fault(what, "does not follow the act before it")
        if act.digest != digest_of(act):
            yield Fault(what, "does not say what it said when it was written")
        previous = act.digest


def _strange_rounds(tournament: Tournament, acts: list[Act]) -> Iterator[Fault]:
    """Compare every version of every round with the act that wrote it."""
    told = {
        (a.subject["session"], a.subject["table"], a.subject["round"], a.subject["version"]): a
        for a in acts
        if a.kind in {Act.Kind.ROUND_RECORDED, Act.Kind.ROUND_CONTINUED, Act.Kind.ROUND_CORRECTED}
    }
    rows = Round.objects.filter(sitting__session__tournament=tournament)
    for row in rows.select_related("sitting__session"):
        place = (row.sitting.session.number, row.sitting.number, row.number, row.version)
        what = "session {} table {} round {} version {}".format(*place)
        act = told.pop(place, None)
        if act is None:
            yield Fault(what, "nobody recorded it")
        elif (row.facts, *_said(row)) != (act.new, *_told(act)):
            yield Fault(what, f"differs from what act {act.number} recorded")
    for place, act in told.items():
        what = "session {} table {} round {} version {}".format(*place)
        yield Fault(what, f"is missing, though act {act.number} recorded it")


def _strange_totals(tournament: Tournament, acts: list[Act]) -> Iterator[Fault]:
    """Compare every version of typed totals with the act that wrote it."""
    told = {
        (a.subject["session"], a.subject["table"], a.subject["version"]): a
        for a in acts
        if a.kind in {Act.Kind.TOTALS_ENTERED, Act.Kind.TOTALS_CORRECTED}
    }
    rows = SittingTotals.objects.filter(sitting__session__tournament=tournament)
    for row in rows.select_related("sitting__session"):
        place = (row.sitting.session.number, row.sitting.number, row.version)
        what = "session {} table {} totals version {}".format(*place)
        act = told.pop(place, None)
        if act is None:
            yield Fault(what, "nobody entered them")
        elif (row.points, *_said(row)) != (act.new, *_told(act)):
            yield Fault(what, f"differs from what act {act.number} entered")
    for place, act in told.items():
        what = "session {} table {} totals version {}".format(*place)
        yield Fault(what, f"is missing, though act {act.number} entered it")


def _said(row: Round | SittingTotals) -> tuple[str, str, datetime]:
    """Return what a row says of its writing, besides what was written."""
    return row.reason, row.who, row.recorded_at


def _told(act: Act) -> tuple[str, str, datetime]:
    """Return the same as its act tells it."""
    return act.reason, act.who, act.at
