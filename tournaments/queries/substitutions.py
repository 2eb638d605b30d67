"""Substitutions: in one session, a substitute plays in the stead of an absent player."""

from __future__ import annotations

from collections.abc import Iterable

from tournaments.models import AuditEntry, Entry, Substitution, Tournament

KINDS = (AuditEntry.Kind.SUBSTITUTE_ADDED, AuditEntry.Kind.SUBSTITUTE_REMOVED)


def substitutions_of(tournament: Tournament) -> list[Substitution]:
    """Return the substitutions of a tournament with both players, in one query.

    They are ordered by session and by number of the absent player.
    """
    rows = Substitution.objects.filter(entry__tournament=tournament)
    return list(
        rows.select_related("entry", "substitute").order_by("session_number", "entry__number")
    )


def replaced_in(session: int, substitutions: Iterable[Substitution]) -> dict[str, Entry]:
    """By key of the substitute."""
    return {
        each.substitute.key: each.entry for each in substitutions if each.session_number == session
    }
