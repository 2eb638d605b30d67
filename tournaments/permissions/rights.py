"""Who may see and do what. Whoever may not, finds nothing: 404, as if it did not exist.

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
from tournaments.queries import publications
from tournaments.queries.current_seats import EventWithSeats
from tournaments.queries.events import (
    Event,
    announced_progress,
    published_event,
    with_readable_rules,
)
from tournaments.queries.progress import TournamentProgress
from tournaments.queries.sheets import Sheet, table_may_correct
from tournaments.services import accounts, phones
from tournaments.web import phone_cookie
from tournaments.web.numbers import number_named


def role_in(request: HttpRequest, tournament: Tournament) -> str | None:
    """Return what the reader does in this tournament: a `Membership.Role`, or None."""
    user = request.user
    if not user.is_authenticated:
        return None
    if user.is_superuser:
        return Membership.Role.DIRECTOR
    noted, key = _noted(request), ("role", user.pk, tournament.pk)
    if key not in noted:
        membership = tournament.memberships.filter(user=user).first()
        noted[key] = membership.role if membership else None
    role: str | None = noted[key]
    return role


def forget(request: HttpRequest) -> None:
    """Look up this reader's rights anew: what was so a moment ago may be so no longer."""
    _noted(request).clear()


def _noted(request: HttpRequest) -> dict[tuple[object, ...], Any]:
    """Return what has been looked up of this reader's rights since the request came."""
    noted: dict[tuple[object, ...], Any] = request.__dict__.setdefault("noted_rights", {})
    return noted


def owner(request: HttpRequest) -> Actor:
    """Return who owns the installation, and answers for everything in it."""
    if not (request.user.is_authenticated and request.user.is_superuser):
        raise Http404
    return actor(request)


def may_create(request: HttpRequest) -> bool:
    """Return whether this reader may create events, or bring them in from archives."""
    return isinstance(request.user, User) and accounts.may_create(request.user)


def tournament_to_see(request: HttpRequest, slug: str) -> Tournament:
    """Return a tournament this reader may look at: published, theirs to run, or their own table."""
    tournament = get_object_or_404(Tournament, slug=slug)
    if not may_see(request, tournament):
        raise Http404
    return tournament


def may_see(request: HttpRequest, tournament: Tournament) -> bool:
    """Return whether this reader may look at a tournament. Nobody looks at a removed one."""
    if tournament.removed_at is not None:
        return False
    is_own = tournament.is_public or role_in(request, tournament) is not None
    return is_own or _sits_in(request, tournament)


def event_to_see(request: HttpRequest, slug: str) -> Event:
    """Return a tournament this reader may look at, as they see it."""
    return event_seen(request, tournament_to_see(request, slug))


def event_seen(request: HttpRequest, tournament: Tournament) -> Event:
    """Return a tournament as a reader who may look at it sees it.

    As it is played to its staff and its tables; to all others as announced, once it has been, with
    the seats of sessions to come.
    """
    if role_in(request, tournament) is not None:
        if number := request.GET.get("publication"):  # the staff may look at every one there was
            return published_event(_publication(tournament, number), tournament)
        return Event(tournament)
    publication = (
        None if _sits_in(request, tournament) else publications.shown_publication(tournament)
    )
    if publication is None:
        return Event(tournament)
    return EventWithSeats(published_event(publication, tournament), tournament)


def _publication(tournament: Tournament, number: str) -> Publication:
    """Return the publication of this number. Raises `Http404`."""
    named = number_named(number)
    if named is None:
        raise Http404
    known = Publication.objects.with_final().defer("content").filter(tournament=tournament)
    found: Publication = get_object_or_404(known, number=named)
    return found


def tournament_to_direct(request: HttpRequest, slug: str) -> Tournament:
    """Return a tournament this reader directs."""
    tournament = get_object_or_404(Tournament, slug=slug)
    if role_in(request, tournament) != Membership.Role.DIRECTOR:
        raise Http404
    return tournament


def tournament_to_remove(request: HttpRequest, slug: str) -> Tournament:
    """Return a tournament this reader directs, also where it has been removed."""
    tournament = get_object_or_404(Tournament.every, slug=slug)
    if role_in(request, tournament) != Membership.Role.DIRECTOR:
        raise Http404
    return tournament


def removed_of(request: HttpRequest) -> QuerySet[Tournament]:
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


def tournament_to_keep(request: HttpRequest, slug: str) -> Tournament:
    """Return a tournament whose desk this reader sits at: its scorekeepers and directors."""
    tournament = get_object_or_404(Tournament, slug=slug)
    if role_in(request, tournament) is None:
        raise Http404
    return tournament


def may_record(request: HttpRequest, sitting: Sitting) -> bool:
    """Return whether this reader may take down rounds here: staff, or the table itself."""
    is_staff = role_in(request, sitting.session.tournament) is not None
    return is_staff or phone_at(request, sitting) is not None


def may_correct(request: HttpRequest, sitting: Sitting) -> bool:
    """Return whether this reader may put a recorded round right: staff, or a table on its own."""
    tournament = sitting.session.tournament
    if tournament.kind == Tournament.Kind.TABLE:
        return may_record(request, sitting)
    return role_in(request, tournament) is not None


