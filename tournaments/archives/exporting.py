"""Export an event as an archive. Only reads the database.

The functions named `_..._document` convert a row to its part of `schema.EventDocument`.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from django.db.models import Model, Prefetch

from tournaments import verification
from tournaments.archives import files, schema, snapshots
from tournaments.archives.applications import Application
from tournaments.archives.errors import Inconsistent
from tournaments.models import (
    Adjustment,
    AuditEntry,
    Call,
    Clock,
    Draw,
    Entry,
    Presence,
    Publication,
    Receipt,
    Registration,
    Round,
    Schedule,
    Session,
    Sitting,
    SittingTotals,
    Tournament,
)
from tournaments.models.field_types import StrictModel
from tournaments.queries.publications import digest_of, standings_content
from tournaments.queries.published_content import StageFacts
from tournaments.queries.ranking_facts import ranking_facts
from tournaments.queries.sheets import record_document, sheets_for, with_seats
from tournaments.queries.substitutions import substitutions_of

DRAW_FIELDS = tuple(schema.DrawOfSession.model_fields)


def export_archive(tournament: Tournament, *, with_private: bool) -> bytes:
    """Return the archive of an event; `with_private` includes contacts, years of birth and notes.

    Raises `Inconsistent` if the verification of the event fails, since no import would accept the
    archive, and `heavy_files.Busy` if another export or import is running.
    """
    with files.one_at_a_time(), snapshots.consistent_snapshot():
        current = Tournament.objects.get(pk=tournament.pk)
        if not verification.is_consistent(current):
            raise Inconsistent
        event = _event_document(current, with_private=with_private)
        text = files.serialise(event)
        manifest = manifest_of(
            current,
            event,
            length=len(text),
            sha256=hashlib.sha256(text).hexdigest(),
            with_private=with_private,
        )
        return files.pack(manifest, text, records_as_lines(current))


def records_as_lines(tournament: Tournament) -> bytes:
    """Return the text of records.jsonl: the record of each table as a line of JSON.

    `manage.py score --lines` reads it, so that facts of the archive can be scored without an
    import. Tables without rounds are left out.
    """
    options = {"options": sort_keys(tournament.options)} if tournament.options else {}
    lines = [
        sort_keys(
            record_document(tournament, sheet.players, [row.facts for row in sheet.rows]) | options
        )
        for sheet in sheets_for(tournament)
        if sheet.rows and not sheet.is_totals_only
    ]
    return "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines).encode()


def file_name(tournament: Tournament) -> str:
    """Return the file name, such as `2026-11-21 7q2m-x4kd.makiyaku.zip`: date and slug."""
    return f"{tournament.held_on} {tournament.slug}{files.SUFFIX}"


def standings_digest(tournament: Tournament) -> str:
    """Return the digest of the live standings."""
    return digest_of(standings_content(ranking_facts(tournament)))


def manifest_of(
    tournament: Tournament,
    event: schema.EventDocument,
    *,
    length: int,
    sha256: str,
    with_private: bool,
) -> schema.Manifest:
    """Return the manifest of `event`, with the digest of the live standings of `tournament`.

    `length` and `sha256` are those of event.json; `with_private` tells whether it has private
    fields.
    """
    last = event.acts[-1] if event.acts else None
    tables = [table for session in event.sessions for table in session.tables]
    return schema.Manifest(
        slug=tournament.slug,
        name=tournament.name,
        rule_set=tournament.rule_set,
        fingerprint=tournament.rules.fingerprint,
        private=with_private,
        last_act=(
            schema.LastAuditEntry(number=last.number, at=last.at, who=last.who) if last else None
        ),
        counts=schema.Counts(
            entries=len(event.entries),
            sessions=len(event.sessions),
            rounds=sum(len(table.rounds) for table in tables),
            acts=len(event.acts),
            publications=len(event.publications),
        ),
        standings=standings_digest(tournament),
        length=length,
        sha256=sha256,
    )


def _event_document(tournament: Tournament, *, with_private: bool) -> schema.EventDocument:
    """Return all data of an event, with the fields for staff only if `with_private`."""
    return schema.EventDocument(
        tournament=schema.Settings.model_validate(sort_keys(_fields(tournament, schema.Settings))),
        entries=[
            _player_document(entry, with_private=with_private) for entry in tournament.entries.all()
        ],
        sessions=[_session_document(each) for each in tournament.sessions.all()],
        presence=_marks_document(tournament),
        substitutions=[
            schema.PlayedFor(
                session=each.session_number,
                player=each.entry.number,
                substitute=each.substitute.number,
            )
            for each in substitutions_of(tournament)
        ],
        adjustments=[
            _adjustment_document(each)
            for each in tournament.adjustments.select_related("entry").order_by("number")
        ],
        decisions=[
            schema.Decision(**_fields(each, schema.Decision))
            for each in tournament.tie_decisions.order_by("number")
        ],
        schedule=_schedule_document(tournament),
        stages=[StageFacts(**sort_keys(each.as_json())) for each in tournament.stages.all()],
        registrations=[
            _application_document(each, with_private=with_private)
            for each in tournament.registrations.order_by("number")
        ],
        publications=[_publication_document(each) for each in tournament.publications.all()],
        acts=[_audit_entry_document(each) for each in tournament.audit_entries.all()],
        receipts=[_receipt_document(each) for each in tournament.receipts.order_by("number")],
    )


def _schedule_document(tournament: Tournament) -> schema.Schedule | None:
    """Return the planned seats as their document, or None without planned seats."""
    rows = Schedule.objects.filter(tournament=tournament)
    fields = rows.values(*schema.Schedule.model_fields).first()
    return schema.Schedule.model_validate(sort_keys(fields)) if fields else None


def _adjustment_document(adjustment: Adjustment) -> schema.Adjusted:
    fields = _fields(adjustment, schema.Adjusted, without="player")
    player = adjustment.entry.number if adjustment.entry else None
    return schema.Adjusted(player=player, **fields)


def _application_document(row: Registration, *, with_private: bool) -> Application:
    """Return an application as its document, with its contact only if `with_private`."""
    fields = _fields(row, Application)
    fields["state"] = Registration.State(row.state)
    return Application(**fields | ({} if with_private else {"contact": "", "salt": ""}))


def _fields(row: Model, document: type[StrictModel], *, without: str = "") -> dict[str, Any]:
    """Return a row's values by name for all fields of its document, except `without`."""
    return {name: getattr(row, name) for name in document.model_fields if name != without}


