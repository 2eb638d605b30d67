"""Optimistic locking of players and settings.

A version is the number of the audit entry that made the last change, 0 if there is none. A writer
sends the version it was shown as `seen_version`; if there is a newer one, the write is refused.
"""

from __future__ import annotations

from tournaments.exceptions import ConflictError
from tournaments.models import AuditEntry, Entry, Tournament

CHANGE_KINDS = (AuditEntry.Kind.ENTRY_CHANGED, AuditEntry.Kind.PRIVATE_CHANGED)  # of players


class VersionConflict(ConflictError):
    """What the writer was shown, such as a player, settings or seats, has changed since.

    `audit_entry` is the one of the last change, None if there was none.
    """

    def __init__(self, audit_entry: AuditEntry | None) -> None:
        super().__init__("It has changed since it was read.")
        self.audit_entry = audit_entry

    @property
    def version(self) -> int:
        return number_of(self.audit_entry)


def number_of(last: AuditEntry | None) -> int:
    """Return the version after the last change, given by its audit entry; 0 if there was none."""
    return last.number if last else 0


def last_change(row: Tournament | Entry) -> AuditEntry | None:
    """Return the audit entry that last changed a tournament's settings or a player, or None.

    Ranking rules and registration are not among these settings: they have versions of their own.
    """
    if isinstance(row, Tournament):  # `RULES_SET` is any change of name, date, rules and the like
        return row.audit_entries.filter(kind=AuditEntry.Kind.RULES_SET).last()
    return row.tournament.audit_entries.filter(kind__in=CHANGE_KINDS, new__number=row.number).last()


def last_ranking_change(tournament: Tournament) -> AuditEntry | None:
    return tournament.audit_entries.filter(kind=AuditEntry.Kind.RANKING_SET).last()


def ranking_version(tournament: Tournament) -> int:
    """Call it before reading the rules, as `version_of`."""
    return number_of(last_ranking_change(tournament))


def last_registration_change(tournament: Tournament) -> AuditEntry | None:
    return tournament.audit_entries.filter(kind=AuditEntry.Kind.REGISTRATION_SET).last()


def registration_version(tournament: Tournament) -> int:
    """Call it before reading the settings."""
    return number_of(last_registration_change(tournament))


def last_private_end_change(tournament: Tournament) -> AuditEntry | None:
    return tournament.audit_entries.filter(kind=AuditEntry.Kind.PRIVATE_END_SET).last()


def version_of(changed: Tournament | Entry) -> int:
    """Return the version of a tournament's settings or of a player.

    Call it before reading the data shown with the version, so that they are never older than it.
    """
    return number_of(last_change(changed))


def versions_of_entries(tournament: Tournament) -> dict[int, int]:
    """Return the versions of all players who were ever changed, by entry number."""
    entries = tournament.audit_entries.filter(kind__in=CHANGE_KINDS).order_by("number")
    return {each.new["number"]: each.number for each in entries if each.new is not None}


def check_version(last: AuditEntry | None, seen_version: int) -> None:
    """Raise `VersionConflict` unless `seen_version` is the version after the last change.

    `last` is the audit entry of that change, read under the tournament's lock.
    """
    if number_of(last) != seen_version:
        raise VersionConflict(last)