def writer_at(request: HttpRequest, sitting: Sitting) -> phones.Writer:
    """Return who writes at a table: somebody of the staff, or its phone. Raises `Http404`."""
    is_staff = role_in(request, sitting.session.tournament) is not None
    phone = None if is_staff else phone_at(request, sitting)
    if not is_staff and phone is None:
        raise Http404
    by = phones.actor_of(phone) if phone is not None else actor(request)
    return phones.Writer(by, phone, may_correct(request, sitting))


def may_correct_round(request: HttpRequest, sheet: Sheet, row: Round) -> bool:
    """Return whether this reader may correct a round that counts.

    Besides those who may correct anything, the table itself: its own last round, until the next one
    is recorded or the other side has accepted it.
    """
    if may_correct(request, sheet.sitting):
        return True
    return table_may_correct(sheet, row) and may_record(request, sheet.sitting)


def phone_at(request: HttpRequest, sitting: Sitting) -> Phone | None:
    """Return this reader's phone at a table, None where it has none or has it no longer."""
    shown = getattr(request, "bearer_phone", None)
    if isinstance(shown, Phone):
        return shown if shown.sitting_id == sitting.pk else None
    noted, key = _noted(request), ("phone", sitting.pk)
    if key not in noted:
        secret = _secrets(request).get(str(sitting.pk))
        found = phones.phone_of(secret) if secret is not None else None
        noted[key] = found if found is not None and found.sitting_id == sitting.pk else None
    phone: Phone | None = noted[key]
    return phone


def former_phone_at(request: HttpRequest, sitting: Sitting) -> Phone | None:
    """Return the phone that this browser once was at a table, if it no longer is."""
    secret = _secrets(request).get(str(sitting.pk))
    phone = phones.any_phone_of(secret) if secret is not None else None
    if phone is None or phone.sitting_id != sitting.pk or phone_at(request, sitting) is not None:
        return None
    return phone


def writing_phone(request: HttpRequest, sitting: Sitting) -> Phone | None:
    """Return the phone by which this reader writes, None where it is somebody of the staff.

    Raises `Http404` where it was one a moment ago: its link has been closed since we let it in.
    """
    forget(request)
    if role_in(request, sitting.session.tournament) is not None:
        return None
    phone = phone_at(request, sitting)
    if phone is None:
        raise Http404
    return phone


def _sits_in(request: HttpRequest, tournament: Tournament) -> bool:
    """Return whether this reader has a phone at one of the tournament's tables."""
    noted, key = _noted(request), ("sits", tournament.pk)
    if key not in noted:
        noted[key] = _sittings_of(request).filter(session__tournament=tournament).exists()
    return bool(noted[key])


def has_phone(request: HttpRequest) -> bool:
    """Return whether this reader has a phone at any table."""
    return _sittings_of(request).exists()


def _secrets(request: HttpRequest) -> dict[str, str]:
    """Return what this browser keeps; a request with a token of its own brings no cookies."""
    if hasattr(request, "bearer_phone"):
        return {}
    kept = phone_cookie.of(request)
    if kept.failure is not None:  # 503, but only where it matters whose phone this is
        raise kept.failure
    return kept.secrets


def actor(request: HttpRequest, sitting: Sitting | None = None) -> Actor:
    """Return who does something, as the audit trail names them: staff, a phone, or some table."""
    phone = writing_phone(request, sitting) if sitting is not None else None
    if phone is not None:
        return phones.actor_of(phone)
    user = request.user
    if isinstance(user, User):
        return Actor.of(user)
    return Actor(None, THE_TABLE)


def tournaments_of(request: HttpRequest) -> QuerySet[Tournament]:
    """Return the tournaments this reader finds on the front page: published ones and their own."""
    of_kind = Tournament.objects.filter(kind=Tournament.Kind.TOURNAMENT)
    user = request.user
    if user.is_authenticated and user.is_superuser:
        return of_kind
    published = ~Q(showing=Tournament.Showing.STAFF)
    if not user.is_authenticated:
        return of_kind.filter(published)
    return of_kind.filter(published | Q(memberships__user=user)).distinct()


def listed_to(
    request: HttpRequest, tournaments: Iterable[Tournament]
) -> tuple[dict[int, TournamentProgress], list[Tournament]]:
    """Return what this reader finds in a list as it was announced, by primary key, and as it is.

    They find their own as they are played. What cannot be read is in neither.
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
    return announced_progress(as_announced), with_readable_rules(live)


def tables_of(request: HttpRequest) -> QuerySet[Sitting]:
    """Return the club tables this browser has started or joined."""
    return _sittings_of(request).filter(session__tournament__kind=Tournament.Kind.TABLE)


def _sittings_of(request: HttpRequest) -> QuerySet[Sitting]:
    """Return the tables at which this reader has a phone that has not been ended."""
    shown = getattr(request, "bearer_phone", None)
    if isinstance(shown, Phone):
        return Sitting.objects.filter(pk=shown.sitting_id)
    digests = [digest(each) for each in _secrets(request).values()]
    return phones.open_tables().filter(phones__digest__in=digests, phones__ended_at=None).distinct()
