"""The rights of a reader in a tournament. Without the right, functions raise `Http404`.

Everything here only reads: a browser becomes a phone in `admission`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404

from tournaments.audit import THE_TABLE, Actor
from tournaments.models import Membership, Phone, Publication, Round, Sitting, Tournament
from tournaments.models.tokens import digest
from tournaments.queries import live_events, publications
from tournaments.queries.current_seats import EventWithSeats
from tournaments.queries.draw_records import DrawRecord
from tournaments.queries.events import Event
from tournaments.queries.progress import TournamentProgress
from tournaments.queries.published_events import (
    published_event,
    published_progress,
    with_readable_rules,
)
from tournaments.queries.sheets import Sheet, table_may_correct
from tournaments.services import accounts, phones
from tournaments.web import phone_cookie
from tournaments.web.numbers import parse_number


def role_in(request: HttpRequest, tournament: Tournament) -> str | None:
    """Return the reader's `Membership.Role` in this tournament, or None."""
    user = request.user
    if not user.is_authenticated:
        return None
    if user.is_superuser:
        return Membership.Role.DIRECTOR
    cached, key = _cached_rights(request), ("role", user.pk, tournament.pk)
    if key not in cached:
        membership = tournament.memberships.filter(user=user).first()
        cached[key] = membership.role if membership else None
    role: str | None = cached[key]
    return role


def may_repeat_draw(request: HttpRequest, tournament: Tournament, draw: DrawRecord) -> bool:
    """Return whether the reader may see what a draw was asked.

    It may tell unannounced points, and the seats of sessions to come.
    """
    is_live = tournament.showing == Tournament.Showing.LIVE
    is_public = not draw.tells_later and (is_live or not draw.tells_points)
    return is_public or role_in(request, tournament) is not None


def clear_cached_rights(request: HttpRequest) -> None:
    """Clear the cache of this reader's rights on the request."""
    _cached_rights(request).clear()


def _cached_rights(request: HttpRequest) -> dict[tuple[object, ...], Any]:
    """Return the cache of this reader's rights on the request."""
    cached: dict[tuple[object, ...], Any] = request.__dict__.setdefault("cached_rights", {})
    return cached


def owner_actor(request: HttpRequest) -> Actor:
    """Return the reader as an actor. Raises `Http404` unless it is the installation's owner."""
    if not (request.user.is_authenticated and request.user.is_superuser):
        raise Http404
    return actor(request)


def may_create(request: HttpRequest) -> bool:
    """Return whether this reader may create events or import archives."""
    return isinstance(request.user, User) and accounts.may_create_events(request.user)


def tournament_to_see(request: HttpRequest, slug: str) -> Tournament:
    """Return the tournament with this slug. Raises `Http404` unless this reader may see it."""
    tournament = get_object_or_404(Tournament, slug=slug)
    if not may_see(request, tournament):
        raise Http404
    return tournament


def may_see(request: HttpRequest, tournament: Tournament) -> bool:
    """Return whether a tournament is public, or this reader is staff or has an active phone in it.

    Nobody may see a removed tournament.
    """
    if tournament.removed_at is not None:
        return False
    is_public_or_staff = tournament.is_public or role_in(request, tournament) is not None
    return is_public_or_staff or _has_phone_in(request, tournament)


def may_see_seats(request: HttpRequest, tournament: Tournament) -> bool:
    """Return whether this reader may see who sits where: seats may be public without results."""
    is_listed = tournament.removed_at is None
    return (is_listed and tournament.shows_seats) or may_see(request, tournament)


def tournament_with_seats(request: HttpRequest, slug: str) -> Tournament:
    """Return the tournament with this slug. Raises `Http404` unless its seats may be seen."""
    tournament = get_object_or_404(Tournament, slug=slug)
    if not may_see_seats(request, tournament):
        raise Http404
    return tournament


def tournament_with_registration(request: HttpRequest, slug: str) -> Tournament:
    """Return the tournament with this slug, to which the reader may apply.

    Raises `Http404` unless its registration was ever set, or the reader may see it.
    """
    tournament = get_object_or_404(Tournament, slug=slug, kind=Tournament.Kind.TOURNAMENT)
    if not tournament.registration and not may_see(request, tournament):
        raise Http404
    return tournament


def event_with_seats(
    request: HttpRequest, tournament: Tournament, *, allow_older: bool = False
) -> Event:
    """Return the event of which this reader may see the seats, but perhaps not the results.

    Show nothing of it but seats and names to readers for whom `may_see` is false.
    """
    if may_see(request, tournament):
        return event_seen(request, tournament, allow_older=allow_older)
    return live_events.events.recent(tournament)


def event_to_see(request: HttpRequest, slug: str) -> Event:
    """Return a tournament as this reader sees it. Raises `Http404` unless they may see it."""
    return event_seen(request, tournament_to_see(request, slug))


