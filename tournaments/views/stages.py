"""The stages after the first: their definition, and the players who go on to them."""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Mapping
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from scoring.stages.selection import AtLine
from tournaments.exceptions import OperationRefused
from tournaments.forms import posted_data
from tournaments.forms.sessions import ReasonForm
from tournaments.forms.stages import ConfirmForm, ReplaceForm, StageForm, quotas_form
from tournaments.i18n.sentences import isolated, listed
from tournaments.i18n.stages import settled_tie, stage_name
from tournaments.models import AuditEntry, Entry, Stage, Tournament
from tournaments.permissions import door, rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.queries import live_events, progress
from tournaments.queries import stages as stage_queries
from tournaments.queries.board import count_disagreements
from tournaments.queries.events import Event
from tournaments.services import seating
from tournaments.services import stages as stages_service
from tournaments.services.stages import StageBegun
from tournaments.views.play_offs import ties_to_settle
from tournaments.web.public_pages import cached_for_spectators
from tournaments.web.refusals import refusal_as_message, refusal_in

NEXT_SHOWN = 10  # of the players who are next in line
NEXT_TO_CHOOSE = 100  # of the reserves
ROWS_A_PAGE = 1000


@requires(GET=Level.SEE)
@cached_for_spectators
def stages(request: HttpRequest, slug: str) -> HttpResponse:
    event = door.event_of(request, allow_older=True)
    by_key = {entry.key: entry for entry in event.entries}
    listed = [
        (stage, stage.read_quotas(), _members_by_group(stage, by_key))
        for stage in event.ranking_facts.stages
    ]
    context = {
        "tournament": event.tournament,
        "publication": event.publication,
        "role": rights.role_in(request, event.tournament),
        "stages": listed,
        "next_number": len(listed) + 2,
        "rules_fingerprint": event.tournament.rules.fingerprint,
    }
    return render(request, "stages.html", context)


def _members_by_group(
    stage: Stage, entries_by_key: Mapping[str, Entry]
) -> list[tuple[str, list[Entry]]]:
    """Return the confirmed players of a stage as (name of the group, players).

    Players who are not in `entries_by_key`, as they were deleted, are left out.
    """
    return [
        (group.group, [entries_by_key[key] for key in group.players if key in entries_by_key])
        for group in stage.read_members()
    ]


@never_cache
@requires(GET=Level.DIRECT, POST=Level.DIRECT)
def edit_stage(request: HttpRequest, slug: str, stage: int) -> HttpResponse:
    """Define the next stage, or change or remove a stage; the service refuses a confirmed one.

    The number `stage` is that of a stage after the first, or the next free number, else `Http404`.
    """
    tournament = door.tournament_of(request)
    version = stage_queries.stage_version(tournament, stage)  # read before the stage
    stored = tournament.stages.filter(number=stage).first()
    if request.POST.get("do") == "remove":
        return _remove_stage(request, tournament, stage)
    if stored is None and stage != tournament.stages.count() + 2:
        raise Http404
    initial = {"name": stage_name("Final")}
    if stored:
        names = ("name", "sessions_planned", "carry", "at_line")
        initial = {name: getattr(stored, name) for name in names}
        initial["name"] = stage_name(stored.name)
    form = StageForm(posted_data(request), initial=initial | {"seen": version})
    quota_formset = quotas_form(
        posted_data(request),
        stored.read_quotas() if stored else [],
        stage_queries.classes_of_players(tournament),
    )
    if form.is_valid() and quota_formset.is_valid():
        plan = form.plan(quota_formset.quotas(), stored.seed if stored else None)
        with refusal_in(form):
            stages_service.set_stage(
                tournament,
                stage,
                plan,
                seen_version=form.cleaned_data["seen"],
                by=rights.actor(request),
            )
            messages.success(request, _("The stage has been saved."))
            return redirect("stages", slug)
    context = {"tournament": tournament, "form": form, "lines": quota_formset, "stage": stored}
    context |= {"number": stage, "rules_fingerprint": tournament.rules.fingerprint}
    return render(request, "edit_stage.html", context, status=422 if form.is_bound else 200)


def _remove_stage(request: HttpRequest, tournament: Tournament, stage: int) -> HttpResponse:
    """Remove a stage; of one that was removed already a message says so."""
    removed = tournament.audit_entries.filter(kind=AuditEntry.Kind.STAGE_REMOVED)
    try:
        stages_service.remove_stage(tournament.stages.get(number=stage), by=rights.actor(request))
    except Stage.DoesNotExist:
        if not removed.filter(subject__stage=stage).exists():
            raise Http404 from None
        messages.info(request, _("This stage has been removed already."))
    except OperationRefused as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, _("The stage has been removed."))
    return redirect("stages", tournament.slug)


