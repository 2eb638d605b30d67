"""Substitutions: in one session, a substitute plays in the stead of an absent player."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tournaments.models import AuditEntry, Entry, Substitution, Tournament
from tournaments.queries.seated_tables import SEATING_KINDS

Kind = AuditEntry.Kind
KINDS = (Kind.SUBSTITUTE_ADDED, Kind.SUBSTITUTE_REMOVED)


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


def seats_given(tournament: Tournament, session: int) -> set[str]:
    """Return the keys of the players whose seat in a session somebody else has now.

    They have left their table, and no fewer play there. Makes one query, for the audit entries:
    where no round is recorded, seats do not say who had them before.
    """
    entries = tournament.audit_entries.filter(kind__in=SEATING_KINDS, subject__session=session)
    changes: Any = entries.order_by("number").values_list("kind", "old", "new")
    players: dict[str, list[str]] = {}  # by number of the table
    left: dict[str, tuple[str, int]] = {}  # by key: the table, and how many played there
    for kind, old, new in changes:
        if kind in {Kind.SESSION_OPENED, Kind.SESSION_RESEATED}:
            players, left = {str(table): keys for table, keys in enumerate(new, 1)}, {}
        elif kind == Kind.PLAYERS_EXCHANGED:
            players |= new
        else:
            (((table, before),), ((goes_on_at, now),)) = old.items(), new.items()
            del players[table]
            players[goes_on_at] = now
            left |= {key: (goes_on_at, size) for key, (at, size) in left.items() if at == table}
            left |= {key: (goes_on_at, len(before)) for key in before if key not in now}
    playing = {key for keys in players.values() for key in keys}
    return {
        key
        for key, (table, size) in left.items()
        if key not in playing and len(players[table]) >= size
    }
