"""The content of publications, and what has changed since the last one.

A publication contains the facts in force and the standings derived from them. It has a number and a
digest and never changes: corrections appear in the next one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from django.db.models import QuerySet, Subquery

from tournaments import audit
from tournaments.models import (
    Acceptance,
    AuditEntry,
    Entry,
    Publication,
    Round,
    Session,
    Tournament,
)
from tournaments.queries import progress
from tournaments.queries.progress import SessionProgress
from tournaments.queries.sheets import Sheet
from tournaments.queries.standings import sheets_for, standings_of

Showing = Tournament.Showing


# Seats are shown to the public at once, without a publication.
SEATING_KINDS = (
    AuditEntry.Kind.SESSION_OPENED,
    AuditEntry.Kind.SESSION_RESEATED,
    AuditEntry.Kind.SESSION_REMOVED,
)


# Kinds of audit entries that change the content of a publication.
CHANGING_KINDS = frozenset(
    {
        *(AuditEntry.Kind.RULES_SET, AuditEntry.Kind.ENTRIES_ADDED, AuditEntry.Kind.ENTRY_CHANGED),
        *(AuditEntry.Kind.ENTRY_REMOVED, AuditEntry.Kind.PLAYERS_EXCHANGED),
        *(
            AuditEntry.Kind.ROUND_RECORDED,
            AuditEntry.Kind.ROUND_CONTINUED,
            AuditEntry.Kind.ROUND_CORRECTED,
        ),
        *(AuditEntry.Kind.TOTALS_ENTERED, AuditEntry.Kind.TOTALS_CORRECTED),
        *(AuditEntry.Kind.SESSION_ENDED, AuditEntry.Kind.SESSION_RESUMED),
    }
)


def changes_since(publication: Publication) -> QuerySet[AuditEntry]:
    """Return the audit entries since the last publication that changed what it contains."""
    entries = publication.tournament.audit_entries.all()
    published = entries.filter(kind=AuditEntry.Kind.PUBLISHED).order_by("-number")
    last = Subquery(published.values("number")[:1])
    return entries.filter(kind__in=CHANGING_KINDS, number__gt=last)


def has_results(tournament: Tournament) -> bool:
    """Return whether any round or total is recorded."""
    return tournament.is_frozen


def shown_publication(tournament: Tournament) -> Publication | None:
    """Return the publication shown to the public, with `content` deferred, or None."""
    if tournament.showing != Showing.PUBLISHED:
        return None
    return tournament.publications.with_final().defer("content").last()


def digest_of(content: Any) -> str:
    """Return the SHA-256 of a publication's content in canonical form."""
    return hashlib.sha256(audit.canonical_json(content)).hexdigest()


def content_of(tournament: Tournament) -> dict[str, Any]:
    """Return a publication's content: settings, players, seats, facts in force and standings.

    It contains no private fields of players and no names of those who recorded rounds. The shape is
    described by `published_content.Content`.
    """
    accepted = _accepted_rounds(tournament)
    return content_from(
        tournament,
        entries=list(tournament.entries.all()),
        sessions=tournament.sessions.all(),
        sheets=sheets_for(tournament),
        is_accepted=lambda row: row.pk in accepted,
    )


def content_from(
    tournament: Tournament,
    entries: Sequence[Entry],
    sessions: Iterable[Session],
    sheets: Sequence[Sheet],
    is_accepted: Callable[[Round], bool],
) -> dict[str, Any]:
    """Return the content of a publication built from these; see `content_of`.

    `is_accepted` tells whether the other side has accepted a row of `sheets`.
    """
    with_sheets = [(each, _sheets_of_session(each, sheets)) for each in sessions]
    progresses = [
        SessionProgress(each, progress.progress_of_sheets(tables)) for each, tables in with_sheets
    ]
    return {
        "tournament": {"slug": tournament.slug, **tournament.public_settings()},
        "entries": [entry.public_values() for entry in entries],
        "sessions": [_session_content(each, tables, is_accepted) for each, tables in with_sheets],
        "progress": progress.total_progress(progresses)._asdict(),
        "standings": standings_content(entries, sheets),
    }


def _sheets_of_session(session: Session, sheets: Iterable[Sheet]) -> list[Sheet]:
    return [each for each in sheets if each.sitting.session.number == session.number]


def _accepted_rounds(tournament: Tournament) -> set[int]:
    """Return the primary keys of the accepted versions of rounds."""
    acceptances = Acceptance.objects.filter(round__sitting__session__tournament=tournament)
    return set(acceptances.values_list("round_id", flat=True))


def _session_content(
    session: Session, sheets: Iterable[Sheet], is_accepted: Callable[[Round], bool]
) -> dict[str, Any]:
    """Return the JSON that `published_content.Seating` describes."""
    return {
        "number": session.number,
        "totals_only": session.totals_only,
        "ended_at": session.ended_at.isoformat() if session.ended_at else None,
        "tables": [_table_content(sheet, is_accepted) for sheet in sheets],
    }


def _table_content(sheet: Sheet, is_accepted: Callable[[Round], bool]) -> dict[str, Any]:
    """Return the JSON that `published_content.Table` describes."""
    return {
        "number": sheet.sitting.number,
        "players": [entry.number for entry in sheet.entries],
        "rounds": [_round_content(row, is_accepted=is_accepted(row)) for row in sheet.rows],
        "totals": dict(sheet.typed.points) if sheet.typed else None,
    }


def _round_content(row: Round, *, is_accepted: bool) -> dict[str, Any]:
    """Return the JSON that `published_content.RoundInForce` describes."""
    return {
        "version": row.version,
        "facts": row.facts,
        "reason": row.reason,
        "accepted": is_accepted,
        "recorded_at": row.recorded_at.isoformat(),
    }


def standings_content(entries: Iterable[Entry], sheets: Iterable[Sheet]) -> list[dict[str, Any]]:
    """Return the standings derived from these sheets, as JSON for a publication."""
    return [
        {
            "number": row.entry.number,
            "rank_in_class": row.rank_in_class,
            **row.place._asdict() | {"values": list(row.place.values)},
        }
        for row in standings_of(entries, sheets)
        if row.place is not None
    ]
