"""Which publication is shown, and what has changed since."""

from __future__ import annotations

from django.db.models import Q, QuerySet, Subquery

from tournaments.models import (
    AuditEntry,
    Publication,
    Session,
    Tournament,
)
from tournaments.models.audit import Touches, kinds_touching
from tournaments.models.publications import PLAY_KINDS
from tournaments.queries.presence import AWAY

Showing = Tournament.Showing
# Kinds of audit entries about seats, which the public sees at once, without a publication.
SEATING_KINDS = (
    AuditEntry.Kind.SESSION_OPENED,
    AuditEntry.Kind.SESSION_RESEATED,
    AuditEntry.Kind.SESSION_REMOVED,
)
CHANGING_KINDS = kinds_touching(Touches.RESULTS)


def content_changes() -> Q:
    """Return the condition for audit entries that change what a publication contains.

    A mark of the roll call does so only if a player is away by it, or no longer.
    """
    away = Q(new__status__in=AWAY) | Q(old__status__in=AWAY)
    return Q(kind__in=CHANGING_KINDS) | Q(kind=AuditEntry.Kind.PRESENCE_MARKED) & away


def changes_since(publication: Publication) -> QuerySet[AuditEntry]:
    """Return the audit entries since the last publication that change what the next will contain.

    `publication` is any publication of the tournament.
    """
    audit_entries = publication.tournament.audit_entries.all()
    published = audit_entries.filter(kind=AuditEntry.Kind.PUBLISHED).order_by("-number")
    last = Subquery(published.values("number")[:1])
    return audit_entries.filter(content_changes(), number__gt=last)


def has_results(tournament: Tournament) -> bool:
    """Return whether any round or total is recorded."""
    return tournament.is_frozen


def are_results_hidden(tournament: Tournament) -> bool:
    """Return whether there are results that only the staff sees."""
    return tournament.showing == Showing.STAFF and has_results(tournament)


def shown_publication(tournament: Tournament) -> Publication | None:
    """Return the last publication, annotated with `is_final` and with `content` deferred.

    None unless the public sees the tournament as published.
    """
    if tournament.showing != Showing.PUBLISHED:
        return None
    return tournament.publications.with_final().defer("content").last()


def sessions_to_announce(tournament: Tournament) -> list[Session]:
    """Return the sessions with play that the last publication lacks, ordered by number.

    Empty unless the public sees the tournament as published.
    """
    publication = shown_publication(tournament)
    if publication is None:
        return []
    played = changes_since(publication).filter(kind__in=PLAY_KINDS).order_by()
    numbers = {*played.values_list("subject__session", flat=True).distinct()}
    return [each for each in tournament.sessions.order_by("number") if each.number in numbers]
