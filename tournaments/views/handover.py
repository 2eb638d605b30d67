"""Handover: the desk stores rounds that a phone could not send, read from its QR code or text."""

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
from tournaments.forms import posted_data
from tournaments.forms.handover import HandoverForm
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
from tournaments.services.rounds import ReasonNeeded, Submission


class HandoverRow(NamedTuple):
    """A round as the page shows it: its table and score, or why it cannot be stored."""

    handed: HandedRound
    sheet: Sheet | None = None
    played: PlayedRound | None = None
    problem: str = ""
    is_stored: bool = False

    @property
    def title(self) -> str:
        """Return the title of the round, empty for an unknown table."""
        if self.sheet is None:
            return ""
        return units.round_title(self.handed.number, self.sheet.rules)


@never_cache
@requires(GET=Level.ANYBODY, POST=Level.ANYBODY)
def hand_over(request: HttpRequest) -> HttpResponse:
    """Show the rounds in the posted text; store them if asked to."""
    form = HandoverForm(posted_data(request))
    context = {"form": form, "shown": [], "may_store": False}
    if not form.is_valid():
        return render(request, "hand_over.html", context, status=422 if form.is_bound else 200)
    rounds: list[HandedRound] = form.cleaned_data["rounds"]
    sittings = _readers_sittings(request, rounds)
    if "store" in request.POST:
        answer = _store_all(request, rounds, sittings)
        if answer is not None:
            return answer
    rows = _scored_rows(rounds, sittings)
    context |= {"shown": rows, "may_store": any(row.played for row in rows)}
    return render(request, "hand_over.html", context)


def _readers_sittings(request: HttpRequest, rounds: Sequence[HandedRound]) -> Mapping[int, Sitting]:
    """Return the tables of these rounds at which the reader is staff, by primary key."""
    found = Sitting.objects.filter(session__tournament__removed_at=None)
    found = found.select_related("session__tournament")
    by_pk = found.in_bulk({handed.sitting_pk for handed in rounds})
    of_other_events = {
        handed.sitting_pk
        for handed in rounds
        if handed.sitting_pk in by_pk
        and handed.event_digest != handed_over.event_digest(by_pk[handed.sitting_pk])
    }
    return {
        pk: sitting
        for pk, sitting in by_pk.items()
        if pk not in of_other_events and rights.role_in(request, sitting.session.tournament)
    }


def _scored_rows(
    rounds: Sequence[HandedRound], sittings: Mapping[int, Sitting]
) -> list[HandoverRow]:
    """Return a row for every round, each scored after the rounds before it."""
    sheets = {pk: sheet_of(sitting) for pk, sitting in sittings.items()}
    rows = []
    for handed in rounds:
        row = _scored_row(handed, sheets.get(handed.sitting_pk))
        if row.played is not None and row.sheet is not None:
            sheets[handed.sitting_pk] = row.sheet
        rows.append(row)
    return rows


def _scored_row(handed: HandedRound, sheet: Sheet | None) -> HandoverRow:
    """Return the row of a round; `sheet` is its table's so far, None for an unknown table."""
    if sheet is None:
        return HandoverRow(handed, problem=_("The table of this round is not yours to look after."))
    if sheet.is_totals_only:
        return HandoverRow(handed, sheet, problem=str(OnlyTotals.sentence))
    stored = sheet.rows[handed.number - 1] if 0 < handed.number <= len(sheet.rows) else None
    if stored is not None and is_same_round(sheet, handed.number, stored.facts, handed.facts):
        is_stored = stored.pk is not None
        played = sheet.rounds[handed.number - 1]
        return HandoverRow(handed, sheet, played=played, is_stored=is_stored)
    version = stored.version if stored else 0
    if not 1 <= handed.number <= len(sheet.rows) + 1 or handed.seen_version > version:
        return HandoverRow(
            handed, sheet, problem=_("One before this is missing: store that first.")
        )
    try:
        after = with_round(sheet, handed.number, handed.facts)
    except scoring.InvalidRecord as invalid:
        problems = [sentences.problem_sentence(each, sheet.names) for each in invalid.problems]
        return HandoverRow(handed, sheet, problem=" ".join(problems))
    problem = _("Other facts are stored for this round.") if handed.seen_version < version else ""
    return HandoverRow(handed, after, played=after.rounds[handed.number - 1], problem=problem)


def _store_all(
    request: HttpRequest, rounds: Sequence[HandedRound], sittings: Mapping[int, Sitting]
) -> HttpResponse | None:
    """Store the rounds in order. Return a redirect, or None where the page shows a problem."""
    for handed in rounds:
        sitting = sittings.get(handed.sitting_pk)
        if sitting is None:
            return None  # its row has a problem
        try:
            answer = _store(request, sitting, handed)
        except idempotency.KeyReused:
            messages.error(request, _("Something else came under this key. Type it in by hand."))
            return None
        except (NotNext, ReasonNeeded) as refused:
            messages.error(request, str(refused))
            return None
        except scoring.InvalidRecord:
            return None  # its row has the problems
        title = units.round_in_sentence(handed.number, sitting.session.tournament.rules)
        is_alike = answer.body.get("scores_alike", False)
        if answer.status == 409 and not is_alike:
            return _redirect_to_dispute(request, sitting, handed)
        sentence = (
            _("Table %(table)s, %(round)s: other facts with the same points are stored already.")
            if is_alike
            else _("Table %(table)s, %(round)s: stored.")
        )
        messages.success(request, sentence % {"table": sitting.number, "round": title})
    return redirect("hand-over")


def _store(request: HttpRequest, sitting: Sitting, handed: HandedRound) -> idempotency.Answer:
    """Submit a round under the phone's idempotency key, so that the phone later gets this answer.

    The audit trail names the reader, not the phone.
    """
    submission = Submission(
        number=handed.number,
        facts=handed.facts,
        seen_version=handed.seen_version,
        reason=handed.reason.strip(),
        written_by_table=True,
        key=handed.key,
        body=handed.body,
        path=reverse("api-round", args=[sitting.pk, handed.number]),
    )
    return submissions.submit_round(rights.writer_at(request, sitting), sitting, submission)


def _redirect_to_dispute(
    request: HttpRequest, sitting: Sitting, handed: HandedRound
) -> HttpResponse | None:
    """Lead to the dispute about a round. Return None where there is none."""
    open_ones = Disagreement.objects.filter(sitting=sitting, number=handed.number, settled_at=None)
    found = next((dispute for dispute in open_ones if dispute.facts == handed.facts), None)
    if found is None:  # an earlier round is missing: its row says so
        return None
    messages.warning(request, _("Other facts are stored for this round. Decide which are right."))
    slug = sitting.session.tournament.slug
    return redirect("settle-disagreement", slug, found.pk)
