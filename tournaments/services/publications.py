"""What everybody sees of a tournament, and every publication. Each write is one transaction."""

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
from tournaments.queries.publications import Showing, content_of, digest_of, has_results


@transaction.atomic
def publish(tournament: Tournament, *, by: Actor) -> Publication:
    """Announce the event as it stands now, under the next number; everybody sees it so."""
    current = lock_tournament(tournament)  # what is read from now on is of one moment
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
    _set(tournament, Showing.PUBLISHED)
    said = {"number": publication.number, "digest": publication.digest}
    audit.append(tournament, AuditEntry.Kind.PUBLISHED, by, new=said, at=publication.at)
    return publication


@transaction.atomic
def announce(tournament: Tournament, *, by: Actor) -> Publication | None:
    """Announce the event as it stands; while nothing is recorded, let it be seen live: None."""
    current = lock_tournament(tournament)
    if has_results(current):
        return publish(tournament, by=by)
    show_live(tournament, by=by)
    return None


@transaction.atomic
def show_live(tournament: Tournament, *, by: Actor) -> None:
    """Let everybody see the event as it is played."""
    if _show(tournament, Showing.LIVE):
        audit.append(tournament, AuditEntry.Kind.SHOWN_LIVE, by)


@transaction.atomic
def withdraw(tournament: Tournament, *, by: Actor) -> None:
    """Let only the staff see the event. What was announced is kept."""
    if _show(tournament, Showing.STAFF):
        audit.append(tournament, AuditEntry.Kind.WITHDRAWN, by)


def _show(tournament: Tournament, showing: str) -> bool:
    """Set what everybody sees; return whether that is something else than before."""
    current = lock_tournament(tournament)
    _set(tournament, showing)
    return current.showing != showing


def _set(tournament: Tournament, showing: str) -> None:
    tournament.showing = showing
    tournament.save(update_fields=["showing"])
