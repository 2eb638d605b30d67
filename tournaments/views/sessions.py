"""A session: its page; ending, resuming and removing the session."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.contrib import messages
from django.core.paginator import Page, Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from scoring.ranking.absence import Absence
from tournaments.forms import posted_data
from tournaments.forms.sessions import EndSessionForm, ReasonForm
from tournaments.i18n.ranking import ABSENCES
from tournaments.i18n.sentences import in_own_unit
from tournaments.i18n.session_names import session_name
from tournaments.models import AuditEntry, Entry, Membership, Seat, Session, Sitting, Tournament
from tournaments.permissions import door, rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.queries.draw_records import draw_record
from tournaments.queries.events import Event
from tournaments.queries.player_rounds import shown_as_counting_for_nobody
from tournaments.queries.presence import Status, away_at_tables
from tournaments.queries.progress import progress_of_sheets
from tournaments.queries.seated_tables import AtTable, assigned_seats, tables_in_play
from tournaments.queries.sheets import Sheet, sheets_of
from tournaments.queries.substitutions import replaced_in
from tournaments.services import closing, seating, sessions
from tournaments.views.awards import partial_sentence
from tournaments.web import cached_parts, origins
from tournaments.web.public_pages import cached_for_spectators
from tournaments.web.refusals import refusal_in

TABLES_A_PAGE = 100
NO_SEAT_YET = (Absence.SAT_OUT, Absence.LATE, Absence.JOINED_LATER)


@requires(GET=Level.SEE)
@cached_for_spectators
def session(request: HttpRequest, slug: str, session: int) -> HttpResponse:
    """Show a session's tables: who sits where, and their progress.

    A page has up to `TABLES_A_PAGE` tables. With `links` in the query the staff sees the tables'
    links. Lazy objects are evaluated only if the cached part of the page, which uses them, is
    rendered again.
    """
    event = door.event_of(request, allow_older=True)
    tournament = event.tournament
    shown_session, every_sheet = event.session(session)
    sheets = tables_in_play(every_sheet)
    page = Paginator(sheets, TABLES_A_PAGE).get_page(request.GET.get("page"))
    role = rights.role_in(request, tournament)
    # Only with the parameter, as the screen may be public; a publication has no links.
    shows_links = role is not None and "links" in request.GET and event.publication is None
    context = {
        "tournament": tournament,
        "session": shown_session,
        "role": role,
        **_draw_context(request, event.tournament, shown_session.number, every_sheet),
        "names": SimpleLazyObject(lambda: event.names),
        "sheets": page.object_list,
        "page": page,
        "publication": event.publication,
        "partial": SimpleLazyObject(lambda: partial_sentence(event, session)),
        "shows_only_seats": SimpleLazyObject(lambda: event.shows_only_seats(session)),
        "seats": SimpleLazyObject(lambda: _part_of(page, _seats_by_player(sheets))),
        "absences": SimpleLazyObject(lambda: _absences_by_reason(event, shown_session.number)),
        "without_seat": SimpleLazyObject(
            lambda: without_seat(event, shown_session.number, every_sheet)
        ),
        "away": SimpleLazyObject(lambda: _away_at_tables(event, shown_session.number, role, page)),
        "replaced": replaced_in(shown_session.number, event.substitutions),
        "for_nobody": SimpleLazyObject(
            lambda: shown_as_counting_for_nobody(event, event.entries, shown_session)
        ),
        "has_begun": any(sheet.rows or sheet.typed_totals for sheet in every_sheet),
        "is_complete": SimpleLazyObject(lambda: progress_of_sheets(every_sheet).is_complete),
        "may_reseat": SimpleLazyObject(lambda: _may_reseat(event, shown_session, role)),
        "is_last": SimpleLazyObject(
            lambda: shown_session.number == max(each.session.number for each in event.sessions)
        ),
        **(_links(request, sheets) if shows_links else {}),
        "rules_fingerprint": tournament.rules.fingerprint,
        **cached_parts.cache_context("" if shows_links else event.parts_cache_key),
    }
    return render(request, "session.html", context)


def _draw_context(
    request: HttpRequest, tournament: Tournament, session: int, sheets: list[Sheet]
) -> dict[str, Any]:
    """Return the template context of the draw of session number `session`, as lazy objects.

    `sheets` are all of the session.
    `record` is the draw, or None. `repeats` is the URL of the file with which anybody can repeat
    the draw; empty if this reader may not see its request.
    """
    record: Any = SimpleLazyObject(lambda: draw_record(tournament, session, assigned_seats(sheets)))
    draw_file_url = SimpleLazyObject(
        lambda: (
            reverse("draw-file", args=[tournament.slug, session])
            if record and rights.may_repeat_draw(request, tournament, record)
            else ""
        )
    )
    return {"record": record, "repeats": draw_file_url}


def _may_reseat(event: Event, session: Session, role: str | None) -> bool:
    return (
        role == Membership.Role.DIRECTOR
        and event.publication is None
        and event.tournament.closed_at is None
        and not seating.has_begun(session)
    )


def _away_at_tables(
    event: Event, session: int, role: str | None, page: Page[Sheet]
) -> dict[str, Status]:
    """See `presence.away_at_tables`; only for the staff."""
    if role is None or event.publication is not None:
        return {}
    return away_at_tables(event.tournament, session, page.object_list)


def _absences_by_reason(event: Event, session: int) -> list[tuple[str, list[Entry]]]:
    """Return the players who did not play in a session, by reason in words.

    Those who are not in its stage are left out.
    """
    told = [reason for reason in Absence if reason not in {Absence.NOT_IN_STAGE, Absence.UNKNOWN}]
    by_reason: dict[Absence, list[Entry]] = {reason: [] for reason in told}
    for entry in event.entries:
        reason = event.absences.get(entry.key, {}).get(session)
        if reason in by_reason:
            by_reason[reason].append(entry)
    return [(str(ABSENCES[reason]), players) for reason, players in by_reason.items() if players]


def without_seat(event: Event, session: int, tables: Iterable[AtTable]) -> list[tuple[Entry, str]]:
    """Return the players who were there but have no seat, each with the reason, by number.

    Who got up before anything was recorded has none, either. `tables` are all of the session.
    """
    reasons = {entry: event.absences.get(entry.key, {}).get(session) for entry in event.entries}
    seated = {entry.key for table in tables for entry in table.entries}
    return [
        (entry, str(ABSENCES[reason]))
        for entry, reason in reasons.items()
        if reason in NO_SEAT_YET or (reason == Absence.TABLE_NOT_PLAYED and entry.key not in seated)
    ]


def _seats_by_player(sheets: list[Sheet]) -> list[Seat]:
    seats = [
        Seat(sitting=sheet.sitting, position=position, entry=entry)
        for sheet in sheets
        for position, entry in enumerate(sheet.entries, 1)
    ]
    return sorted(seats, key=lambda seat: seat.entry.number)


def _part_of(page: Page[Sheet], seats: list[Seat]) -> list[Seat]:
    """Return the seats that stand on a page of the tables: each page has as many, by player."""
    seats_a_page = max(1, -(-len(seats) // page.paginator.num_pages))
    return list(Paginator(seats, seats_a_page).get_page(page.number))


def _links(request: HttpRequest, sheets: list[Sheet]) -> dict[str, object]:
    """Revoked links are only counted."""
    sittings = [sheet.sitting.first for sheet in sheets]
    open_sittings = [sitting for sitting in sittings if not sitting.is_link_revoked]
    return {
        "links": [_link(request, sitting) for sitting in open_sittings],
        "revoked_links": len(sheets) - len(open_sittings),
        "origin": origins.chosen_origin(request),
        "origins": origins.phone_origins(request),
        "is_unreachable": origins.is_unreachable(request),
    }


def _link(request: HttpRequest, sitting: Sitting) -> dict[str, object]:
    """Return a table's `number`, and its link as `address` and as a QR code (`picture`)."""
    code = origins.qr_code(request, reverse("join-table", args=[sitting.token]))
    return {"number": sitting.number, **code._asdict()}


