"""What tables say besides facts, and whether their links are closed: the rows against the acts."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from tournaments.models import AuditEntry, Call, Disagreement, Sitting
from tournaments.services import phones
from tournaments.verification.trail import Fault, Told, Trail

Kind = AuditEntry.Kind
EVENT_ENDED = (Kind.CLOSED, Kind.EVENT_REMOVED)  # and with it every link, PIN and phone
ENDING = "answered, taken back or settled"  # when a table's word was, if it was

Said = dict[str, Any]


def strange_disagreements(trail: Trail) -> Iterator[Fault]:
    """Compare what was said of a round otherwise with the acts, and when that was settled."""
    if not trail.tells_of(Kind.ROUND_DISPUTED):
        return
    told: dict[datetime, Said] = {}
    for act in trail.of(Kind.ROUND_DISPUTED, Kind.DISPUTE_SETTLED):
        is_begun = act.kind == Kind.ROUND_DISPUTED
        facts = act.new if is_begun else act.old["other"]
        _tell(told, act, _place(act, "round") | {"facts": facts}, is_begun=is_begun)
    rows = Disagreement.objects.filter(sitting__session__tournament=trail.tournament)
    for row in rows.select_related("sitting__session", "phone"):
        place = {**_of_table(row.sitting), "round": row.number, "facts": row.facts}
        # Phones stay behind when an event moves; then only the act tells which it was.
        who = phones.actor_of(row.phone).who if row.phone else told.get(row.at, {}).get("who")
        stored = place | {"who": who, ENDING: row.settled_at}
        yield from _compared(f"disagreement {row.pk}", stored, told.pop(row.at, None))
    yield from _missing("disagreement", told)


def strange_calls(trail: Trail) -> Iterator[Fault]:
    """Compare every call for the desk with the acts, and when it was answered."""
    if not trail.tells_of(Kind.DESK_CALLED):
        return
    told: dict[datetime, Said] = {}
    for act in trail.of(Kind.DESK_CALLED, Kind.CALL_ANSWERED, Kind.CALL_TAKEN_BACK):
        _tell(told, act, _place(act) | act.new, is_begun=act.kind == Kind.DESK_CALLED)
    rows = Call.objects.filter(sitting__session__tournament=trail.tournament)
    for row in rows.select_related("sitting__session"):
        expected = told.pop(row.at, None)
        who = expected and expected["who"]
        stored = {"kind": row.kind, "words": row.words, "who": who, ENDING: row.answered_at}
        yield from _compared(f"call {row.pk}", _of_table(row.sitting) | stored, expected)
    yield from _missing("call", told)


def strange_links(trail: Trail) -> Iterator[Fault]:
    """Compare which tables' links are closed, and since when, with what the acts make of it."""
    closing = (Kind.LINK_MADE, Kind.LINK_REVOKED, *EVENT_ENDED)
    if not trail.tells_of(*closing):
        return
    told: dict[tuple[int, int], datetime | None] = {}
    for act in trail.of(Kind.SESSION_OPENED, Kind.SESSION_RESEATED, *closing):
        if act.kind in EVENT_ENDED:
            told |= {place: act.at for place, at in told.items() if at is None}
            continue
        at = act.at if act.kind == Kind.LINK_REVOKED else None
        told |= dict.fromkeys(tables_of(act), at)
    sittings = Sitting.objects.filter(session__tournament=trail.tournament)
    for sitting in sittings.select_related("session"):
        place = (sitting.session.number, sitting.number)
        if told.get(place) != sitting.closed_at:
            what = "session {} table {} link".format(*place)
            yield Fault(what, "is not open or closed as the acts tell")


def _tell(told: dict[datetime, Said], act: Told, said: Said, *, is_begun: bool) -> None:
    """Add what an act began, or end what it ended: the open one that says the same."""
    if is_begun:
        told[act.at] = said | {"who": act.who, ENDING: None}
        return
    for known in told.values():
        if known[ENDING] is None and said.items() <= known.items():
            known[ENDING] = act.at
            return


def _compared(what: str, stored: Said, told: Said | None) -> Iterator[Fault]:
    if told is None:
        yield Fault(what, "no act of its time tells of it")
    elif stored != told:
        yield Fault(what, "differs from what the acts tell")


def _missing(what: str, told: dict[datetime, Said]) -> Iterator[Fault]:
    for at in told:
        yield Fault(f"{what} of {at.isoformat()}", "is missing, though an act tells of it")


def _place(act: Told, *more: str) -> Said:
    return {name: act.subject[name] for name in ("session", "table", *more)}


def _of_table(sitting: Sitting) -> Said:
    return {"session": sitting.session.number, "table": sitting.number}


def tables_of(act: Told) -> list[tuple[int, int]]:
    """Return the tables that an act is about: those it set up, those named, or its one."""
    session = act.subject["session"]
    if act.kind in {Kind.SESSION_OPENED, Kind.SESSION_RESEATED}:
        return [(session, number) for number in range(len(act.old or ()) + 1, len(act.new) + 1)]
    if "table" in act.subject:
        return [(session, act.subject["table"])]
    return [(session, number) for number in act.new["tables"]]


def removed_by(act: Told) -> list[tuple[int, int]]:
    """Return the tables that are no more since a session was seated anew, or removed."""
    if act.kind not in {Kind.SESSION_RESEATED, Kind.SESSION_REMOVED}:
        return []
    session = act.subject["session"]
    return [(session, number) for number in range(len(act.new or ()) + 1, len(act.old) + 1)]