@never_cache
@requires(GET=Level.DIRECT, POST=Level.DIRECT)
def stage_members(request: HttpRequest, slug: str, stage: int) -> HttpResponse:
    """Show the players who go on to a stage; on POST confirm them.

    For a confirmed stage see `_show_confirmed`.
    """
    tournament = door.tournament_of(request)
    stored = get_object_or_404(tournament.stages, number=stage)
    stored.tournament = tournament  # saves a query
    if stored.is_confirmed:
        return _show_confirmed(request, stored)
    if request.POST.get("do") in {"replace", "take-back"}:  # another page has taken it back
        messages.success(request, _("The players who advance are no longer confirmed."))
        return redirect("stage-members", slug, stage)
    form = ConfirmForm(posted_data(request))
    if form.is_valid():
        with refusal_in(form):
            stages_service.confirm_members(
                stored,
                form.cleaned_data["members"],
                decided=form.cleaned_data["chosen"],
                by=rights.actor(request),
                reason=form.cleaned_data["reason"],
            )
            messages.success(request, _("The players who advance are confirmed."))
            return redirect("stage-members", slug, stage)
    return _show_selection(request, stored, form)


def _show_selection(request: HttpRequest, stage: Stage, form: ConfirmForm) -> HttpResponse:
    """Show the players who go on by the current standings, and the form that confirms them.

    If the director has to decide a tie at the line, the page lets them choose; the players `chosen`
    in the query go on. `tie` in the query has the numbers of the players among whom the director
    has chosen last: if these are still tied, too many or too few are ticked.
    """
    chosen = request.GET.getlist("chosen")
    event = live_events.events.current(stage.tournament)
    selection = stage_queries.going_on(stage, chosen, event.ranking_facts)
    sessions = progress.sessions_of(stage.tournament)
    earlier = stage.tournament.stages.filter(number__lt=stage.number)
    before = earlier.filter(members__isnull=True).first()
    going_on = [(group, row) for group, rows in selection.groups for row in rows]
    tied = [row.entry.key for row in selection.tied]
    page = Paginator(going_on, ROWS_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "form": form,
        "found": selection,
        "chosen": chosen,
        "chosen_before": [each for each in chosen if each not in tied],
        "tie_key": (tie_key := "-".join(tied)),
        "is_undecided": bool(tied) and request.GET.get("tie") == tie_key,
        "play_off": next(
            (
                each.key
                for each in (ties_to_settle(event) if tied else ())
                if each.stage == stage and {player.key for player in each.players} == {*tied}
            ),
            "",
        ),
        "disagreements": count_disagreements(stage.tournament),
        "members": json.dumps(selection.members, ensure_ascii=False, separators=(",", ":")),
        "settled": _settled_ties(
            stage,
            [tie.tied for tie in selection.settled],
            {row.entry.key for _g, row in going_on},
            {entry.key: entry for entry in event.entries},
        ),
        "count": len(going_on),
        "page": page,
        "groups": [
            (group, len(rows), shown)
            for group, rows in selection.groups
            if (shown := [row for its_group, row in page if its_group == group]) or not rows
        ],
        "next_in_line": selection.next_in_line[:NEXT_SHOWN],
        "unfinished": [each.session for each in sessions if not each.is_over],
        "before": before,
        "sessions_left": 0 if before else progress.current_plan(stage.tournament).current.left,
    }
    return _render_members(request, stage, context, status=422 if form.is_bound else 200)


