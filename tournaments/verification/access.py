"""Links, PINs, keys and phones of tables, against the digests and keys in audit entries.

Older audit entries have no digests; what came before the first digest is not checked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any, Literal

from tournaments.models import AuditEntry, Phone, Sitting
from tournaments.models.tokens import digest
from tournaments.services.phones import actor_of
from tournaments.verification.tables import EVENT_ENDED, Table, tables_named_by, tables_removed_by
from tournaments.verification.trail import Fault, Trail, TrailEntry, check

Kind = AuditEntry.Kind
NO_PIN = digest("")
SEATING_KINDS = (Kind.SESSION_OPENED, Kind.SESSION_RESEATED, Kind.PLAYERS_CHANGED)
LINK_CREATING_KINDS = (*SEATING_KINDS, Kind.LINK_MADE, Kind.ARCHIVE_READ)
PHONE_ENDING_KINDS = (Kind.LINK_MADE, Kind.LINK_REVOKED, *EVENT_ENDED)

# The digest of a link or PIN; None where an older audit entry made one without its digest.
DigestByTable = dict[Table, str | None]


@check
def check_links_and_pins(trail: Trail) -> Iterator[Fault]:
    """Compare every table's link, PIN and key with the last ones in the audit entries.

    What older audit entries do not have is not checked.
    """
    link_digests, pin_digests = _expected_links(trail), _expected_pins(trail)
    keys = _expected_keys(trail)
    sittings = Sitting.objects.filter(session__tournament=trail.tournament)
    for sitting in sittings.select_related("session"):
        table = (sitting.session.number, sitting.number)
        what = "session {} table {}".format(*table)
        if link_digests.get(table) not in {None, digest(sitting.token)}:
            yield Fault(what, "has another link than the audit trail says")
        if keys.get(table) not in {None, sitting.key}:
            yield Fault(what, "has another key than the audit trail says")
        if pin_digests.get(table) not in {None, digest(sitting.pin)}:
            yield Fault(what, "has another PIN than the audit trail says")


def _expected_links(trail: Trail) -> DigestByTable:
    """Return the digest of every table's link, None if its last audit entry has no digest."""
    links: DigestByTable = {}
    for audit_entry in trail.of_kind(*LINK_CREATING_KINDS):
        new_links = _created_digests(audit_entry, "links")
        # An import replaces the links of all tables.
        links = new_links if audit_entry.kind == Kind.ARCHIVE_READ else links | new_links
    return links


def _expected_keys(trail: Trail) -> DigestByTable:
    """Return every table's key, None if its audit entry is older than keys."""
    keys: DigestByTable = {}
    for audit_entry in trail.of_kind(*SEATING_KINDS, Kind.ARCHIVE_READ):
        new_keys = _created_digests(audit_entry, "keys")
        # An import gives all tables keys of their own.
        keys = new_keys if audit_entry.kind == Kind.ARCHIVE_READ else keys | new_keys
    return keys


def _expected_pins(trail: Trail) -> DigestByTable:
    """Return the digest of every table's PIN, or `NO_PIN`.

    None if the audit entries are so old that they have no digests.
    """
    pins: DigestByTable = {}
    kinds = (*SEATING_KINDS, Kind.ARCHIVE_READ, Kind.PIN_MADE, Kind.LINK_REVOKED, *EVENT_ENDED)
    for audit_entry in trail.of_kind(*kinds):
        match audit_entry.kind:
            case Kind.PIN_MADE:
                pins |= _created_digests(audit_entry, "pins")
            case Kind.ARCHIVE_READ:  # PINs are not archived
                pins = dict.fromkeys(_created_digests(audit_entry, "links"), NO_PIN)
            case Kind.SESSION_OPENED | Kind.SESSION_RESEATED | Kind.PLAYERS_CHANGED:
                new_links = _created_digests(audit_entry, "links")
                pins |= {
                    table: None if link is None else NO_PIN for table, link in new_links.items()
                }
            case Kind.LINK_REVOKED | Kind.CLOSED | Kind.EVENT_REMOVED:
                ended = _tables_ended(audit_entry, pins)
                pins |= {table: NO_PIN for table in ended if pins.get(table) is not None}
    return pins


@check
def check_phones(trail: Trail) -> Iterator[Fault]:
    """Compare every phone: its table, whether it is the writer, and when it ended."""
    expected_phones, joins_recorded_since = _expected_phones(trail), _joins_recorded_since(trail)
    phones = Phone.objects.filter(sitting__session__tournament=trail.tournament)
    for phone in phones.select_related("sitting__session"):
        stored = _stored_phone(phone)
        expected = expected_phones.pop(actor_of(phone).who, None)
        if expected is None:
            if _must_have_joining_entry(phone, joins_recorded_since.get(stored["table"])):
                yield Fault(f"phone {phone.pk}", "has no audit entry of joining")
        elif expected != stored:
            yield Fault(f"phone {phone.pk}", "differs from the audit trail")
    for who in expected_phones:
        yield Fault(f"phone of {who}", "is missing, though an audit entry describes it")


def _must_have_joining_entry(phone: Phone, joins_recorded_since: datetime | None) -> bool:
    """Return whether a phone must have an audit entry of joining.

    `joins_recorded_since` is the time since which the trail records the phones that join its table,
    None if it never did. A phone that ended before needs no entry.
    """
    if joins_recorded_since is None:
        return False
    return phone.ended_at is None or phone.ended_at > joins_recorded_since