def _player_document(entry: Entry, *, with_private: bool) -> schema.Player:
    """Return an entry as its document, with the fields for staff only if `with_private`."""
    private = schema.Private(**_fields(entry, schema.Private)) if with_private else None
    return schema.Player.model_validate({**entry.public_values(), "private": private})


def _marks_document(tournament: Tournament) -> list[schema.Mark]:
    """Return the marks of the roll calls, sorted by session and player number."""
    marks = Presence.objects.filter(entry__tournament=tournament).select_related("entry")
    return [
        schema.Mark(
            session=mark.session_number,
            player=mark.entry.number,
            status=Presence.Status(mark.status),
        )
        for mark in marks.order_by("session_number", "entry__number")
    ]


def _session_document(session: Session) -> schema.Session:
    """Return a session with its draw, its clock and all that its tables recorded."""
    rounds = Round.objects.select_related("acceptance").order_by("number", "version")
    sittings = with_seats(session.sittings.select_related("continues")).prefetch_related(
        Prefetch("rounds", rounds),
        Prefetch("typed_totals", SittingTotals.objects.order_by("version")),
        "calls",
        "disagreements",
    )
    draw = Draw.objects.filter(session=session).values(*DRAW_FIELDS).first()
    return schema.Session(
        draw=schema.DrawOfSession.model_validate(sort_keys(draw)) if draw else None,
        number=session.number,
        totals_only=session.totals_only,
        ended_at=session.ended_at,
        clock=_clock_document(session),
        tied=session.tied,
        rounds_planned=session.rounds_planned,
        tables=[_sitting_document(sitting) for sitting in sittings],
    )


