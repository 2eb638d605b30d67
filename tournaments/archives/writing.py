"""An event as the file that keeps it. Reads; writes nothing."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from django.db.models import Prefetch

from tournaments import verification
from tournaments.archives import document as said
from tournaments.archives import files, snapshots
from tournaments.archives.errors import NotWhole
from tournaments.models import (
    AuditEntry,
    Call,
    Entry,
    Publication,
    Receipt,
    Round,
    Session,
    Sitting,
    SittingTotals,
    Tournament,
)
from tournaments.queries.publications import digest_of, standings_content
from tournaments.queries.sheets import record_document, with_seats
from tournaments.queries.standings import sheets_for

SETTINGS = tuple(said.Settings.model_fields)


def archived(tournament: Tournament, *, private: bool) -> bytes:
    """Return an event as one file; with what is `private` only where that is asked for.

    Raises `NotWhole` when its records do not fit its trail: nobody could read it; and `heavy.Busy`.
    """
    with files.alone(), snapshots.one_moment():
        current = Tournament.objects.get(pk=tournament.pk)
        if not verification.fits(current):
            raise NotWhole
        event = _event(current, private=private)
        text = files.as_json(event)
        sealed = (len(text), hashlib.sha256(text).hexdigest())
        manifest = manifest_of(current, event, *sealed, private=private)
        return files.packed(manifest, text, records(current))


def records(tournament: Tournament) -> bytes:
    """Return what `manage.py score --lines` reads: the record of each table that has one, in force.

    They say nothing that `event.json` does not, but in the form in which anybody can score them.
    """
    chosen = {"options": in_order(tournament.options)} if tournament.options else {}
    lines = [
        in_order(
            record_document(tournament, sheet.players, [row.facts for row in sheet.rows]) | chosen
        )
        for sheet in sheets_for(tournament)
        if sheet.rows and not sheet.is_totals_only
    ]
    return "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines).encode()


def file_name(tournament: Tournament) -> str:
    """Return how the file is called: by name and address of the event, so that no two are alike."""
    return f"{tournament.held_on} {tournament.slug}{files.SUFFIX}"


def standings_digest(tournament: Tournament) -> str:
    """Return the digest of what the facts come to."""
    return digest_of(standings_content(tournament.entries.all(), sheets_for(tournament)))


def manifest_of(
    tournament: Tournament, event: said.EventDocument, length: int, sha256: str, *, private: bool
) -> said.Manifest:
    """Return what an archive says of itself; `length` and `sha256` are those of its document."""
    last = event.acts[-1] if event.acts else None
    tables = [table for session in event.sessions for table in session.tables]
    return said.Manifest(
        slug=tournament.slug,
        name=tournament.name,
        rule_set=tournament.rule_set,
        fingerprint=tournament.rules.fingerprint,
        private=private,
        last_act=said.LastAct(number=last.number, at=last.at, who=last.who) if last else None,
        counts=said.Counts(
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


def _event(tournament: Tournament, *, private: bool) -> said.EventDocument:
    return said.EventDocument(
        tournament=_settings(tournament),
        entries=[_player(entry, private=private) for entry in tournament.entries.all()],
        sessions=[_session(each) for each in tournament.sessions.all()],
        publications=[_announced(each) for each in tournament.publications.all()],
        acts=[_deed(act) for act in tournament.audit_entries.all()],
        receipts=[_answered(each) for each in tournament.receipts.order_by("number")],
    )


def _settings(tournament: Tournament) -> said.Settings:
    kept = {name: getattr(tournament, name) for name in SETTINGS}
    return said.Settings(
        **kept
        | {
            "kind": Tournament.Kind(tournament.kind),
            "accepting": Tournament.Accepting(tournament.accepting),
            "showing": Tournament.Showing(tournament.showing),
            "options": in_order(tournament.options),
            "points": in_order(tournament.points),
        }
    )


def _player(entry: Entry, *, private: bool) -> said.Player:
    kept = {name: getattr(entry, name) for name in said.Private.model_fields}
    return said.Player(
        number=entry.number,
        name=entry.name,
        club=entry.club,
        division=entry.division,
        reading=entry.reading,
        private=said.Private(**kept) if private else None,
    )


def _session(session: Session) -> said.Seating:
    rounds = Round.objects.select_related("acceptance").order_by("number", "version")
    sittings = with_seats(session.sittings.all()).prefetch_related(
        Prefetch("rounds", rounds),
        Prefetch("typed_totals", SittingTotals.objects.order_by("version")),
        "calls",
        "disagreements",
    )
    return said.Seating(
        number=session.number,
        totals_only=session.totals_only,
        ended_at=session.ended_at,
        tables=[_table(sitting) for sitting in sittings],
    )


def _table(sitting: Sitting) -> said.Table:
    calls = sorted(sitting.calls.all(), key=lambda each: (each.at, each.kind, each.words))
    disputed = sorted(sitting.disagreements.all(), key=lambda each: (each.at, each.number))
    return said.Table(
        number=sitting.number,
        closed_at=sitting.closed_at,
        players=[seat.entry.number for seat in sitting.seats.all()],
        rounds=[_round(row) for row in sitting.rounds.all()],
        totals=[
            said.TypedTotals(points=in_order(row.points), **_version(row))
            for row in sitting.typed_totals.all()
        ],
        calls=[
            said.TableCall(
                kind=Call.Kind(each.kind),
                words=each.words,
                at=each.at,
                answered_at=each.answered_at,
            )
            for each in calls
        ],
        disagreements=[
            said.OtherFacts(
                number=each.number,
                facts=in_order(each.facts),
                at=each.at,
                settled_at=each.settled_at,
            )
            for each in disputed
        ],
    )


def _round(row: Round) -> said.RecordedRound:
    return said.RecordedRound(
        number=row.number,
        facts=in_order(row.facts),
        accepted_at=row.acceptance.at if hasattr(row, "acceptance") else None,
        **_version(row),
    )


def _version(row: Round | SittingTotals) -> dict[str, Any]:
    return {name: getattr(row, name) for name in said.Version.model_fields}


def _deed(act: AuditEntry) -> said.Deed:
    kept = {name: getattr(act, name) for name in said.Deed.model_fields}
    told = {name: in_order(kept[name]) for name in ("subject", "old", "new")}
    return said.Deed(**kept | told | {"kind": AuditEntry.Kind(act.kind)})


def _answered(receipt: Receipt) -> said.Answered:
    kept = {name: getattr(receipt, name) for name in said.Answered.model_fields}
    return said.Answered(**kept | {"answer": said.Reply(**in_order(receipt.answer))})


def _announced(publication: Publication) -> said.Announced:
    kept = {name: getattr(publication, name) for name in said.Announced.model_fields}
    return said.Announced(**kept | {"content": in_order(publication.content)})


def in_order(facts: Any) -> Any:
    """Return JSON with its keys in order: PostgreSQL forgets in which they were stored.

    >>> in_order({"b": [{"d": 1, "c": 2}], "a": None})
    {'a': None, 'b': [{'c': 2, 'd': 1}]}
    """
    if isinstance(facts, dict):
        return {key: in_order(facts[key]) for key in sorted(facts)}
    if isinstance(facts, list):
        return [in_order(each) for each in facts]
    return facts
