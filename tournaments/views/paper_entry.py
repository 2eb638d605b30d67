"""Typing in paper sheets: a whole sheet on one page, each round as a line of shorthand."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache

import scoring
from tournaments.forms import posted_data
from tournaments.forms.paper_entry import LONGEST, PaperSheetForm
from tournaments.game_kinds import kind_of
from tournaments.models import Sitting
from tournaments.paper_entry import recorded_meanwhile
from tournaments.permissions import door, rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.printing import serials
from tournaments.queries import round_validation
from tournaments.queries.seated_tables import last_continuation, tables_in_play
from tournaments.queries.sheets import Sheet, sheet_at, sheet_of, sheets_of
from tournaments.services import rounds


@never_cache
@requires(GET=Level.STAFF, POST=Level.STAFF)
def enter_sheet(request: HttpRequest, slug: str, session: int, table: int) -> HttpResponse:
    """Show the form for the lines of a sheet; on POST save all lines or none.

    With `check` the lines are only scored. With `next` redirects to the next unfinished sheet; on
    POST after saving. If rounds were recorded since the page was opened, nothing is saved: they are
    shown beside the lines, with status 409.
    """
    sitting = door.sitting_of(request)
    if sitting.session.totals_only:
        return redirect("enter-totals", slug, session, table)
    if request.method != "POST" and "next" in request.GET:
        return redirect_to_next_sheet(request, sitting)
    if request.method != "POST" and (in_play := last_continuation(sitting)) != sitting:
        return redirect("enter-sheet", slug, session, in_play.number)
    sheet = sheet_at(sitting)
    form = PaperSheetForm(sheet, posted_data(request))
    if request.method != "POST" or "check" in request.POST:
        return _show_sheet(request, sheet, form)
    is_valid = form.is_valid()
    first_number = form.cleaned_data.get("first", sheet.next_number)
    if first_number != sheet.next_number:
        return _show_recorded_meanwhile(request, sheet, first_number)
    if is_valid:
        return _save(request, sheet, form)
    return _show_sheet(request, sheet, form, status=422)


@requires(POST=Level.STAFF)
def preview_sheet(request: HttpRequest, slug: str, session: int, table: int) -> HttpResponse:
    """Return the lines typed so far, read and scored, as an HTML fragment."""
    sheet = sheet_at(door.sitting_of(request))
    form = PaperSheetForm(sheet, request.POST)
    context = {"form": form, "sheet": sheet, "rules": sheet.rules}
    return render(request, "_partials/paper_ledger.html", context)


def _save(request: HttpRequest, sheet: Sheet, form: PaperSheetForm) -> HttpResponse:
    """Store all lines of a valid form, or show the form again with the reason why not."""
    sitting, lines = sheet.sitting, form.typed.lines
    seen_version, first_number = form.cleaned_data["seen"], form.cleaned_data["first"]
    try:
        rounds.record_lines(
            sitting,
            lines,
            seen_version=seen_version,
            by=rights.actor(request),
            on_paper=form.differing_totals,
        )
    except (rounds.RoundConflict, round_validation.NotNext, scoring.InvalidRecord):
        return _show_recorded_meanwhile(request, sheet_of(sitting), first_number)
    except rounds.ReasonNeeded:
        form.add_error(
            "rounds",
            _("The first line differs from what is recorded: correct that round separately."),
        )
        return _show_sheet(request, sheet, form, status=422)
    message = ngettext(
        "Table %(table)s: %(count)s record saved.",
        "Table %(table)s: %(count)s records saved.",
        len(lines),
    )
    messages.success(request, message % {"table": sitting.shown_number, "count": len(lines)})
    if "next" in request.POST:
        return redirect_to_next_sheet(request, sitting)
    return redirect(sitting)


def _show_recorded_meanwhile(request: HttpRequest, sheet: Sheet, first_number: int) -> HttpResponse:
    """Show the rounds recorded since the page was opened, beside the lines typed for these rounds.

    The form keeps only the other lines, so that no line is saved as a round with another number.
    `first_number` is the number of the first line's round.
    """
    typed = request.POST.copy()
    text = typed.get("rounds", "")[:LONGEST]
    typed["rounds"] = recorded_meanwhile.lines_not_recorded(sheet, text, first_number)
    typed["first"] = str(sheet.next_number)
    typed["seen"] = str(sheet.rows[-1].version if sheet.has_unfinished_round else 0)
    typed.pop("sure", None)
    beside = recorded_meanwhile.compare_with_stored(sheet, text, first_number)
    return _show_sheet(request, sheet, PaperSheetForm(sheet, typed), status=409, beside=beside)


def next_sheet_url(sitting: Sitting) -> str:
    """Return the URL of the next unfinished sheet of the session; empty if there is none.

    The next sheet is that of the following table; after the last table comes the first.
    """
    slug, session = sitting.session.tournament.slug, sitting.session
    shown = sitting.shown_number
    unfinished = [
        sheet.sitting
        for sheet in tables_in_play(sheets_of(session.sittings.all()))
        if not sheet.is_finished and sheet.sitting.shown_number != shown
    ]
    unfinished.sort(key=lambda each: each.shown_number < shown)
    if not unfinished:
        return ""
    return reverse("enter-sheet", args=[slug, session.number, unfinished[0].number])


def redirect_to_next_sheet(request: HttpRequest, sitting: Sitting) -> HttpResponse:
    """Redirect to the next unfinished sheet of the session, or else to the board, saying so."""
    if url := next_sheet_url(sitting):
        return redirect(url)
    messages.info(request, _("All sheets of this session are complete."))
    board = reverse("board", args=[sitting.session.tournament.slug])
    return redirect(f"{board}?session={sitting.session.number}")


def _show_sheet(
    request: HttpRequest,
    sheet: Sheet,
    form: PaperSheetForm,
    *,
    status: int = 200,
    beside: Sequence[recorded_meanwhile.StoredAndTyped] = (),
) -> HttpResponse:
    """Show the form with an explanation of the shorthand; a finished sheet is not typed again.

    `beside` are rounds recorded since the page was opened, with the lines typed for them.
    """
    game, is_stale = sheet.rules.game, status == 409
    context = kind_of(game).shorthand_help(game, len(sheet.players)) | {
        "tournament": sheet.sitting.session.tournament,
        "sheet": sheet,
        "rules": sheet.rules,
        "form": form,
        "next_sheet_url": next_sheet_url(sheet.sitting) if sheet.is_finished else "",
        "is_stale": is_stale,
        "is_entered": sheet.is_finished and (is_stale or not form.is_bound),
        "beside": beside,
        "serial": serials.serial_of(sheet.sitting, sheet.entries),
        "rules_fingerprint": sheet.rules.fingerprint,
    }
    return render(request, "enter_sheet.html", context, status=status)
