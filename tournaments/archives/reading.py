"""An event brought in from its file: all of it, as it was, or nothing."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Any

from django.db import IntegrityError, transaction

import scoring
from tournaments import audit, backups, verification
from tournaments.archives import document as said
from tournaments.archives import files
from tournaments.archives.errors import Damaged, HereAlready, NotRead, OtherRules
from tournaments.archives.files import Archive
from tournaments.archives.writing import manifest_of
from tournaments.audit import Actor
from tournaments.models import (
    Acceptance,
    AuditEntry,
    Call,
    Disagreement,
    Entry,
    Membership,
    Publication,
    Receipt,
    Round,
    Seat,
    Session,
    Sitting,
    SittingTotals,
    Tournament,
)
from tournaments.models.seating import random_token_of
from tournaments.models.tokens import digest
from tournaments.services import staff
from tournaments.web.storage_errors import status_of

logger = logging.getLogger(__name__)


def bring_in(content: bytes, *, by: Actor, is_own: bool = False) -> Tournament:
    """Bring in an event, directed by whoever does. A backup is taken before.

    There is no limit to one that `is_own`: of whoever owns the machine.

    Raises a `NotRead` or `heavy.Busy`, and then nothing has changed, nor has a backup been taken.
    """
    with files.alone():
        return _bring_in(content, by, is_own=is_own)


def _bring_in(content: bytes, by: Actor, *, is_own: bool) -> Tournament:
    archive = files.read(content, is_own=is_own)
    check(archive)
    try:
        _rehearse(archive, by=by)
        backups.take(backups.Reason.BEFORE_IMPORT, who=by.who)
        return put(archive, by=by)
    except NotRead:
        raise
    except Exception as error:  # whatever an event that was made up does to its readers
        if status_of(error) is not None:  # it is the store that failed
            raise
        logger.exception("An archive could not be brought in")  # it may be our own mistake
        raise Damaged from error


@transaction.atomic
def _rehearse(archive: Archive, *, by: Actor) -> None:
    """Bring an event in and take that back. Raises what `put` raises.

    A backup is only taken for what will come in: others would push out those that are needed.
    """
    put(archive, by=by)
    transaction.set_rollback(True)


def check(archive: Archive) -> None:
    """Raise `HereAlready` or `OtherRules` where an event cannot come in."""
    settings, manifest = archive.event.tournament, archive.manifest
    if Tournament.every.filter(slug=settings.slug).exists():
        raise HereAlready(settings.slug)
    try:
        rule_set = scoring.get_rule_set(settings.rule_set)
        rules = scoring.choose(rule_set, settings.options, settings.points)
    except (scoring.UnknownRuleSet, scoring.BadChoice) as error:
        raise OtherRules from error
    if rules.fingerprint != manifest.fingerprint:
        raise OtherRules


@transaction.atomic
def put(archive: Archive, *, by: Actor) -> Tournament:
    """Write every row of an event, and keep it only if all of it fits together."""
    event = archive.event
    tournament = _tournament(event.tournament)
    entries = _entries(tournament, event.entries)
    for session in event.sessions:
        _session(tournament, session, entries)
    Publication.objects.bulk_create(
        Publication(tournament=tournament, **_fields(each)) for each in event.publications
    )
    AuditEntry.objects.bulk_create(
        AuditEntry(tournament=tournament, **_fields(each)) for each in event.acts
    )
    Receipt.objects.bulk_create(
        Receipt(
            tournament=tournament,
            number=number,
            **_fields(each, but="answer"),
            answer=each.answer.model_dump(),
        )
        for number, each in enumerate(event.receipts, 1)
    )
    if event.receipts:
        audit.set_chain_end(tournament, last_receipt=event.receipts[-1].digest)
    # Before it is verified: from this act on nobody has a role that was given elsewhere.
    told = {"digest": archive.digest, "private": archive.manifest.private}
    audit.append_entry(
        tournament, AuditEntry.Kind.ARCHIVE_READ, by, new=told | {"links": _links_made(tournament)}
    )
    if not verification.fits(tournament) or not _is_as_said(archive, tournament):
        raise Damaged
    if by.user is not None:
        staff.give_role(tournament, by.user, Membership.Role.DIRECTOR, by=by)
    return tournament


def _is_as_said(archive: Archive, tournament: Tournament) -> bool:
    """Return whether the manifest says of the event what is in it."""
    manifest, event = archive.manifest, archive.event
    if any((player.private is not None) != manifest.private for player in event.entries):
        return False
    as_told = (manifest.length, manifest.sha256)  # which are compared as the file is read
    today = manifest_of(tournament, event, *as_told, private=manifest.private)
    return today.model_copy(update={"version": manifest.version}) == manifest


def _tournament(settings: said.Settings) -> Tournament:
    tournament = Tournament(**_fields(settings))
    try:
        with transaction.atomic():
            tournament.save(force_insert=True)
    except IntegrityError:  # somebody else has brought it in at the same moment
        if Tournament.every.filter(slug=settings.slug).exists():
            raise HereAlready(settings.slug) from None
        raise
    return tournament


def _entries(tournament: Tournament, players: Iterable[said.Player]) -> dict[int, Entry]:
    """Return the entries by number."""
    entries = Entry.objects.bulk_create(
        Entry(
            tournament=tournament,
            **player.model_dump(exclude={"private"}),
            **(player.private.model_dump() if player.private else {}),
        )
        for player in players
    )
    return {entry.number: entry for entry in entries}


def _session(tournament: Tournament, told: said.Seating, entries: dict[int, Entry]) -> None:
    session = Session.objects.create(
        tournament=tournament,
        number=told.number,
        totals_only=told.totals_only,
        ended_at=told.ended_at,
    )
    # The tables' tokens are new ones: no link or code of the old place opens anything here.
    sittings = Sitting.objects.bulk_create(
        Sitting(
            session=session,
            number=table.number,
            closed_at=table.closed_at,
            token=random_token_of(tournament),
        )
        for table in told.tables
    )
    tables = list(zip(sittings, told.tables, strict=True))
    Seat.objects.bulk_create(
        Seat(sitting=sitting, position=position, entry=entries[number])
        for sitting, table in tables
        for position, number in enumerate(table.players, 1)
    )
    _rounds(tables)
    SittingTotals.objects.bulk_create(
        SittingTotals(sitting=sitting, **_fields(row))
        for sitting, table in tables
        for row in table.totals
    )
    Call.objects.bulk_create(
        Call(sitting=sitting, **_fields(each)) for sitting, table in tables for each in table.calls
    )
    Disagreement.objects.bulk_create(
        Disagreement(sitting=sitting, **_fields(each))
        for sitting, table in tables
        for each in table.disagreements
    )


def _rounds(tables: Iterable[tuple[Sitting, said.Table]]) -> None:
    told = [(sitting, row) for sitting, table in tables for row in table.rounds]
    rows = Round.objects.bulk_create(
        Round(sitting=sitting, **_fields(row, but="accepted_at")) for sitting, row in told
    )
    Acceptance.objects.bulk_create(
        Acceptance(round=row, at=each.accepted_at)
        for row, (_, each) in zip(rows, told, strict=True)
        if each.accepted_at is not None
    )


def _links_made(tournament: Tournament) -> dict[str, dict[str, str]]:
    """Return the digest of every table's new link, by session and table."""
    made: dict[str, dict[str, str]] = {}
    tables = Sitting.objects.filter(session__tournament=tournament)
    for session, table, token in tables.values_list("session__number", "number", "token"):
        made.setdefault(str(session), {})[str(table)] = digest(token)
    return made


def _fields(told: said.Said, but: str = "") -> dict[str, Any]:
    """Return what is said as the row's fields: they have the same names."""
    return {name: getattr(told, name) for name in type(told).model_fields if name != but}
