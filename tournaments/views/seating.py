"""Proposing seats: of the next session, or other ones of a session that has not begun."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments import draws
from tournaments.forms.draws import DrawForm
from tournaments.forms.player_finder import MOST_PROPOSED
from tournaments.i18n.draws import problems_in_words
from tournaments.i18n.session_names import session_name
from tournaments.models import Entry, Tournament
from tournaments.permissions import door, rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.queries import presence, progress, schedules
from tournaments.queries.draw_records import last_draw
from tournaments.queries.presence import RollCall, Status
from tournaments.queries.progress import current_plan
from tournaments.queries.schedules import PlannedSeats
from tournaments.queries.seat_draws import draw_seats
from tournaments.queries.seat_proposals import Proposal, Purpose, keys_in, roll_call_to_seat
from tournaments.queries.stages import groups_of_session, missing_members, stage_of_session
from tournaments.services import seat_proposals
from tournaments.services.seat_proposals import ProposalOver, Seats, has_seats
from tournaments.services.seating import HasBegun, has_begun, next_session_number, seating_of
from tournaments.views.plans import ask_for_extra_session
from tournaments.views.proposed_seats import draw_context
from tournaments.web.numbers import parse_number

DRAW_PARAMETERS = {"out", "new", "seat"}  # request a draw even if seats are planned


@never_cache
@requires(GET=Level.DIRECT, POST=Level.DIRECT)
def seat_session(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the newest proposal for the next session, or how to make one; on POST make one.

    A POST proposes the planned seats, if there are any and the form chooses nothing of a draw; with
    `unless_proposed` it leads to the newest proposal, if there is one. If all sessions planned for
    the stage are seated, the page asks what comes next. If the `session` in the query of a POST is
    not the next one, the form is from an old page: nothing is proposed, and a message says so.
    """
    tournament = door.tournament_of(request)
    if tournament.closed_at is not None:
        return redirect("close", slug)
    number = next_session_number(tournament)
    wanted = parse_number(request.GET.get("session", "")) or number
    if request.method == "POST" and wanted != number:
        return redirect_from_old_page(request, tournament, wanted)
    if (plan := current_plan(tournament)).needs_choice:
        return ask_for_extra_session(request, tournament, plan)
    return _propose(request, tournament, Purpose.SEAT, number)


def redirect_from_old_page(
    request: HttpRequest,
    tournament: Tournament,
    session: int,
    *,
    reseats: bool = False,
    wanted: Seats | None = None,
) -> HttpResponse:
    """Redirect from an old page to the session, or to new proposals until it is seated.

    A message says that the seats are settled already, differently if they are not those `wanted`,
    or else that the proposal is over: that of other seats for a seated session (`reseats`), for
    instance.
    """
    seated = tournament.sessions.filter(number=session).first()
    settled = _("The seats of %(session)s are assigned already. Nothing was drawn or changed.")
    if seated and wanted is not None and not has_seats(seated, wanted):
        settled = _(
            "Other seats than those on your page have been assigned to %(session)s. "
            "Those on your page were not used."
        )
    name = session_name(session, tournament.play_off_numbers)
    if seated and not reseats:
        words = settled % {"session": name}
    else:
        is_over = seated is not None and has_begun(seated)
        words = str(HasBegun.sentence if is_over else ProposalOver.sentence)
    messages.warning(request, words)
    return redirect(seated) if seated else redirect("seat-session", tournament.slug)


@never_cache
@requires(GET=Level.DIRECT, POST=Level.DIRECT)
def reseat_session(request: HttpRequest, slug: str, session: int) -> HttpResponse:
    """Show the newest proposal for a seated session, or how to make one; on POST make one.

    With `hand` in the POST, the proposal is the seats as they are. Raises `Http404` for a play-off,
    which is removed and seated again instead.
    """
    tournament = door.tournament_of(request)
    stored_session = door.session_in(tournament, session)
    if stored_session.is_play_off:
        raise Http404
    if tournament.closed_at is not None:
        return redirect("close", slug)
    if has_begun(stored_session):
        messages.error(request, str(HasBegun.sentence))
        return redirect(stored_session)
    return _propose(request, tournament, Purpose.RESEAT, session)


class WantedSeats(NamedTuple):
    """Tables to propose, in seat order, with the draw that gave them.

    `choices` are what was chosen besides the fields of the draw's form.
    """

    tables: Sequence[Sequence[Entry]]
    draw: dict[str, Any] | None = None
    choices: Mapping[str, str] = {}


def _propose(
    request: HttpRequest, tournament: Tournament, purpose: Purpose, session: int
) -> HttpResponse:
    """Make or find a proposal of seats and redirect to it; without one show how to make it."""
    if request.method != "POST" or "unless_proposed" in request.POST:
        row = seat_proposals.newest(tournament, purpose, session)
        if row is not None:
            return redirect(row)
    basis = seat_proposals.basis_of(tournament, session)
    roll = roll_call_to_seat(tournament, session)
    planned = planned_seats(tournament, roll) if purpose == Purpose.SEAT else None
    form, out = _draw_form_and_out(request, tournament, roll, purpose)
    problems: list[str] = []
    if request.method == "POST" and not form.errors:
        try:
            wanted = _wanted_seats(request, tournament, roll, planned, form, out)
        except draws.InvalidRequest as invalid:
            problems = problems_in_words(invalid.problems, form.players.by_key)
            if form.keeps_teams_apart:
                problems.append(_("Untick “Never seat players of the same team together” to draw."))
        else:
            if wanted.tables:
                choices = {field.name: field.value() for field in form} | {
                    "out": " ".join(entry.key for entry in out),
                    **wanted.choices,
                    "seat": request.POST.get("seat", ""),
                }
                row = seat_proposals.propose(
                    tournament,
                    purpose,
                    session,
                    [[entry.key for entry in table] for table in wanted.tables],
                    basis=basis,
                    by=rights.actor(request),
                    draw=wanted.draw,
                    choices=choices,
                )
                return redirect(row)
    playing = len(roll.statuses) - len(out)
    context = draw_context(tournament, session, form, playing=playing, problems=problems)
    if purpose == Purpose.SEAT and (stage := stage_of_session(tournament, session)) is not None:
        context |= {"stage": stage, "missing_members": missing_members(stage, roll)}
    if purpose == Purpose.RESEAT:
        context["left_out_unchecked"] = [each for each in roll.unchecked if each in out]
    return _show_choices(request, tournament, roll, planned, context)