def _expected_phones(trail: Trail) -> dict[str, dict[str, Any]]:
    """Return what each phone should be, in the form of `_stored_phone`, by its `AuditEntry.who`."""
    phones: dict[str, dict[str, Any]] = {}
    removing_kinds = (Kind.SESSION_RESEATED, Kind.SESSION_REMOVED, Kind.ARCHIVE_READ)
    phone_kinds = (Kind.PHONES_ENDED, Kind.PHONE_JOINED, Kind.PHONE_TOOK_OVER)
    for audit_entry in trail.of_kind(*removing_kinds, *phone_kinds, *PHONE_ENDING_KINDS):
        match audit_entry.kind:
            case Kind.SESSION_RESEATED | Kind.SESSION_REMOVED | Kind.ARCHIVE_READ:
                phones = _remaining_phones(phones, audit_entry)
            case Kind.PHONE_JOINED:
                _end_replaced(phones, audit_entry)
                if "phone" in audit_entry.new:  # older audit entries do not describe the phone
                    phones[audit_entry.who] = _expected_phone(audit_entry)
            case Kind.PHONE_TOOK_OVER:
                for who, phone in phones.items():
                    if phone["table"] in tables_named_by(audit_entry) and phone["ended_at"] is None:
                        phone["is_writer"] = who == audit_entry.who
            case Kind.PHONES_ENDED:
                _end_phones(phones.values(), audit_entry)
            case _:  # `PHONE_ENDING_KINDS`
                ended = _tables_ended(audit_entry, {phone["table"] for phone in phones.values()})
                _end_phones(
                    (phone for phone in phones.values() if phone["table"] in ended), audit_entry
                )
    return phones


def _end_phones(phones: Iterable[dict[str, Any]], audit_entry: TrailEntry) -> None:
    """Mark these phones as ended by an audit entry, except those that ended before."""
    for phone in phones:
        if phone["ended_at"] is None:
            phone |= {"ended_at": audit_entry.at, "is_writer": False}


def _end_replaced(phones: dict[str, dict[str, Any]], audit_entry: TrailEntry) -> None:
    """Mark the phone as ended that the joining one replaced, if the audit entry names one."""
    for phone in phones.values():
        if phone["digest"] == audit_entry.new.get("ended"):
            phone["ended_at"] = audit_entry.at


def _remaining_phones(
    phones: dict[str, dict[str, Any]], audit_entry: TrailEntry
) -> dict[str, dict[str, Any]]:
    """Return the phones that remain after an import (none), or after tables were removed."""
    if audit_entry.kind == Kind.ARCHIVE_READ:
        return {}
    removed = tables_removed_by(audit_entry)
    return {who: phone for who, phone in phones.items() if phone["table"] not in removed}


def _expected_phone(audit_entry: TrailEntry) -> dict[str, Any]:
    """Return the phone that joined by an audit entry, in the form of `_stored_phone`."""
    (table,) = tables_named_by(audit_entry)
    return {
        "table": table,
        "digest": audit_entry.new["phone"],
        "is_writer": audit_entry.new["writer"],
        "started_at": audit_entry.at,
        "ended_at": None,
    }


def _stored_phone(phone: Phone) -> dict[str, Any]:
    """Return the compared values of a phone; `digest` is the digest of its stored digest."""
    return {
        "table": (phone.sitting.session.number, phone.sitting.number),
        "digest": digest(phone.digest),
        "is_writer": phone.is_writer,
        "started_at": phone.started_at,
        "ended_at": phone.ended_at,
    }


def _joins_recorded_since(trail: Trail) -> dict[Table, datetime]:
    """Return the time, by table, since which every phone that joins has an audit entry.

    That is the time of the table's first link whose digest is in the audit trail.
    """
    since: dict[Table, datetime] = {}
    for audit_entry in trail.of_kind(*LINK_CREATING_KINDS):
        new_links = _created_digests(audit_entry, "links")
        tables = [table for table, link in new_links.items() if link is not None]
        if audit_entry.kind == Kind.ARCHIVE_READ:
            since = dict.fromkeys(tables, audit_entry.at)
        else:
            since = dict.fromkeys(tables, audit_entry.at) | since  # an earlier time stays
    return since


def _created_digests(
    audit_entry: TrailEntry, key: Literal["links", "keys", "pins"]
) -> DigestByTable:
    """Return the digests of the links or PINs, or the keys, that an audit entry created, by table.

    They are None for older entries, which do not have them.
    """
    if audit_entry.kind == Kind.ARCHIVE_READ:
        return {
            (int(session), int(table)): digest
            for session, tables in audit_entry.new.get(key, {}).items()
            for table, digest in tables.items()
        }
    is_in_subject = audit_entry.kind in SEATING_KINDS
    digests = (audit_entry.subject if is_in_subject else audit_entry.new or {}).get(key)
    tables = tables_named_by(audit_entry)
    return dict(zip(tables, digests, strict=True)) if digests else dict.fromkeys(tables)


def _tables_ended(audit_entry: TrailEntry, all_tables: Iterable[Table]) -> set[Table]:
    """Return the tables whose link, PIN and phones an audit entry ended.

    These are all tables if the entry ended the event, else the tables that it names.
    """
    return {*all_tables} if audit_entry.kind in EVENT_ENDED else {*tables_named_by(audit_entry)}
