"""What lets a table write: its link, its PIN and its phones, against the digests in the acts.

Older acts tell nothing of these; then nothing is said of what came before the first that does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from tournaments.models import AuditEntry, Phone, Sitting
from tournaments.models.tokens import digest
from tournaments.services.phones import actor_of
from tournaments.verification.tables import EVENT_ENDED, removed_by, tables_of
from tournaments.verification.trail import Fault, Told, Trail

Kind = AuditEntry.Kind
NO_PIN = digest("")
SEATED = (Kind.SESSION_OPENED, Kind.SESSION_RESEATED)
OPENING = (*SEATED, Kind.LINK_MADE, Kind.ARCHIVE_READ)
ENDING = (Kind.LINK_MADE, Kind.LINK_REVOKED, *EVENT_ENDED)

Place = tuple[int, int]  # session and table
Digests = dict[Place, str | None]  # None where an act made one and did not tell which


def strange_keys(trail: Trail) -> Iterator[Fault]:
    """Compare every table's link and PIN with the newest act that tells of it."""
    links, pins = _links(trail), _pins(trail)
    sittings = Sitting.objects.filter(session__tournament=trail.tournament)
    for sitting in sittings.select_related("session"):
        place = (sitting.session.number, sitting.number)
        what = "session {} table {}".format(*place)
        if links.get(place) not in {None, digest(sitting.token)}:
            yield Fault(what, "has another link than the acts tell of")
        if pins.get(place) not in {None, digest(sitting.pin)}:
            yield Fault(what, "has another PIN than the acts tell of")


def _links(trail: Trail) -> Digests:
    links: Digests = {}
    for act in trail.of(*OPENING):
        made = _made(act, "links")
        links = made if act.kind == Kind.ARCHIVE_READ else links | made
    return links


def _pins(trail: Trail) -> Digests:
    pins: Digests = {}
    for act in trail.of(*OPENING, Kind.PIN_MADE, Kind.LINK_REVOKED, *EVENT_ENDED):
        match act.kind:
            case Kind.PIN_MADE:
                pins |= _made(act, "pins")
            case Kind.ARCHIVE_READ:  # PINs stay behind when an event moves
                pins = dict.fromkeys(_made(act, "links"), NO_PIN)
            case Kind.SESSION_OPENED | Kind.SESSION_RESEATED:
                pins |= {place: link and NO_PIN for place, link in _made(act, "links").items()}
            case Kind.LINK_REVOKED | Kind.CLOSED | Kind.EVENT_REMOVED:
                ended = _ended(act, pins)
                pins |= {place: NO_PIN for place in ended if pins.get(place) is not None}
    return pins


def strange_phones(trail: Trail) -> Iterator[Fault]:
    """Compare every phone with what the acts made of it: at which table, and whether it writes."""
    told, known_since = _phones(trail), _known_since(trail)
    phones = Phone.objects.filter(sitting__session__tournament=trail.tournament)
    for phone in phones.select_related("sitting__session"):
        stored = _stored(phone)
        expected = told.pop(actor_of(phone).who, None)
        if expected is not None and expected != stored:
            yield Fault(f"phone {phone.pk}", "differs from what the acts tell")
        since = known_since.get(stored["place"])
        if expected is None and since and not (phone.ended_at and phone.ended_at <= since):
            yield Fault(f"phone {phone.pk}", "joined by no act")
    for who in told:
        yield Fault(f"phone of {who}", "is missing, though an act tells of it")


def _phones(trail: Trail) -> dict[str, dict[str, Any]]:
    """Return the phones of which the acts tell, as the trail names them."""
    phones: dict[str, dict[str, Any]] = {}
    changing = (
        Kind.PHONES_ENDED,
        Kind.PHONE_JOINED,
        Kind.PHONE_TOOK_OVER,
        Kind.ARCHIVE_READ,
        *ENDING,
    )
    for act in trail.of(Kind.SESSION_RESEATED, Kind.SESSION_REMOVED, *changing):
        match act.kind:
            case Kind.SESSION_RESEATED | Kind.SESSION_REMOVED | Kind.ARCHIVE_READ:
                phones = _still_there(phones, act)
            case Kind.PHONE_JOINED:
                _end(phones, act)
                if "phone" in act.new:
                    phones[act.who] = _joined(act)
            case Kind.PHONE_TOOK_OVER:
                for who, phone in phones.items():
                    if phone["place"] in tables_of(act) and phone["ended_at"] is None:
                        phone["is_writer"] = who == act.who
            case Kind.PHONES_ENDED:
                _end_all(phones.values(), act)
            case _:
                places = _ended(act, {phone["place"]: None for phone in phones.values()})
                _end_all((each for each in phones.values() if each["place"] in places), act)
    return phones


def _end_all(phones: Iterable[dict[str, Any]], act: Told) -> None:
    for phone in phones:
        if phone["ended_at"] is None:
            phone |= {"ended_at": act.at, "is_writer": False}


def _end(phones: dict[str, dict[str, Any]], act: Told) -> None:
    """End the phone that was one too many when another joined, if one was."""
    for phone in phones.values():
        if phone["digest"] == act.new.get("ended"):
            phone["ended_at"] = act.at


def _still_there(phones: dict[str, dict[str, Any]], act: Told) -> dict[str, dict[str, Any]]:
    """Return the phones that are left: none when an event moves; else those whose table is left."""
    if act.kind == Kind.ARCHIVE_READ:
        return {}
    gone = removed_by(act)
    return {who: phone for who, phone in phones.items() if phone["place"] not in gone}


def _joined(act: Told) -> dict[str, Any]:
    (place,) = tables_of(act)
    return {
        "place": place,
        "digest": act.new["phone"],
        "is_writer": act.new["writer"],
        "started_at": act.at,
        "ended_at": None,
    }


def _stored(phone: Phone) -> dict[str, Any]:
    return {
        "place": (phone.sitting.session.number, phone.sitting.number),
        "digest": digest(phone.digest),
        "is_writer": phone.is_writer,
        "started_at": phone.started_at,
        "ended_at": phone.ended_at,
    }


def _known_since(trail: Trail) -> dict[Place, datetime]:
    """Return since when every phone of a table stands in the trail, or had ended."""
    since: dict[Place, datetime] = {}
    for act in trail.of(*OPENING):
        told = [place for place, link in _made(act, "links").items() if link is not None]
        if act.kind == Kind.ARCHIVE_READ:
            since = dict.fromkeys(told, act.at)
        else:
            since = dict.fromkeys(told, act.at) | since
    return since


def _made(act: Told, name: str) -> Digests:
    """Return the digests of the links or PINs that an act made, for each of its tables."""
    if act.kind == Kind.ARCHIVE_READ:
        return {
            (int(session), int(table)): digest
            for session, tables in act.new.get(name, {}).items()
            for table, digest in tables.items()
        }
    told = (act.subject if act.kind in SEATED else act.new or {}).get(name)
    tables = tables_of(act)
    return dict(zip(tables, told, strict=True)) if told else dict.fromkeys(tables)


def _ended(act: Told, known: Digests) -> set[Place]:
    """Return the tables whose link, PIN and phones an act ended: all that are known, or its own."""
    return {*known} if act.kind in EVENT_ENDED else {*tables_of(act)}