@never_cache
@requires(GET=Level.STAFF, POST=Level.STAFF)
def end_session(request: HttpRequest, slug: str, session: int) -> HttpResponse:
    """List the unfinished tables, each with a tick box; on POST end the session, or resume it."""
    stored_session = door.session_in(door.tournament_with_sessions(request), session)
    if request.method != "POST":
        is_closed = stored_session.tournament.closed_at is not None
        return redirect(stored_session) if is_closed else _show_end_form(request, stored_session)
    try:
        if request.POST.get("do") == "resume":
            return _resume_session(request, stored_session)
        return _end_session(request, stored_session)
    except closing.EventClosed as refused:
        messages.error(request, str(refused))
        return redirect(stored_session)


def _resume_session(request: HttpRequest, session: Session) -> HttpResponse:
    form = ReasonForm(request.POST)
    if not form.is_valid():
        return _show_end_form(request, session, form)
    reason = form.cleaned_data["reason"]
    sessions.resume_session(session, by=rights.actor(request), reason=reason)
    messages.success(request, _("%(session)s has been reopened.") % {"session": _name_of(session)})
    rounds, tournament = session.rounds_planned, session.tournament
    if rounds is not None and not session.is_play_off and rounds != tournament.rounds_per_session:
        words = _(
            "Rounds per table: still %(rounds)s. The number in the settings is for later sessions."
        )
        messages.info(request, in_own_unit(words, tournament.rules) % {"rounds": rounds})
    return redirect(session)