def _clock_document(session: Session) -> schema.Clock | None:
    clock = Clock.objects.filter(session=session).first()
    if clock is None:
        return None
    fields = {name: getattr(clock, name) for name in schema.Clock.model_fields}
    return schema.Clock(**fields | {"extra": sort_keys(clock.extra)})


def _sitting_document(sitting: Sitting) -> schema.Sitting:
    """Return a sitting with its rounds, totals, calls and disputes.

    Calls and disputes are sorted by time, not by primary key, so that the same event always gives
    the same archive.
    """
    calls = sorted(sitting.calls.all(), key=lambda call: (call.at, call.kind, call.words))
    disputes = sorted(sitting.disagreements.all(), key=lambda dispute: (dispute.at, dispute.number))
    return schema.Sitting(
        number=sitting.number,
        closed_at=sitting.closed_at,
        players=[seat.entry.number for seat in sitting.seats.all()],
        continues=sitting.continues.number if sitting.continues else None,
        rounds_planned=sitting.rounds_planned,
        rounds=[_round_document(row) for row in sitting.rounds.all()],
        totals=[
            schema.TypedTotals(points=sort_keys(totals.points), **_version_fields(totals))
            for totals in sitting.typed_totals.all()
        ],
        calls=[
            schema.TableCall(
                kind=Call.Kind(call.kind),
                words=call.words,
                at=call.at,
                answered_at=call.answered_at,
            )
            for call in calls
        ],
        disagreements=[
            schema.Dispute(
                number=dispute.number,
                facts=sort_keys(dispute.facts),
                at=dispute.at,
                settled_at=dispute.settled_at,
            )
            for dispute in disputes
        ],
    )


def _round_document(row: Round) -> schema.RecordedRound:
    return schema.RecordedRound(
        number=row.number,
        facts=sort_keys(row.facts),
        accepted_at=row.acceptance.at if hasattr(row, "acceptance") else None,
        **_version_fields(row),
    )


def _version_fields(row: Round | SittingTotals) -> dict[str, Any]:
    """Return the fields of `schema.Version`, by name."""
    return {name: getattr(row, name) for name in schema.Version.model_fields}


def _audit_entry_document(entry: AuditEntry) -> schema.AuditEntry:
    fields = {name: getattr(entry, name) for name in schema.AuditEntry.model_fields}
    payload = {name: sort_keys(fields[name]) for name in ("subject", "old", "new")}
    return schema.AuditEntry(**fields | payload | {"kind": AuditEntry.Kind(entry.kind)})


def _receipt_document(receipt: Receipt) -> schema.Receipt:
    fields = {name: getattr(receipt, name) for name in schema.Receipt.model_fields}
    return schema.Receipt(**fields | {"answer": schema.Answer(**sort_keys(receipt.answer))})


def _publication_document(publication: Publication) -> schema.Publication:
    fields = {name: getattr(publication, name) for name in schema.Publication.model_fields}
    return schema.Publication(**fields | {"content": sort_keys(publication.content)})


def sort_keys(facts: Any) -> Any:
    """Return JSON data with the keys of all objects sorted: PostgreSQL does not keep their order.

    >>> sort_keys({"b": [{"d": 1, "c": 2}], "a": None})
    {'a': None, 'b': [{'c': 2, 'd': 1}]}
    """
    if isinstance(facts, dict):
        return {key: sort_keys(facts[key]) for key in sorted(facts)}
    if isinstance(facts, list):
        return [sort_keys(each) for each in facts]
    return facts
