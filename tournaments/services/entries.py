"""Every write of a tournament's players, each in one transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.db.models import ProtectedError
from django.utils.translation import gettext_lazy as _

from tournaments import audit
from tournaments.audit import Actor
from tournaments.audit.locks import lock_tournament
from tournaments.exceptions import OperationRefused
from tournaments.models import AuditEntry, Entry, Tournament
from tournaments.models.people import PRIVATE, PUBLIC
from tournaments.services import closing
from tournaments.services.versions import check_seen
from tournaments.spreadsheets.entry_lists import MOST_ENTRIES


class HasPlayed(Exception):
    """Raised when a player would be removed who has sat at a table."""


class TooManyEntries(OperationRefused):
    """Raised when there are not numbers enough for so many players."""

    code = "too_many"
    sentence = _("There is no room for so many players.")


@transaction.atomic
def add_entries(
    tournament: Tournament, people: Sequence[Mapping[str, Any]], *, by: Actor
) -> list[Entry]:
    """Add players, numbered on from the last there ever was; each has a name, perhaps more.

    Raises `closing.EventClosed` once the event is closed, and `TooManyEntries`.
    """
    lock_tournament(tournament)
    closing.check_not_closed(tournament)
    first = last_number(tournament) + 1
    if len(people) > MOST_ENTRIES + 1 - first:
        raise TooManyEntries
    entries = [
        Entry(tournament=tournament, number=number, **person)
        for number, person in enumerate(people, first)
    ]
    for entry in entries:
        entry.draw_salt()
    Entry.objects.bulk_create(entries)
    audit.append(
        tournament, AuditEntry.Kind.ENTRIES_ADDED, by, new=[each.told() for each in entries]
    )
    return entries


def last_number(tournament: Tournament) -> int:
    """Return the highest number that a player has or had, 0 before the first.

    That of a player who was removed is nobody else's: pages, lists and draws may still name it.
    """
    removed = tournament.acts.filter(kind=AuditEntry.Kind.ENTRY_REMOVED)
    numbers = [*removed.values_list("old__number", flat=True)]
    numbers += tournament.entries.order_by("-number").values_list("number", flat=True)[:1]
    return max(numbers, default=0)


@transaction.atomic
def remove_entry(entry: Entry, *, by: Actor) -> None:
    """Remove a player who has never sat down. Raises `HasPlayed` for others.

    Raises `Entry.DoesNotExist` when somebody else has removed the player meanwhile.
    """
    lock_tournament(entry.tournament)
    current = Entry.objects.get(pk=entry.pk)
    old = current.public_facts()
    try:
        current.delete()
    except ProtectedError:
        raise HasPlayed from None
    audit.append(entry.tournament, AuditEntry.Kind.ENTRY_REMOVED, by, old=old)


@transaction.atomic
def remove_entries(tournament: Tournament, entries: Sequence[Entry], *, by: Actor) -> list[Entry]:
    """Remove those of these players who have never sat down, and return them."""
    lock_tournament(tournament)
    unseated = tournament.entries.filter(pk__in=[each.pk for each in entries], seats=None)
    removed = list(unseated)
    for entry in removed:
        remove_entry(Entry.objects.get(pk=entry.pk), by=by)
    return removed


@transaction.atomic
def correct_entry(entry: Entry, person: Mapping[str, Any], *, seen: int, by: Actor) -> Entry:
    """Put right what `person` names of a player, and return the player as it stands then.

    The number stays: records name it. Raises `Entry.DoesNotExist` when somebody has removed the
    player meanwhile, and `VersionConflict` when somebody has changed it since the version `seen`.
    """
    lock_tournament(entry.tournament)
    current = Entry.objects.get(pk=entry.pk)
    current.draw_salt()  # which players did not have once
    old, private = current.told(), current.private_facts()
    check_seen(entry, seen)
    for name in (*PUBLIC, *PRIVATE):
        setattr(current, name, person.get(name, getattr(current, name)))
    if current.private_facts() != private:
        current.salt = ""  # what is known no more cannot be guessed from its digest either
        current.draw_salt()
    current.save(update_fields=[*PUBLIC, *PRIVATE, "salt"])
    new = current.told()
    differs = {name for name in new if new[name] != old[name]}
    kind = (
        AuditEntry.Kind.PRIVATE_CHANGED if differs == {"private"} else AuditEntry.Kind.ENTRY_CHANGED
    )
    audit.append(entry.tournament, kind, by, old=old, new=new)
    return current
