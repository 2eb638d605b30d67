"""Adding, correcting and removing the players of a tournament."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import ProtectedError, QuerySet
from django.utils.translation import gettext_lazy as _

from tournaments import audit, backups
from tournaments.audit import Actor, ChainEnd
from tournaments.audit.locks import lock_tournament
from tournaments.exceptions import OperationRefused
from tournaments.models import AuditEntry, Entry, Tournament
from tournaments.models.entry_fields import ENTRY_FIELDS, MOST_ENTRIES
from tournaments.server import jobs
from tournaments.services import closing
from tournaments.services.prepared_inserts import PreparedInsert
from tournaments.services.versions import check_version, last_change


class StaysOnRecord(OperationRefused):
    """The player has a seat in a session, is or has a substitute, or has an adjustment."""

    code = "has_played"
    sentence = _(
        "This player has a seat, is part of a substitution, or was given or deducted points, and "
        "cannot be deleted. Mark the player as absent or withdrawn in the roll call."
    )


class TooManyEntries(OperationRefused):
    code = "too_many"
    status = 422
    at = "entries"
    sentence = _("Not added: this is more players than a tournament can have. Add fewer.")


class AddedSince(Exception):
    """A form was sent again: `entry` was added since it was shown, with the same fields."""

    def __init__(self, entry: Entry) -> None:
        super().__init__(entry)
        self.entry = entry


def add_entries(
    tournament: Tournament,
    people: Sequence[Mapping[str, Any]],
    *,
    by: Actor,
    shown_number: int | None = None,
) -> list[Entry]:
    """Add players under the next numbers; `people` has the fields of an `Entry` for each.

    `shown_number` is the next number when the form was shown. Raises `AddedSince` if one of the
    `people` has got it or a later one, and `closing.EventClosed` and `TooManyEntries`.

    What takes long for a list is made before the transaction, unless the caller has begun one:
    phones cannot store anything during it.
    """
    end, first = audit.chain_end(tournament), last_number(tournament) + 1
    addition = jobs.at_low_priority(_Addition.of, tournament, people, by, end, first)
    with transaction.atomic():
        locked = lock_tournament(tournament)
        closing.check_not_closed(locked)
        if shown_number is not None:
            _check_not_added_since(tournament, people, shown_number)
        if end.digest != locked.last_act:  # somebody has written meanwhile
            end, first = audit.chain_end(tournament), last_number(tournament) + 1
            addition = _Addition.of(tournament, people, by, end, first)
        if first + len(people) - 1 > MOST_ENTRIES:
            raise TooManyEntries
        addition.entries_insert.run()
        audit.store_entry(addition.change, by, insert=addition.change_insert.run)
        keys = dict(tournament.entries.filter(number__gte=first).values_list("number", "pk"))
    for entry in addition.entries:
        entry.pk, entry._state.adding = keys[entry.number], False
    return addition.entries


class _Addition(NamedTuple):
    """New players and their audit entry, and the prepared INSERT of each."""

    entries: list[Entry]
    entries_insert: PreparedInsert
    change: AuditEntry
    change_insert: PreparedInsert

    @classmethod
    def of(
        cls,
        tournament: Tournament,
        people: Sequence[Mapping[str, Any]],
        by: Actor,
        end: ChainEnd,
        first: int,
    ) -> _Addition:
        """Prepare the rows without reading the database. `first` is the first player's number."""
        entries = [
            Entry(tournament=tournament, number=number, **person)
            for number, person in enumerate(people, first)
        ]
        for entry in entries:
            entry.draw_salt()
        added = [each.audit_values() for each in entries]
        kind = AuditEntry.Kind.ENTRIES_ADDED
        change = audit.next_entry(tournament, end, kind, by, new=added)
        return cls(
            entries, PreparedInsert(Entry, entries), change, PreparedInsert(AuditEntry, [change])
        )


def import_entries(
    tournament: Tournament,
    people: Sequence[Mapping[str, Any]],
    *,
    by: Actor,
    shown_number: int | None = None,
) -> list[Entry]:
    """Take a backup, and add the players of a list as `add_entries` does, in a job.

    Not within a transaction, for which the job would wait. Raises as `add_entries` and
    `backups.take` do. After `JobEnded` the players may have been added.
    """
    return jobs.run(_back_up_and_add, tournament, people, by=by, shown_number=shown_number)