def _name_of(session: Session) -> str:
    return session_name(session.number, session.tournament.play_off_numbers)


def _end_session(request: HttpRequest, session: Session) -> HttpResponse:
    """Show the form with its errors unless each unfinished table is ticked."""
    unfinished = [sheet.sitting.number for sheet in sessions.unfinished_sheets(session)]
    form = EndSessionForm(unfinished, request.POST)
    if form.is_valid():
        try:
            sessions.end_session(
                session,
                stopping=form.cleaned_data["stopping"],
                by=rights.actor(request),
                reason=form.cleaned_data["reason"],
            )
        except sessions.Unfinished:  # another table has begun since the form was validated
            form.add_error("stopping", EndSessionForm.STILL_PLAYING)
        else:
            messages.success(request, _("%(session)s has ended.") % {"session": _name_of(session)})
            return redirect(session)
    return _show_end_form(request, session, form)


def _show_end_form(
    request: HttpRequest, session: Session, form: ReasonForm | None = None
) -> HttpResponse:
    """Show the unfinished tables of a session, or that it has ended.

    `form`, if given, is a posted form with errors, and the status 422.
    """
    sheets = sessions.unfinished_sheets(session)
    context = {
        "tournament": session.tournament,
        "session": session,
        "sheets": sheets,
        "is_complete": SimpleLazyObject(
            lambda: progress_of_sheets(sheets_of(session.sittings.all())).is_complete
        ),
        "form": form or EndSessionForm([sheet.sitting.number for sheet in sheets]),
        "ticked": request.POST.getlist("stopping"),
        "rules_fingerprint": session.tournament.rules.fingerprint,
    }
    return render(request, "end_session.html", context, status=422 if form else 200)


@never_cache
@requires(GET=Level.DIRECT, POST=Level.DIRECT)
def remove_session(request: HttpRequest, slug: str, session: int) -> HttpResponse:
    """Ask for confirmation; on POST remove the session, if it is the last and has no records.

    Of a session that was removed already, a message says so where the removal leads.
    """
    tournament = door.tournament_with_sessions(request)
    try:
        stored_session = door.session_in(tournament, session)
    except Http404:
        if not _was_removed(tournament, session):
            raise
        return _redirect_from_removed(request, tournament)
    if tournament.closed_at is not None:
        return redirect("close", slug)
    form, name = ReasonForm(posted_data(request)), _name_of(stored_session)
    if form.is_valid():
        by, reason = rights.actor(request), form.cleaned_data["reason"]
        with refusal_in(form):
            try:
                sessions.remove_session(stored_session, by=by, reason=reason)
            except Session.DoesNotExist:  # meanwhile
                return _redirect_from_removed(request, tournament)
            message = _("%(session)s has been removed. The history still shows who sat where.")
            messages.success(request, message % {"session": name})
            return redirect(tournament)
    context = {
        "tournament": stored_session.tournament,
        "session": stored_session,
        "form": form,
        "rules_fingerprint": stored_session.tournament.rules.fingerprint,
    }
    return render(request, "remove_session.html", context, status=422 if form.is_bound else 200)


def _was_removed(tournament: Tournament, session: int) -> bool:
    removed = tournament.audit_entries.filter(kind=AuditEntry.Kind.SESSION_REMOVED)
    return removed.filter(subject__session=session).exists()


def _redirect_from_removed(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    messages.info(request, _("This session has been removed already."))
    return redirect(tournament)
