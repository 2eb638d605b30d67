"""A tournament: its overview, its settings, creating it and removing it."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

import scoring
from tournaments.forms import posted_data
from tournaments.forms.archives import RemovalWithArchiveForm
from tournaments.forms.plans import PlanForm, initial_plan
from tournaments.forms.sessions import ReasonForm
from tournaments.forms.tournaments import TournamentForm
from tournaments.i18n.units import broken_cycle_warning
from tournaments.models import AuditEntry, Membership, Series, Sitting, Tournament
from tournaments.permissions import door, rights, tournament_lists
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.queries import presence, progress, schedules
from tournaments.queries import run_sheet as run_sheets
from tournaments.queries.board import desk_requests_in
from tournaments.queries.events import Event
from tournaments.queries.publications import showing
from tournaments.queries.publications.events import with_readable_rules
from tournaments.queries.registrations import open_applications
from tournaments.services import clones, tournaments, versions
from tournaments.services import stages as stages_service
from tournaments.services.stages import StagePlan
from tournaments.views.awards import interim_sentence
from tournaments.views.conflicts import UnseenChange, seen_version, unseen_change
from tournaments.views.copied_entries import copy_entries_url
from tournaments.views.play_offs import ties_to_settle
from tournaments.views.rules import find_rules
from tournaments.web.guides import Guide
from tournaments.web.public_pages import cached_for_spectators
from tournaments.web.refusals import refusal_in

MOST_REPEATABLE = 50  # earlier tournaments listed, the newest first


@requires(GET=Level.SEATS)
def tournament(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a tournament's progress, and to its staff the next step.

    A reader who may see the seats only is redirected to them.
    """
    if not rights.may_see(request, door.tournament_of(request)):
        return redirect("seats", slug)
    return _overview(request)


@cached_for_spectators
def _overview(request: HttpRequest) -> HttpResponse:
    """Show the overview to a reader who may see the tournament; redirect from a club table."""
    event = door.event_of(request, allow_older=True)
    tournament = event.tournament
    if tournament.kind == Tournament.Kind.TABLE:
        return redirect(get_object_or_404(Sitting, session__tournament=tournament))
    sessions, players = event.sessions, len(event.players)
    role = rights.role_in(request, tournament)
    context = {
        "tournament": tournament,
        "role": role,
        "publication": event.publication,
        "rules": tournament.rules,
        "rules_fingerprint": tournament.rules.fingerprint,
        "players": players,
        "substitutes": len(event.entries) - players,
        "sessions": sessions,
        "has_totals": progress.has_totals(tournament, event.sessions),
        "is_totals_only": tournament.totals_only
        and all(each.session.totals_only for each in sessions),
        "to_come": interim_sentence(event) if event.publication else "",
        "on_now": progress.current_session(sessions),
        "series": Series.objects.filter(tournaments=tournament.pk),
        "takes_registrations": door.tournament_of(request).takes_registrations,
        "guides": list(Guide),
        **(_run_sheet_context(event) if role else _plan_context(event)),
        "ties": ties_to_settle(event) if role == Membership.Role.DIRECTOR else [],
    }
    return render(request, "tournament.html", context)


def _planned_numbers(tournament: Tournament) -> set[int]:
    """Return the numbers of the sessions whose seats are planned."""
    schedule = schedules.schedule_of(tournament)
    return {each.number for each in schedules.planned_sessions(schedule)} if schedule else set()


def _plan_context(event: Event) -> dict[str, object]:
    """Return the template context of the plan, which spectators of a live event see."""
    if event.publication:
        return {}
    return {"run_sheet": run_sheets.run_sheet(run_sheets.day_of(event, timezone.now()), ())}


