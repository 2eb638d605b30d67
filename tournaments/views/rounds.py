"""A table's ledger, and the form that takes down its rounds."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

import scoring
from tournaments import access, recording, units
from tournaments.corrections import (
    Correction,
    correction_of,
    facts_of_version,
    set_aside,
    versions_of,
)
from tournaments.forms.captures import CapturesForm
from tournaments.forms.finish import FinishForm
from tournaments.forms.kankei import KankeiForm
from tournaments.forms.rounds import RoundForm
from tournaments.models import Sitting
from tournaments.sheets import Sheet, sheet_of
from tournaments.views.over import for_former_phones

# The form for each kind of game.
FORMS: dict[str, type[RoundForm]] = {
    "kankei": KankeiForm,
    "captures": CapturesForm,
    "finish": FinishForm,
}


@require_safe
@for_former_phones
def sitting(request: HttpRequest, slug: str, session: int, table: int) -> HttpResponse:
    """Show who sits where, every round with its reasons, the totals, and what comes next."""
    event = access.event_to_see(request, slug)
    sheet = event.sheet(session, table)
    found = sheet.sitting
    may_correct = access.may_correct(request, found)
    context = {
        "sheet": sheet,
        "tournament": event.tournament,
        "publication": event.publication,
        "may_record": access.may_record(request, found),
        "may_correct": may_correct,
        "set_aside": set_aside(sheet) if may_correct else [],
    }
    return render(request, "sitting.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@for_former_phones
def record_round(
    request: HttpRequest, slug: str, session: int, table: int, number: int
) -> HttpResponse:
    """Take down the next round, go on with it, or put an earlier one right."""
    found = access.sitting_to_record(request, slug, session, table)
    sheet = sheet_of(found)
    form = _form(request, sheet, number)
    if (
        form.is_correction
        and form.stored
        and not access.may_correct_round(request, found, form.stored)
    ):
        raise PermissionDenied
    if request.method == "POST" and form.is_valid():
        return _store(request, found, form)
    may_put_back = form.is_correction or form.stored is None
    if "version" in request.GET and may_put_back and not form.is_bound:
        _put_back(form, request.GET["version"])
    return _show(request, form, status=422 if form.is_bound else 200)


@require_POST
def preview_round(
    request: HttpRequest, slug: str, session: int, table: int, number: int
) -> JsonResponse:
    """Answer what the facts typed so far would score, and which fields are open and legal."""
    found = access.sitting_to_record(request, slug, session, table)
    form = _form(request, sheet_of(found), number)
    context = {
        "preview": form.preview(),
        "surplus": form.surplus,
        "rules": form.sheet.rules,
        "correction": _correction(request, form),
    }
    html = render_to_string("rounds/_preview.html", context, request)
    deals = form.deals() if isinstance(form, KankeiForm) else []
    return JsonResponse(
        {
            "html": html,
            "deals": [{"state": deal.state, "declarations": deal.legal} for deal in deals],
        }
    )


def _form(request: HttpRequest, sheet: Sheet, number: int) -> RoundForm:
    if sheet.is_totals_only:
        raise Http404
    if not 1 <= number <= len(sheet.rows) + 1 or (number > len(sheet.rows) and sheet.goes_on):
        raise Http404
    form = FORMS[sheet.rules.game.kind]
    return form(sheet, number, request.POST) if request.method == "POST" else form(sheet, number)


def _correction(request: HttpRequest, form: RoundForm) -> Correction | None:
    """Return what would change if a recorded round were corrected so."""
    if not form.is_correction or not access.may_correct(request, form.sheet.sitting):
        return None
    return correction_of(form.sheet, form.number, form.facts_without_surplus())


def _put_back(form: RoundForm, version: str) -> None:
    """Fill the form with an earlier version of the round, and say so as the reason."""
    number = int(version) if version.isdecimal() and len(version) < 6 else 0
    facts = facts_of_version(form.sheet.sitting, form.number, number)
    if facts is None:
        raise Http404
    reason = _("Version %(number)s put back") % {"number": number}
    form.initial.update(form.initial_from(facts), reason=reason)


def _store(request: HttpRequest, sitting: Sitting, form: RoundForm) -> HttpResponse:
    phone = access.writing_phone(request, sitting)
    if phone is not None and not phone.is_writer:
        messages.warning(request, _("Not saved: another phone has taken over at this table."))
        session = sitting.session
        return redirect("take-over", session.tournament.slug, session.number, sitting.number)
    try:
        recording.record_round(
            sitting,
            form.number,
            form.facts(),
            seen=form.cleaned_data["seen"],
            by=access.actor(request, sitting),
            reason=form.cleaned_data["reason"],
            set_aside=form.cleaned_data["set_aside"],
        )
    except recording.StaleRound as stale:
        return _show_conflict(request, sitting, form, stale)
    except recording.ReasonNeeded:
        form.add_error("reason", _("Say why the recorded round is changed."))
        return _show(request, form, status=422)
    except recording.NeedsDesk:
        raise PermissionDenied from None
    except (scoring.InvalidRecord, recording.NotNext):  # other rounds changed since we looked
        return _show(request, _form(request, sheet_of(sitting), form.number), status=422)
    return _after_storing(request, sitting, form.number)


def _after_storing(request: HttpRequest, sitting: Sitting, number: int) -> HttpResponse:
    """Go on with the round while it is being played, back to the ledger when it is over."""
    sheet = sheet_of(sitting)
    if number == len(sheet.rows) and sheet.goes_on:
        messages.success(request, _("Saved. The round goes on."))
        session = sitting.session
        place = (session.tournament.slug, session.number, sitting.number, number)
        return redirect("record-round", *place)
    saved = units.round_title(number, sheet.rules)
    messages.success(request, _("%(round)s is saved.") % {"round": saved})
    return redirect(sitting)


def _show_conflict(
    request: HttpRequest, sitting: Sitting, form: RoundForm, stale: recording.StaleRound
) -> HttpResponse:
    """Show what is stored beside what was typed; saving again then replaces what is shown."""
    sheet = sheet_of(sitting)
    typed = request.POST.copy()
    typed["seen"] = str(stale.stored.version if stale.stored else 0)
    again = type(form)(sheet, form.number, typed)
    stored = sheet.rounds[form.number - 1] if stale.stored else None
    return _show(request, again, status=409, stored=stored)


def _show(
    request: HttpRequest, form: RoundForm, *, status: int = 200, stored: object = None
) -> HttpResponse:
    sitting = form.sheet.sitting
    context = {
        "form": form,
        "sheet": form.sheet,
        "tournament": sitting.session.tournament,
        "preview": form.preview(),
        "surplus": form.surplus,
        "correction": _correction(request, form),
        "rules": form.sheet.rules,
        "stored": stored,
    }
    return render(request, "record_round.html", context, status=status)


def _may_be_put_back(sheet: Sheet, number: int) -> bool:
    """Return whether an earlier version may be recorded: of a round that counts, or of the next."""
    if number <= len(sheet.rows):
        return sheet.score.rounds[number - 1].complete
    return number == sheet.next_number and not sheet.is_finished


@require_safe
def round_history(
    request: HttpRequest, slug: str, session: int, table: int, number: int
) -> HttpResponse:
    """Show every version of a round: who wrote it, when, why, and whose points it changed."""
    found = access.sitting_to_record(request, slug, session, table)
    if not access.may_correct(request, found):
        raise Http404
    sheet = sheet_of(found)
    versions = versions_of(sheet, number) if number >= 1 else []
    if not versions and number != len(sheet.rows) + 1:
        raise Http404
    context = {
        "tournament": found.session.tournament,
        "sheet": sheet,
        "number": number,
        "versions": versions,
        "may_be_put_back": _may_be_put_back(sheet, number),
    }
    return render(request, "round_history.html", context)
