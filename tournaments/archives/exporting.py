"""Export an event as an archive. Only reads the database.

The functions named `_..._document` convert a row to its part of `schema.EventDocument`.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any, TypeVar

from django.db.models import Model, Prefetch

from tournaments import __version__, verification
from tournaments.archives import files, schema
from tournaments.archives.applications import Application
from tournaments.archives.errors import Inconsistent
from tournaments.backups.snapshots import consistent_snapshot
from tournaments.models import (
    Clock,
    Draw,
    Entry,
    Presence,
    Registration,
    Round,
    Schedule,
    Session,
    Sitting,
    SittingTotals,
    Tournament,
)
from tournaments.models.adjustments import AdjustmentRecord
from tournaments.models.field_types import StrictModel
from tournaments.queries.publications.content import digest_of, standings_content
from tournaments.queries.publications.schema import PlayedFor, StageFacts
from tournaments.queries.ranking_facts import ranking_facts
from tournaments.queries.seated_tables import with_seats
from tournaments.queries.sheets import record_document, sheets_for
from tournaments.queries.substitutions import substitutions_of
from tournaments.server import jobs

Document = TypeVar("Document", bound=StrictModel)


def export_archive(tournament: Tournament, *, with_private: bool) -> bytes:
    """Return the archive of an event; `with_private` includes contacts, years of birth and notes.

    Raises `Inconsistent` if the verification of the event fails, since no import would accept the
    archive, `heavy_files.Busy` if another export or import is running, and `JobEnded`.
    """
    with files.one_at_a_time():
        return jobs.run(_export, tournament.pk, with_private=with_private)


@jobs.lowers_priority_itself  # once it has copied the database
def _export(tournament: int, *, with_private: bool) -> bytes:
    """Return the archive of the event with this primary key. Raises as `export_archive` does."""
    with consistent_snapshot():
        jobs.lower_priority()
        current = Tournament.objects.get(pk=tournament)
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
        made_with=__version__,
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
    return schema.EventDocument(
        tournament=_document(tournament, schema.Settings),
        entries=[
            _player_document(entry, with_private=with_private) for entry in tournament.entries.all()
        ],
        sessions=[_session_document(each) for each in tournament.sessions.all()],
        presence=_marks_document(tournament),
        substitutions=[PlayedFor(**each.as_json()) for each in substitutions_of(tournament)],
        adjustments=[
            _document(each, AdjustmentRecord)
            for each in tournament.adjustments.select_related("entry").order_by("number")
        ],
        schedule=_schedule_document(tournament),
        stages=[StageFacts(**sort_keys(each.as_json())) for each in tournament.stages.all()],
        registrations=[
            _application_document(each, with_private=with_private)
            for each in tournament.registrations.order_by("number")
        ],
        receipts=[
            _document(each, schema.Receipt) for each in tournament.receipts.order_by("number")
        ],
        **_numbered_documents(tournament),
    )


def _numbered_documents(tournament: Tournament) -> dict[str, Any]:
    """Return the lists of `schema.NUMBERED`."""
    return {
        name: [
            _document(row, document)
            for row in model._default_manager.filter(tournament=tournament).order_by("number")
        ]
        for name, (model, document) in schema.NUMBERED.items()
    }


def _schedule_document(tournament: Tournament) -> schema.Schedule | None:
    row = Schedule.objects.filter(tournament=tournament).first()
    return _document(row, schema.Schedule) if row else None


def _application_document(row: Registration, *, with_private: bool) -> Application:
    private = {} if with_private else {"contact": "", "salt": ""}
    return _document(row, Application, **private)


def _document(row: Model, document: type[Document], **others: Any) -> Document:
    """Return a row as its document: `others`, and the row's values by name, with sorted keys."""
    values = {
        name: sort_keys(getattr(row, name)) for name in document.model_fields if name not in others
    }
    return document.model_validate({**values, **others})


def _player_document(entry: Entry, *, with_private: bool) -> schema.Player:
    private = _document(entry, schema.Private) if with_private else None
    return schema.Player.model_validate({**entry.public_values(), "private": private})


def _marks_document(tournament: Tournament) -> list[schema.Mark]:
    """Return the marks of the roll calls, sorted by session and player number."""
    marks = Presence.objects.filter(entry__tournament=tournament).select_related("entry")
    return [
        _document(mark, schema.Mark, session=mark.session_number, player=mark.entry.number)
        for mark in marks.order_by("session_number", "entry__number")
    ]


def _session_document(session: Session) -> schema.Session:
    rounds = Round.objects.select_related("acceptance").order_by("number", "version")
    sittings = with_seats(session.sittings.select_related("continues")).prefetch_related(
        Prefetch("rounds", rounds),
        Prefetch("typed_totals", SittingTotals.objects.order_by("version")),
        "calls",
        "disagreements",
    )
    draw = Draw.objects.filter(session=session).first()
    clock = Clock.objects.filter(session=session).first()
    return _document(
        session,
        schema.Session,
        draw=_document(draw, schema.DrawOfSession) if draw else None,
        clock=_document(clock, schema.Clock) if clock else None,
        tables=[_sitting_document(sitting) for sitting in sittings],
    )


def _sitting_document(sitting: Sitting) -> schema.Sitting:
    """Return a sitting with its rounds, totals, calls and disputes.

    Calls and disputes are sorted by time, not by primary key, so that the same event always gives
    the same archive.
    """
    calls = sorted(sitting.calls.all(), key=lambda call: (call.at, call.kind, call.words))
    disputes = sorted(sitting.disagreements.all(), key=lambda dispute: (dispute.at, dispute.number))
    return _document(
        sitting,
        schema.Sitting,
        players=[seat.entry.number for seat in sitting.seats.all()],
        continues=sitting.continues.number if sitting.continues else None,
        rounds=[_round_document(row) for row in sitting.rounds.all()],
        totals=[_document(each, schema.TypedTotals) for each in sitting.typed_totals.all()],
        calls=[_document(each, schema.TableCall) for each in calls],
        disagreements=[_document(each, schema.Dispute) for each in disputes],
    )


def _round_document(row: Round) -> schema.RecordedRound:
    accepted_at = row.acceptance.at if hasattr(row, "acceptance") else None
    return _document(row, schema.RecordedRound, accepted_at=accepted_at)


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