def _show_confirmed(request: HttpRequest, stage: Stage) -> HttpResponse:
    """Show the players of a confirmed stage.

    On POST with `do=replace` replace one of them, with `do=take-back` undo the confirmation.
    """
    if done := _done_already(request, stage):
        messages.success(request, done)
        return redirect("stage-members", stage.tournament.slug, stage.number)
    by_key = {entry.key: entry for entry in stage.tournament.entries.all()}
    groups = _members_by_group(stage, by_key)
    members = [entry for _group, entries in groups for entry in entries]
    live = live_events.events.current(stage.tournament)
    in_line = stage_queries.next_in_line(stage, facts=live.ranking_facts)
    is_replacement = request.POST.get("do") == "replace"
    form = ReplaceForm(
        members,
        [row.entry for row in in_line.reserves[:NEXT_TO_CHOOSE]],
        [row.entry for row in in_line.gave_up],
        request.POST if is_replacement else None,
        is_one_line=stage_queries.is_one_line(stage),
    )
    is_undo = request.POST.get("do") == "take-back"
    reason_form = ReasonForm(request.POST if is_undo else None, auto_id="undo_%s")
    if form.is_valid() or reason_form.is_valid():
        with refusal_as_message(request):
            if is_replacement:
                _replace_member(request, stage, form, by_key)
            else:
                reason = reason_form.cleaned_data["reason"]
                by = rights.actor(request)
                stages_service.take_back_members(stage, by=by, reason=reason)
                messages.success(request, _("The players who advance are no longer confirmed."))
        return redirect("stage-members", stage.tournament.slug, stage.number)
    confirmation = stage_queries.confirmation_of(stage)
    context = {
        "form": form,
        "reason_form": reason_form,
        "settled": _settled_ties(stage, confirmation.tied or (), confirmation.groups, by_key),
        "first_session": stage.opening_session(stage.tournament.play_off_numbers),
        "groups": groups,
        "selections": [each for each in live.selection_changes if each.stage == stage],
        "count": len(members),
        "seated": (seated := stage_queries.last_session(stage)),
        "why_settled": StageBegun.sentence,
        "is_played": _is_played(stage, live),
        "may_remove": seated and not seating.has_begun(seated),
    }
    status = 422 if request.method == "POST" else 200
    return _render_members(request, stage, context, status=status)


def _settled_ties(
    stage: Stage,
    ties: Iterable[Iterable[str]],
    advancing: Container[str],
    by_key: Mapping[str, Entry],
) -> list[str]:
    """Return the ties at a line that the lot or the director has settled, in sentences."""
    seed = stage.seed if stage.at_line == AtLine.LOT else None

    def names(keys: Iterable[str]) -> str:
        found = (by_key[key] for key in sorted(keys, key=int) if key in by_key)
        return listed([f"{entry.number} {isolated(entry.name)}" for entry in found])

    return [
        settled_tie(names(tie), names(key for key in tie if key in advancing), seed) for tie in ties
    ]


def _done_already(request: HttpRequest, stage: Stage) -> str:
    """Return what was done when the form that is sent was sent before; empty if it was not."""
    sent = request.POST
    if sent.get("do") == "confirm":
        form = ConfirmForm(sent)
        is_done = form.is_valid() and form.cleaned_data["members"] == stage.members
        return _("The players who advance are confirmed.") if is_done else ""
    if sent.get("do") == "replace":
        members = {str(number) for group in stage.members or () for number in group["players"]}
        leaving, following = sent.get("leaving", ""), sent.get("following", "")
        is_done = leaving and leaving not in members and following in {"", *members}
        return _("The player has been replaced.") if is_done else ""
    return ""


def _is_played(stage: Stage, event: Event) -> bool:
    """Return whether nothing of a confirmed stage is left to play or to seat.

    A session that was stopped only by closing the event goes on once that is reopened.
    """
    current = event.plan.current
    if current.number > stage.number:
        return True
    return not current.left and all(
        each.session.ended_at is not None or each.progress.is_complete
        for each in event.sessions
        if each.session.number in current.seated
    )


def _replace_member(
    request: HttpRequest, stage: Stage, form: ReplaceForm, by_key: dict[str, Entry]
) -> None:
    """Replace a player of a confirmed stage as the valid form says; nobody may follow.

    Raises `OperationRefused`.
    """
    data = form.cleaned_data
    following = by_key[str(data["following"])] if data["following"] is not None else None
    stages_service.replace_member(
        stage,
        by_key[str(data["leaving"])],
        following,
        by=rights.actor(request),
        reason=data["reason"],
    )
    messages.success(request, _("The player has been replaced."))


def _render_members(
    request: HttpRequest, stage: Stage, context: dict[str, Any], *, status: int
) -> HttpResponse:
    """Add the values that each page of a stage's players needs."""
    context |= {
        "tournament": stage.tournament,
        "stage": stage,
        "quotas": stage.read_quotas(),
        "list_url": reverse("stages", args=[stage.tournament.slug]),
        "rules_fingerprint": stage.tournament.rules.fingerprint,
    }
    return render(request, "stage_members.html", context, status=status)
