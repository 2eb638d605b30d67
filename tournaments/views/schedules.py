"""Planned seats (予定の席): the seats of several sessions to come, drawn together and stored."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.contrib import messages
from django.core.paginator import Page, Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments import draws
from tournaments.forms.draws import MOST_SESSIONS, ScheduleForm
from tournaments.forms.player_finder import MOST_PROPOSED
from tournaments.forms.seating import PlannedSeatsForm
from tournaments.i18n.draws import problems_in_words
from tournaments.i18n.sentences import listed
from tournaments.i18n.session_names import session_name
from tournaments.models import Entry, Schedule, SeatProposal, Tournament
from tournaments.models.tournament import shown_number
from tournaments.permissions import door, rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.queries import presence, stages
from tournaments.queries import schedules as schedule_queries
from tournaments.queries.draw_records import DrawRecord, last_draw
from tournaments.queries.plan import Plan
from tournaments.queries.presence import RollCall
from tournaments.queries.progress import current_plan
from tournaments.queries.schedules import PlannedSession
from tournaments.queries.seat_draws import SeatDraw, draw_seats, seat_draw_of
from tournaments.queries.seat_proposals import Purpose
from tournaments.server import draw_searches
from tournaments.services import closing, schedules, seat_proposals, seating, versions
from tournaments.services.seating import next_session_number
from tournaments.views.conflicts import NO_VERSION, seen_version, unseen_change
from tournaments.views.proposed_seats import board_context, draw_context, warn_of_mixed_groups
from tournaments.web import downloads
from tournaments.web.numbers import parse_number

JSON = "application/json"
USUAL_SESSIONS = 4  # where none are planned
TABLES_A_PAGE = 200
REFUSALS = (
    seating.OneTable,
    seating.AlreadySeated,
    seating.NotSeatedBefore,
    schedules.BeyondStage,
    closing.EventClosed,
)


@never_cache
@requires(GET=Level.DIRECT, POST=Level.DIRECT)
def schedule(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the planned seats, and the newest proposal for the next sessions, if there is one.

    On POST propose a draw of several sessions; with `keep` store that proposal as the planned
    seats, with `drop` delete them, with `show` set whether everybody sees them.
    """
    tournament = door.tournament_with_sessions(request)
    if request.method == "POST":
        if "show" in request.POST:
            return _set_visibility(request, tournament)
        if "drop" in request.POST:
            return _drop_schedule(request, tournament)
        if "keep" in request.POST:
            return _keep_draw(request, tournament)
    if tournament.closed_at is not None:
        return redirect("close", slug)
    return (
        _draw(request, tournament) if request.method == "POST" else _show_page(request, tournament)
    )


