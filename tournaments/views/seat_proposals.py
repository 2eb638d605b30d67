"""Proposed seats (席の案): shown under their number, changed by hand, mended and confirmed.

What a page shows of them has a digest. A page sends it with each change and with the confirmation:
if the seats are others by now, nothing is stored, and the page shows what they are.
"""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from scoring.ranking.absence import Absence
from tournaments.exceptions import OperationRefused
from tournaments.forms.seating import TablesForm
from tournaments.i18n.ranking import counts_as_words
from tournaments.models import Entry, SeatProposal, Session, Tournament
from tournaments.permissions import door, rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.queries import progress
from tournaments.queries.seat_draws import seat_draw_of
from tournaments.queries.seat_proposals import (
    Proposal,
    Purpose,
    count_moved,
    former_with_moves,
    has_moves,
    keys_in,
    read,
)
from tournaments.server import draw_searches
from tournaments.services import seat_proposals
from tournaments.services.seat_proposals import ProposalChanged, ProposalOver, Seats
from tournaments.services.seating import SeatingConflict
from tournaments.services.versions import VersionConflict
from tournaments.views.proposed_seats import (
    as_text,
    board_context,
    draw_context,
    warn_of_mixed_groups,
)
from tournaments.views.seating import form_of_proposal, planned_seats, redirect_from_old_page

TABLES_A_PAGE = 50


