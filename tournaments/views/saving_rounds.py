"""Storing a posted round, and the response if it cannot be stored.

A refused form is always shown again with what was typed, and says what to do next.
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
from tournaments.models import Phone, Sitting
from tournaments.permissions import door, rights
from tournaments.queries import round_validation
from tournaments.queries.corrections import Correction, correction_of
from tournaments.queries.sheets import sheet_of
from tournaments.services import phones, rounds, submissions
from tournaments.services.submissions import Submission
from tournaments.views.conflicts import NO_VERSION, seen_version


def save_round(request: HttpRequest, form: RoundForm) -> HttpResponse:
    """Store a posted round, or show the form again with the reason why not.

    A reader who may not correct the round is refused, unless a newer version was stored since the
    page was opened: then the conflict is shown, and the typed facts may become a dispute.
    """
    if not (_may_save(request, form) or _has_newer_version(request, form)):
        return _refuse(request, form, _only_desk_corrects_sentence(form))
    if form.is_valid():
        return _store(request, form)
    return show_form(request, form, status=422)


def show_form(
    request: HttpRequest,
    form: RoundForm,
    *,
    status: int = 200,
    template: str = "record_round.html",
    **more: Any,
) -> HttpResponse:
    """`more` is added to the template context."""
    context = {
        "form": form,
        "sheet": form.sheet,
        "tournament": form.sheet.sitting.session.tournament,
        "preview": form.preview(),
        "deals_after_end": form.deals_after_end,
        "correction": pending_correction(request, form),
        "rules": form.sheet.rules,
        "may_save": True,
    }
    return render(request, template, context | more, status=status)


def pending_correction(request: HttpRequest, form: RoundForm) -> Correction | None:
    """Return what the facts typed so far would change in a complete round.

    None for a round that is not complete, and for readers who may not correct every round.
    """
    if not form.is_correction or not rights.may_correct(request, form.sheet.sitting):
        return None
    return correction_of(form.sheet, form.number, form.facts_up_to_end())


def _may_save(request: HttpRequest, form: RoundForm) -> bool:
    if not form.is_correction or form.stored is None:
        return True
    return rights.may_correct_round(request, form.sheet, form.stored)


def _has_newer_version(request: HttpRequest, form: RoundForm) -> bool:
    """Whether one was stored since the page was opened."""
    return form.stored is not None and seen_version(request) not in {
        NO_VERSION,
        form.stored.version,
    }


def _only_desk_corrects_sentence(form: RoundForm) -> str:
    """Return why only the desk can correct the round.

    Either the other side has accepted it, or it is not the table's last round.
    """
    is_accepted = form.stored is not None and round_validation.is_accepted(form.stored)
    return str(rounds.NeedsDesk() if is_accepted else submissions.OnlyDeskCorrects())


def _store(request: HttpRequest, form: RoundForm) -> HttpResponse:
    """Store the facts of a valid form, or show the form again with the reason why not."""
    sitting = form.sheet.sitting
    submission = Submission(
        number=form.number,
        facts=form.facts(),
        seen_version=form.cleaned_data["seen"],
        reason=form.cleaned_data["reason"],
        set_aside=form.cleaned_data["set_aside"],
    )
    try:
        writer = door.writer_of(request)
        if "take_over" in request.POST and writer.phone is not None:
            writer = _take_over(request, sitting, writer.phone)
        answer = submissions.submit_form(writer, form.sheet, submission)
    except phones.PhoneEnded:
        raise Http404 from None
    except phones.NotTheWriter:
        words = _(
            "Not saved: another phone is now recording for this table. Take over again to record "
            "on this one."
        )
        return _refuse(request, form, words, may_take_over=True)
    except rounds.ReasonNeeded as needed:
        form.add_error("reason", needed.sentence)
        return show_form(request, form, status=422)
    except (rounds.NeedsDesk, submissions.OnlyDeskCorrects):
        current = _form_with_current_sheet(request, form)
        return _refuse(request, current, _only_desk_corrects_sentence(form))
    except (scoring.InvalidRecord, round_validation.NotNext):
        # Other rounds have changed since the form was validated.
        return show_form(request, _form_with_current_sheet(request, form), status=422)
    if answer.status == 409:
        return _show_conflict(request, form, is_dispute=answer.is_stored)
    return _redirect_after_storing(request, form, is_complete=answer.body["complete"])


def _take_over(request: HttpRequest, sitting: Sitting, phone: Phone) -> phones.Writer:
    """Raises `Http404` if the phone or the event has ended."""
    try:
        phones.take_over(phone)
    except phones.NoSuchLink:  # ended a moment ago
        raise Http404 from None
    rights.clear_cached_rights(request)
    return rights.writer_at(request, sitting)


def _redirect_after_storing(
    request: HttpRequest, form: RoundForm, *, is_complete: bool
) -> HttpResponse:
    """Redirect to the form if the round goes on, to the table's page if it is complete."""
    sitting, number = form.sheet.sitting, form.number
    if not is_complete:
        messages.success(request, _("Saved. The round continues."))
        session = sitting.session
        url_args = (session.tournament.slug, session.number, sitting.number, number)
        return redirect("record-round", *url_args)
    saved = units.round_title(number, sitting)
    messages.success(request, _("%(round)s has been saved.") % {"round": saved})
    return redirect(sitting)


def _form_with_current_sheet(
    request: HttpRequest, form: RoundForm, *, seen_version: int | None = None
) -> RoundForm:
    """Return the posted form again, with the table's current sheet.

    `seen_version`, if given, replaces the version that the posted form says the reader has seen.
    """
    typed = request.POST.copy()
    if seen_version is not None:
        typed["seen"] = str(seen_version)
    return type(form)(sheet_of(form.sheet.sitting), form.number, typed)


def _show_conflict(request: HttpRequest, form: RoundForm, *, is_dispute: bool) -> HttpResponse:
    """Show the stored version beside the typed one, with status 409.

    A reader who may correct the round can save again. Other readers are told that the desk decides
    if the typed facts were stored as a dispute (`is_dispute`), else why only the desk can correct.
    """
    current = _form_with_current_sheet(request, form)
    stored = current.sheet.rounds[form.number - 1] if current.stored else None
    if _may_save(request, current):
        version = current.stored.version if current.stored else 0
        correcting = _form_with_current_sheet(request, form, seen_version=version)
        return show_form(request, correcting, status=409, stored=stored)
    words = _("The desk decides which of the two is right. What you typed is kept for it.")
    trouble = words if is_dispute else _only_desk_corrects_sentence(current)
    return show_form(request, current, status=409, stored=stored, trouble=trouble, may_save=False)


def _refuse(
    request: HttpRequest, form: RoundForm, trouble: str, *, may_take_over: bool = False
) -> HttpResponse:
    """Show the form as typed with status 403; `trouble` says why it is not saved and what to do.

    With `may_take_over` the page has a button by which this phone records from now on.
    """
    stored = form.sheet.rounds[form.number - 1] if form.stored else None
    more: dict[str, Any] = {"stored": stored, "trouble": trouble}
    return show_form(request, form, status=403, may_save=False, may_take_over=may_take_over, **more)
