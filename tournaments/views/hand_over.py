"""Where the desk takes in rounds that a phone could not send: scanned or pasted, shown, stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

import scoring
from tournaments.forms import posted
from tournaments.forms.hand_over import HandOverForm
from tournaments.i18n import sentences, units
from tournaments.models import Disagreement, Sitting
from tournaments.permissions import rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.queries.round_validation import NotNext, OnlyTotals
from tournaments.queries.sheets import PlayedRound, Sheet, is_same_round, sheet_of
from tournaments.queries.what_if import with_round
from tournaments.services import handover as handed_over
from tournaments.services import idempotency, submissions
from tournaments.services.handover import HandedRound
from tournaments.services.rounds import ReasonNeeded
from tournaments.services.submissions import Submission


class Shown(NamedTuple):
    """A round as the page shows it: at which table, what it says, or why it cannot be stored."""

    handed: HandedRound
    sheet: Sheet | None = None
    played: PlayedRound | None = None
    problem: str = ""
    is_stored: bool = False

    @property
    def title(self) -> str:
        """Return the round's name."""
        if self.sheet is None:
            return ""
        return units.round_title(self.handed.number, self.sheet.rules)


@never_cache
@requires(GET=Level.ANYBODY, POST=Level.ANYBODY)
def hand_over(request: HttpRequest) -> HttpResponse:
    """Show rounds that somebody has brought, and store them by one tap."""
    form = HandOverForm(posted(request))
    context = {"form": form, "shown": [], "may_store": False}
    if not form.is_valid():
        return render(request, "hand_over.html", context, status=422 if form.is_bound else 200)
    rounds: list[HandedRound] = form.cleaned_data["rounds"]
    sittings = _sittings(request, rounds)
    if "store" in request.POST:
        answer = _store_all(request, rounds, sittings)
        if answer is not None:
            return answer
    shown = _shown(rounds, sittings)
    context |= {"shown": shown, "may_store": any(each.played for each in shown)}
    return render(request, "hand_over.html", context)


def _sittings(request: HttpRequest, rounds: Sequence[HandedRound]) -> Mapping[int, Sitting]:
    """Return the tables among these that are this reader's to keep, by number; others are none."""
    found = Sitting.objects.filter(session__tournament__removed_at=None)
    found = found.select_related("session__tournament")
    by_pk = found.in_bulk({each.sitting for each in rounds})
    strange = {
        each.sitting
        for each in rounds
        if each.sitting in by_pk
        and each.event_digest != handed_over.event_digest(by_pk[each.sitting])
    }
    return {
        pk: sitting
        for pk, sitting in by_pk.items()
        if pk not in strange and rights.role_in(request, sitting.session.tournament)
    }


def _shown(rounds: Sequence[HandedRound], sittings: Mapping[int, Sitting]) -> list[Shown]:
    """Return what every round says, each after those before it."""
    sheets = {pk: sheet_of(sitting) for pk, sitting in sittings.items()}
    shown = []
    for handed in rounds:
        told = _one(handed, sheets.get(handed.sitting))
        if told.played is not None and told.sheet is not None:
            sheets[handed.sitting] = told.sheet
        shown.append(told)
    return shown


def _one(handed: HandedRound, sheet: Sheet | None) -> Shown:
    if sheet is None:
        return Shown(handed, problem=_("The table of this round is not yours to look after."))
    if sheet.is_totals_only:
        return Shown(handed, sheet, problem=str(OnlyTotals.sentence))
    stored = sheet.rows[handed.number - 1] if 0 < handed.number <= len(sheet.rows) else None
    if stored is not None and is_same_round(sheet, handed.number, stored.facts, handed.facts):
        is_stored = stored.pk is not None
        return Shown(handed, sheet, sheet.rounds[handed.number - 1], is_stored=is_stored)
    version = stored.version if stored else 0
    if not 1 <= handed.number <= len(sheet.rows) + 1 or handed.seen > version:
        return Shown(handed, sheet, problem=_("One before this is missing: store that first."))
    try:
        after = with_round(sheet, handed.number, handed.facts)
    except scoring.InvalidRecord as invalid:
        problems = [sentences.problem_sentence(each, sheet.names) for each in invalid.problems]
        return Shown(handed, sheet, problem=" ".join(problems))
    problem = _("Other facts are stored for this round.") if handed.seen < version else ""
    return Shown(handed, after, after.rounds[handed.number - 1], problem)


def _store_all(
    request: HttpRequest, rounds: Sequence[HandedRound], sittings: Mapping[int, Sitting]
) -> HttpResponse | None:
    """Store the rounds in order. Return where to go, or None where the page says why not."""
    for handed in rounds:
        sitting = sittings.get(handed.sitting)
        if sitting is None:
            return None  # the page says so
        try:
            answer = _store(request, sitting, handed)
        except idempotency.KeyReused:
            messages.error(request, _("Something else came under this key. Type it in by hand."))
            return None
        except (NotNext, ReasonNeeded) as refused:
            messages.error(request, str(refused))
            return None
        except scoring.InvalidRecord:
            return None  # the page shows what is wrong with it
        which = units.round_in_sentence(handed.number, sitting.session.tournament.rules)
        is_alike = answer.body.get("scores_alike", False)
        if answer.status == 409 and not is_alike:
            return _to_settle(request, sitting, handed)
        sentence = (
            _("Table %(table)s, %(round)s: other facts with the same points are stored already.")
            if is_alike
            else _("Table %(table)s, %(round)s: stored.")
        )
        messages.success(request, sentence % {"table": sitting.number, "round": which})
    return redirect("hand-over")


def _store(request: HttpRequest, sitting: Sitting, handed: HandedRound) -> idempotency.Answer:
    """Do what the phone asked for, as it asked for it, and return the answer.

    Who stores it is who brings it: the trail names them. The phone is answered the same later on.
    """
    writing = Submission(
        number=handed.number,
        seen=handed.seen,
        reason=handed.reason.strip(),
        key=handed.key,
        for_table=True,
    )
    to = reverse("api-round", args=[sitting.pk, handed.number])
    writer = rights.writer_at(request, sitting)
    return submissions.submit_round(
        writer, sitting, writing, handed.body, lambda _stored: handed.facts, to=to
    )


def _to_settle(request: HttpRequest, sitting: Sitting, handed: HandedRound) -> HttpResponse | None:
    """Lead to both versions of a round that is stored otherwise."""
    open_ones = Disagreement.objects.filter(sitting=sitting, number=handed.number, settled_at=None)
    found = next((each for each in open_ones if each.facts == handed.facts), None)
    if found is None:  # something before it is missing: the page says so
        return None
    messages.warning(request, _("Other facts are stored for this round. Decide which are right."))
    slug = sitting.session.tournament.slug
    return redirect("settle-disagreement", slug, found.pk)