def _run_sheet_context(event: Event) -> dict[str, object]:
    """Return the template context of the run sheet and the next step, which the staff sees.

    `missing` are the players whom the roll call has not reached: empty while a session is played,
    until its roll call has begun.
    """
    tournament, sessions = event.tournament, event.sessions
    playing = progress.current_progress(sessions)
    day = run_sheets.day_of(event, timezone.now())
    run_sheet = run_sheets.run_sheet(day, event.sheets if playing else [])
    desk_requests = desk_requests_in(tournament)
    return {
        "disagreements": sum(each.disagreement is not None for each in desk_requests),
        "calls": sum(each.call is not None for each in desk_requests),
        "announced": showing.shown_publication(tournament),
        "applications": open_applications(tournament),
        "unannounced": day.unannounced,
        "run_sheet": run_sheet,
        "next_step": run_sheet.next_step,
        "next_number": run_sheet.next_number,
        "missing_members": run_sheet.missing_members,
        "selections": event.selection_changes,
        "planned_numbers": _planned_numbers(tournament),
        "roll": day.roll,
        "seats": presence.seats_to_change(day.roll, tournament),
        "missing": [] if playing and not day.roll.has_begun else day.unchecked,
        "names": SimpleLazyObject(lambda: event.names),
    }


@requires(GET=Level.CREATE)
def choose_rules(request: HttpRequest) -> HttpResponse:
    """Also lists the reader's tournaments to repeat."""
    all_rules = [scoring.choose(rule_set) for rule_set in scoring.RULE_SETS]
    earlier = with_readable_rules(tournament_lists.staffed_tournaments(request)[:MOST_REPEATABLE])
    return render(request, "choose_rules.html", {"all_rules": all_rules, "earlier": earlier})


@requires(GET=Level.CREATE, POST=Level.CREATE)
def create_tournament(request: HttpRequest, rule_set: str) -> HttpResponse:
    """Create a tournament; its creator becomes its director.

    `like` in the query is the slug of a tournament that the reader staffs: its settings and rules
    are proposed, and its players on the next page.
    """
    rules = find_rules(rule_set)
    like = tournament_lists.staffed_tournament(request, request.GET.get("like", ""))
    candidates = [like] if like and like.rule_set == rules.slug else []
    source = next(iter(with_readable_rules(candidates)), None)
    new = (
        clones.copy_of_settings(source)
        if source
        else Tournament(rule_set=rules.slug, rounds_per_session=rules.usual_rounds)
    )
    form = TournamentForm(new, posted_data(request))
    stages = list(source.stages.all()) if source else []
    plan = PlanForm(posted_data(request), initial=initial_plan(new.sessions_planned, stages))
    if request.method == "POST" and form.is_valid() and plan.is_valid():
        new = form.with_typed_settings()
        new.partners = form.wants_partners  # `change_rules` sets it for a stored tournament
        new.sessions_planned = plan.cleaned_data["sessions_planned"]
        _save_new(request, new, form.rules, source, plan.stage_plans())
        messages.success(request, _("The tournament has been created. Now add the players."))
        _warn_of_broken_cycle(request, new)
        entries = reverse("entries", args=[new.slug])
        return redirect(copy_entries_url(new, source) if source else entries)
    return _show_settings(request, "create_tournament.html", form, source=source, plan_form=plan)


def _save_new(
    request: HttpRequest,
    new: Tournament,
    rules: scoring.Rules,
    source: Tournament | None,
    stage_plans: Sequence[StagePlan] | None,
) -> None:
    """Save a new tournament with these stages, None for those of `source`.

    With `source`, copy what its director chose besides the settings.
    """
    by = rights.actor(request)
    with transaction.atomic():
        if source:
            clones.create_like(new, rules, source, by=by, stage_plans=stage_plans)
        else:
            tournaments.create_tournament(new, rules, by=by)
            stages_service.define_stages(new, stage_plans or (), by=by)


