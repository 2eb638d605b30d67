"""Which series a reader may edit, which are listed, and which tournaments can be put into one."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.shortcuts import get_object_or_404

from tournaments.models import Membership, Series, Tournament
from tournaments.permissions.tournament_lists import staffed_tournaments, tournaments_of


def series_to_edit(request: HttpRequest, slug: str) -> Series:
    """Return the series with this slug. Raises `Http404` unless this reader may edit it."""
    return get_object_or_404(series_edited_by(request), slug=slug)


def series_edited_by(request: HttpRequest) -> QuerySet[Series]:
    """Return the series that this reader may edit, the newest first: all for the owner."""
    user = request.user
    if not user.is_authenticated:
        return Series.objects.none()
    return Series.objects.all() if user.is_superuser else Series.objects.filter(owners=user)


def series_listed(request: HttpRequest) -> QuerySet[Series]:
    """Return the series on this reader's front page.

    A series is listed if the reader may edit it, or if it has a tournament on the front page.
    """
    tournament_pks = tournaments_of(request).order_by().values("pk")
    edited_pks = series_edited_by(request).order_by().values("pk")
    is_listed = Q(tournaments__in=tournament_pks) | Q(pk__in=edited_pks)
    return Series.objects.filter(is_listed).distinct()


def directed_tournaments(request: HttpRequest) -> QuerySet[Tournament]:
    """Return the tournaments that this reader directs, the newest first."""
    user = request.user
    if not user.is_authenticated or user.is_superuser:
        return staffed_tournaments(request)
    directing = {"memberships__user": user, "memberships__role": Membership.Role.DIRECTOR}
    return Tournament.objects.filter(kind=Tournament.Kind.TOURNAMENT, **directing)


def directed_tournament(request: HttpRequest, slug: str) -> Tournament | None:
    """Return the tournament with this slug if the reader directs it, else None.

    `slug` may be any text from a request: PostgreSQL refuses some unprintable characters.
    """
    return directed_tournaments(request).filter(slug=slug).first() if slug.isprintable() else None


def staffed_tournament_pks(request: HttpRequest) -> set[int] | None:
    """Return the primary keys of the tournaments that this reader staffs; None means all."""
    user = request.user
    if user.is_authenticated and user.is_superuser:
        return None
    if not isinstance(user, User):
        return set()
    return set(user.memberships.values_list("tournament", flat=True))
