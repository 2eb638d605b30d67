"""The version of an event's state: its sessions and seats, its stages, and what is public of it.

Whoever changes that state acts on what a page or an answer has shown. So an actor names the version
seen (`Actor.seen`), and `store_entry` refuses the entry of a change, and with it the whole
transaction, if somebody else has changed the state since. That is the only check: it holds under
the tournament's lock, for every kind of `STATE_KINDS`, whichever service appends it.
"""

from __future__ import annotations

from collections.abc import Sequence

from tournaments.audit.actors import Seen
from tournaments.exceptions import ConflictError
from tournaments.models import AuditEntry, Tournament
from tournaments.models.audit import Touches, kinds_touching

STATE_KINDS = kinds_touching(Touches.STATE)
MOST_NAMED = 5  # changes that a refusal names


class StateChanged(ConflictError):
    """Somebody else has changed the state of the event since the version that the actor saw.

    `version` is the current one, `since` has the audit entries of the changes, the newest last.
    """

    code = "state_changed"

    def __init__(self, tournament: Tournament, version: int, since: Sequence[AuditEntry]) -> None:
        super().__init__(self.code)
        self.tournament, self.version, self.since = tournament, version, since


def state_version(tournament: Tournament) -> int:
    """Return the version of an event's state: the number of the last entry that changed it, or 0.

    It is the one at the moment when the row of the tournament was read. Whoever reads the row
    first is never shown older things under a newer version.
    """
    entries = tournament.audit_entries
    read = entries.filter(digest=tournament.last_act).values("number")[:1]
    changes = entries.filter(kind__in=STATE_KINDS, number__lte=read)
    return changes.values_list("number", flat=True).last() or 0


def check_state(tournament: Tournament, seen: Seen) -> None:
    """Raise `StateChanged` unless the version seen is the current one. Call it under the lock."""
    changes = tournament.audit_entries.filter(kind__in=STATE_KINDS)
    version = changes.values_list("number", flat=True).last() or 0
    if version != seen.version:
        since = changes.filter(number__gt=seen.version).order_by("-number")
        raise StateChanged(tournament, version, list(since[:MOST_NAMED])[::-1])