@requires(GET=Level.DIRECT, POST=Level.DIRECT)
def edit_tournament(request: HttpRequest, slug: str) -> HttpResponse:
    """Change the settings; the rules only while nothing is recorded.

    Answers 409 with the change of somebody else, if the settings were changed since the page was
    opened.
    """
    tournament = door.tournament_of(request)
    shown_version = (
        seen_version(request) if request.method == "POST" else versions.version_of(tournament)
    )
    tournament.refresh_from_db()  # after the version, so that the page is not older
    form = TournamentForm(tournament, posted_data(request))
    # A form opened before the first record still posts rules: they are refused, not ignored.
    if tournament.is_frozen and not any(name.startswith("points_") for name in form.data):
        form.freeze()
    change = None
    if request.method == "POST" and form.is_valid():
        try:
            kept = tournaments.change_rules(
                form.with_typed_settings(),
                form.rules,
                seen_version=shown_version,
                by=rights.actor(request),
                partners=form.wants_partners,
            )
        except tournaments.RulesFrozen:
            form.refuse_rules()
        except tournaments.TableSizeConflict as refused:
            form.refuse_partners(refused.tables)
        except versions.VersionConflict as conflict:
            change, shown_version = unseen_change(tournament, conflict), conflict.version
        else:
            messages.success(request, _("Saved."))
            if kept:
                sentence = _("Sessions that are over keep the number they were played with.")
                messages.info(request, sentence)
            _warn_of_broken_cycle(request, tournament)
            return redirect(tournament)
    return _show_settings(
        request, "edit_tournament.html", form, shown_version=shown_version, change=change
    )


def _warn_of_broken_cycle(request: HttpRequest, tournament: Tournament) -> None:
    if warning := broken_cycle_warning(tournament.rules, tournament.rounds_per_session):
        messages.warning(request, warning)


def _show_settings(
    request: HttpRequest,
    template: str,
    form: TournamentForm,
    *,
    shown_version: int | None = None,
    change: UnseenChange | None = None,
    source: Tournament | None = None,
    plan_form: PlanForm | None = None,
) -> HttpResponse:
    """Show the settings form with this template, and for a new tournament that of its plan.

    `shown_version` is the version of the settings shown, None for a new tournament; `source` is the
    tournament that a new one copies. `change` is the change of somebody else after a conflict.
    """
    context = {"form": form, "tournament": form.tournament, "rules": form.rules, "source": source}
    context |= {"change": change, "seen": shown_version, "plan_form": plan_form}
    if not form.errors:
        context["rules_fingerprint"] = form.rules.fingerprint
    status = 409 if change else 422 if form.is_bound else 200
    return render(request, template, context, status=status)


@never_cache
@requires(GET=Level.DIRECT, POST=Level.DIRECT, allow_removed=True)
def remove_tournament(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask for confirmation; on POST remove a tournament, one with records only with its archive.

    With `do=restore` restore a removed one.
    """
    tournament = door.tournament_of(request)
    by, has_records = rights.actor(request), tournament.is_frozen
    form_class = RemovalWithArchiveForm if has_records else ReasonForm
    form = form_class(posted_data(request), request.FILES or None)
    if request.POST.get("do") == "restore":
        tournaments.restore_tournament(tournament, by=by)
        messages.success(
            request, _("The tournament has been restored. Make new links or table cards.")
        )
        return redirect(tournament)
    if request.method == "POST" and tournament.removed_at is not None:
        return redirect("remove-tournament", slug)  # which says so
    if form.is_valid():
        with refusal_in(form):
            tournaments.remove_tournament(
                tournament,
                by=by,
                reason=form.cleaned_data["reason"],
                archived=form.cleaned_data.get("file", ""),
            )
            messages.success(request, _("The tournament has been removed."))
            return redirect("remove-tournament", slug)
    context = {
        "tournament": tournament,
        "form": form,
        "removal": tournament.audit_entries.filter(kind=AuditEntry.Kind.EVENT_REMOVED).last(),
        "has_records": has_records,
        "rules_fingerprint": tournament.rules.fingerprint,
    }
    return render(request, "remove_tournament.html", context, status=422 if form.is_bound else 200)
