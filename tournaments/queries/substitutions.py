"""Substitutions: in one session, a substitute plays in the stead of an absent player."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from tournaments.models import AuditEntry, Entry, Seat, Substitution, Tournament

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


def seats_given(tournament: Tournament, session: int) -> set[int]:
    """Return the primary keys of the players whose seat in a session somebody else has now.

    They have left their table, and no fewer play there. Makes one query.
    """
    seats = Seat.objects.filter(
        sitting__session__tournament=tournament, sitting__session__number=session
    ).order_by("sitting__number")
    columns: Any = ("entry", "sitting", "sitting__continued_by")
    rows: list[tuple[int, int, int | None]] = list(seats.values_list(*columns))
    following = {sitting: continued_by for _entry, sitting, continued_by in rows}
    players = Counter(sitting for _entry, sitting, _continued_by in rows)
    last_sitting = {entry: sitting for entry, sitting, _continued_by in rows}
    seated = {entry for entry, _sitting, continued_by in rows if continued_by is None}
    given = set()
    for entry, sitting in last_sitting.items():
        now = sitting
        while (later := following.get(now)) is not None:
            now = later
        if entry not in seated and players[now] >= players[sitting]:
            given.add(entry)
    return given
