"""Handover: the desk stores rounds that a phone could not send, read from its QR code or text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
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
from tournaments.services import handover as handover_service
from tournaments.services import idempotency, submissions
from tournaments.services.handover import HandedRound
from tournaments.services.rounds import ReasonNeeded
from tournaments.services.submissions import Submission


class HandoverRow(NamedTuple):
    """A handed-over round as the page shows it.

    - `sheet`: the sheet of its table; None if the reader is not staff there
    - `played`: the scored round; None if it cannot be stored
    - `problem`: why it cannot be stored, or with `played` that it differs from the stored round
    - `is_stored`: whether the same facts are stored already
    """

    handed_round: HandedRound
    sheet: Sheet | None = None
    played: PlayedRound | None = None
    problem: str = ""
    is_stored: bool = False

    @property
    def title(self) -> str:
        """Empty without a sheet."""
        if self.sheet is None:
            return ""
        return units.round_title(self.handed_round.number, self.sheet.sitting)


@never_cache
@requires(GET=Level.ANYBODY, POST=Level.ANYBODY)
def hand_over(request: HttpRequest) -> HttpResponse:
    """Show the rounds in the posted text; store them on POST with `store`.

    Everybody may open the page; rounds are shown and stored only for tables of the reader's events.
    """
    form = HandoverForm(posted_data(request))
    context = {"form": form, "shown": [], "may_store": False}
    if not form.is_valid():
        return render(request, "hand_over.html", context, status=422 if form.is_bound else 200)
    rounds: list[HandedRound] = form.cleaned_data["rounds"]
    sittings = _readers_sittings(request, rounds)
    if "store" in request.POST:
        response = _store_all(request, rounds, sittings)
        if response is not None:
            return response
    rows = _scored_rows(rounds, sittings)
    context |= {"shown": rows, "may_store": any(row.played for row in rows)}
    return render(request, "hand_over.html", context)


def _readers_sittings(request: HttpRequest, rounds: Sequence[HandedRound]) -> Mapping[int, Sitting]:
    """Return the tables of these rounds at which the reader is staff, by primary key.

    A table is left out if one of its rounds has the digest of another event: another database may
    use the same primary keys.
    """
    unremoved = Sitting.objects.filter(session__tournament__removed_at=None)
    by_pk = unremoved.select_related("session__tournament").in_bulk(
        {each.sitting_pk for each in rounds}
    )
    of_other_events = {
        each.sitting_pk
        for each in rounds
        if each.sitting_pk in by_pk
        and each.event_digest != handover_service.event_digest(by_pk[each.sitting_pk])
    }
    return {
        pk: sitting
        for pk, sitting in by_pk.items()
        if pk not in of_other_events and rights.role_in(request, sitting.session.tournament)
    }


def _scored_rows(
    rounds: Sequence[HandedRound], sittings: Mapping[int, Sitting]
) -> list[HandoverRow]:
    """Return a row for every round, scored on a sheet with the handed-over rounds before it."""
    sheets = {pk: sheet_of(sitting) for pk, sitting in sittings.items()}
    rows = []
    for handed_round in rounds:
        row = _scored_row(handed_round, sheets.get(handed_round.sitting_pk))
        if row.played is not None and row.sheet is not None:
            sheets[handed_round.sitting_pk] = row.sheet
        rows.append(row)
    return rows


def _scored_row(handed_round: HandedRound, sheet: Sheet | None) -> HandoverRow:
    """Return the row of a round; `sheet` has the rounds before it, None if not the reader's table.

    The rounds that were handed over before this one are on the sheet without being stored.
    """
    if sheet is None:
        problem = _("You are not on the staff of this round’s tournament.")
        return HandoverRow(handed_round, problem=problem)
    if sheet.is_totals_only:
        return HandoverRow(handed_round, sheet, problem=str(OnlyTotals.sentence))
    number, facts = handed_round.number, handed_round.facts
    current = sheet.rows[number - 1] if 0 < number <= len(sheet.rows) else None
    if current is not None and is_same_round(sheet, number, current.facts, facts):
        is_stored = current.pk is not None
        played = sheet.rounds[number - 1]
        return HandoverRow(handed_round, sheet, played=played, is_stored=is_stored)
    version = current.version if current else 0
    if not 1 <= number <= len(sheet.rows) + 1 or handed_round.seen_version > version:
        problem = _("The round before this one is missing: save that first.")
        return HandoverRow(handed_round, sheet, problem=problem)
    try:
        after = with_round(sheet, number, facts)
    except scoring.InvalidRecord as invalid:
        problems = [
            sentences.problem_sentence(each, sheet.names, sheet.rules) for each in invalid.problems
        ]
        return HandoverRow(handed_round, sheet, problem=" ".join(problems))
    is_conflict = handed_round.seen_version < version
    problem = (
        _(
            "Something else is saved for this round already. Save this one too, then decide which "
            "is right."
        )
        if is_conflict
        else ""
    )
    return HandoverRow(handed_round, after, played=after.rounds[number - 1], problem=problem)


def _store_all(
    request: HttpRequest, rounds: Sequence[HandedRound], sittings: Mapping[int, Sitting]
) -> HttpResponse | None:
    """Store the rounds in order, up to the first that cannot be stored.

    Return a redirect: to this page after the last round, or to a dispute that has arisen. None if
    a round cannot be stored: the page then shows its problem in a message or in its row.
    """
    for handed_round in rounds:
        sitting = sittings.get(handed_round.sitting_pk)
        if sitting is None:
            return None  # its row has a problem
        try:
            answer = _submit(request, sitting, handed_round)
        except idempotency.KeyReused:
            messages.error(
                request,
                _("Something else was sent under the same key. Type this round in by hand."),
            )
            return None
        except (NotNext, ReasonNeeded) as refused:
            messages.error(request, str(refused))
            return None
        except scoring.InvalidRecord:
            return None  # its row has the problems
        title = units.round_in_sentence(handed_round.number, sitting)
        scores_alike = answer.body.get("scores_alike", False)
        if answer.status == 409 and not scores_alike:
            return _redirect_to_dispute(request, sitting, handed_round)
        sentence = (
            _(
                "Table %(table)s, %(round)s: a different record with the same points is saved "
                "already."
            )
            if scores_alike
            else _("Table %(table)s, %(round)s: saved.")
        )
        messages.success(request, sentence % {"table": sitting.shown_number, "round": title})
    return redirect("hand-over")


def _submit(
    request: HttpRequest, sitting: Sitting, handed_round: HandedRound
) -> idempotency.Answer:
    """Submit a round under the phone's idempotency key.

    If the phone sends the same request later, it gets the stored answer. The audit trail names the
    reader, not the phone.
    """
    submission = Submission(
        number=handed_round.number,
        facts=handed_round.facts,
        seen_version=handed_round.seen_version,
        reason=handed_round.reason.strip(),
        written_by_table=True,
        players=handed_round.players,
        key=handed_round.key,
        body=handed_round.body,
    )
    return submissions.submit_round(rights.writer_at(request, sitting), sitting, submission)


def _redirect_to_dispute(
    request: HttpRequest, sitting: Sitting, handed_round: HandedRound
) -> HttpResponse | None:
    """Redirect to the open dispute about these facts of the round; None if there is none.

    There is none if a round before it is missing, which its row says.
    """
    unsettled = Disagreement.objects.filter(
        sitting=sitting, number=handed_round.number, settled_at=None
    )
    dispute = next((each for each in unsettled if each.facts == handed_round.facts), None)
    if dispute is None:
        return None
    messages.warning(
        request, _("Something else is saved for this round already. Decide which is right.")
    )
    slug = sitting.session.tournament.slug
    return redirect("settle-disagreement", slug, dispute.pk)