def _wanted_seats(
    request: HttpRequest,
    tournament: Tournament,
    roll: RollCall,
    planned: PlannedSeats | None,
    form: DrawForm,
    out: Sequence[Entry],
) -> WantedSeats:
    """Return the seats that a POST asks for: as they are, as planned, or drawn.

    Without tables if too few players are playing. Raises `draws.InvalidRequest`.
    """
    session = tournament.sessions.filter(number=roll.session)
    if "hand" in request.POST and (seated := session.first()) is not None:
        return WantedSeats(seating_of(seated))
    if planned and not DRAW_PARAMETERS & request.POST.keys():
        return WantedSeats(planned.tables, planned.facts, {"planned": "1"})
    playing = [entry for entry in roll.statuses if entry not in out]
    drawn = draw_seats(tournament, roll.session, playing, form.choices())
    return WantedSeats(drawn.tables, drawn.facts) if drawn else WantedSeats([])


def _show_choices(
    request: HttpRequest,
    tournament: Tournament,
    roll: RollCall,
    planned: PlannedSeats | None,
    more: dict[str, Any],
) -> HttpResponse:
    """Show how seats can be proposed; after a POST that proposed none, with status 422."""
    context = {
        "tournament": tournament,
        "number": roll.session,
        "session": tournament.sessions.filter(number=roll.session).first(),
        "entries": (entries := list(roll.statuses)),
        "is_listed": len(entries) <= MOST_PROPOSED,
        "allowed": tournament.table_sizes,
        "planned": None if DRAW_PARAMETERS & request.POST.keys() else planned,
        "roll": roll,
        "unfinished": progress.unfinished_sessions(progress.sessions_of(tournament)),
        "rules_fingerprint": tournament.rules.fingerprint,
        **more,
    }
    status = 422 if request.method == "POST" else 200
    return render(request, "seat_session.html", context, status=status)


def planned_seats(tournament: Tournament, roll: RollCall) -> PlannedSeats | None:
    """Return the planned seats of the roll call's session, adapted to the players who play.

    None if no seats are planned for it.
    """
    schedule = schedules.schedule_of(tournament)
    planned = schedules.planned_session(schedule, roll.session)
    if schedule is None or planned is None:
        return None
    return schedules.seats_for(schedule, planned, roll, roll.to_be_seated())


def _draw_form_and_out(
    request: HttpRequest, tournament: Tournament, roll: RollCall, purpose: Purpose
) -> tuple[DrawForm, list[Entry]]:
    """Return the form of a draw, and the players who sit out.

    With `out` in the request the form is bound to it. By default every player sits out who is not
    to be seated; with `seat=present` only players who are present are seated.
    """
    entries, sizes = list(roll.statuses), tournament.table_sizes
    if "out" in request.POST:
        form = DrawForm(entries, request.POST, sizes=sizes)
        return form, form.cleaned_data["out"] if form.is_valid() else []
    if purpose == Purpose.RESEAT:
        out = _left_out_of_draw(tournament, roll)
    else:
        seated = set(roll.to_be_seated(only_present=request.POST.get("seat") == Status.PRESENT))
        out = [entry for entry in entries if entry not in seated]
    last = last_draw(tournament, before=roll.session + (purpose == Purpose.RESEAT))
    initial = {"out": " ".join(entry.key for entry in out)}
    groups = groups_of_session(tournament, roll.session)
    return DrawForm(entries, sizes=sizes, last_draw=last, groups=groups, initial=initial), out


def _left_out_of_draw(tournament: Tournament, roll: RollCall) -> list[Entry]:
    """Return the players to leave out of another draw of a session, by number.

    They are the players who are away, and the players without a seat who are not present.
    """
    tables = seating_of(tournament.sessions.get(number=roll.session))
    seated = {entry for table in tables for entry in table}
    return [
        entry
        for entry, status in roll.statuses.items()
        if status in presence.AWAY or (entry not in seated and status != Status.PRESENT)
    ]


def form_of_proposal(proposal: Proposal) -> DrawForm:
    """Return the form of a draw with the choices of a proposal.

    Who came since, or got a seat by hand or as the seats were mended, does not sit out.
    """
    row, roll = proposal.row, proposal.roll
    to_seat = {entry.key for entry in roll.to_be_seated()}
    chosen = {*row.choices.get("out", "").split()}
    came = {entry.key for entry, _status in proposal.misfits.unseated}
    playing = (to_seat - chosen) | came | (to_seat & keys_in(row.seats))
    out = [entry.key for entry in roll.statuses if entry.key not in playing]
    initial = row.choices | {"out": " ".join(out)}
    return DrawForm(list(roll.statuses), sizes=row.tournament.table_sizes, initial=initial)
