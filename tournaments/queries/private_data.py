"""The private data of a tournament: what is stored, when it ends, and where copies of it lie.

Private are the private fields of players (`entry_fields`) with the salt of their digest, and whole
applications. Everything else that the database keeps of people is public: names, clubs, classes.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple

from django.db.models import Q, QuerySet

from tournaments import backups
from tournaments.models import AuditEntry, Entry, Registration, Tournament
from tournaments.models.entry_fields import PRIVATE_FIELDS

BACKUPS_KEPT = timedelta(days=30)  # automatic ones, after an erasure
# The values of a player without private data, by column.
EMPTY: dict[str, Any] = {
    name: Entry._meta.get_field(name).get_default()  # type: ignore[union-attr]  # no relation
    for name in (*PRIVATE_FIELDS, "salt")
}


class Holdings(NamedTuple):
    """How many players have private data, and how many applications are stored."""

    players: int
    applications: int


class Left(NamedTuple):
    """The last erasure, and the backups from before it, the newest first."""

    erasure: AuditEntry
    automatic: list[str]
    others: list[str]

    @property
    def erased(self) -> Holdings:
        return Holdings(**(self.erasure.new or {}))

    @property
    def kept_until(self) -> datetime:
        """Return when the automatic backups are deleted."""
        return self.erasure.at + BACKUPS_KEPT


def players_with_private_data(tournament: Tournament) -> QuerySet[Entry]:
    """Return the players of whom any private field, or the salt of its digest, is stored."""
    return Entry.objects.filter(~Q(**EMPTY), tournament=tournament)


def holdings_of(tournament: Tournament) -> Holdings:
    """Makes two queries."""
    applications = Registration.objects.filter(tournament=tournament)
    return Holdings(players_with_private_data(tournament).count(), applications.count())


def due(today: date) -> Iterator[Tournament]:
    """Yield the tournaments, removed ones included, whose private data have ended and are stored.

    A date that the director chose is compared here, since the default depends on other columns.
    """
    players = Entry.objects.filter(~Q(**EMPTY)).values("tournament")
    applications = Registration.objects.values("tournament")
    holding = Tournament.every.filter(Q(pk__in=players) | Q(pk__in=applications))
    yield from (each for each in holding.order_by("pk") if each.private_data_end < today)


def left_of(tournament: Tournament) -> Left | None:
    """Return where private data are left since the last erasure, None before the first.

    A backup that cannot be read may be from before it.
    """
    erasure = tournament.audit_entries.filter(kind=AuditEntry.Kind.PRIVATE_ERASED).last()
    if erasure is None:
        return None
    older = [
        each
        for each in backups.all_backups()
        if each.manifest is None or each.manifest.made_at < erasure.at
    ]
    return Left(
        erasure,
        [each.name for each in older if each.is_automatic],
        [each.name for each in older if not each.is_automatic],
    )