def _draw(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Draw several sessions and propose their seats, or show the form with the reason why not."""
    plan = current_plan(tournament)
    if not _most_sessions(plan):
        refusal = str(schedules.BeyondStage.sentence)
        return _show_page(request, tournament, status=409, more={"refusal": refusal})
    number = next_session_number(tournament)
    basis = seat_proposals.basis_of(tournament, number)
    stored = schedule_queries.schedule_of(tournament)
    roll = stages.roll_call_of(tournament, number)
    form, out = _draw_form(request, tournament, roll, stored, plan, _sessions_of(stored))
    playing = [entry for entry in roll.statuses if entry not in out]
    problems: list[str] = []
    drawn: SeatDraw | None = None
    if not form.errors:
        try:
            drawn = draw_seats(tournament, number, playing, form.choices())
        except draws.InvalidRequest as invalid:
            problems = problems_in_words(invalid.problems, form.players.by_key)
    if drawn is None:
        more = draw_context(tournament, number, form, playing=len(playing), problems=problems)
        return _show_page(request, tournament, status=422, more=more)
    return redirect(
        seat_proposals.propose(
            tournament,
            Purpose.PLAN,
            number,
            [each["tables"] for each in drawn.facts["answer"]["sessions"]],
            basis=basis,
            by=rights.actor(request),
            draw=drawn.facts,
            choices={field.name: field.value() for field in form},
        )
    )


def _show_page(
    request: HttpRequest,
    tournament: Tournament,
    *,
    status: int = 200,
    more: Mapping[str, Any] | None = None,
) -> HttpResponse:
    """Show the planned seats, and the proposal that the URL names, or else the newest one.

    `more` is added to the context, such as a refusal.
    """
    version = schedule_queries.schedule_version(tournament)  # read before the seats
    stored = schedule_queries.schedule_of(tournament)
    number = next_session_number(tournament)
    plan, sessions = current_plan(tournament), _sessions_of(stored)
    everybody = list(tournament.entries.all())
    entries = stages.players_of_session(tournament, number, everybody)
    roll = presence.roll_call(tournament, number, entries)
    form, out = _draw_form(request, tournament, roll, stored, plan, sessions)
    most = _most_sessions(plan)
    row = _proposal(tournament, request.GET.get("proposal", ""), number, most)
    if row is not None:
        form = ScheduleForm(entries, sizes=tournament.table_sizes, most=most, initial=row.choices)
    drawn = seat_draw_of(row.draw, everybody) if row and row.draw else None
    tables = drawn.tables if drawn else []
    planned = _planned_context(stored, sessions, everybody, number)
    page = _page_of_tables(
        [
            *(len(each["tables"]) for each in planned),
            *(len(each.tables) for each in (drawn.sessions if drawn else ())),
        ],
        request.GET.get("page"),
    )
    playing = len(entries) - len(out)
    context = {
        "tournament": tournament,
        "number": number,
        "seen": version,
        "entries": entries,
        "allowed": tournament.table_sizes,
        "roll": roll,
        "planned": planned,
        "has_unused_sessions": stored and schedule_queries.has_unused_sessions(stored, sessions),
        "plan": plan,
        "can_draw": plan.most_to_draw != 0,
        "page": page,
        "shown": f"{page.start_index() - 1}:{page.end_index()}",
        "is_shown": stored is not None and stored.is_shown,
        "record": _draw_record(stored),
        "record_sessions": _names_of_sessions_as_drawn(stored, sessions) if stored else "",
        "rules_fingerprint": tournament.rules.fingerprint,
        "proposal": {"row": row} if row else None,
        "draw": drawn,
        "drawn_sessions": list(enumerate(drawn.sessions, number)) if drawn else [],
        "search_seconds": draw_searches.CHOICES,
        **draw_context(tournament, number, form, playing=playing, drawn=tables),
        **(more or {}),
    }
    return render(request, "schedule.html", context, status=status)


def _page_of_tables(counts: Sequence[int], number: str | None) -> Page[int]:
    """Return the indexes of the tables that are shown of each session; `counts` are their tables.

    A page has up to `TABLES_A_PAGE` tables of all sessions, but at least one of each.
    """
    longest = range(max(counts, default=0))
    return Paginator(longest, max(TABLES_A_PAGE // max(len(counts), 1), 1)).get_page(number)


def _proposal(tournament: Tournament, number: str, session: int, most: int) -> SeatProposal | None:
    """Return the proposed plan with this number, or else the newest one, if it is still open.

    None if it has more than the `most` sessions that may be drawn.
    """
    plans = tournament.seat_proposals.filter(purpose=Purpose.PLAN)
    row = plans.filter(number=parse_number(number) or 0).first()
    if row is None or not seat_proposals.is_open(row):
        row = seat_proposals.newest(tournament, Purpose.PLAN, session)
    return row if row and len(row.seats) <= most else None


def _draw_form(
    request: HttpRequest,
    tournament: Tournament,
    roll: RollCall,
    stored: Schedule | None,
    plan: Plan,
    sessions: Iterable[PlannedSession],
) -> tuple[ScheduleForm, list[Entry]]:
    """Return the form of a draw, and the players who sit out.

    With `out` in the request the form is bound to it. By default the others than those to be seated
    sit out, see `_to_be_drawn`.
    """
    entries, sizes = list(roll.statuses), tournament.table_sizes
    most = _most_sessions(plan)
    usual = _usual_sessions(plan, roll.session, sessions, most)
    if "out" in request.POST:
        form = ScheduleForm(entries, request.POST, sizes=sizes, most=most)
        form.initial["sessions"] = usual
        return form, form.cleaned_data["out"] if form.is_valid() else []
    drawn = _to_be_drawn(tournament, roll, usual)
    out = [entry for entry in entries if entry not in drawn]
    initial = {"out": " ".join(entry.key for entry in out), "sessions": usual}
    last = _draw_record(stored) or last_draw(tournament, before=roll.session)
    return ScheduleForm(entries, sizes=sizes, most=most, last_draw=last, initial=initial), out


def _to_be_drawn(tournament: Tournament, roll: RollCall, sessions: int) -> set[Entry]:
    """Return the players to draw so many sessions of, from that of the roll call on.

    Of several sessions they are those to be seated in the second one, as far as is known: who is
    late is expected there, and a substitute, named for the first one only, is not. All the later
    ones have the same players.
    """
    later = roll if sessions == 1 else stages.roll_call_of(tournament, roll.session + 1)
    return set(later.to_be_seated())


def _sessions_of(stored: Schedule | None) -> list[PlannedSession]:
    return schedule_queries.planned_sessions(stored) if stored else []


def _most_sessions(plan: Plan) -> int:
    """Return how many sessions may be drawn together; 0 if the stage has none left."""
    most = plan.most_to_draw
    return MOST_SESSIONS if most is None else min(most, MOST_SESSIONS)


def _usual_sessions(plan: Plan, number: int, sessions: Iterable[PlannedSession], most: int) -> int:
    """Return how many sessions to draw by default, up to `most`, from session `number` on.

    The last session is the last that is planned for this stage, or the last with planned seats, if
    that is later.
    """
    stage = plan.current
    left = stage.left if stage.planned else USUAL_SESSIONS - len(stage.seated)
    left = max([left, *(each.number - number + 1 for each in sessions)])
    return min(max(left, 1), most)


def _draw_record(stored: Schedule | None) -> DrawRecord | None:
    return DrawRecord(stored.request, stored.answer) if stored else None


def _names_of_sessions_as_drawn(stored: Schedule, sessions: Iterable[PlannedSession]) -> str:
    play_offs = stored.tournament.play_off_numbers
    numbers = schedule_queries.sessions_as_drawn(stored, sessions)
    return listed([session_name(number, play_offs) for number in numbers])


def _planned_context(
    stored: Schedule | None,
    sessions: Sequence[PlannedSession],
    entries: Sequence[Entry],
    number: int,
) -> list[dict[str, Any]]:
    """Return the template context of each session with planned seats.

    `number` is the next session. Those before it are seated already, not as planned maybe: they
    have no tables here.
    """
    if stored is None:
        return []
    by_key = {entry.key: entry for entry in entries}
    seated: list[dict[str, Any]] = [
        {"number": each.number, "is_open": True, "tables": []}
        for each in sessions
        if each.number < number
    ]
    return seated + [
        {
            "number": planned.number,
            "changed": planned.changed,
            "line_up": line_up,
            "tables": [[by_key.get(key, key) for key in table] for table in planned.seats],
            "sits_out": [by_key[key] for key in planned.sits_out if key in line_up.playing],
        }
        for planned, line_up in schedule_queries.sessions_to_come(stored, entries, sessions)
    ]


def _keep_draw(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    number = parse_number(request.POST.get("keep", "")) or 0
    plans = tournament.seat_proposals.filter(purpose=Purpose.PLAN)
    row = plans.filter(number=number).first()
    if row is None:
        refusal = _("A different session is next now, or nothing was drawn. Draw again.")
        return _show_page(request, tournament, status=422, more={"refusal": refusal})
    try:
        seat_proposals.confirm_plan(row, by=rights.actor(request))
    except seating.SeatingConflict:
        refusal = _("Players or table sizes have changed since the draw. Draw again.")
        return _show_page(request, tournament, status=409, more={"refusal": refusal})
    except (seat_proposals.ProposalOver, *REFUSALS) as refused:
        return _show_page(request, tournament, status=409, more={"refusal": str(refused)})
    messages.success(
        request, _("The seats are planned. Those of each session are proposed when its turn comes.")
    )
    return redirect("schedule", tournament.slug)


def _drop_schedule(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    try:
        schedules.delete_schedule(
            tournament, seen_version=seen_version(request), by=rights.actor(request)
        )
    except versions.VersionConflict as conflict:
        return _show_conflict(request, tournament, conflict)
    except REFUSALS as refused:
        return _show_page(request, tournament, status=409, more={"refusal": str(refused)})
    messages.success(
        request, _("The planned seats have been dropped. Seated sessions stay as they are.")
    )
    return redirect("schedule", tournament.slug)


def _set_visibility(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the planned seats to everybody who may see the seats, or hide them.

    They are shown if the box `shown` is ticked.
    """
    shows = "shown" in request.POST
    try:
        schedules.set_shows_schedule(tournament, shows=shows, by=rights.actor(request))
    except (schedules.NotPlanned, *REFUSALS) as refused:
        return _show_page(request, tournament, status=409, more={"refusal": str(refused)})
    messages.success(request, _("Saved."))
    return redirect("schedule", tournament.slug)


def _show_conflict(
    request: HttpRequest, tournament: Tournament, conflict: versions.VersionConflict
) -> HttpResponse:
    """Show the planned seats of somebody else, with status 409: nothing was stored."""
    refusal = _("The planned seats have changed since you opened this page. Check them first.")
    return _show_page(request, tournament, status=409, more={"refusal": refusal})


@never_cache
@requires(GET=Level.DIRECT, POST=Level.DIRECT)
def planned_seats(request: HttpRequest, slug: str, session: int) -> HttpResponse:
    """Show the form of a session's planned seats; on POST store the posted tables.

    If the session is seated already, redirects to the page of planned seats with a message.
    """
    tournament = door.tournament_of(request)
    version = schedule_queries.schedule_version(tournament)  # read before the seats
    stored = schedule_queries.schedule_of(tournament)
    planned = schedule_queries.planned_session(stored, session)
    if 1 <= session < next_session_number(tournament):
        messages.error(request, str(schedules.NotPlanned.sentence))
        return redirect("schedule", slug)
    if planned is None or stored is None:
        raise Http404
    entries = stages.players_of_session(tournament, session)
    roll = presence.roll_call(tournament, session, entries)
    if request.method == "POST":
        return _store_tables(request, tournament, stored, roll)
    seated = set(planned.players)
    known = {entry.key for entry in entries}
    initial = {
        "out": " ".join(entry.key for entry in entries if entry.key not in seated),
        "tables": "\n".join(
            " ".join(key for key in table if key in known) for table in planned.seats
        ),
    }
    form = PlannedSeatsForm(entries, tournament.table_sizes, initial=initial)
    return _show_tables(request, stored, form, roll, version)


def _store_tables(
    request: HttpRequest, tournament: Tournament, stored: Schedule, roll: RollCall
) -> HttpResponse:
    """Store the posted tables of a session, or show the form again with the reason why not.

    If players or table sizes have changed since the page was opened, redirects to the new form.
    """
    form = PlannedSeatsForm(roll.statuses, tournament.table_sizes, request.POST)
    seen = seen_version(request)
    if not form.is_valid():
        return _show_tables(request, stored, form, roll, seen, status=422)
    tables = form.cleaned_data["tables"]
    try:
        schedules.change_planned_seats(
            tournament,
            roll.session,
            tables,
            seen_version=seen,
            by=rights.actor(request),
            reason=form.cleaned_data["reason"],
        )
    except seating.SeatingConflict:
        return redirect("planned-seats", tournament.slug, roll.session)
    except versions.VersionConflict as conflict:
        more = {"change": unseen_change(tournament, conflict)}
        version = conflict.version
        return _show_tables(request, stored, form, roll, version, status=409, more=more)
    except (schedules.NotPlanned, *REFUSALS) as refused:
        form.add_error(None, str(refused))
        return _show_tables(request, stored, form, roll, seen, status=409)
    number = {"number": shown_number(roll.session, tournament.play_off_numbers)}
    messages.success(
        request, _("The planned seats of session %(number)s have been changed.") % number
    )
    warn_of_mixed_groups(request, tournament, roll.session, tables)
    return redirect("schedule", tournament.slug)


def _show_tables(
    request: HttpRequest,
    stored: Schedule,
    form: PlannedSeatsForm,
    roll: RollCall,
    version: int,
    *,
    status: int = 200,
    more: Mapping[str, Any] | None = None,
) -> HttpResponse:
    """Show the form of a session's planned seats.

    `version` is that of the planned seats, `more` is added to the context.
    """
    tournament = stored.tournament
    earlier = schedule_queries.seats_before(stored, roll.session)
    context = {
        "tournament": tournament,
        "number": roll.session,
        "form": form,
        "seen": version if version != NO_VERSION else "",
        "tables": True,
        **board_context(tournament, roll, earlier),
        "marks_url": "",  # no polling: the roll call of this session is still to come
        "entries": (entries := list(form.entries.values())),
        "is_listed": len(entries) <= MOST_PROPOSED,
        "rules_fingerprint": tournament.rules.fingerprint,
        **(more or {}),
    }
    return render(request, "planned_seats.html", context, status=status)


@never_cache
@requires(GET=Level.DIRECT)
def schedule_draw(request: HttpRequest, slug: str) -> HttpResponse:
    """Download the request of the planned seats' draw as JSON, which `manage.py draw` reads.

    Raises `Http404` if no seats are planned.
    """
    stored = schedule_queries.schedule_of(door.tournament_of(request))
    if stored is None:
        raise Http404
    content = json.dumps(stored.request, ensure_ascii=False, sort_keys=True).encode()
    return downloads.download(content, f"{slug}-draw.json", JSON)