@never_cache
@requires(GET=Level.DIRECT, POST=Level.DIRECT)
def seat_proposal(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show proposed seats; on POST seat the session so.

    With `save` in the POST, the posted tables replace the proposed ones, and the answer is the new
    digest as JSON: the board sends each move so. With `mend`, the seats are proposed again for the
    players who play now.
    """
    tournament = door.tournament_of(request)
    row = tournament.seat_proposals.exclude(purpose=Purpose.PLAN).filter(number=number).first()
    if row is None:
        raise Http404
    if request.method == "POST":
        if "save" in request.POST:
            return _save(request, row)
        return _mend(request, row) if "mend" in request.POST else _confirm(request, row)
    if tournament.closed_at is not None:
        return redirect("close", slug)
    return (
        _show(request, read(row))
        if seat_proposals.is_open(row)
        else _redirect_from_old_page(request, row)
    )


def _redirect_from_old_page(
    request: HttpRequest, row: SeatProposal, wanted: Seats | None = None
) -> HttpResponse:
    """Redirect from a proposal that is no longer open, perhaps because it is confirmed.

    `wanted` are the seats for which the reader pressed.
    """
    is_for_seated = row.purpose == Purpose.RESEAT and not seat_proposals.is_confirmed(row)
    return redirect_from_old_page(
        request, row.tournament, row.session, reseats=is_for_seated, wanted=wanted
    )


def _save(request: HttpRequest, row: SeatProposal) -> HttpResponse:
    """Store the posted tables as they are; answer with the digest of the seats in force."""
    lines = request.POST.get("tables", "").splitlines()
    seats = [keys for line in lines if (keys := line.split())]
    seated = [key for table in seats for key in table]
    players = {entry.key for entry in read(row).roll.statuses}
    if not players.issuperset(seated) or len(set(seated)) < len(seated):
        return JsonResponse({}, status=422)
    seen = request.POST.get("digest", "")
    try:
        proposal = seat_proposals.change(row, seats, seen=seen, by=rights.actor(request))
    except (ProposalChanged, OperationRefused):
        return JsonResponse({}, status=409)
    return JsonResponse({"digest": proposal.digest})


def _mend(request: HttpRequest, row: SeatProposal) -> HttpResponse:
    """Propose the seats again, changed as little as possible for the players who play now."""
    tournament = row.tournament
    basis = seat_proposals.basis_of(tournament, row.session)
    if not seat_proposals.is_open(row):
        return _redirect_from_old_page(request, row)
    proposal = read(row)
    return redirect(
        seat_proposals.propose(
            tournament,
            Purpose(row.purpose),
            row.session,
            proposal.mended(),
            basis=basis,
            by=rights.actor(request),
            draw=row.draw,
            choices=row.choices | {"out": form_of_proposal(proposal).initial["out"]},
            has_moves=has_moves(row),
        )
    )


def _confirm(request: HttpRequest, row: SeatProposal) -> HttpResponse:
    """Seat the session with the posted tables, or show the proposal with the reason why not.

    Tables that were typed are stored in the proposal first; if that takes a seat from somebody, the
    page shows who sits out before anything is seated. If other seats have been assigned meanwhile,
    the session is shown, and says so.
    """
    by, seen = rights.actor(request), request.POST.get("digest", "")
    form = TablesForm(read(row).roll.statuses, row.tournament.table_sizes, request.POST)
    try:
        if not form.is_valid():
            if not seat_proposals.is_open(row):
                return _redirect_from_old_page(request, row)
            return _show(request, read(row), form, status=422)
        typed = [[entry.key for entry in table] for table in form.cleaned_data["tables"]]
        if typed != row.seats:
            proposal = seat_proposals.change(row, typed, seen=seen, by=by)
            lost = keys_in(row.seats) - keys_in(typed)
            row = proposal.row
            if lost:
                left = [entry for entry in proposal.without_seat if entry.key in lost]
                return _show(request, proposal, status=409, more={"newly_out": left})
            seen = f"{proposal.digest.partition('-')[0]}-{seen.partition('-')[2]}"
        reason = form.cleaned_data["reason"]
        session = seat_proposals.confirm(row, typed, seen=seen, by=by, reason=reason)
    except (ProposalChanged, SeatingConflict, VersionConflict):
        current = SeatProposal.objects.get(pk=row.pk)
        return _show(request, read(current), status=409, more={"has_changed": True})
    except ProposalOver:
        return _redirect_from_old_page(request, row, typed)
    except OperationRefused as refused:
        form.add_error(None, str(refused))
        return _show(request, read(row), form, status=422)
    _tell(request, row, session, form.cleaned_data["tables"])
    return redirect(session)


def _tell(
    request: HttpRequest, row: SeatProposal, session: Session, tables: list[list[Entry]]
) -> None:
    number = {"number": session.shown_number}
    if row.purpose == Purpose.SEAT:
        done = _("The seats of session %(number)s have been assigned.") % number
        more = _("Everybody sees them at once.") if session.tournament.has_public_seats else ""
        messages.success(request, f"{done} {more}".strip())
    else:
        messages.success(
            request, _("The seats of session %(number)s have been reassigned.") % number
        )
        message = _(
            "Print sheets and cards again: those printed before have the old seats on them."
        )
        messages.info(request, message)
    warn_of_mixed_groups(request, session.tournament, session.number, tables)


def _show(
    request: HttpRequest,
    proposal: Proposal,
    form: TablesForm | None = None,
    *,
    status: int = 200,
    more: dict[str, Any] | None = None,
) -> HttpResponse:
    """`form` has tables with errors, `more` is added to the context."""
    row, roll = proposal.row, proposal.roll
    tournament: Tournament = row.tournament
    entries, sizes = list(roll.statuses), tournament.table_sizes
    tables, left_out = proposal.tables, proposal.without_seat
    is_drawn_alone = row.draw and len(row.draw["answer"]["sessions"]) == 1
    is_planned = bool(row.choices.get("planned"))
    draw_form = form_of_proposal(proposal)
    sitting_out = roll.not_away(left_out)
    playing = sum(map(len, tables)) + len(sitting_out)
    choices = draw_context(tournament, row.session, draw_form, playing=playing, drawn=tables)
    context = {
        "tournament": tournament,
        "number": row.session,
        "session": tournament.sessions.filter(number=row.session).first(),
        "proposal": proposal,
        "moved": count_moved(row),
        "former": former_with_moves(row),
        "form": form or TablesForm(entries, sizes, initial={"tables": as_text(tables)}),
        "entries": entries,
        "allowed": sizes,
        "roll": roll,
        "tables": tables,
        "page": Paginator(tables, TABLES_A_PAGE).get_page(request.GET.get("page")),
        "left_out": left_out,
        "sitting_out": sitting_out,
        "missed_counts": counts_as_words(tournament.ranking_rules.counts_as(Absence.SAT_OUT)),
        "draw": seat_draw_of(row.draw, entries) if is_drawn_alone else None,
        "planned": planned_seats(tournament, roll) if is_planned else None,
        "search_seconds": draw_searches.CHOICES,
        "unfinished": progress.unfinished_sessions(progress.sessions_of(tournament)),
        **choices,
        # False where somebody away or replaced has a seat, or a table was made smaller.
        "is_by_number": len(sitting_out) == choices.get("nearest_out")
        and not (proposal.misfits.away or proposal.misfits.replaced),
        **board_context(tournament, roll),
        "rules_fingerprint": tournament.rules.fingerprint,
        **(more or {}),
    }
    return render(request, "seat_proposal.html", context, status=status)