def event_seen(request: HttpRequest, tournament: Tournament, *, allow_older: bool = False) -> Event:
    """Return a tournament as this reader sees it.

    Its staff and its tables see it live. Others see the publication shown, if there is one, with
    the seats of later sessions. The staff may name a publication in the query; `Http404` is raised
    if there is none with this number. With `allow_older` spectators may get a live event that is
    `PUBLIC_CACHE_SECONDS` old.
    """
    if role_in(request, tournament) is not None:
        if number := request.GET.get("publication"):  # the staff may see every publication
            return published_event(_publication_with_number(tournament, number), tournament)
        return live_events.events.current(tournament)
    if _has_phone_in(request, tournament):
        return live_events.events.current(tournament)
    publication = publications.shown_publication(tournament)
    if publication is None:
        events = live_events.events
        return events.recent(tournament) if allow_older else events.current(tournament)
    return EventWithSeats(published_event(publication, tournament), tournament)


def _publication_with_number(tournament: Tournament, number: str) -> Publication:
    """Return a publication by its number as typed in a query. Raises `Http404`."""
    parsed = parse_number(number)
    if parsed is None:
        raise Http404
    known = Publication.objects.with_final().defer("content")
    found: Publication = get_object_or_404(known, tournament=tournament, number=parsed)
    return found


def tournament_to_direct(request: HttpRequest, slug: str) -> Tournament:
    """Return the tournament with this slug. Raises `Http404` unless this reader directs it."""
    tournament = get_object_or_404(Tournament, slug=slug)
    if role_in(request, tournament) != Membership.Role.DIRECTOR:
        raise Http404
    return tournament


def tournament_to_remove(request: HttpRequest, slug: str) -> Tournament:
    """Return a tournament, removed or not. Raises `Http404` unless this reader directs it."""
    tournament = get_object_or_404(Tournament.every, slug=slug)
    if role_in(request, tournament) != Membership.Role.DIRECTOR:
        raise Http404
    return tournament


def removed_tournaments_of(request: HttpRequest) -> QuerySet[Tournament]:
    """Return the removed tournaments that this reader directs, the last removed first."""
    user = request.user
    removed = Tournament.every.filter(kind=Tournament.Kind.TOURNAMENT, removed_at__isnull=False)
    removed = removed.order_by("-removed_at")
    if not user.is_authenticated:
        return removed.none()
    if user.is_superuser:
        return removed
    directing = {"memberships__user": user, "memberships__role": Membership.Role.DIRECTOR}
    return removed.filter(**directing)


def tournament_with_role(request: HttpRequest, slug: str) -> Tournament:
    """Return a tournament. Raises `Http404` unless this reader has a role in it."""
    tournament = get_object_or_404(Tournament, slug=slug)
    if role_in(request, tournament) is None:
        raise Http404
    return tournament


def may_record(request: HttpRequest, sitting: Sitting) -> bool:
    """Return whether this reader may record rounds at a table: staff, or its phones."""
    is_staff = role_in(request, sitting.session.tournament) is not None
    return is_staff or phone_at(request, sitting) is not None


def may_correct(request: HttpRequest, sitting: Sitting) -> bool:
    """Return whether this reader may correct every round of a table.

    The staff may, and at a club table its phones.
    """
    tournament = sitting.session.tournament
    if tournament.kind == Tournament.Kind.TABLE:
        return may_record(request, sitting)
    return role_in(request, tournament) is not None


def writer_at(request: HttpRequest, sitting: Sitting) -> phones.Writer:
    """Return who writes at a table: somebody of the staff, or its phone. Raises `Http404`."""
    if sitting.session.tournament.removed_at is not None:
        raise Http404
    is_staff = role_in(request, sitting.session.tournament) is not None
    phone = None if is_staff else phone_at(request, sitting)
    if not is_staff and phone is None:
        raise Http404
    by = phones.actor_of(phone) if phone is not None else actor(request)
    return phones.Writer(actor=by, phone=phone, may_correct=may_correct(request, sitting))


def may_correct_round(request: HttpRequest, sheet: Sheet, stored: Round) -> bool:
    """Return whether this reader may correct a round in force.

    A table itself may correct its last round, until the next one is recorded or the other side has
    accepted it.
    """
    if may_correct(request, sheet.sitting):
        return True
    return table_may_correct(sheet, stored) and may_record(request, sheet.sitting)


def phone_at(request: HttpRequest, sitting: Sitting) -> Phone | None:
    """Return this reader's phone at a table, or None if it has none or the phone has ended.

    A request with a phone's token has that phone only; others have the phones in their cookie.
    """
    bearer_phone = getattr(request, "bearer_phone", None)
    if isinstance(bearer_phone, Phone):
        return bearer_phone if bearer_phone.sitting_id == sitting.pk else None
    cached, key = _cached_rights(request), ("phone", sitting.pk)
    if key not in cached:
        secret = _phone_secrets(request).get(str(sitting.pk))
        found = phones.phone_of(secret) if secret is not None else None
        cached[key] = found if found is not None and found.sitting_id == sitting.pk else None
    phone: Phone | None = cached[key]
    return phone


