"""Optimistic locking of players and settings: the version a writer names as seen.

A version is the number of the audit entry that made the last change, 0 where there is none.
"""

from __future__ import annotations

from tournaments.exceptions import ConflictError
from tournaments.models import AuditEntry, Entry, Tournament

CHANGED = (AuditEntry.Kind.ENTRY_CHANGED, AuditEntry.Kind.PRIVATE_CHANGED)  # of players


class VersionConflict(ConflictError):
    """Raised when a player or the settings changed since their writer looked.

    `act` is the last change of them.
    """

    def __init__(self, act: AuditEntry | None) -> None:
        """Keep the change that the writer has not seen."""
        super().__init__("It has changed since it was read.")
        self.act = act

    @property
    def version(self) -> int:
        """Return the version that the change made: who is shown it has seen this one."""
        return self.act.number if self.act else 0


def last_change(of: Tournament | Entry) -> AuditEntry | None:
    """Return the act that last changed a tournament's settings, or a player; None: none has.

    Its number is the version that whoever changes them names as seen, 0 while there is none.
    """
    if isinstance(of, Tournament):
        return of.acts.filter(kind=AuditEntry.Kind.RULES_SET).last()
    return of.tournament.acts.filter(kind__in=CHANGED, new__number=of.number).last()


def version_of(of: Tournament | Entry) -> int:
    """Return the version to be named as seen by whoever changes a player or the settings.

    Ask it before reading what is shown with it: that is then never older than its version.
    """
    act = last_change(of)
    return act.number if act else 0


def versions_of_entries(tournament: Tournament) -> dict[int, int]:
    """Return the versions of all players who have been changed, by number."""
    acts = tournament.acts.filter(kind__in=CHANGED).order_by("number")
    return {act.new["number"]: act.number for act in acts if act.new is not None}


def check_seen(of: Tournament | Entry, seen: int) -> None:
    act = last_change(of)
    if (act.number if act else 0) != seen:
        raise VersionConflict(act)
