"""The door: enforces the level that a view declares, and finds the objects that its URL names.

    @requires(GET=Level.SEE, POST=Level.DIRECT)
    def entries(request: HttpRequest, slug: str) -> HttpResponse:
        tournament = door.tournament_of(request)

The API's operations pass the same door (`api.authentication.Requires`). A view that declares
nothing answers 404 (`DeclaredMiddleware`), and so does a view to a reader without its level.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render

from tournaments.models import Series, Session, Sitting, Tournament
from tournaments.permissions import levels, rights, series_rights
from tournaments.permissions.levels import Level
from tournaments.queries.events import Event
from tournaments.services.phones import Writer

View = TypeVar("View", bound=Callable[..., HttpResponseBase])


class CheckedRequest(HttpRequest):
    """A request that has passed `requires`, with at most one of the objects that its URL names.

    `found_writer`, who writes at the table in the URL, is set for the level `RECORD`.
    """

    found_tournament: Tournament
    found_sitting: Sitting
    found_writer: Writer
    found_series: Series


BY_ACCOUNT = {Level.ACCOUNT, Level.CREATE}
SITTINGS = Sitting.objects.select_related("session__tournament")


def requires(*, allow_removed: bool = False, **by_method: Level) -> Callable[[View], View]:
    """Decorate a view with its levels by method, and enforce them before each call.

    Readers without the level get 404, methods without a level 405. HEAD has the level of GET. If
    any method needs an account, a reader without one is redirected to the log-in, whatever the
    method. `allow_removed` also admits directors of a removed tournament.
    """
    allowed_methods = [
        name for method in by_method for name in (("GET", "HEAD") if method == "GET" else (method,))
    ]
    account_level = next((level for level in by_method.values() if level in BY_ACCOUNT), None)

    def declare(view: View) -> View:
        @wraps(view)
        def checked_view(request: HttpRequest, *args: Any, **named: Any) -> HttpResponseBase:
            method = "GET" if request.method == "HEAD" else request.method or ""
            refusal = _account_refusal(request, by_method.get(method, account_level))
            if refusal is not None:
                return refusal
            if method not in by_method:
                return HttpResponseNotAllowed(allowed_methods)
            check_and_find_objects(request, by_method[method], allow_removed=allow_removed)
            return view(request, *args, **named)

        checked_view.levels = by_method  # type: ignore[attr-defined]  # read by `levels.levels_of`
        return cast("View", checked_view)

    return declare


def _account_refusal(request: HttpRequest, level: Level | None) -> HttpResponse | None:
    """Return the response that refuses a reader whose account does not suffice, or None.

    A reader without an account is redirected to the log-in; an account without the right to create
    events gets 403. None for levels that need no account: `check_and_find_objects` checks those.
    """
    if level not in BY_ACCOUNT:
        return None
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    if level == Level.CREATE and not rights.may_create(request):
        return render(request, "may_not_create.html", status=403)
    return None


def check_and_find_objects(
    request: HttpRequest, level: Level, *, allow_removed: bool = False
) -> None:
    """Store on the request the sitting, tournament or series that its URL names.

    A URL names a sitting by its primary key or by slug, session and table. With `SEE` a table named
    by numbers is not looked up, because it may exist in a publication only.

    Raises `Http404` for readers without the level there. `allow_removed` as in `requires`.
    """
    url_args = request.resolver_match.kwargs if request.resolver_match else {}
    checked = cast("CheckedRequest", request)
    if level == Level.OWNER:
        rights.owner_actor(request)  # raises `Http404` for others
    elif "sitting" in url_args:
        find_sitting_by_pk(request, url_args["sitting"], level)
    elif "table" in url_args and level != Level.SEE:
        find_sitting(request, url_args["slug"], url_args["session"], url_args["table"], level)
    elif "slug" in url_args:
        checked.found_tournament = find_tournament(
            request, url_args["slug"], level, allow_removed=allow_removed
        )
    elif "series" in url_args:
        checked.found_series = find_series(request, url_args["series"], level)
    elif level != Level.ANYBODY and level not in BY_ACCOUNT:
        raise Http404  # the level needs a tournament, but the URL names none


def find_tournament(
    request: HttpRequest, slug: str, level: Level, *, allow_removed: bool = False
) -> Tournament:
    """Return the tournament with this slug. Raises `Http404` for readers without the level.

    With `allow_removed` a removed tournament is found as well, for the level `DIRECT` only.
    """
    if level == Level.DIRECT and allow_removed:
        return rights.tournament_to_remove(request, slug)
    if level == Level.DIRECT:
        return rights.tournament_to_direct(request, slug)
    if level == Level.STAFF:
        return rights.tournament_with_role(request, slug)
    if level == Level.APPLY:
        return rights.tournament_with_registration(request, slug)
    if level == Level.SEATS:
        return rights.tournament_with_seats(request, slug)
    if level in {Level.SEE, Level.ANYBODY}:
        return rights.tournament_to_see(request, slug)
    raise Http404  # no tournament has this level


def find_series(request: HttpRequest, slug: str, level: Level) -> Series:
    """Return the series with this slug. Raises `Http404` for readers without the level.

    Everybody may see a series; its page lists only the events that the reader may see.
    """
    if level == Level.SERIES:
        return series_rights.series_to_edit(request, slug)
    return get_object_or_404(Series, slug=slug)


def find_sitting(
    request: HttpRequest, slug: str, session: int, table: int, level: Level
) -> Sitting:
    """Return the sitting with these numbers, and store it on the request.

    Raises `Http404` for readers without the level.
    """
    sitting = get_object_or_404(
        SITTINGS, session__tournament__slug=slug, session__number=session, number=table
    )
    _check_level_and_store(request, sitting, level)
    return sitting


def find_sitting_by_pk(request: HttpRequest, pk: int, level: Level) -> Sitting:
    """Return the sitting with this primary key, and store it on the request.

    Raises `Http404` for readers without the level.
    """
    phone = getattr(request, "bearer_phone", None)
    if phone is not None and phone.sitting_id == pk:
        sitting: Sitting = phone.sitting  # saves a query: it was read together with the phone
    else:
        sitting = get_object_or_404(SITTINGS, pk=pk)
    _check_level_and_store(request, sitting, level)
    return sitting


def _check_level_and_store(request: HttpRequest, sitting: Sitting, level: Level) -> None:
    """Store a sitting on the request; with the level `RECORD` also its writer.

    Raises `Http404` for readers without the level at the table, or who may not see its event.
    """
    checked = cast("CheckedRequest", request)
    if level == Level.RECORD:
        checked.found_writer = rights.writer_at(request, sitting)  # whoever may write may also see
    elif not (
        rights.may_see(request, sitting.session.tournament)
        and _has_level_at(request, sitting, level)
    ):
        raise Http404
    checked.found_sitting = sitting


def _has_level_at(request: HttpRequest, sitting: Sitting, level: Level) -> bool:
    """Return whether a reader who may see the tournament has a level at one of its tables.

    `RECORD` is checked by `rights.writer_at` instead. False for levels that no view of a table
    declares, such as `DIRECT`.
    """
    tournament = sitting.session.tournament
    if level == Level.SEE:
        return True
    is_staff = rights.role_in(request, tournament) is not None
    if level == Level.STAFF:
        return is_staff
    # A club table has no staff: its players have their rights.
    is_club_table = tournament.kind == Tournament.Kind.TABLE
    is_club_player = is_club_table and rights.may_record(request, sitting)
    if level == Level.HOST:
        return is_club_player or is_staff
    if level == Level.PHONE:
        return is_club_player or rights.phone_at(request, sitting) is not None
    return False


def tournament_of(request: HttpRequest) -> Tournament:
    """Return the tournament in the URL, which `requires` has found."""
    return cast("CheckedRequest", request).found_tournament


def tournament_with_sessions(request: HttpRequest) -> Tournament:
    """Return the tournament in the URL. Raises `Http404` for a club table."""
    tournament = tournament_of(request)
    if tournament.kind == Tournament.Kind.TABLE:
        raise Http404
    return tournament


def session_in(tournament: Tournament, number: int) -> Session:
    """Return a session of a tournament by its number. Raises `Http404` if there is none."""
    session = get_object_or_404(tournament.sessions, number=number)
    session.tournament = tournament  # saves a query
    return session


def sitting_of(request: HttpRequest) -> Sitting:
    """Return the sitting in the URL, which `requires` has found for every level except `SEE`."""
    return cast("CheckedRequest", request).found_sitting


def writer_of(request: HttpRequest) -> Writer:
    """Return who writes at the table in the URL. Only for views that declare the level `RECORD`."""
    return cast("CheckedRequest", request).found_writer


def series_of(request: HttpRequest) -> Series:
    """Return the series in the URL, which `requires` has found."""
    return cast("CheckedRequest", request).found_series


def event_of(request: HttpRequest, *, allow_older: bool = False) -> Event:
    """Return the tournament in the URL as the reader sees it.

    `allow_older` and `Http404` are as in `rights.event_seen`.
    """
    return rights.event_seen(request, tournament_of(request), allow_older=allow_older)


class DeclaredMiddleware:
    """Answers 404 for a view that does not declare who may use it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    @staticmethod
    def process_view(_request: HttpRequest, view: Callable[..., object], *_: object) -> None:
        """Runs before a phone is admitted."""
        if not levels.levels_of(view):
            raise Http404
