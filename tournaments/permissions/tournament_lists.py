"""The tournaments that a reader finds in lists: the front page, and pages for the staff."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet
from django.http import HttpRequest

from tournaments.models import Membership, Tournament
from tournaments.queries.progress import TournamentProgress
from tournaments.queries.publications.events import published_progress, with_readable_rules


def tournaments_of(request: HttpRequest) -> QuerySet[Tournament]:
    """Return the tournaments on this reader's front page.

    A tournament is listed if it is public, or if the reader is on its staff; the owner of the
    installation gets all tournaments.
    """
    tournaments = Tournament.objects.filter(kind=Tournament.Kind.TOURNAMENT)
    user = request.user
    if user.is_authenticated and user.is_superuser:
        return tournaments
    published = ~Q(showing=Tournament.Showing.STAFF)
    if not user.is_authenticated:
        return tournaments.filter(published)
    return tournaments.filter(published | Q(memberships__user=user)).distinct()


def staffed_tournaments(request: HttpRequest) -> QuerySet[Tournament]:
    """Return the tournaments on whose staff this reader is, the newest first."""
    user = request.user
    tournaments = Tournament.objects.filter(kind=Tournament.Kind.TOURNAMENT)
    if not user.is_authenticated:
        return tournaments.none()
    return tournaments if user.is_superuser else tournaments.filter(memberships__user=user)


def staffed_tournament(request: HttpRequest, slug: str) -> Tournament | None:
    """Return the tournament with this slug if the reader is on its staff, else None.

    `slug` may be any text from a request: PostgreSQL refuses some unprintable characters.
    """
    return staffed_tournaments(request).filter(slug=slug).first() if slug.isprintable() else None


class ListedTournaments(NamedTuple):
    """The tournaments of a list, in two parts.

    `published` has the published progress by primary key of the tournament. The progress of the
    tournaments in `live` is not read yet.
    """

    published: dict[int, TournamentProgress]
    live: list[Tournament]


def split_for_listing(request: HttpRequest, tournaments: Iterable[Tournament]) -> ListedTournaments:
    """Split tournaments by whether this reader sees them as published or live.

    The staff of a tournament sees it live. Tournaments with unreadable rules are left out.
    """
    user, tournaments = request.user, list(tournaments)
    staffed_pks = set()
    if isinstance(user, User):
        staffed_pks = set(user.memberships.values_list("tournament", flat=True))
    is_owner = user.is_authenticated and user.is_superuser
    seen_as_published = [
        each
        for each in tournaments
        if each.showing == Tournament.Showing.PUBLISHED
        and not is_owner
        and each.pk not in staffed_pks
    ]
    live = [each for each in tournaments if each not in seen_as_published]
    return ListedTournaments(published_progress(seen_as_published), with_readable_rules(live))


def removed_tournaments_of(request: HttpRequest) -> QuerySet[Tournament]:
    """Return the removed tournaments that this reader directs, the latest removal first."""
    user = request.user
    removed = Tournament.every.filter(kind=Tournament.Kind.TOURNAMENT, removed_at__isnull=False)
    removed = removed.order_by("-removed_at")
    if not user.is_authenticated:
        return removed.none()
    if user.is_superuser:
        return removed
    directing = {"memberships__user": user, "memberships__role": Membership.Role.DIRECTOR}
    return removed.filter(**directing)
