"""The stages after the first: how they are defined, and who goes on."""

from __future__ import annotations

import json
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.exceptions import OperationRefused
from tournaments.forms import posted_data
from tournaments.forms.sessions import ReasonForm
from tournaments.forms.stages import ConfirmForm, ReplaceForm, StageForm, quotas_form
from tournaments.models import Entry, Stage, Tournament
from tournaments.permissions import door, rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.queries import progress
from tournaments.queries import stages as stage_queries
from tournaments.services import stages as stages_service
from tournaments.web.public_pages import cached_for_spectators

NEXT_SHOWN = 10  # of those next in line, before the rest is asked for


@requires(GET=Level.SEE)
@cached_for_spectators
def stages(request: HttpRequest, slug: str) -> HttpResponse:
    """List the stages: who goes on to each, and what is carried over."""
    event = door.event_of(request, allow_older=True)
    by_key = {entry.key: entry for entry in event.entries}
    listed = [
        (
            stage,
            stage.read_quotas(),
            [
                (group.group, [by_key[key] for key in group.players if key in by_key])
                for group in stage.read_members()
            ],
        )
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


@never_cache
@requires(GET=Level.DIRECT, POST=Level.DIRECT)
def edit_stage(request: HttpRequest, slug: str, stage: int) -> HttpResponse:
    """Define the next stage, change one before it is confirmed, or remove the last one."""
    tournament = door.tournament_of(request)
    version = stage_queries.version_of(tournament, stage)  # read before what it is the version of
    found = tournament.stages.filter(number=stage).first()
    if found is None and stage != tournament.stages.count() + 2:
        raise Http404
    if found and request.POST.get("do") == "remove":
        return _remove(request, found)
    initial = {"name": _("Final")}
    if found:
        initial = {"name": found.name, "carry": found.carry, "at_line": found.at_line}
    form = StageForm(posted_data(request), initial=initial | {"seen": version})
    lines = quotas_form(
        posted_data(request), found.read_quotas() if found else [], _classes(tournament)
    )
    if form.is_valid() and lines.is_valid():
        plan = form.plan(lines.quotas(), found.seed if found else None)
        try:
            stages_service.set_stage(
                tournament,
                stage,
                plan,
                seen_version=form.cleaned_data["seen"],
                by=rights.actor(request),
            )
        except OperationRefused as refused:
            form.add_error(None, str(refused))
        else:
            messages.success(request, _("The stage is saved."))
            return redirect("stages", slug)
    context = {"tournament": tournament, "form": form, "lines": lines, "stage": found}
    context |= {"number": stage, "rules_fingerprint": tournament.rules.fingerprint}
    return render(request, "edit_stage.html", context, status=422 if form.is_bound else 200)


def _classes(tournament: Tournament) -> list[str]:
    """Return the names of all classes, sorted."""
    named = tournament.entries.exclude(division="").order_by("division")
    return list(named.values_list("division", flat=True).distinct())


def _remove(request: HttpRequest, stage: Stage) -> HttpResponse:
    """Remove a stage and lead to the list."""
    try:
        stages_service.remove_stage(stage, by=rights.actor(request))
    except (OperationRefused, Stage.DoesNotExist) as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, _("The stage is removed."))
    return redirect("stages", stage.tournament.slug)


@never_cache
@requires(GET=Level.DIRECT, POST=Level.DIRECT)
def stage_members(request: HttpRequest, slug: str, stage: int) -> HttpResponse:
    """Show who goes on to a stage; confirm it, take it back, replace one of them."""
    tournament = door.tournament_of(request)
    found = get_object_or_404(tournament.stages, number=stage)
    found.tournament = tournament
    if found.is_confirmed:
        return _show_confirmed(request, found)
    form = ConfirmForm(posted_data(request))
    if form.is_valid():
        try:
            stages_service.confirm_members(
                found,
                form.cleaned_data["members"],
                decided=form.cleaned_data["chosen"],
                by=rights.actor(request),
                reason=form.cleaned_data["reason"],
            )
        except OperationRefused as refused:
            form.add_error(None, str(refused))
        else:
            messages.success(request, _("It is confirmed who goes on."))
            return redirect("stage-members", slug, stage)
    return _show_selection(request, found, form)


def _show_selection(request: HttpRequest, stage: Stage, form: ConfirmForm) -> HttpResponse:
    """Show who goes on as things stand, with the tie at the line to be decided."""
    chosen = request.GET.getlist("chosen")
    found = stage_queries.going_on(stage, chosen)
    sessions = progress.sessions_of(stage.tournament)
    earlier = stage.tournament.stages.filter(number__lt=stage.number)
    context = {
        "form": form,
        "found": found,
        "chosen": chosen,
        "members": json.dumps(found.members, ensure_ascii=False),
        "count": sum(len(rows) for _group, rows in found.groups),
        "next_in_line": found.next_in_line[:NEXT_SHOWN],
        "unfinished": [each.session for each in sessions if not each.is_over],
        "before": earlier.filter(members__isnull=True).first(),
    }
    return _render_members(request, stage, context, status=422 if form.is_bound else 200)


def _show_confirmed(request: HttpRequest, stage: Stage) -> HttpResponse:
    """Show who goes on; take it back, or replace a player, where a button asks for it."""
    by_key = {entry.key: entry for entry in stage.tournament.entries.all()}
    groups = [
        (group.group, [by_key[key] for key in group.players if key in by_key])
        for group in stage.read_members()
    ]
    in_line = [row.entry for row in stage_queries.next_in_line(stage)]
    members = [entry for _group, entries in groups for entry in entries]
    replaces = request.POST.get("do") == "replace"
    form = ReplaceForm(members, in_line, request.POST if replaces else None)
    reason_form = ReasonForm(request.POST if request.POST.get("do") == "take-back" else None)
    if form.is_valid() or reason_form.is_valid():
        try:
            if replaces:
                _replace(request, stage, form, by_key)
            else:
                reason = reason_form.cleaned_data["reason"]
                by = rights.actor(request)
                stages_service.take_back_members(stage, by=by, reason=reason)
                messages.success(request, _("It is open again who goes on."))
        except OperationRefused as refused:
            messages.error(request, str(refused))
        return redirect("stage-members", stage.tournament.slug, stage.number)
    context = {
        "form": form,
        "reason_form": reason_form,
        "groups": groups,
        "count": len(members),
        "has_begun": stage_queries.has_begun(stage),
    }
    status = 422 if request.method == "POST" else 200
    return _render_members(request, stage, context, status=status)


def _replace(
    request: HttpRequest, stage: Stage, form: ReplaceForm, by_key: dict[str, Entry]
) -> None:
    """Replace a player who goes on, as the form says."""
    data = form.cleaned_data
    following = by_key[str(data["following"])] if data["following"] is not None else None
    stages_service.replace_member(
        stage,
        by_key[str(data["leaving"])],
        following,
        by=rights.actor(request),
        reason=data["reason"],
    )
    messages.success(request, _("The player is replaced."))


def _render_members(
    request: HttpRequest, stage: Stage, context: dict[str, Any], *, status: int
) -> HttpResponse:
    context |= {
        "tournament": stage.tournament,
        "stage": stage,
        "quotas": stage.read_quotas(),
        "list_url": reverse("stages", args=[stage.tournament.slug]),
        "rules_fingerprint": stage.tournament.rules.fingerprint,
    }
    return render(request, "stage_members.html", context, status=status)
