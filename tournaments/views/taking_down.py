"""What a posted round is answered: stored, overtaken by another, or not this phone's to write.

Whatever the answer, nothing that was typed is lost: the form comes back as it was filled in, and
says how to go on.
"""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

import scoring
from tournaments.forms.rounds import RoundForm
from tournaments.i18n import units
from tournaments.models import Sitting
from tournaments.permissions import rights
from tournaments.queries import round_validation
from tournaments.queries.corrections import Correction, correction_of
from tournaments.queries.sheets import sheet_of
from tournaments.services import phones, rounds, submissions
from tournaments.services.submissions import Submission
from tournaments.views.stale import NEVER, seen_by


def take_down(request: HttpRequest, sitting: Sitting, form: RoundForm) -> HttpResponse:
    """Store a round as it was filled in, or show the form again and say what is in the way."""
    if not (_may_save(request, form) or _is_overtaken(request, form)):
        return _refuse(request, form, _for_the_desk(form))
    if form.is_valid():
        return _store(request, sitting, form)
    return show(request, form, status=422)


def show(
    request: HttpRequest,
    form: RoundForm,
    *,
    status: int = 200,
    template: str = "record_round.html",
    **more: Any,
) -> HttpResponse:
    """Show the form, what it would score, and `more`: what is stored, what is in the way."""
    context = {
        "form": form,
        "sheet": form.sheet,
        "tournament": form.sheet.sitting.session.tournament,
        "preview": form.preview(),
        "surplus": form.surplus,
        "correction": correction(request, form),
        "rules": form.sheet.rules,
        "may_save": True,
    }
    return render(request, template, context | more, status=status)


def correction(request: HttpRequest, form: RoundForm) -> Correction | None:
    """Return what would change if a recorded round were corrected so."""
    if not form.is_correction or not rights.may_correct(request, form.sheet.sitting):
        return None
    return correction_of(form.sheet, form.number, form.facts_without_surplus())


def _may_save(request: HttpRequest, form: RoundForm) -> bool:
    """Return whether this reader may write what follows the version in force."""
    if not form.is_correction or form.stored is None:
        return True
    return rights.may_correct_round(request, form.sheet, form.stored)


def _is_overtaken(request: HttpRequest, form: RoundForm) -> bool:
    """Return whether the round has been recorded since the page was opened."""
    return form.stored is not None and seen_by(request) not in {NEVER, form.stored.version}


def _for_the_desk(form: RoundForm) -> str:
    is_accepted = form.stored is not None and round_validation.is_accepted(form.stored)
    return str(rounds.NeedsDesk() if is_accepted else submissions.OnlyDeskCorrects())


def _store(request: HttpRequest, sitting: Sitting, form: RoundForm) -> HttpResponse:
    writing = Submission(
        number=form.number,
        seen=form.cleaned_data["seen"],
        reason=form.cleaned_data["reason"],
        set_aside=form.cleaned_data["set_aside"],
    )
    try:
        _take_over_if_asked(request, sitting)
        writer = rights.writer_at(request, sitting)
        answer = submissions.submit_form(writer, sitting, writing, form.facts())
    except phones.PhoneEnded:
        raise Http404 from None
    except phones.NotTheWriter:
        words = _("Not saved: another phone has taken over at this table.")
        return _refuse(request, form, words, may_take_over=True)
    except rounds.ReasonNeeded as needed:
        form.add_error("reason", needed.sentence)
        return show(request, form, status=422)
    except (rounds.NeedsDesk, submissions.OnlyDeskCorrects):
        return _refuse(request, _anew(request, form), _for_the_desk(form))
    except (
        scoring.InvalidRecord,
        round_validation.NotNext,
    ):  # other rounds changed since we looked
        return show(request, _anew(request, form), status=422)
    if answer.status == 409:
        return _show_conflict(request, form, is_stored=answer.is_stored)
    return _after_storing(request, sitting, form.number)


def _take_over_if_asked(request: HttpRequest, sitting: Sitting) -> None:
    """Make this phone the writer where its reader chose so, on the page that says it is not."""
    phone = rights.writing_phone(request, sitting)
    if "take_over" not in request.POST or phone is None:
        return
    try:
        phones.take_over(phone)
    except phones.NoSuchLink:  # closed a moment ago
        raise Http404 from None


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


def _anew(request: HttpRequest, form: RoundForm, seen: int | None = None) -> RoundForm:
    """Return the form as it was filled in, beside the rounds as they stand now."""
    typed = request.POST.copy()
    if seen is not None:
        typed["seen"] = str(seen)
    return type(form)(sheet_of(form.sheet.sitting), form.number, typed)


def _show_conflict(request: HttpRequest, form: RoundForm, *, is_stored: bool) -> HttpResponse:
    """Show what is stored beside what was typed.

    Whoever may, replaces what is shown by saving again; of the others the desk is told.
    """
    now = _anew(request, form)
    stored = now.sheet.rounds[form.number - 1] if now.stored else None
    if _may_save(request, now):
        again = _anew(request, form, seen=now.stored.version if now.stored else 0)
        return show(request, again, status=409, stored=stored)
    words = _("The desk decides which of the two is right. What you typed is kept for it.")
    trouble = words if is_stored else _for_the_desk(now)
    return show(request, now, status=409, stored=stored, trouble=trouble, may_save=False)


def _refuse(
    request: HttpRequest, form: RoundForm, trouble: str, *, may_take_over: bool = False
) -> HttpResponse:
    """Show what was typed to somebody who may not save it now, and what they can do."""
    stored = form.sheet.rounds[form.number - 1] if form.stored else None
    more: dict[str, Any] = {"stored": stored, "trouble": trouble}
    return show(request, form, status=403, may_save=False, may_take_over=may_take_over, **more)
