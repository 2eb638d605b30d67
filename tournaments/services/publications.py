"""Publishing an event, and setting what the public sees of it."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from tournaments import audit
from tournaments.audit import Actor
from tournaments.audit.locks import lock_tournament
from tournaments.models import (
    AuditEntry,
    Publication,
    Tournament,
)
from tournaments.queries.publications.content import content_of, digest_of
from tournaments.queries.publications.showing import Showing, has_results


@transaction.atomic
def publish(tournament: Tournament, *, by: Actor) -> Publication:
    """Store the event's current state as the next publication, and show the public that one."""
    current = lock_tournament(tournament)  # before reading, for a consistent state
    last = current.publications.last()
    content = content_of(current)
    publication = Publication.objects.create(
        tournament=current,
        number=last.number + 1 if last else 1,
        at=timezone.now(),
        who=by.who,
        content=content,
        digest=digest_of(content),
    )
    _set_showing(tournament, Showing.PUBLISHED)
    new = {"number": publication.number, "digest": publication.digest}
    audit.append_entry(tournament, AuditEntry.Kind.PUBLISHED, by, new=new, at=publication.at)
    return publication


@transaction.atomic
def publish_or_show_live(tournament: Tournament, *, by: Actor) -> Publication | None:
    """Publish the event. If nothing is recorded yet, show it live instead and return None."""
    current = lock_tournament(tournament)
    if has_results(current):
        return publish(tournament, by=by)
    show_live(tournament, by=by)
    return None


@transaction.atomic
def show_live(tournament: Tournament, *, by: Actor) -> None:
    """Idempotent."""
    if _change_showing(tournament, Showing.LIVE):
        audit.append_entry(tournament, AuditEntry.Kind.SHOWN_LIVE, by)


@transaction.atomic
def unpublish(tournament: Tournament, *, by: Actor, reason: str = "") -> None:
    """Publications stay stored. Idempotent."""
    if _change_showing(tournament, Showing.STAFF):
        audit.append_entry(tournament, AuditEntry.Kind.UNPUBLISHED, by, reason=reason)


@transaction.atomic
def set_shows_seats(tournament: Tournament, *, shows: bool, by: Actor, reason: str = "") -> None:
    """Independent of whether results are public. Idempotent."""
    current = lock_tournament(tournament)
    tournament.shows_seats = shows  # the caller's instance is updated in any case
    if current.shows_seats == shows:
        return
    tournament.save(update_fields=["shows_seats"])
    kind = AuditEntry.Kind.SEATS_SHOWN if shows else AuditEntry.Kind.SEATS_HIDDEN
    audit.append_entry(tournament, kind, by, reason=reason)


def _change_showing(tournament: Tournament, showing: str) -> bool:
    """Take the lock and set what the public sees, a `Showing`; return whether it changed."""
    current = lock_tournament(tournament)
    _set_showing(tournament, showing)
    return current.showing != showing


def _set_showing(tournament: Tournament, showing: str) -> None:
    """Call it under the lock; `showing` is a value of `Showing`."""
    tournament.showing = showing
    tournament.save(update_fields=["showing"])
