"""The rights of a reader in a tournament. Without the right, functions raise `Http404`.

Everything here only reads: a browser becomes a phone in `admission`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404

from tournaments.audit import THE_TABLE, Actor, Seen
from tournaments.models import Membership, Phone, Publication, Round, Sitting, Tournament
from tournaments.models.tokens import digest
from tournaments.queries import live_events
from tournaments.queries.current_seats import EventWithSeats
from tournaments.queries.draw_records import DrawRecord
from tournaments.queries.events import Event
from tournaments.queries.publications import showing
from tournaments.queries.publications.events import published_event
from tournaments.queries.round_validation import table_may_correct
from tournaments.queries.sheets import Sheet
from tournaments.server.peer_limits import LIVE_PHONE
from tournaments.services import accounts, phones
from tournaments.web import phone_cookie
from tournaments.web.numbers import parse_number


def role_in(request: HttpRequest, tournament: Tournament) -> str | None:
    """Return the reader's `Membership.Role` in this tournament, or None.

    The owner of the installation is a director of every tournament.
    """
    user = request.user
    if not user.is_authenticated:
        return None
    if user.is_superuser:
        return Membership.Role.DIRECTOR
    cached, key = _cached_rights(request), ("role", user.pk, tournament.pk)
    if key not in cached:
        memberships = Membership.objects.filter(tournament=tournament, user=user)
        cached[key] = next(iter(memberships.values_list("role", flat=True)), None)  # one at most
    role: str | None = cached[key]
    return role


def may_repeat_draw(request: HttpRequest, tournament: Tournament, draw: DrawRecord) -> bool:
    """Return whether the reader may see the request of a draw, from which it can be drawn again.

    Only the staff may, if the request shows unpublished points or the seats of later sessions.
    """
    is_live = tournament.showing == Tournament.Showing.LIVE
    is_public = not draw.has_later_sessions and (is_live or not draw.contains_points)
    return is_public or role_in(request, tournament) is not None


def clear_cached_rights(request: HttpRequest) -> None:
    _cached_rights(request).clear()


def _cached_rights(request: HttpRequest) -> dict[tuple[object, ...], Any]:
    """Return the cache of this reader's rights, which is stored on the request.

    A key is a tuple that begins with the kind of the value: "role", "phone" or "has phone".
    """
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
    """Return whether this reader may see a tournament.

    Everybody may see a public tournament. The staff and the phones of its tables may see it also
    while it is not public. Nobody may see a removed tournament.
    """
    if tournament.removed_at is not None:
        return False
    is_public_or_staff = tournament.is_public or role_in(request, tournament) is not None
    return is_public_or_staff or _has_phone_in(request, tournament)


def may_see_seats(request: HttpRequest, tournament: Tournament) -> bool:
    """Return whether this reader may see who sits where: seats may be public without results."""
    are_public = tournament.shows_seats and tournament.removed_at is None
    return are_public or may_see(request, tournament)


def tournament_with_seats(request: HttpRequest, slug: str) -> Tournament:
    """Return the tournament with this slug. Raises `Http404` without `may_see_seats`."""
    tournament = get_object_or_404(Tournament, slug=slug)
    if not may_see_seats(request, tournament):
        raise Http404
    return tournament


def tournament_with_registration(request: HttpRequest, slug: str) -> Tournament:
    """Return the tournament with this slug, for its page of registration.

    Raises `Http404` for a club table, and unless the registration was ever set or the reader may
    see the tournament. The registration need not be open.
    """
    tournament = get_object_or_404(Tournament, slug=slug, kind=Tournament.Kind.TOURNAMENT)
    if not tournament.registration and not may_see(request, tournament):
        raise Http404
    return tournament


def event_with_seats(
    request: HttpRequest, tournament: Tournament, *, allow_older: bool = False
) -> Event:
    """Return the live event, whose seats everybody sees who may see seats, also where a publication
    is shown.

    To readers other than the staff and the phones of its tables, callers must show only the seats,
    names and sessions of this event. With `allow_older` it may be `PUBLIC_CACHE_SECONDS` old for
    them.
    """
    if (
        allow_older
        and role_in(request, tournament) is None
        and not _has_phone_in(request, tournament)
    ):
        return live_events.events.recent(tournament)
    return live_events.events.current(tournament)


def event_to_see(request: HttpRequest, slug: str) -> Event:
    """Return a tournament as this reader sees it. Raises `Http404` unless they may see it."""
    return event_seen(request, tournament_to_see(request, slug))


def event_seen(request: HttpRequest, tournament: Tournament, *, allow_older: bool = False) -> Event:
    """Return a tournament as this reader sees it.

    The staff and the phones of its tables get the live event; the staff may name a publication in
    the query instead, and `Http404` is raised if there is none with this number. Others get the
    publication that is shown, with the current seats of later sessions, or the live event if none
    is shown. With `allow_older` that live event may be `PUBLIC_CACHE_SECONDS` old.
    """
    if role_in(request, tournament) is not None:
        if number := request.GET.get("publication"):
            return published_event(_publication_with_number(tournament, number), tournament)
        return live_events.events.current(tournament)
    if _has_phone_in(request, tournament):
        return live_events.events.current(tournament)
    publication = showing.shown_publication(tournament)
    if publication is None:
        events = live_events.events
        return events.recent(tournament) if allow_older else events.current(tournament)
    return EventWithSeats(published_event(publication, tournament), tournament)


def _publication_with_number(tournament: Tournament, number: str) -> Publication:
    """Return the publication with the number in a query, without its content.

    Raises `Http404` if the text is no number, or if there is no such publication.
    """
    parsed = parse_number(number)
    if parsed is None:
        raise Http404
    publications_with_final = Publication.objects.with_final().defer("content")
    publication: Publication = get_object_or_404(
        publications_with_final, tournament=tournament, number=parsed
    )
    return publication


def tournament_to_direct(request: HttpRequest, slug: str) -> Tournament:
    """Return the tournament with this slug. Raises `Http404` unless this reader directs it."""
    tournament = get_object_or_404(Tournament, slug=slug)
    if role_in(request, tournament) != Membership.Role.DIRECTOR:
        raise Http404
    return tournament


def tournament_to_remove(request: HttpRequest, slug: str) -> Tournament:
    """Return the tournament with this slug, also if it is removed.

    Raises `Http404` unless this reader directs it.
    """
    tournament = get_object_or_404(Tournament.every, slug=slug)
    if role_in(request, tournament) != Membership.Role.DIRECTOR:
        raise Http404
    return tournament


def tournament_with_role(request: HttpRequest, slug: str) -> Tournament:
    """Return the tournament with this slug. Raises `Http404` unless this reader is on its staff."""
    tournament = get_object_or_404(Tournament, slug=slug)
    if role_in(request, tournament) is None:
        raise Http404
    return tournament


def may_record(request: HttpRequest, sitting: Sitting) -> bool:
    """Return whether this reader may record rounds at a table, as staff or as its phone."""
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
    """Return the reader as the writer at a table: an account of the staff, or a phone of the table.

    Raises `Http404` for other readers and in removed tournaments.
    """
    if sitting.session.tournament.removed_at is not None:
        raise Http404
    is_staff = role_in(request, sitting.session.tournament) is not None
    phone = None if is_staff else phone_at(request, sitting)
    if not is_staff and phone is None:
        raise Http404
    by = phones.actor_of(phone) if phone is not None else actor(request)
    return phones.Writer(actor=by, phone=phone, may_correct=may_correct(request, sitting))


def may_correct_round(request: HttpRequest, sheet: Sheet, stored: Round) -> bool:
    """Return whether this reader may correct `stored`, a round in force of this sheet.

    A reader with `may_correct` may correct every round. A phone of a tournament's table may correct
    the table's last round, until the next round is recorded or the other side has accepted it.
    """
    if may_correct(request, sheet.sitting):
        return True
    return table_may_correct(sheet, stored) and may_record(request, sheet.sitting)


def phone_at(request: HttpRequest, sitting: Sitting) -> Phone | None:
    """Return this reader's phone at a table; None without a phone, or if the phone has ended.

    A request with a phone's token has only that phone; any other has the phones in its cookie.
    """
    bearer_phone = getattr(request, "bearer_phone", None)
    if isinstance(bearer_phone, Phone):
        request.META[LIVE_PHONE] = bearer_phone.pk
        return bearer_phone if bearer_phone.sitting_id in _pks_at_table(sitting) else None
    cached, key = _cached_rights(request), ("phone", sitting.pk)
    if key not in cached:
        cached[key] = _phone_with(request, sitting, phones.phone_of)
    cached_phone: Phone | None = cached[key]
    if cached_phone is not None:
        request.META[LIVE_PHONE] = cached_phone.pk
    return cached_phone


def former_phone_at(request: HttpRequest, sitting: Sitting) -> Phone | None:
    """Return the ended phone of this browser at a table.

    None if the browser never had a phone there, or has an active one.
    """
    if phone_at(request, sitting) is not None:
        return None
    return _phone_with(request, sitting, phones.any_phone_of)


def _phone_with(
    request: HttpRequest, sitting: Sitting, phone_of: Callable[[str], Phone | None]
) -> Phone | None:
    """Return the phone that `phone_of` finds by a secret for the table in this browser's cookie.

    A phone stays with its table when players join or leave.
    """
    secrets, pks = _phone_secrets(request), _pks_at_table(sitting)
    found = (phone_of(secrets[str(pk)]) for pk in pks if str(pk) in secrets)
    return next((phone for phone in found if phone and phone.sitting_id in pks), None)


def _pks_at_table(sitting: Sitting) -> list[int]:
    """Return the primary keys of the sittings at a table up to this one."""
    return [each.pk for each in sitting.at_table]


def writing_phone(request: HttpRequest, sitting: Sitting) -> Phone | None:
    """Return the phone with which this reader writes at a table, or None for staff.

    Reads the rights again instead of using the cache. Raises `Http404` if the reader has neither,
    for example because the phone has ended since the view's level was checked.
    """
    clear_cached_rights(request)
    if role_in(request, sitting.session.tournament) is not None:
        return None
    phone = phone_at(request, sitting)
    if phone is None:
        raise Http404
    return phone


def _has_phone_in(request: HttpRequest, tournament: Tournament) -> bool:
    cached, key = _cached_rights(request), ("has phone", tournament.pk)
    if not (_phone_secrets(request) or getattr(request, "bearer_phone", None)):
        return False
    if key not in cached:
        cached[key] = _sittings_of(request).filter(session__tournament=tournament).exists()
    return bool(cached[key])


def has_phone(request: HttpRequest) -> bool:
    """Return whether this reader has an active phone at any table."""
    return _sittings_of(request).exists()


def _phone_secrets(request: HttpRequest) -> dict[str, str]:
    """Return the secrets in the phone cookie, by primary key of the sitting as text.

    Empty for an API request with a token: its cookies are ignored. Raises the database error that
    prevented the admission of a phone in this request; the response is then 503.
    """
    if hasattr(request, "bearer_phone"):
        return {}
    cookie = phone_cookie.cookie_of(request)
    if cookie.failure is not None:
        raise cookie.failure
    return cookie.secrets


def actor(
    request: HttpRequest,
    sitting: Sitting | None = None,
    default_who: str = THE_TABLE,
    *,
    seen_version: int | None = None,
) -> Actor:
    """Return the reader as the actor of audit entries: a phone, an account, or neither.

    A phone is looked up only at a given `sitting`; `Http404` is raised for readers who are neither
    staff nor an active phone there. A reader with neither phone nor account is named `default_who`.

    An account has seen the state of the event with `seen_version`, by default the one that the form
    names. Without one it has seen no change of the state, so that a change of it is refused.
    """
    phone = writing_phone(request, sitting) if sitting is not None else None
    if phone is not None:
        return phones.actor_of(phone)
    user = request.user
    if isinstance(user, User):
        if seen_version is None:
            seen_version = parse_number(request.POST.get("seen_version", "")) or 0
        return Actor.of(user)._replace(seen=Seen(seen_version))
    return Actor(user=None, who=default_who)


def club_tables_of(request: HttpRequest) -> QuerySet[Sitting]:
    """Return the club tables that this browser has started or joined."""
    return _sittings_of(request).filter(session__tournament__kind=Tournament.Kind.TABLE)


def _sittings_of(request: HttpRequest) -> QuerySet[Sitting]:
    """Return the sittings at which this reader has an active phone.

    Sittings with a revoked link and sittings of past events are left out.
    """
    bearer_phone = getattr(request, "bearer_phone", None)
    if isinstance(bearer_phone, Phone):
        return Sitting.objects.filter(pk=bearer_phone.sitting_id)
    secrets = _phone_secrets(request)
    if not secrets:
        return Sitting.objects.none()  # Django would build the SQL first, which takes 2 ms
    digests = [digest(each) for each in secrets.values()]
    return phones.open_tables().filter(phones__digest__in=digests, phones__ended_at=None).distinct()
