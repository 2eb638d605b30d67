"""Final totals of a table, typed in by the desk in sessions that record no rounds."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.exceptions import ConflictError
from tournaments.forms import posted_data
from tournaments.forms.totals import TotalsForm
from tournaments.models import Sitting, SittingTotals
from tournaments.permissions import door, rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.printing import serials
from tournaments.queries.player_names import player_names
from tournaments.queries.sheets import Sheet, sheet_at, sheet_of
from tournaments.services import rounds, totals
from tournaments.views.paper_entry import redirect_to_next_sheet


@never_cache
@requires(GET=Level.STAFF, POST=Level.STAFF)
def enter_totals(request: HttpRequest, slug: str, session: int, table: int) -> HttpResponse:
    """Show the form for the final totals of a table; on POST store or correct them.

    In a session with rounds, redirects to the form for the rounds of a paper sheet.
    """
    sitting = door.sitting_of(request)
    if not sitting.session.totals_only:
        return redirect("enter-sheet", slug, session, table)
    sheet = sheet_at(sitting)
    form = TotalsForm(sheet, posted_data(request))
    if request.method == "POST":
        return _save(request, sitting, sheet, form)
    return _show_form(request, sheet, form)


def _save(request: HttpRequest, sitting: Sitting, sheet: Sheet, form: TotalsForm) -> HttpResponse:
    """Store the totals, or show the form again with the reason why not.

    If other totals were stored since the page was opened, the form names their version (409): what
    was typed replaces them if it is posted again.
    """
    if not form.is_valid():
        return _show_form(request, sheet, form, status=422)
    try:
        totals.enter_totals(
            sitting,
            form.points(),
            seen_version=form.cleaned_data["seen"],
            by=rights.actor(request),
            reason=form.cleaned_data["reason"],
        )
    except ConflictError:
        current = sheet_of(sitting)
        typed = request.POST.copy()
        typed["seen"] = str(current.typed_totals.version if current.typed_totals else 0)
        return _show_form(request, current, TotalsForm(current, typed), status=409)
    except rounds.ReasonNeeded:
        form.add_error("reason", _("Changing recorded totals needs a reason. Enter one."))
        return _show_form(request, sheet, form, status=422)
    message = _("Table %(table)s: the totals have been saved.") % {"table": sitting.shown_number}
    messages.success(request, message)
    if "next" in request.POST:
        return redirect_to_next_sheet(request, sitting)
    return redirect(sitting)


def _versions(sheet: Sheet) -> list[tuple[SittingTotals, list[tuple[str, int]]]]:
    """Return the versions of the totals, the newest first, each with its players and their points.

    An earlier version may have players who were exchanged for others since.
    """
    names = player_names(sheet.sitting.session.tournament.entries.all())
    seat = {key: number for number, key in enumerate(sheet.players)}
    versions = []
    for row in sheet.sitting.typed_totals.order_by("-version"):
        keys = sorted(row.points, key=lambda key: seat.get(key, len(seat)))
        versions.append((row, [(names[key], row.points[key]) for key in keys if key in names]))
    return versions


def _show_form(
    request: HttpRequest, sheet: Sheet, form: TotalsForm, *, status: int = 200
) -> HttpResponse:
    """Status 409 marks the form as stale."""
    context = {
        "tournament": sheet.sitting.session.tournament,
        "sheet": sheet,
        "form": form,
        "serial": serials.serial_of(sheet.sitting, sheet.entries),
        "is_stale": status == 409,
        "versions": _versions(sheet),
        "rules_fingerprint": sheet.rules.fingerprint,
    }
    return render(request, "enter_totals.html", context, status=status)
