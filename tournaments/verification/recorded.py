"""What tables wrote down and agreed to: every version against the act that wrote it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from tournaments.models import Acceptance, AuditEntry, Round, SittingTotals
from tournaments.services import phones
from tournaments.verification.trail import Fault, Told, Trail

Kind = AuditEntry.Kind
PLACE = ("session", "table", "round", "version")
OF_ROUNDS = (Kind.ROUND_RECORDED, Kind.ROUND_CONTINUED, Kind.ROUND_CORRECTED)
OF_TOTALS = (Kind.TOTALS_ENTERED, Kind.TOTALS_CORRECTED)

Place = tuple[int, ...]


def strange_rounds(trail: Trail) -> Iterator[Fault]:
    """Compare every version of every round with the act that wrote it."""
    told = {tuple(act.subject[key] for key in PLACE): act for act in trail.of(*OF_ROUNDS)}
    rows = Round.objects.filter(sitting__session__tournament=trail.tournament)
    for row in rows.select_related("sitting__session"):
        place, what = _place(row), _what(_place(row))
        act = told.pop(place, None)
        if act is None:
            yield Fault(what, "nobody recorded it")
        elif (row.facts, *_said(row)) != (act.new, *_told(act)):
            yield Fault(what, f"differs from what act {act.number} recorded")
    for place, act in told.items():
        yield Fault(_what(place), f"is missing, though act {act.number} recorded it")


def strange_totals(trail: Trail) -> Iterator[Fault]:
    """Compare every version of typed totals with the act that wrote it."""
    told = {
        (act.subject["session"], act.subject["table"], act.subject["version"]): act
        for act in trail.of(*OF_TOTALS)
    }
    rows = SittingTotals.objects.filter(sitting__session__tournament=trail.tournament)
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


def strange_acceptances(trail: Trail) -> Iterator[Fault]:
    """Compare what the other side agreed to with the acts, and which phone said so."""
    if not trail.tells_of(Kind.ROUND_ACCEPTED):
        return
    told = {tuple(act.subject[key] for key in PLACE): act for act in trail.of(Kind.ROUND_ACCEPTED)}
    rows = Acceptance.objects.filter(round__sitting__session__tournament=trail.tournament)
    for row in rows.select_related("round__sitting__session", "phone"):
        place, what = _place(row.round), f"{_what(_place(row.round))} acceptance"
        act = told.pop(place, None)
        # Phones stay behind when an event moves; then only the act tells which it was.
        who = phones.actor_of(row.phone).who if row.phone else act and act.who
        if act is None:
            yield Fault(what, "nobody accepted it")
        elif (row.at, who, row.round.facts) != (act.at, act.who, act.new):
            yield Fault(what, f"differs from what act {act.number} tells")
    for place, act in told.items():
        what = f"{_what(place)} acceptance"
        yield Fault(what, f"is missing, though act {act.number} tells of it")


def _place(row: Round) -> Place:
    return (row.sitting.session.number, row.sitting.number, row.number, row.version)


def _what(place: Place) -> str:
    return "session {} table {} round {} version {}".format(*place)


def _said(row: Round | SittingTotals) -> tuple[str, str, datetime]:
    """Return what a row says of its writing, besides what was written."""
    return row.reason, row.who, row.recorded_at


def _told(act: Told) -> tuple[str, str, datetime]:
    """Return the same as its act tells it."""
    return act.reason, act.who, act.at
