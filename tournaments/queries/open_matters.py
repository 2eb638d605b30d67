"""What is still open in an event, for the director who is about to close it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from django.utils import timezone

from tournaments.models import Session, Tournament
from tournaments.queries import board, live_events
from tournaments.queries.progress import current_plan
from tournaments.queries.publications import showing
from tournaments.queries.sheets import Sheet


class OpenMatter(NamedTuple):
    """The number of open matters of one kind, in one session; `session` is None for the event.

    `code` is `under_way` (unfinished rounds), `missing` (tables with missing rounds or totals),
    `calls`, `disagreements`, `unaccepted` (rounds), `unplayed` (planned sessions without seats,
    such as the final), `to_announce` (a session with play that is not published), `unannounced`
    (changes not published) or `unseen` (1 if only the staff sees the results).
    """

    code: str
    number: int
    session: Session | None = None


def open_matters(tournament: Tournament) -> list[OpenMatter]:
    """Return all open matters by session, then those of the event; none with the number 0."""
    event = live_events.events.get(tournament)
    sessions = tournament.sessions.all()
    matters = [
        each
        for session in sessions
        for each in _matters_of_session(session, event.session(session.number)[1])
    ]
    if sessions:
        matters.append(OpenMatter("unplayed", current_plan(tournament).sessions_left))
    matters += [
        OpenMatter("to_announce", 1, each) for each in showing.sessions_to_announce(tournament)
    ]
    publication = showing.shown_publication(tournament)
    if publication is not None:
        matters.append(OpenMatter("unannounced", showing.changes_since(publication).count()))
    matters.append(OpenMatter("unseen", int(showing.are_results_hidden(tournament))))
    return [each for each in matters if each.number]


def _matters_of_session(session: Session, sheets: Sequence[Sheet]) -> Iterator[OpenMatter]:
    """Yield the matters of a session, also those with the number 0.

    In a session that the desk has ended, no table is missing.
    """
    tables = board.board_of(session, timezone.now(), sheets).tables
    yield OpenMatter(
        "under_way", sum(table.sheet.has_unfinished_round for table in tables), session
    )
    if session.ended_at is None:
        missing = [
            table for table in tables if not table.sheet.is_over and _has_an_end(table.sheet)
        ]
        yield OpenMatter("missing", len(missing), session)
    yield OpenMatter("calls", sum(len(table.calls) for table in tables), session)
    yield OpenMatter("disagreements", sum(len(table.disagreements) for table in tables), session)
    yield OpenMatter("unaccepted", sum(len(table.unaccepted) for table in tables), session)


def _has_an_end(sheet: Sheet) -> bool:
    """Return whether the table has a planned end: totals, or a planned number of rounds."""
    return sheet.is_totals_only or sheet.planned is not None
