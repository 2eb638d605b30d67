"""Changing the plan of a tournament, and asking before a session is seated that is not planned."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.forms import posted_data
from tournaments.forms.plans import PlanForm, initial_plan
from tournaments.models import Tournament
from tournaments.permissions import door, rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.queries.plan import Plan
from tournaments.queries.progress import current_plan
from tournaments.queries.stages import classes_of_players
from tournaments.services import plans
from tournaments.views.conflicts import seen_version
from tournaments.web.refusals import refusal_in


@never_cache
@requires(GET=Level.DIRECT, POST=Level.DIRECT)
def edit_plan(request: HttpRequest, slug: str) -> HttpResponse:
    """Change the plan: once a stage is confirmed, only the number of sessions of the current one.

    If the plan has changed since the page was opened, nothing is saved.
    """
    tournament = door.tournament_of(request)
    version = plans.plan_version(tournament)  # read before the plan
    form, plan = plan_form(request, tournament), current_plan(tournament)
    if plan.current.row:
        form.keep_stages()
    if form.is_valid():
        with refusal_in(form):
            plans.set_plan(
                tournament,
                form.cleaned_data["sessions_planned"],
                form.stage_plans(),
                seen_version=seen_version(request),
                by=rights.actor(request),
            )
            messages.success(request, _("The plan has been saved."))
            is_own = form.cleaned_data.get("plan") == "own"
            return redirect("stages" if is_own else "tournament", slug)
    context = {
        "tournament": tournament,
        "form": form,
        "current": plan.current,
        "seen": version,
        "rules_fingerprint": tournament.rules.fingerprint,
    }
    return render(request, "edit_plan.html", context, status=422 if form.is_bound else 200)


def plan_form(request: HttpRequest, tournament: Tournament) -> PlanForm:
    current = current_plan(tournament).current
    stages = list(tournament.stages.all())
    initial = initial_plan(current.planned, stages, classes_of_players(tournament))
    return PlanForm(posted_data(request), initial=initial)


def ask_for_extra_session(request: HttpRequest, tournament: Tournament, plan: Plan) -> HttpResponse:
    """Show that all sessions planned for the stage are seated; on POST plan one more."""
    if request.POST.get("do") == "extra":
        plans.add_session(tournament, by=rights.actor(request))
        return redirect("seat-session", tournament.slug)
    context = {
        "tournament": tournament,
        "plan": plan,
        "rules_fingerprint": tournament.rules.fingerprint,
    }
    status = 422 if request.method == "POST" else 200
    return render(request, "extra_session.html", context, status=status)
