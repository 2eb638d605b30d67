"""Import an event from its archive, in one transaction.

Rows are created directly, not by the services, and verified against the audit trail. The functions
named `_create_...` create the rows of one part of `schema.EventDocument`.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from django.db import IntegrityError, transaction

import scoring
from tournaments import audit, backups, verification
from tournaments.archives import files, schema
from tournaments.archives.errors import AlreadyExists, Damaged, ImportRefused, OtherRules
from tournaments.archives.exporting import manifest_of
from tournaments.archives.files import Archive
from tournaments.audit import Actor
from tournaments.backups.snapshots import scratch_copy
from tournaments.models import (
    Acceptance,
    Adjustment,
    AuditEntry,
    Call,
    Clock,
    Disagreement,
    Draw,
    Entry,
    Membership,
    Presence,
    Receipt,
    Registration,
    Round,
    Schedule,
    Seat,
    Session,
    Sitting,
    SittingTotals,
    Stage,
    Substitution,
    Tournament,
)
from tournaments.models.field_types import StrictModel
from tournaments.models.seating import new_link_token
from tournaments.models.tokens import digest
from tournaments.server import jobs
from tournaments.services import seating, staff
from tournaments.web.storage_errors import status_of

logger = logging.getLogger(__name__)

RECORDED = ("rounds", "totals", "calls", "disagreements")  # at a table


def import_archive(content: bytes, *, by: Actor, unlimited: bool = False) -> Tournament:
    """Take a backup, and create the event of an archive. The account of `by`, if any, directs it.

    `unlimited` waives the limits of size. Raises `ImportRefused`, `heavy_files.Busy` or `JobEnded`;
    then nothing is changed, and no backup is taken.
    """
    with files.one_at_a_time():
        return jobs.run(_check_and_import, content, by=by, unlimited=unlimited)


@jobs.lowers_priority_itself  # for what precedes the transaction
def _check_and_import(content: bytes, *, by: Actor, unlimited: bool) -> Tournament:
    """Check the archive, try the import, take a backup, and import.

    The caller holds the lock `files.one_at_a_time`. Raises as `import_archive` does.
    """
    archive = jobs.at_low_priority(files.read, content, unlimited=unlimited)
    check_importable(archive)
    try:
        jobs.at_low_priority(_dry_run, archive, by=by)
        jobs.at_low_priority(backups.take, backups.Reason.BEFORE_IMPORT, who=by.who)
        return _create_event(archive, by=by)
    except ImportRefused:
        raise
    except Exception as error:  # a forged event may cause any exception
        if status_of(error) is not None:  # the database or disk failed
            raise
        logger.exception("An archive could not be brought in")  # it may be a bug of ours
        raise Damaged from error


@jobs.lowers_priority_itself  # once it has copied the database
def _dry_run(archive: Archive, *, by: Actor) -> None:
    """Import the event into a copy, or roll it back. Raises `Damaged` if its verification fails.

    Refused archives then cause no backups, which would displace older ones.
    """
    with scratch_copy():
        jobs.lower_priority()
        with transaction.atomic():
            tournament = _create_event(archive, by=by)
            if not _is_as_archived(archive, tournament):
                raise Damaged
            transaction.set_rollback(True)


def check_importable(archive: Archive) -> None:
    """Raise `AlreadyExists` if the slug is taken, `OtherRules` if the rules are unknown or differ.

    Removed tournaments count, too.
    """
    settings, manifest = archive.event.tournament, archive.manifest
    if Tournament.every.filter(slug=settings.slug).exists():
        raise AlreadyExists(settings.slug)
    try:
        rule_set = scoring.get_rule_set(settings.rule_set)
        rules = scoring.choose(rule_set, settings.options, settings.points)
        scoring.read_ranking(settings.ranking, rules.game.kind)
    except (scoring.UnknownRuleSet, scoring.BadChoice, scoring.BadRanking) as error:
        raise OtherRules from error
    if rules.fingerprint != manifest.fingerprint:
        raise OtherRules


@transaction.atomic
def _create_event(archive: Archive, *, by: Actor) -> Tournament:
    """Write every row of an event, and make the account of `by`, if any, its director.

    Verifies nothing: `_dry_run` has verified what the same archive becomes, and other writers wait
    for this transaction. Raises `AlreadyExists`.
    """
    event = archive.event
    tournament = _create_tournament(event.tournament)
    entries = _create_entries(tournament, event.entries)
    for session in event.sessions:
        _create_session(tournament, session, entries)
    seating.store_play_off_numbers(tournament)
    _create_roll_calls(event, entries)
    _create_rankings(tournament, event, entries)
    Registration.objects.bulk_create(
        Registration(tournament=tournament, **_fields_of(each)) for each in event.registrations
    )
    _create_trail(tournament, event)
    # This entry ends the roles that earlier entries gave.
    payload = {
        "digest": archive.digest,
        "private": archive.manifest.private,
        "links": _by_table(tournament, lambda sitting: digest(sitting.token)),
        "keys": _by_table(tournament, lambda sitting: sitting.key),
    }
    audit.append_entry(tournament, AuditEntry.Kind.ARCHIVE_READ, by, new=payload)
    if by.user is not None:
        staff.give_role(tournament, by.user, Membership.Role.DIRECTOR, by=by)
    return tournament


def _is_as_archived(archive: Archive, tournament: Tournament) -> bool:
    return verification.is_consistent(tournament) and _matches_manifest(archive, tournament)


def _matches_manifest(archive: Archive, tournament: Tournament) -> bool:
    manifest, event = archive.manifest, archive.event
    if any((player.private is not None) != manifest.private for player in event.entries):
        return False
    expected = manifest_of(
        tournament,
        event,
        length=manifest.length,  # `files.read` has already checked length and digest
        sha256=manifest.sha256,
        with_private=manifest.private,
    )
    of_the_file = {"version": manifest.version, "made_with": manifest.made_with}
    return expected.model_copy(update=of_the_file) == manifest


def _create_tournament(settings: schema.Settings) -> Tournament:
    """Create the row of the tournament. Raises `AlreadyExists` if its slug was taken meanwhile."""
    tournament = Tournament(**_fields_of(settings))
    try:
        with transaction.atomic():
            tournament.save(force_insert=True)
    except IntegrityError:  # a concurrent import has taken the slug
        if Tournament.every.filter(slug=settings.slug).exists():
            raise AlreadyExists(settings.slug) from None
        raise
    return tournament


def _create_entries(tournament: Tournament, players: Iterable[schema.Player]) -> dict[int, Entry]:
    """Create the entries and return them by number."""
    entries = Entry.objects.bulk_create(
        Entry(
            tournament=tournament,
            **player.model_dump(exclude={"private"}),
            **(player.private.model_dump() if player.private else {}),
        )
        for player in players
    )
    return {entry.number: entry for entry in entries}


def _create_session(
    tournament: Tournament, document: schema.Session, entries: dict[int, Entry]
) -> None:
    """Create a session with its draw, clock, sittings and seats, and all that was recorded there.

    `entries` are by number.
    """
    fields = _fields_of(document, "draw", "clock", "tables")
    session = Session.objects.create(tournament=tournament, **fields)
    if document.draw is not None:
        Draw.objects.create(session=session, **document.draw.model_dump(exclude_none=True))
    if document.clock is not None:
        Clock.objects.create(session=session, **_fields_of(document.clock))
    # Tokens are new: links and codes of the other installation are not valid here.
    stopped = {table.continues for table in document.tables}
    sittings = Sitting.objects.bulk_create(
        Sitting(
            session=session,
            token=new_link_token(tournament),
            # Older archives have it for the table that goes on, too.
            rounds_planned=table.rounds_planned if table.number in stopped else None,
            **_fields_of(table, "players", "continues", "rounds_planned", *RECORDED),
        )
        for table in document.tables
    )
    tables = list(zip(sittings, document.tables, strict=True))
    _link_continued_sittings(tables)
    Seat.objects.bulk_create(
        Seat(sitting=sitting, position=position, entry=entries[number])
        for sitting, table in tables
        for position, number in enumerate(table.players, 1)
    )
    _create_rounds(tables)
    _create_totals_calls_and_disputes(tables)


def _create_totals_calls_and_disputes(
    tables: Sequence[tuple[Sitting, schema.Sitting]],
) -> None:
    SittingTotals.objects.bulk_create(
        SittingTotals(sitting=sitting, **_fields_of(row))
        for sitting, table in tables
        for row in table.totals
    )
    Call.objects.bulk_create(
        Call(sitting=sitting, **_fields_of(each))
        for sitting, table in tables
        for each in table.calls
    )
    Disagreement.objects.bulk_create(
        Disagreement(sitting=sitting, **_fields_of(each))
        for sitting, table in tables
        for each in table.disagreements
    )


def _link_continued_sittings(tables: Sequence[tuple[Sitting, schema.Sitting]]) -> None:
    """Set `Sitting.continues` of the sittings that continue another sitting of the session."""
    by_number = {sitting.number: sitting for sitting, _table in tables}
    continuing = []
    for sitting, table in tables:
        if table.continues:
            sitting.continues = by_number[table.continues]
            continuing.append(sitting)
    Sitting.objects.bulk_update(continuing, ["continues"])


def _create_rounds(tables: Iterable[tuple[Sitting, schema.Sitting]]) -> None:
    documents = [(sitting, document) for sitting, table in tables for document in table.rounds]
    rows = Round.objects.bulk_create(
        Round(sitting=sitting, **_fields_of(document, "accepted_at"))
        for sitting, document in documents
    )
    Acceptance.objects.bulk_create(
        Acceptance(round=row, at=document.accepted_at)
        for row, (_sitting, document) in zip(rows, documents, strict=True)
        if document.accepted_at is not None
    )


def _create_roll_calls(event: schema.EventDocument, entries: dict[int, Entry]) -> None:
    Presence.objects.bulk_create(
        Presence(entry=entries[mark.player], session_number=mark.session, status=mark.status)
        for mark in event.presence
    )
    Substitution.objects.bulk_create(
        Substitution(
            entry=entries[each.player],
            substitute=entries[each.substitute],
            session_number=each.session,
        )
        for each in event.substitutions
    )


def _create_rankings(
    tournament: Tournament, event: schema.EventDocument, entries: dict[int, Entry]
) -> None:
    Adjustment.objects.bulk_create(
        Adjustment(
            tournament=tournament,
            entry=entries[each.player] if each.player is not None else None,
            **_fields_of(each, "player"),
        )
        for each in event.adjustments
    )
    Stage.objects.bulk_create(
        Stage(tournament=tournament, **stage.model_dump()) for stage in event.stages
    )
    if event.schedule is not None:
        fields = event.schedule.model_dump(exclude_none=True)
        Schedule.objects.create(tournament=tournament, **fields)


def _create_trail(tournament: Tournament, event: schema.EventDocument) -> None:
    """Create the rows of `schema.NUMBERED`, audit entries among them, and the receipts."""
    for name, (model, _document) in schema.NUMBERED.items():
        model._default_manager.bulk_create(
            model(tournament=tournament, **_fields_of(each)) for each in getattr(event, name)
        )
    Receipt.objects.bulk_create(
        Receipt(
            tournament=tournament,
            number=number,
            **_fields_of(each, "answer"),
            answer=each.answer.model_dump(),
        )
        for number, each in enumerate(event.receipts, 1)
    )
    if event.receipts:
        audit.set_chain_end(tournament, last_receipt=event.receipts[-1].digest)


def _by_table(
    tournament: Tournament, value_of: Callable[[Sitting], str]
) -> dict[str, dict[str, str]]:
    """Return a value of every sitting, by session and table number, both as text."""
    values: dict[str, dict[str, str]] = {}
    sittings = Sitting.objects.filter(session__tournament=tournament).select_related("session")
    for sitting in sittings:
        values.setdefault(str(sitting.session.number), {})[str(sitting.number)] = value_of(sitting)
    return values


def _fields_of(document: StrictModel, *without: str) -> dict[str, Any]:
    """Return a document's fields by name, except `without`; they are fields of the row's model."""
    names = [name for name in type(document).model_fields if name not in without]
    return {name: getattr(document, name) for name in names}
