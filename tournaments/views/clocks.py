"""The clock of a session: the page for the wall, and the desk's page, which sets and runs it."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.forms import posted_data
from tournaments.forms.clocks import ClockForm
from tournaments.models import Clock, Session
from tournaments.permissions import door, rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.queries import clocks
from tournaments.queries.events import Event
from tournaments.server import believed_time
from tournaments.services import clocks as clocks_service
from tournaments.services.clocks import ClockAction
from tournaments.web.public_pages import cached_for_spectators
from tournaments.web.refusals import refusal_as_message

USUAL_MINUTES = 60  # proposed for the first clock of a tournament
STEPS = (-5, -1, 1, 5)  # minutes that a button adds


@requires(GET=Level.SEATS)
@cached_for_spectators
def clock(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the time left in the session in the query, by default the current one."""
    event = rights.event_with_seats(request, door.tournament_of(request), allow_older=True)
    context = {
        "tournament": event.tournament,
        "session": _requested_session(request, event),
        "role": rights.role_in(request, event.tournament),
        "rules_fingerprint": event.tournament.rules.fingerprint,
    }
    return render(request, "clock.html", context)


@requires(POST=Level.STAFF)
def believe_clock(request: HttpRequest, slug: str) -> HttpResponse:
    """Accept the server's clock after a jump: somebody of the staff has checked it."""
    watch = believed_time.watch()
    if watch is not None:
        watch.believe_the_clock()
        messages.success(request, _("From now on the server’s clock is used."))
    return redirect(door.tournament_of(request))


def _requested_session(request: HttpRequest, event: Event) -> Session | None:
    """Return the session in the query, else that for walls; None if no session is seated.

    Raises `Http404` for a session that does not exist.
    """
    requested = request.GET.get("session")
    if not requested:
        return clocks.session_on_wall(event.tournament, event.sessions)
    for each in event.sessions:
        if str(each.session.number) == requested:
            return each.session
    raise Http404


@never_cache
@requires(GET=Level.STAFF, POST=Level.STAFF)
def set_clock(request: HttpRequest, slug: str, session: int) -> HttpResponse:
    stored_session = door.session_in(door.tournament_with_sessions(request), session)
    version = clocks.clock_version(stored_session)  # read before the clock, so that it is not newer
    current = clocks.clock_of(stored_session)
    form = ClockForm(
        stored_session, current, posted_data(request), minutes=_usual_minutes(stored_session)
    )
    if form.is_valid():
        with refusal_as_message(request):
            _change_clock(request, stored_session, form)
        return redirect("set-clock", slug, session)
    context = {
        "tournament": stored_session.tournament,
        "session": stored_session,
        "role": rights.role_in(request, stored_session.tournament),
        "clock": current,
        "state": clocks.state_of(current) if current else "none",
        "is_time_up": clocks.is_time_up(current, timezone.now()),
        "ends_at": clocks.ends_at(current) if current else None,
        "steps": _steps(current.seconds) if current else [],
        "form": form,
        "version": version,
        "rules_fingerprint": stored_session.tournament.rules.fingerprint,
    }
    return render(request, "set_clock.html", context, status=422 if form.is_bound else 200)


def _usual_minutes(session: Session) -> int:
    """Return the minutes to propose for a clock: as in the last session that has a clock."""
    clocks_set = Clock.objects.filter(session__tournament=session.tournament)
    last = clocks_set.order_by("session__number").last()
    return last.seconds // 60 if last else USUAL_MINUTES


def _steps(seconds: int) -> list[tuple[str, int]]:
    """Return the buttons that lengthen or shorten the clock for all tables.

    `seconds` are those of the whole clock now. A button is (label, seconds that it sets), for each
    number of minutes in `STEPS`; buttons that would leave no time are left out.
    """
    return [
        (f"{minutes:+d}".replace("-", "−"), seconds + 60 * minutes)
        for minutes in STEPS
        if seconds + 60 * minutes > 0
    ]


def _change_clock(request: HttpRequest, session: Session, form: ClockForm) -> None:
    """Set or run the clock as a valid form says, both for `set_and_start`.

    Only a reset adds a message: the page shows all other changes. Raises `OperationRefused`.
    """
    by, seen, do = rights.actor(request), form.seen_version, form.cleaned_data["do"]
    reason = form.cleaned_data["reason"]
    if form.changes_settings:
        clocks_service.set_clock(
            session, form.new_settings, seen_version=seen, by=by, reason=reason
        )
        seen = clocks.clock_version(session)
    if do == "set_and_start":
        clocks_service.run_clock(session, ClockAction.START, seen_version=seen, by=by)
    elif do in set(ClockAction):
        clocks_service.run_clock(session, ClockAction(do), seen_version=seen, by=by, reason=reason)
    if do == ClockAction.RESET:
        messages.success(request, _("The clock has been reset."))
