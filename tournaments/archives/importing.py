"""Importing an event from its archive, in one transaction."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from typing import Any

from django.db import IntegrityError, transaction

import scoring
from tournaments import audit, backups, verification
from tournaments.archives import files, schema
from tournaments.archives.errors import AlreadyExists, Damaged, ImportRefused, OtherRules
from tournaments.archives.exporting import manifest_of
from tournaments.archives.field_types import StrictModel
from tournaments.archives.files import Archive
from tournaments.audit import Actor
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
    Publication,
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
    TieDecision,
    Tournament,
)
from tournaments.models.seating import new_link_token
from tournaments.models.tokens import digest
from tournaments.services import seating, staff
from tournaments.web.storage_errors import status_of

logger = logging.getLogger(__name__)


def import_archive(content: bytes, *, by: Actor, unlimited: bool = False) -> Tournament:
    """Create the event in an archive, with `by` as its director, after taking a backup.

    `unlimited` waives the limits of size. Raises `ImportRefused` or `heavy_files.Busy`; then
    nothing is changed, and no backup taken.
    """
    with files.one_at_a_time():
        return _check_and_import(content, by=by, unlimited=unlimited)


def _check_and_import(content: bytes, *, by: Actor, unlimited: bool) -> Tournament:
    """Do what `import_archive` does, under its lock: check, try, take a backup, import."""
    archive = files.read(content, unlimited=unlimited)
    check_importable(archive)
    try:
        _dry_run(archive, by=by)
        backups.take(backups.Reason.BEFORE_IMPORT, who=by.who)
        return create_event(archive, by=by)
    except ImportRefused:
        raise
    except Exception as error:  # a forged event may raise anything where it is read
        if status_of(error) is not None:  # the database or disk failed
            raise
        logger.exception("An archive could not be brought in")  # it may be a bug of ours
        raise Damaged from error


@transaction.atomic
def _dry_run(archive: Archive, *, by: Actor) -> None:
    """Import the event and roll back. Raises `Damaged` where it does not verify.

    So a backup is taken only for an import that will succeed; others would push out older backups.
    """
    create_event(archive, by=by)
    transaction.set_rollback(True)


def check_importable(archive: Archive) -> None:
    """Raise `AlreadyExists`, or `OtherRules` where the rule set is unknown or differs."""
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
def create_event(archive: Archive, *, by: Actor) -> Tournament:
    """Write every row of an event and verify it. Raises `Damaged` where it does not verify."""
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
    # Appended before verifying: it ends the roles that the earlier entries gave.
    payload = {
        "digest": archive.digest,
        "private": archive.manifest.private,
        "links": _link_digests(tournament),
    }
    audit.append_entry(tournament, AuditEntry.Kind.ARCHIVE_READ, by, new=payload)
    if not verification.is_consistent(tournament) or not _matches_manifest(archive, tournament):
        raise Damaged
    if by.user is not None:
        staff.give_role(tournament, by.user, Membership.Role.DIRECTOR, by=by)
    return tournament


def _matches_manifest(archive: Archive, tournament: Tournament) -> bool:
    """Return whether the manifest agrees with the imported event."""
    manifest, event = archive.manifest, archive.event
    if any((player.private is not None) != manifest.private for player in event.entries):
        return False
    expected = manifest_of(
        tournament,
        event,
        length=manifest.length,  # `files.read` has compared these two
        sha256=manifest.sha256,
        private=manifest.private,
    )
    return expected.model_copy(update={"version": manifest.version}) == manifest


def _create_tournament(settings: schema.Settings) -> Tournament:
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
    """Create a session with its sittings, seats and all that was recorded there.

    `entries` are by number.
    """
    session = Session.objects.create(
        tournament=tournament,
        number=document.number,
        totals_only=document.totals_only,
        ended_at=document.ended_at,
        tied=document.tied,
        rounds_planned=document.rounds_planned,
    )
    if document.draw is not None:
        Draw.objects.create(session=session, **document.draw.model_dump(exclude_none=True))
    if document.clock is not None:
        Clock.objects.create(session=session, **_fields_of(document.clock))
    # Tokens are new: a link or code of the old installation opens nothing here.
    sittings = Sitting.objects.bulk_create(
        Sitting(
            session=session,
            number=table.number,
            closed_at=table.closed_at,
            rounds_planned=table.rounds_planned,
            token=new_link_token(tournament),
        )
        for table in document.tables
    )
    tables = list(zip(sittings, document.tables, strict=True))
    _link_continued_tables(tables)
    Seat.objects.bulk_create(
        Seat(sitting=sitting, position=position, entry=entries[number])
        for sitting, table in tables
        for position, number in enumerate(table.players, 1)
    )
    _create_rounds(tables)
    _create_notes(tables)


def _create_notes(tables: Sequence[tuple[Sitting, schema.Sitting]]) -> None:
    """Create totals, calls and disagreements of these tables."""
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


def _link_continued_tables(tables: Iterable[tuple[Sitting, schema.Sitting]]) -> None:
    """Store which tables of a session go on at which others."""
    tables = list(tables)
    by_number = {sitting.number: sitting for sitting, _table in tables}
    going_on = [(sitting, table.continues) for sitting, table in tables if table.continues]
    for sitting, continued in going_on:
        sitting.continues = by_number[continued]
    Sitting.objects.bulk_update([sitting for sitting, _number in going_on], ["continues"])


def _create_rounds(tables: Iterable[tuple[Sitting, schema.Sitting]]) -> None:
    """Create every version of the rounds of these tables, and their acceptances."""
    recorded = [(sitting, document) for sitting, table in tables for document in table.rounds]
    rounds = Round.objects.bulk_create(
        Round(sitting=sitting, **_fields_of(document, without="accepted_at"))
        for sitting, document in recorded
    )
    Acceptance.objects.bulk_create(
        Acceptance(round=played, at=document.accepted_at)
        for played, (_sitting, document) in zip(rounds, recorded, strict=True)
        if document.accepted_at is not None
    )


def _create_roll_calls(event: schema.EventDocument, entries: dict[int, Entry]) -> None:
    """Create who was present, and who replaced whom. `entries` are by number."""
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
    """Create what decides places besides rounds, and the planned seats. `entries` are by number."""
    Adjustment.objects.bulk_create(
        Adjustment(
            tournament=tournament,
            entry=entries[each.player] if each.player is not None else None,
            **_fields_of(each, without="player"),
        )
        for each in event.adjustments
    )
    TieDecision.objects.bulk_create(
        TieDecision(tournament=tournament, **_fields_of(each)) for each in event.decisions
    )
    Stage.objects.bulk_create(
        Stage(tournament=tournament, **stage.model_dump()) for stage in event.stages
    )
    if event.schedule is not None:
        fields = event.schedule.model_dump(exclude_none=True)
        Schedule.objects.create(tournament=tournament, **fields)


def _create_trail(tournament: Tournament, event: schema.EventDocument) -> None:
    """Create the publications, and the chains of audit entries and receipts."""
    Publication.objects.bulk_create(
        Publication(tournament=tournament, **_fields_of(each)) for each in event.publications
    )
    AuditEntry.objects.bulk_create(
        AuditEntry(tournament=tournament, **_fields_of(each)) for each in event.acts
    )
    Receipt.objects.bulk_create(
        Receipt(
            tournament=tournament,
            number=number,
            **_fields_of(each, without="answer"),
            answer=each.answer.model_dump(),
        )
        for number, each in enumerate(event.receipts, 1)
    )
    if event.receipts:
        audit.set_chain_end(tournament, last_receipt=event.receipts[-1].digest)


def _link_digests(tournament: Tournament) -> dict[str, dict[str, str]]:
    """Return the digest of every table's new link, by session and table number, both as text."""
    digests: dict[str, dict[str, str]] = {}
    tables = Sitting.objects.filter(session__tournament=tournament)
    for session, table, token in tables.values_list("session__number", "number", "token"):
        digests.setdefault(str(session), {})[str(table)] = digest(token)
    return digests


def _fields_of(document: StrictModel, *, without: str = "") -> dict[str, Any]:
    """Return the fields of a document, which the row's model names alike, except `without`."""
    return {
        name: getattr(document, name) for name in type(document).model_fields if name != without
    }
