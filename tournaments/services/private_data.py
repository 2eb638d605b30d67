"""The end of private data: contacts, years of birth and notes of players, and applications.

A date per event ends them (`Tournament.private_data_end`). What is erased is gone from the
database at once, and from automatic backups `BACKUPS_KEPT` later: they are the way back from
mistakes, also those of other events. Backups made by hand are named to the director.
"""

from __future__ import annotations

from datetime import date

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments import audit, backups
from tournaments.audit import THE_SERVER, Actor
from tournaments.audit.locks import lock_tournament
from tournaments.exceptions import OperationRefused
from tournaments.models import AuditEntry, Tournament
from tournaments.queries import private_data
from tournaments.queries.private_data import BACKUPS_KEPT, Holdings
from tournaments.server import believed_time
from tournaments.services import automatic_backups, closing, versions


class EndsTooEarly(OperationRefused):
    code = "private_end_too_early"
    status = 422
    at = "until"
    sentence = _(
        "This day is before the tournament. Choose the day of the tournament or a later one."
    )


@transaction.atomic
def set_end(tournament: Tournament, end: date | None, *, seen_version: int, by: Actor) -> None:
    """Set the last day of private data, None for the default. Idempotent.

    `seen_version` is the version that was shown. Raises `EndsTooEarly` and `VersionConflict`.
    """
    current = lock_tournament(tournament)
    if end is not None and end < current.held_on:
        raise EndsTooEarly
    old = current.private_until
    if old == end:
        return
    versions.check_version(versions.last_private_end_change(current), seen_version)
    tournament.private_until = end
    tournament.save(update_fields=["private_until"])
    audit.append_entry(
        current,
        AuditEntry.Kind.PRIVATE_END_SET,
        by,
        old=old and old.isoformat(),
        new=end and end.isoformat(),
        is_locked=True,
    )


@transaction.atomic
def erase(tournament: Tournament, *, by: Actor) -> Holdings:
    """Erase the private data of an event, and return what was erased. Idempotent.

    The salts are erased, too, so that no value can be guessed from its digest in the audit trail.
    Schedules a backup on commit.
    """
    current = lock_tournament(tournament, include_removed=True)
    erased = private_data.holdings_of(current)
    if any(erased):
        private_data.players_with_private_data(current).update(**private_data.EMPTY)
        current.registrations.all().delete()
        audit.append_entry(
            current, AuditEntry.Kind.PRIVATE_ERASED, by, new=erased._asdict(), is_locked=True
        )
        automatic_backups.schedule_after_erasing()
    return erased


def erase_due() -> list[Tournament]:
    """Erase private data whose date has passed, and delete automatic backups that still hold some.

    An event in which something was done within a week is left for later: somebody works with it, or
    has just imported it. Returns the events of which something was erased.
    """
    now = believed_time.now()
    in_use = Tournament.every.filter(closing.recent_condition(""))
    erased = [
        tournament
        for tournament in private_data.due(timezone.localdate(now))
        if not in_use.filter(pk=tournament.pk).exists()
        and any(erase(tournament, by=Actor(None, THE_SERVER)))
    ]
    erasures = AuditEntry.objects.filter(kind=AuditEntry.Kind.PRIVATE_ERASED)
    last = erasures.filter(at__lt=now - BACKUPS_KEPT).order_by("at").last()
    if last is not None:
        backups.delete_automatic(made_before=last.at)
    return erased
