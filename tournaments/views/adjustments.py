"""Points given and deducted, and ties that the director decides."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

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
from tournaments.queries.balance import balance_of
from tournaments.queries.events import Event
from tournaments.queries.ties import Tie, ties_of
from tournaments.services import adjustments as service
from tournaments.views.play_offs import key_of, why_not_tied


@never_cache
@requires(GET=Level.STAFF, POST=Level.DIRECT)
def adjustments(request: HttpRequest, slug: str) -> HttpResponse:
    """List the points given and deducted; add some, or take some back."""
    tournament = door.tournament_with_sessions(request)
    if "take_back" in request.POST:
        return _take_back(request, tournament, service.take_back_adjustment, "adjustments")
    number = service.next_number(tournament.adjustments.all())
    entries = list(tournament.entries.all())
    asked = {each.key: f"{each.number} {each.name}" for each in entries}
    start = {"number": number, "player": asked.get(request.GET.get("player", ""), "")}
    form = AdjustmentForm(entries, posted_data(request), initial=start)
    if form.is_valid() and _adjust_points(request, tournament, form):
        return redirect("adjustments", slug)
    rows = list(tournament.adjustments.select_related("entry"))
    context = {
        "tournament": tournament,
        "role": rights.role_in(request, tournament),
        "form": form,
        "rows": [(row, row.team not in ("", *form.teams)) for row in rows],
        "balance": balance_of(door.event_of(request).ranking_facts),
        "rules_fingerprint": tournament.rules.fingerprint,
    }
    return render(request, "adjustments.html", context, status=422 if form.is_bound else 200)


def _adjust_points(request: HttpRequest, tournament: Tournament, form: AdjustmentForm) -> bool:
    """Store what a valid form says and return whether it is stored; else the form says why."""
    sent, by = form.cleaned_data, rights.actor(request)
    number, points, reason = sent["number"], sent["points"], sent["reason"]
    try:
        service.adjust_points(tournament, number, form.whose, points, by=by, reason=reason)
    except OperationRefused as refused:
        form.add_error(None, str(refused))
        return False
    messages.success(request, _("Saved."))
    return True


@never_cache
@requires(GET=Level.DIRECT, POST=Level.DIRECT)
def ties(request: HttpRequest, slug: str) -> HttpResponse:
    """List who shares a place; decide the order, also by a lot, or take a decision back."""
    tournament = door.tournament_with_sessions(request)
    if "take_back" in request.POST:
        return _take_back(request, tournament, service.take_back_decision, "ties")
    sent_key, typed = request.POST.get("tied", ""), posted_data(request)
    number = service.next_number(tournament.tie_decisions.all())
    event = Event(tournament)
    open_ties = {key_of(tie.players): tie for tie in ties_of(event.standings, event.ranking_facts)}
    if "lot" in request.POST and _draw_lot(request, tournament, sent_key, open_ties.get(sent_key)):
        return redirect("ties", slug)
    typed_for = "" if "lot" in request.POST else sent_key
    ties = [
        (key, tie, _tie_form(key, tie, number, typed if typed_for == key else None))
        for key, tie in open_ties.items()
    ]
    sent = next((form for _key, _tie, form in ties if form.is_bound), None)
    if sent and sent.is_valid() and _decide_tie(request, tournament, sent):
        return redirect("ties", slug)
    is_open = sent_key in open_ties and open_ties[sent_key].is_shared
    if typed is not None and not is_open:
        messages.error(request, why_not_tied(event, sent_key))
    names = {entry.number: entry.name for entry in tournament.entries.all()}
    decisions = tournament.tie_decisions.all()
    in_the_way = {row.number for tie in open_ties.values() for row in tie.former}
    context = {
        "tournament": tournament,
        "ties": ties,
        "next_number": number,
        "play_offs": tournament.sessions.filter(tied__isnull=False),
        "sent": sent,
        "rows": [
            (row, [names.get(each, each) for each in row.order], row.number in in_the_way)
            for row in decisions
        ],
        "has_lots": any(row.seed for row in decisions),
        "rules_fingerprint": tournament.rules.fingerprint,
    }
    return render(request, "ties.html", context, status=200 if typed is None else 422)


def _tie_form(key: str, tie: Tie, number: int, data: QueryDict | None) -> TieForm:
    """Return the form for a typed order, with ids of its own; `number` is the next decision's."""
    start = {"number": number}
    return TieForm(tie.players, data, initial=start, auto_id=f"tie_{key}_%s")


def _decide_tie(request: HttpRequest, tournament: Tournament, form: TieForm) -> bool:
    """Store what a valid form says and return whether it is stored; else the form says why."""
    number, reason = form.cleaned_data["number"], form.cleaned_data["reason"]
    by = rights.actor(request)
    try:
        service.decide_tie(tournament, number, form.order, by=by, reason=reason)
    except OperationRefused as refused:
        form.add_error(None, str(refused))
        return False
    messages.success(request, _("Saved."))
    return True


def _draw_lot(request: HttpRequest, tournament: Tournament, key: str, tie: Tie | None) -> bool:
    """Let a lot decide a tie, and return whether it is decided so; else a message says why.

    `key` names the players that were shown. After a double click they are tied no more.
    """
    form = LotForm(request.POST)
    if not form.is_valid():
        return False
    number = form.cleaned_data["number"]
    if tie is None or not tie.is_shared:
        in_force = tournament.tie_decisions.filter(taken_back_at=None)
        drawn = in_force.filter(number=number).exclude(seed="").first()
        return drawn is not None and set(map(str, drawn.order)) == set(key.split("-"))
    tied, by = [entry.number for entry in tie.players], rights.actor(request)
    try:
        made = service.draw_lot(tournament, number, tied, by=by, reason=_("Decided by lot"))
    except OperationRefused as refused:
        messages.error(request, str(refused))
        return False
    names = {entry.number: isolated(entry.name) for entry in tie.players}
    order = " → ".join(names[each] for each in made.order)
    messages.success(request, _("The lot has decided: %(order)s") % {"order": order})
    return True


def _take_back(
    request: HttpRequest, tournament: Tournament, take_back: Callable[..., None], page: str
) -> HttpResponse:
    """Let an adjustment or a decision count no more, and return to the list."""
    form = (TakeBackDecisionForm if page == "ties" else TakeBackForm)(request.POST)
    if "reason" in form.errors:
        messages.error(request, _("Nothing is taken back yet: say why."))
    if form.is_valid():
        number, reason = form.cleaned_data["take_back"], form.cleaned_data["reason"]
        try:
            take_back(tournament, number, by=rights.actor(request), reason=reason)
        except (Adjustment.DoesNotExist, TieDecision.DoesNotExist):
            raise Http404 from None
        except OperationRefused as refused:
            messages.error(request, str(refused))
        else:
            messages.success(request, _("It is taken back."))
    return redirect(page, tournament.slug)
