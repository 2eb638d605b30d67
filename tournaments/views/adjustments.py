"""Adjustments (points given and deducted), and ties that the director decides."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from scoring.stages.places import stage_adjusted
from tournaments import audit
from tournaments.exceptions import OperationRefused
from tournaments.forms import posted_data
from tournaments.forms.adjustments import (
    AdjustmentForm,
    LotForm,
    TakeBackDecisionForm,
    TakeBackForm,
    TieForm,
)
from tournaments.i18n.sentences import isolated
from tournaments.models import Adjustment, TieDecision, Tournament
from tournaments.permissions import door, rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.queries import live_events, progress
from tournaments.queries.balance import balance_of
from tournaments.queries.events import Event
from tournaments.queries.player_names import player_names
from tournaments.queries.ranking_facts import RankingFacts
from tournaments.queries.ties import Tie, decided_players, ties_of
from tournaments.services import adjustments as service
from tournaments.views.play_offs import (
    key_of,
    play_off_on,
    who_is_away,
    why_not_played,
    why_not_tied,
)
from tournaments.web.refusals import refusal_in

TIES_A_PAGE = 20
MOST_TYPED_IN_LIST = 12  # players of a tie whose order is typed in the list of all ties


@never_cache
@requires(GET=Level.STAFF, POST=Level.DIRECT)
def adjustments(request: HttpRequest, slug: str) -> HttpResponse:
    """List the adjustments; add one, or take one back.

    A row has an adjustment, whether it is for a team in which nobody is any more, and the name of
    the stage in whose points it counts. The number `player` in the query preselects a player.
    """
    tournament = door.tournament_with_sessions(request)
    if "take_back" in request.POST:
        return _take_back(request, tournament, service.take_back_adjustment, "adjustments")
    number = service.next_number(tournament.adjustments.all())
    entries = list(tournament.entries.all())
    choices = {each.key: f"{each.number} {each.name}" for each in entries}
    initial = {"number": number, "player": choices.get(request.GET.get("player", ""), "")}
    form = AdjustmentForm(entries, posted_data(request), initial=initial)
    if form.is_valid() and _adjust_points(request, tournament, form):
        return redirect("adjustments", slug)
    facts = door.event_of(request).ranking_facts
    context = {
        "tournament": tournament,
        "role": rights.role_in(request, tournament),
        "form": form,
        "names": player_names(entries),
        "rows": [
            (row, row.team not in ("", *form.teams), _stage_adjusted(row, facts))
            for row in tournament.adjustments.select_related("entry")
        ],
        "confirmed_stages": facts.confirmed_stages,
        "balance": balance_of(facts),
        "rules_fingerprint": tournament.rules.fingerprint,
    }
    return render(request, "adjustments.html", context, status=422 if form.is_bound else 200)


def _stage_adjusted(adjustment: Adjustment, facts: RankingFacts) -> str | None:
    """Return the name of the stage in whose points an adjustment counts; empty for the first stage.

    None for a team, and without stages after the first.
    """
    if adjustment.entry is None or not facts.confirmed_stages:
        return None
    names = ["", *(stage.name for stage in facts.confirmed_stages)]
    number = stage_adjusted(adjustment.number, adjustment.entry.key, facts.played_stages)
    return names[number - 1]


def _adjust_points(request: HttpRequest, tournament: Tournament, form: AdjustmentForm) -> bool:
    """Return False, with an error in the form, if refused."""
    cleaned, by = form.cleaned_data, rights.actor(request)
    number, points, reason = cleaned["number"], cleaned["points"], cleaned["reason"]
    with refusal_in(form):
        service.adjust_points(tournament, number, form.player_or_team, points, by=by, reason=reason)
        messages.success(request, _("Saved."))
    return form.is_valid()


@never_cache
@requires(GET=Level.DIRECT, POST=Level.DIRECT)
def ties(request: HttpRequest, slug: str) -> HttpResponse:
    """List the open ties and the decisions; decide a tie as typed or by lot, or take one back.

    `tied` in the query selects one tie, whose order can be typed also if it has many players. A
    posted form names its tie by `tied`, a key as `key_of` returns it. Answers 422 if the form has
    errors or is refused, or if these players are no longer tied.
    """
    tournament = door.tournament_with_sessions(request)
    if "take_back" in request.POST:
        return _take_back(request, tournament, service.take_back_decision, "ties")
    posted, posted_key = posted_data(request), request.POST.get("tied", "")
    next_number = service.next_number(tournament.tie_decisions.all())
    event = live_events.events.current(tournament)
    open_ties = {
        key_of(tie.players): tie
        for tie in ties_of(event.standings, event.ranking_facts)
        if tie.is_shared or not why_not_played(event, tie.players)
    }
    is_lot, posted_tie = "lot" in request.POST, open_ties.get(posted_key)
    if is_lot and _draw_lot(request, tournament, posted_key, posted_tie):
        return redirect("ties", slug)
    bound_form = None
    if posted_tie is not None and not is_lot:
        bound_form = _tie_form(posted_key, posted_tie, next_number, posted)
        if bound_form.is_valid() and _decide_tie(request, tournament, bound_form):
            return redirect("ties", slug)
    if posted is not None and not (posted_tie is not None and posted_tie.is_shared):
        messages.error(request, why_not_tied(event, posted_key, is_posted=True))
    chosen = posted_key if bound_form is not None else request.GET.get("tied", "")
    listed = [chosen] if chosen in open_ties else [*open_ties]
    page = Paginator(listed, TIES_A_PAGE).get_page(request.GET.get("page"))
    forms = {
        key: _tie_form(key, open_ties[key], next_number)
        for key in page
        if key == chosen or len(open_ties[key].players) <= MOST_TYPED_IN_LIST
    }
    if bound_form is not None:
        forms[posted_key] = bound_form
    away = who_is_away(tournament, [each for key in page for each in open_ties[key].players])
    context = {
        "tournament": tournament,
        "page": page,
        "has_totals": progress.has_totals(tournament, event.sessions),
        "ties": [
            (
                key,
                tie,
                forms.get(key),
                why_not_played(event, tie.players),
                play_off_on(event, tie.players),
                [each for each in tie.players if each in away],
            )
            for key in page
            for tie in [open_ties[key]]
        ],
        "is_one_of_many": len(listed) < len(open_ties),
        "next_number": next_number,
        "why_on": service.PlayOffIsOn.sentence,
        "play_offs": [each for each in event.sessions if each.session.is_play_off],
        "sent": bound_form,
        **_decisions_context(event, open_ties.values()),
        "rules_fingerprint": tournament.rules.fingerprint,
    }
    return render(request, "ties.html", context, status=200 if posted is None else 422)


def _decisions_context(event: Event, open_ties: Iterable[Tie]) -> dict[str, Any]:
    """Return the template context of the tournament's decisions on ties.

    A row has a decision, the players' names in the decided order, the stage whose places it decides
    (None: all stages), whether the decision must be taken back before an open tie of its players
    can be decided, and whether it has lapsed.
    """
    names = event.names
    decisions = event.tournament.tie_decisions.all()
    blocking = {decision.number for tie in open_ties for decision in tie.former}
    decided = decided_players(event)
    stages = {each.number: each for each in event.plan.stages}
    return {
        "plan": event.plan,
        "rows": [
            (
                each,
                [names.get(str(number), number) for number in each.order],
                stages.get(each.stage or 0),
                each.number in blocking,
                not each.taken_back_at and decided.isdisjoint(map(str, each.order)),
            )
            for each in decisions
        ],
        "has_lots": any(each.seed for each in decisions),
    }


def _tie_form(key: str, tie: Tie, number: int, data: QueryDict | None = None) -> TieForm:
    """Return the form for a typed order of a tie, bound if `data` is given.

    `number` is that of the next decision. The HTML ids contain the key of the tie.
    """
    return TieForm(tie.players, data, initial={"number": number}, auto_id=f"tie_{key}_%s")


def _decide_tie(request: HttpRequest, tournament: Tournament, form: TieForm) -> bool:
    """Return False, with an error in the form, if refused."""
    number, reason = form.cleaned_data["number"], form.cleaned_data["reason"]
    by = rights.actor(request)
    with refusal_in(form):
        service.decide_tie(tournament, number, form.order, by=by, reason=reason)
        messages.success(request, _("Saved."))
    return form.is_valid()


def _draw_lot(request: HttpRequest, tournament: Tournament, key: str, tie: Tie | None) -> bool:
    """Decide a tie by lot, and return whether a lot has decided it.

    `key` names the players that were shown, `tie` is their tie if it is still open. If it is not,
    nothing is stored; the result is True if a lot with the posted number has decided between these
    players, as after a double click. A refusal is shown as a message.
    """
    form = LotForm(request.POST)
    if not form.is_valid():
        return False
    number = form.cleaned_data["number"]
    if tie is None or not tie.is_shared:
        in_force = tournament.tie_decisions.filter(taken_back_at=None)
        earlier_lot = in_force.filter(number=number).exclude(seed="").first()
        return earlier_lot is not None and set(map(str, earlier_lot.order)) == set(key.split("-"))
    tied, by = [entry.number for entry in tie.players], rights.actor(request)
    try:
        decision = service.draw_lot(tournament, number, tied, by=by, reason=audit.DECIDED_BY_LOT)
    except OperationRefused as refused:
        messages.error(request, str(refused))
        return False
    names = player_names(tie.players)
    order = " → ".join(isolated(names[str(each)]) for each in decision.order)
    messages.success(request, _("The lot has decided: %(order)s") % {"order": order})
    return True


def _take_back(
    request: HttpRequest, tournament: Tournament, take_back: Callable[..., None], page: str
) -> HttpResponse:
    """Take an adjustment or a decision back with the service `take_back`.

    Redirects to `page`, the URL name of the list: "adjustments" or "ties". A refusal is shown there
    as a message; `Http404` is raised for an unknown number.
    """
    form = (TakeBackDecisionForm if page == "ties" else TakeBackForm)(request.POST)
    if "reason" in form.errors:
        messages.error(request, _("Not undone yet. Enter a reason, then press Undo again."))
    if form.is_valid():
        number, reason = form.cleaned_data["take_back"], form.cleaned_data["reason"]
        try:
            take_back(tournament, number, by=rights.actor(request), reason=reason)
        except (Adjustment.DoesNotExist, TieDecision.DoesNotExist):
            raise Http404 from None
        except OperationRefused as refused:
            messages.error(request, str(refused))
        else:
            messages.success(request, _("Undone."))
    return redirect(page, tournament.slug)
