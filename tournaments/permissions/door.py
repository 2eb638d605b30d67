"""The door: enforces who may use a page, as its view declares, and finds what its address names.

    @requires(GET=Level.SEE, POST=Level.DIRECT)
    def entries(request: HttpRequest, slug: str) -> HttpResponse:
        tournament = door.tournament_of(request)

The API's operations pass the same door (`api.asking.Requires`). A view that declares nothing
answers 404 (`DeclaredMiddleware`), and so does a view whose reader may not.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render

from tournaments.models import Sitting, Tournament
from tournaments.permissions import levels, rights
from tournaments.permissions.levels import Level
from tournaments.queries.events import Event

View = TypeVar("View", bound=Callable[..., HttpResponseBase])
BY_ACCOUNT = {Level.ACCOUNT, Level.CREATE}


def requires(*, removed: bool = False, **by_method: Level) -> Callable[[View], View]:
    """Declare who may use a page, by method: others find 404, other methods 405.

    HEAD is as GET. A page for accounts asks for a log-in first, whatever the method. `removed` lets
    directors in also where their tournament has been removed.
    """
    allowed = [each for method in by_method for each in (method, *["HEAD"] * (method == "GET"))]
    first = next((level for level in by_method.values() if level in BY_ACCOUNT), None)

    def declare(view: View) -> View:
        @wraps(view)
        def answer(request: HttpRequest, *args: Any, **named: Any) -> HttpResponseBase:
            method = "GET" if request.method == "HEAD" else request.method or ""
            refusal = _refusal(request, by_method.get(method, first))
            if refusal is not None:
                return refusal
            if method not in by_method:
                return HttpResponseNotAllowed(allowed)
            _find(request, by_method[method], removed=removed)
            return view(request, *args, **named)

        answer.levels = by_method  # type: ignore[attr-defined]  # what `levels.of` reads
        return cast("View", answer)

    return declare


def _refusal(request: HttpRequest, level: Level | None) -> HttpResponse | None:
    """Return what those are told who lack an account, or the right to create events."""
    if level not in BY_ACCOUNT:
        return None
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    if level == Level.CREATE and not rights.may_create(request):
        return render(request, "may_not_create.html", status=403)
    return None


def _find(request: HttpRequest, level: Level, *, removed: bool) -> None:
    """Note what the address of a page names. Raises `Http404` for who may not use it."""
    named = request.resolver_match.kwargs if request.resolver_match else {}
    found: Any = request
    if level == Level.OWNER:
        rights.owner(request)
    elif "table" in named and level != Level.SEE:  # whose table may only be in an announcement
        place = named["slug"], named["session"], named["table"]
        found.found_sitting = find_sitting(request, *place, level)
    elif "slug" in named:
        found.found_tournament = find_tournament(request, named["slug"], level, removed=removed)
    elif level != Level.ANYBODY and level not in BY_ACCOUNT:
        raise Http404  # a level in a tournament, at an address that names none


def find_tournament(
    request: HttpRequest, slug: str, level: Level, *, removed: bool = False
) -> Tournament:
    """Return the tournament of this name. Raises `Http404` for who may not use it."""
    if level == Level.DIRECT and removed:
        return rights.tournament_to_remove(request, slug)
    if level == Level.DIRECT:
        return rights.tournament_to_direct(request, slug)
    if level == Level.STAFF:
        return rights.tournament_to_keep(request, slug)
    return rights.tournament_to_see(request, slug)


def find_sitting(
    request: HttpRequest, slug: str, session: int, table: int, level: Level
) -> Sitting:
    """Return the table of this number. Raises `Http404` for who may not do this there."""
    sitting = get_object_or_404(
        Sitting.objects.select_related("session__tournament"),
        session__tournament=find_tournament(request, slug, level),
        session__number=session,
        number=table,
    )
    check_at(request, sitting, level)
    return sitting


def check_at(request: HttpRequest, sitting: Sitting, level: Level) -> None:
    """Raise `Http404` for who may not do this at a table."""
    tournament = sitting.session.tournament
    if not (rights.may_see(request, tournament) and _may_at(request, sitting, level)):
        raise Http404


def _may_at(request: HttpRequest, sitting: Sitting, level: Level) -> bool:
    tournament = sitting.session.tournament
    if level == Level.SEE:
        return True
    if level == Level.RECORD:
        return rights.may_record(request, sitting)
    is_staff = rights.role_in(request, tournament) is not None
    if level == Level.STAFF:
        return is_staff
    # A club's one table has no desk: whoever plays there is it.
    is_own = tournament.kind == Tournament.Kind.TABLE and rights.may_record(request, sitting)
    if level == Level.HOST:
        return is_own or is_staff
    if level == Level.PHONE:
        return is_own or rights.phone_at(request, sitting) is not None
    return False


def tournament_of(request: HttpRequest) -> Tournament:
    """Return the tournament that the address names."""
    found: Tournament = request.found_tournament  # type: ignore[attr-defined]  # noted above
    return found


def sitting_of(request: HttpRequest) -> Sitting:
    """Return the table that the address names, where more is asked than to see it."""
    found: Sitting = request.found_sitting  # type: ignore[attr-defined]  # likewise
    return found


def event_of(request: HttpRequest) -> Event:
    """Return the tournament that the address names, as the reader sees it."""
    return rights.event_seen(request, tournament_of(request))


class DeclaredMiddleware:
    """Answers 404 for a view that does not declare who may use it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    @staticmethod
    def process_view(_request: HttpRequest, view: Callable[..., object], *_: object) -> None:
        """Look whether it declares anything, before the phone is admitted and the view runs."""
        if not levels.of(view):
            raise Http404
