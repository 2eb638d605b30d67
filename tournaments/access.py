"""Who may see and do what. Whoever may not, finds nothing: 404, as if it did not exist."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404

from tournaments.audit import Actor
from tournaments.models import Membership, Sitting, Tournament

# The sittings whose table link this browser has opened, by primary key.
SITTINGS_KEY = "sittings"

# How the trail names whoever holds a table link.
THE_TABLE = "table"


def role_in(request: HttpRequest, tournament: Tournament) -> str | None:
    """Return what the reader does in this tournament: a `Membership.Role`, or None."""
    user = request.user
    if not user.is_authenticated:
        return None
    if user.is_superuser:
        return Membership.Role.DIRECTOR
    membership = tournament.memberships.filter(user=user).first()
    return membership.role if membership else None


def tournament_to_see(request: HttpRequest, slug: str) -> Tournament:
    """Return a tournament this reader may look at: published, theirs to run, or their own table."""
    tournament = get_object_or_404(Tournament, slug=slug)
    if tournament.is_published or role_in(request, tournament):
        return tournament
    if _sittings_of(request).filter(session__tournament=tournament).exists():
        return tournament
    raise Http404


def tournament_to_direct(request: HttpRequest, slug: str) -> Tournament:
    """Return a tournament this reader directs."""
    tournament = get_object_or_404(Tournament, slug=slug)
    if role_in(request, tournament) != Membership.Role.DIRECTOR:
        raise Http404
    return tournament


def tournament_to_keep(request: HttpRequest, slug: str) -> Tournament:
    """Return a tournament whose desk this reader sits at: its scorekeepers and directors."""
    tournament = get_object_or_404(Tournament, slug=slug)
    if role_in(request, tournament) is None:
        raise Http404
    return tournament


def sitting_to_keep(request: HttpRequest, slug: str, session: int, table: int) -> Sitting:
    """Return a sitting whose paper this reader may type in and whose players they may exchange."""
    return get_object_or_404(
        Sitting.objects.select_related("session__tournament"),
        session__tournament=tournament_to_keep(request, slug),
        session__number=session,
        number=table,
    )


def sitting_to_see(request: HttpRequest, slug: str, session: int, table: int) -> Sitting:
    """Return a sitting this reader may look at."""
    tournament = tournament_to_see(request, slug)
    return get_object_or_404(
        Sitting.objects.select_related("session__tournament"),
        session__tournament=tournament,
        session__number=session,
        number=table,
    )


def sitting_to_record(request: HttpRequest, slug: str, session: int, table: int) -> Sitting:
    """Return a sitting whose rounds this reader may take down."""
    sitting = sitting_to_see(request, slug, session, table)
    if not may_record(request, sitting):
        raise Http404
    return sitting


def may_record(request: HttpRequest, sitting: Sitting) -> bool:
    """Return whether this reader may take down rounds here: staff, or the table itself."""
    has_link = sitting.pk in request.session.get(SITTINGS_KEY, [])
    return has_link or role_in(request, sitting.session.tournament) is not None


def may_correct(request: HttpRequest, sitting: Sitting) -> bool:
    """Return whether this reader may put a recorded round right: staff, or a table on its own."""
    tournament = sitting.session.tournament
    if tournament.kind == Tournament.Kind.TABLE:
        return may_record(request, sitting)
    return role_in(request, tournament) is not None


def let_record(request: HttpRequest, sitting: Sitting) -> None:
    """Remember in this browser's session that it may take down this sitting's rounds."""
    request.session[SITTINGS_KEY] = [*request.session.get(SITTINGS_KEY, []), sitting.pk]


def actor(request: HttpRequest) -> Actor:
    """Return who does something, as the audit trail names them."""
    user = request.user
    if isinstance(user, User):
        return Actor(user, user.get_username())
    return Actor(None, THE_TABLE)


def tournaments_of(request: HttpRequest) -> QuerySet[Tournament]:
    """Return the tournaments this reader finds on the front page: published ones and their own."""
    of_kind = Tournament.objects.filter(kind=Tournament.Kind.TOURNAMENT)
    user = request.user
    if user.is_authenticated and user.is_superuser:
        return of_kind
    published = Q(published_at__isnull=False)
    if not user.is_authenticated:
        return of_kind.filter(published)
    return of_kind.filter(published | Q(memberships__user=user)).distinct()


def tables_of(request: HttpRequest) -> QuerySet[Sitting]:
    """Return the club tables this browser has started or joined."""
    return _sittings_of(request).filter(session__tournament__kind=Tournament.Kind.TABLE)


def _sittings_of(request: HttpRequest) -> QuerySet[Sitting]:
    return Sitting.objects.filter(pk__in=request.session.get(SITTINGS_KEY, []))
