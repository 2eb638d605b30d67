"""What is still open in an event, for the director who is about to close it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from django.utils import timezone

from tournaments.models import Session, Tournament
from tournaments.queries import board, publications
from tournaments.queries.sheets import Sheet


class OpenMatter(NamedTuple):
    """The number of open matters of one kind, in one session; `session` is None for the event.

    `code` is `under_way` (rounds), `missing` (tables not all of whose rounds are in), `calls`,
    `disagreements`, `unaccepted` (rounds) or `unannounced` (changes).
    """

    code: str
    number: int
    session: Session | None = None


def open_matters(tournament: Tournament) -> list[OpenMatter]:
    """Return all open matters, session by session."""
    found = [each for session in tournament.sessions.all() for each in _matters_of_session(session)]
    announced = publications.shown_publication(tournament)
    if announced is not None:
        found.append(OpenMatter("unannounced", publications.changes_since(announced).count()))
    return [each for each in found if each.number]


def _matters_of_session(session: Session) -> Iterator[OpenMatter]:
    """Yield every kind of matter of a session, also with the number 0."""
    tables = board.board_of(session, timezone.now()).tables
    yield OpenMatter(
        "under_way", sum(table.sheet.has_unfinished_round for table in tables), session
    )
    if session.ended_at is None:
        missing = [table for table in tables if table.state != "done" and _has_an_end(table.sheet)]
        yield OpenMatter("missing", len(missing), session)
    yield OpenMatter("calls", sum(len(table.calls) for table in tables), session)
    yield OpenMatter("disagreements", sum(len(table.disagreements) for table in tables), session)
    yield OpenMatter("unaccepted", sum(len(table.unaccepted) for table in tables), session)


def _has_an_end(sheet: Sheet) -> bool:
    """Return whether a table is done after its totals or a planned number of rounds."""
    return sheet.is_totals_only or sheet.planned is not None
