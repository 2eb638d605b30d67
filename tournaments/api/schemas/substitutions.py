"""Who plays in whose stead."""

from __future__ import annotations

from collections.abc import Iterable

from typing_extensions import TypedDict

from tournaments.models import Substitution
from tournaments.queries.round_documents import no_other_keys


@no_other_keys
class SubstitutionOut(TypedDict):
    """In a session, `substitute` plays for `number`; both are players' numbers."""

    session: int
    number: int
    substitute: int


def substitution_as_json(row: Substitution) -> SubstitutionOut:
    return {
        "session": row.session_number,
        "number": row.entry.number,
        "substitute": row.substitute.number,
    }


@no_other_keys
class SubstitutesOut(TypedDict):
    """The substitutes of a session."""

    substitutes: list[SubstitutionOut]


def substitutes_as_json(session: int, rows: Iterable[Substitution]) -> SubstitutesOut:
    """`rows` may be those of all sessions."""
    return {
        "substitutes": [substitution_as_json(row) for row in rows if row.session_number == session]
    }