def former_phone_at(request: HttpRequest, sitting: Sitting) -> Phone | None:
    """Return the ended phone of this browser at a table; None if it has none or an active one."""
    secret = _phone_secrets(request).get(str(sitting.pk))
    phone = phones.any_phone_of(secret) if secret is not None else None
    if phone is None or phone.sitting_id != sitting.pk or phone_at(request, sitting) is not None:
        return None
    return phone


def writing_phone(request: HttpRequest, sitting: Sitting) -> Phone | None:
    """Return the phone by which this reader writes, or None for staff.

    Raises `Http404` if the phone has ended since the request was admitted.
    """
    clear_cached_rights(request)
    if role_in(request, sitting.session.tournament) is not None:
        return None
    phone = phone_at(request, sitting)
    if phone is None:
        raise Http404
    return phone


def _has_phone_in(request: HttpRequest, tournament: Tournament) -> bool:
    """Return whether this reader has a phone at one of the tournament's tables."""
    cached, key = _cached_rights(request), ("sits", tournament.pk)
    if not (_phone_secrets(request) or getattr(request, "bearer_phone", None)):
        return False
    if key not in cached:
        cached[key] = _sittings_of(request).filter(session__tournament=tournament).exists()
    return bool(cached[key])


def has_phone(request: HttpRequest) -> bool:
    """Return whether this reader has a phone at any table."""
    return _sittings_of(request).exists()


def _phone_secrets(request: HttpRequest) -> dict[str, str]:
    """Return the secrets in the phone cookie by sitting; none for a request with a phone's token.

    Raises the database error that prevented the admission of a phone in this request.
    """
    if hasattr(request, "bearer_phone"):
        return {}
    cookie = phone_cookie.cookie_of(request)
    if cookie.failure is not None:  # answers 503, only in views that need the phone
        raise cookie.failure
    return cookie.secrets


def actor(request: HttpRequest, sitting: Sitting | None = None, others: str = THE_TABLE) -> Actor:
    """Return the actor for audit entries: an account, a phone, or `others`, an unknown table.

    A phone is looked up only at a given `sitting`, where `Http404` is raised to readers who are
    neither staff nor have an active phone.
    """
    phone = writing_phone(request, sitting) if sitting is not None else None
    if phone is not None:
        return phones.actor_of(phone)
    user = request.user
    if isinstance(user, User):
        return Actor.of(user)
    return Actor(user=None, who=others)


def tournaments_of(request: HttpRequest) -> QuerySet[Tournament]:
    """Return the tournaments on this reader's front page: public ones and their own."""
    tournaments = Tournament.objects.filter(kind=Tournament.Kind.TOURNAMENT)
    user = request.user
    if user.is_authenticated and user.is_superuser:
        return tournaments
    published = ~Q(showing=Tournament.Showing.STAFF)
    if not user.is_authenticated:
        return tournaments.filter(published)
    return tournaments.filter(published | Q(memberships__user=user)).distinct()


def staffed_tournaments(request: HttpRequest) -> QuerySet[Tournament]:
    """Return the tournaments in whose staff this reader is, the newest first."""
    user = request.user
    tournaments = Tournament.objects.filter(kind=Tournament.Kind.TOURNAMENT)
    if not user.is_authenticated:
        return tournaments.none()
    return tournaments if user.is_superuser else tournaments.filter(memberships__user=user)


def split_for_listing(
    request: HttpRequest, tournaments: Iterable[Tournament]
) -> tuple[dict[int, TournamentProgress], list[Tournament]]:
    """Return a list of tournaments for this reader, in two parts.

    The first has the announced progress by primary key, of tournaments that show a publication. The
    second has live tournaments, and those of which the reader is staff. Tournaments with unreadable
    rules are in neither.
    """
    user, known = request.user, list(tournaments)
    own = set()
    if isinstance(user, User):
        own = set(user.memberships.values_list("tournament", flat=True))
    sees_all = user.is_authenticated and user.is_superuser
    as_announced = [
        each
        for each in known
        if each.showing == Tournament.Showing.PUBLISHED and not sees_all and each.pk not in own
    ]
    live = [each for each in known if each not in as_announced]
    return published_progress(as_announced), with_readable_rules(live)


def tables_of(request: HttpRequest) -> QuerySet[Sitting]:
    """Return the club tables that this browser has started or joined."""
    return _sittings_of(request).filter(session__tournament__kind=Tournament.Kind.TABLE)


def _sittings_of(request: HttpRequest) -> QuerySet[Sitting]:
    """Return the tables at which this reader has a phone that has not ended."""
    bearer_phone = getattr(request, "bearer_phone", None)
    if isinstance(bearer_phone, Phone):
        return Sitting.objects.filter(pk=bearer_phone.sitting_id)
    digests = [digest(each) for each in _phone_secrets(request).values()]
    return phones.open_tables().filter(phones__digest__in=digests, phones__ended_at=None).distinct()
