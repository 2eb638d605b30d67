"""Disputes: the desk chooses one of two versions of a round."""

from __future__ import annotations

from typing import NamedTuple

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _

import scoring
from tournaments.forms import posted_data
from tournaments.forms.disputes import SettleForm
from tournaments.forms.rounds import titles_set_aside
from tournaments.game_kinds import kind_of
from tournaments.models import AuditEntry, Disagreement
from tournaments.permissions import door, rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.queries import round_validation
from tournaments.queries.sheets import PlayedRound, Sheet, sheet_of
from tournaments.queries.what_if import with_round
from tournaments.services import disputes, rounds
from tournaments.views.board import redirect_to_board


class DisputedVersion(NamedTuple):
    """One of the two versions of a disputed round.

    `sheet` has the round in this version, and `played` is the scored round on it. `played` is None
    if the version has `problems`, or if no round is stored.
    """

    sheet: Sheet
    played: PlayedRound | None
    problems: tuple[scoring.Problem, ...] = ()


@requires(GET=Level.STAFF, POST=Level.STAFF)
def settle_disagreement(request: HttpRequest, slug: str, disagreement: int) -> HttpResponse:
    """Show the stored and the disputed version of a round; on POST store the desk's decision."""
    tournament = door.tournament_of(request)
    disagreements = Disagreement.objects.select_related("sitting__session__tournament")
    dispute = get_object_or_404(
        disagreements, pk=disagreement, sitting__session__tournament=tournament
    )
    sheet, number, facts = sheet_of(dispute.sitting), dispute.number, dispute.facts
    stored = sheet.rounds[number - 1] if number <= len(sheet.rows) else None
    # The disputed facts may end the game: then the later rounds would be set aside.
    shortened = round_validation.without_rounds_after_end(sheet, number, facts)
    initial = {"seen": stored.row.version if stored else 0}
    form = SettleForm(
        posted_data(request),
        initial=initial,
        rounds_to_set_aside=titles_set_aside(sheet, number, facts),
    )
    status = 200
    if request.method == "POST":
        if form.is_valid() and _settle(request, dispute, form):
            return redirect_to_board(request, dispute.sitting.session)
        status = 422
    context = {
        "tournament": tournament,
        "disagreement": dispute,
        "sheet": sheet,
        "stored": DisputedVersion(sheet, played=stored),
        "other": _disputed_version(shortened, dispute),
        "differing": kind_of(sheet.rules.game).differing_parts(stored.row.facts, facts)
        if stored and facts
        else (),
        "form": form,
        "settlement": (settlement := _settlement(dispute)),
        "outcome": _outcome(settlement),
    }
    return render(request, "settle_disagreement.html", context, status=status)


def _settlement(dispute: Disagreement) -> AuditEntry | None:
    """Return the audit entry of the decision, None of an open dispute."""
    entries = dispute.sitting.session.tournament.audit_entries
    settled = AuditEntry.Kind.DISPUTE_SETTLED
    return (
        entries.filter(kind=settled, at=dispute.settled_at).first() if dispute.settled_at else None
    )


def _outcome(settlement: AuditEntry | None) -> str:
    """Return which version a decision has put in force; empty without a decision."""
    if settlement is None:
        return ""
    versions = settlement.old or {}
    if settlement.new == versions.get("stored"):
        return _("The other version was rejected.")
    if settlement.new == versions.get("other"):
        return _("The other version was accepted.")
    return _("The record was corrected, and then scored the same as the other version.")


def _settle(request: HttpRequest, dispute: Disagreement, form: SettleForm) -> bool:
    """Store the decision of a valid form, and return whether the dispute is settled.

    True also if somebody else has settled it meanwhile. If False, the form has an error.
    """
    seen_version, reason = form.cleaned_data["seen"], form.cleaned_data["reason"]
    by = rights.actor(request)
    try:
        if form.cleaned_data["decision"] == SettleForm.OTHER:
            disputes.take_disputed_facts(
                dispute,
                seen_version=seen_version,
                by=by,
                reason=reason,
                set_aside=form.cleaned_data["set_aside"],
            )
        else:
            disputes.keep_stored_facts(dispute, seen_version=seen_version, by=by, reason=reason)
    except rounds.RoundConflict:
        form.add_error(
            None,
            _("The round has changed since you opened this page. Check it again, then decide."),
        )
    except (scoring.InvalidRecord, round_validation.NotNext):
        form.add_error(None, _("The other version breaks the rules; correct the round by hand."))
    except disputes.SettledAlready:
        dispute.refresh_from_db()
        words = _("This has been settled already. %(outcome)s If that is wrong, correct the round.")
        messages.info(request, words % {"outcome": _outcome(_settlement(dispute))})
        return True
    except rounds.ReasonNeeded as needed:
        form.add_error("reason", needed.sentence)
    else:
        messages.success(request, _("Settled."))
        return True
    return False


def _disputed_version(sheet: Sheet, dispute: Disagreement) -> DisputedVersion:
    """Return the disputed facts, scored on the sheet instead of the stored round, or problems."""
    try:
        with_dispute = with_round(sheet, dispute.number, dispute.facts)
    except scoring.InvalidRecord as invalid:
        return DisputedVersion(sheet, played=None, problems=tuple(invalid.problems))
    return DisputedVersion(with_dispute, played=with_dispute.rounds[dispute.number - 1])