@jobs.lowers_priority_itself  # for what precedes the transaction
def _back_up_and_add(
    tournament: Tournament,
    people: Sequence[Mapping[str, Any]],
    *,
    by: Actor,
    shown_number: int | None,
) -> list[Entry]:
    jobs.at_low_priority(backups.take, backups.Reason.BEFORE_IMPORT, who=by.who)
    added = add_entries(tournament, people, by=by, shown_number=shown_number)
    jobs.lower_priority()  # to send them back
    return added


def _check_not_added_since(
    tournament: Tournament, people: Sequence[Mapping[str, Any]], shown_number: int
) -> None:
    """Raises `AddedSince`."""
    wanted = {tuple(person.get(name) or "" for name in ENTRY_FIELDS) for person in people}
    for entry in tournament.entries.filter(number__gte=shown_number, is_substitute=False):
        if tuple(getattr(entry, name) or "" for name in ENTRY_FIELDS) in wanted:
            raise AddedSince(entry)


def last_number(tournament: Tournament) -> int:
    """Return the highest number that a player has or had, 0 before the first.

    Numbers of removed players are not used again, because printed lists may still show them.
    """
    removed = tournament.audit_entries.filter(kind=AuditEntry.Kind.ENTRY_REMOVED)
    numbers = [*removed.values_list("old__number", flat=True)]
    numbers += tournament.entries.order_by("-number").values_list("number", flat=True)[:1]
    return max(numbers, default=0)


@transaction.atomic
def remove_entry(entry: Entry, *, by: Actor) -> None:
    """Raises `StaysOnRecord`, and `Entry.DoesNotExist` if removed already."""
    lock_tournament(entry.tournament)
    current = Entry.objects.get(pk=entry.pk)
    old = current.public_values()
    try:
        current.delete()
    except ProtectedError:
        raise StaysOnRecord from None
    audit.append_entry(entry.tournament, AuditEntry.Kind.ENTRY_REMOVED, by, old=old)


def removable_entries(tournament: Tournament) -> QuerySet[Entry]:
    return tournament.entries.filter(
        seats=None, substitutions=None, substituting=None, adjustments=None
    )


@transaction.atomic
def remove_removable(tournament: Tournament, entries: Sequence[Entry], *, by: Actor) -> list[Entry]:
    """Remove the given players except those that `remove_entry` refuses; return the removed ones.

    `StaysOnRecord` describes who is refused. Players removed already are ignored.
    """
    lock_tournament(tournament)
    removed = list(removable_entries(tournament).filter(pk__in=[each.pk for each in entries]))
    for entry in removed:
        remove_entry(Entry.objects.get(pk=entry.pk), by=by)
    return removed


@transaction.atomic
def correct_entry(
    entry: Entry, person: Mapping[str, Any], *, seen_version: int, by: Actor
) -> Entry:
    """Change a player's fields to the values in `person`, by field name; return the changed entry.

    Fields that `person` lacks stay. `seen_version` is the version that was shown. Raises
    `Entry.DoesNotExist` if the player was removed, and `VersionConflict` if the player has changed
    since. The audit entry is `PRIVATE_CHANGED` if only private fields differ.
    """
    lock_tournament(entry.tournament)
    current = Entry.objects.get(pk=entry.pk)
    current.draw_salt()  # entries of earlier versions have none
    old, old_private = current.audit_values(), current.private_values()
    check_version(last_change(entry), seen_version)
    for name in ENTRY_FIELDS:
        setattr(current, name, person.get(name, getattr(current, name)))
    if current.private_values() != old_private:
        current.salt = ""  # so that the removed values cannot be guessed from the old digest
        current.draw_salt()
    current.save(update_fields=[*ENTRY_FIELDS, "salt"])
    new = current.audit_values()
    differs = {name for name in new if new[name] != old[name]}
    kind = (
        AuditEntry.Kind.PRIVATE_CHANGED if differs == {"private"} else AuditEntry.Kind.ENTRY_CHANGED
    )
    audit.append_entry(entry.tournament, kind, by, old=old, new=new)
    return current
