"""Who plays in whose stead, by session."""

from __future__ import annotations

from collections.abc import Iterable

from tournaments.models import AuditEntry, Entry, Substitution, Tournament

KINDS = (AuditEntry.Kind.SUBSTITUTE_ADDED, AuditEntry.Kind.SUBSTITUTE_REMOVED)


def substitutions_of(tournament: Tournament) -> list[Substitution]:
    """Return the substitutions of a tournament, by session, with both players, in one query."""
    found = Substitution.objects.filter(entry__tournament=tournament)
    return list(
        found.select_related("entry", "substitute").order_by("session_number", "entry__number")
    )


def replaced_in(session: int, substitutions: Iterable[Substitution]) -> dict[str, Entry]:
    """Return who is replaced in a session, by the number of the substitute as text."""
    return {
        each.substitute.key: each.entry for each in substitutions if each.session_number == session
    }
