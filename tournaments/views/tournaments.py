"""A tournament as a whole: its rules, its state, its staff, and who may see it."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.models import User
from django.db import IntegrityError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

import scoring
from tournaments.forms import posted
from tournaments.forms.staff import StaffForm
from tournaments.forms.tournaments import TournamentForm
from tournaments.i18n.units import broken_turn
from tournaments.models import Membership, Sitting, Tournament
from tournaments.permissions import door, rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.queries import progress, publications
from tournaments.server import venue
from tournaments.services import tournaments, versions
from tournaments.services.staff import (
    AlreadyOnStaff,
    LastDirector,
    give_role,
    open_account,
    take_role,
)
from tournaments.views.rules import find_rules
from tournaments.views.stale import Change, change_of, seen_by


@requires(GET=Level.SEE)
def tournament(request: HttpRequest, slug: str) -> HttpResponse:
    """Show where the tournament stands, and to its staff what comes next."""
    event = door.event_of(request)
    found = event.tournament
    if found.kind == Tournament.Kind.TABLE:
        return redirect(get_object_or_404(Sitting, session__tournament=found))
    sessions, entries = event.sessions, len(event.entries)
    role = rights.role_in(request, found)
    announced = publications.shown_publication(found) if role else None
    unannounced = publications.changes_since(announced).count() if announced else 0
    context = {
        "tournament": found,
        "role": role,
        "publication": event.publication,
        "announced": announced,
        "unannounced": unannounced,
        "rules": found.rules,
        "rules_fingerprint": found.rules.fingerprint,
        "entries": entries,
        "sessions": sessions,
        "next_number": len(sessions) + 1,
        "on_now": progress.current_session(sessions),
        "next_step": progress.next_step(found, entries, sessions, unannounced),
    }
    return render(request, "tournament.html", context)


@requires(GET=Level.CREATE)
def choose_rules(request: HttpRequest) -> HttpResponse:
    """Ask which rules a new tournament is played by."""
    all_rules = [scoring.choose(rule_set) for rule_set in scoring.RULE_SETS]
    return render(request, "choose_rules.html", {"all_rules": all_rules})


@requires(GET=Level.CREATE, POST=Level.CREATE)
def create_tournament(request: HttpRequest, rule_set: str) -> HttpResponse:
    """Create a tournament, directed by whoever creates it."""
    rules = find_rules(rule_set)
    new = Tournament(rule_set=rules.slug, rounds_per_session=rules.usual_rounds)
    form = TournamentForm(new, posted(request))
    if request.method == "POST" and form.is_valid():
        new = form.settled()
        new.partners = form.wants_partners
        tournaments.create_tournament(new, form.rules, by=rights.actor(request))
        messages.success(request, _("The tournament is set up. Now add the players."))
        _warn_of_broken_turn(request, new)
        return redirect("entries", new.slug)
    return _show_settings(request, "create_tournament.html", form)


@requires(GET=Level.DIRECT, POST=Level.DIRECT)
def edit_tournament(request: HttpRequest, slug: str) -> HttpResponse:
    """Change what was settled; the rules only until something is recorded under them."""
    found = door.tournament_of(request)
    seen = seen_by(request) if request.method == "POST" else versions.version_of(found)
    found.refresh_from_db()  # what is shown is never older than the version it is shown as
    form = TournamentForm(found, posted(request))
    # A form opened before the first record still sends rules: refuse them rather than ignore them.
    if found.is_frozen and not any(name.startswith("points_") for name in form.data):
        form.freeze()
    change = None
    if request.method == "POST" and form.is_valid():
        try:
            tournaments.change_rules(
                form.settled(),
                form.rules,
                seen=seen,
                by=rights.actor(request),
                partners=form.wants_partners,
            )
        except tournaments.RulesFrozen:
            form.refuse_rules()
        except tournaments.TableSizeConflict as refused:
            form.refuse_partners(refused.tables)
        except versions.VersionConflict as stale:
            change, seen = change_of(found, stale), stale.version
        else:
            messages.success(request, _("Saved."))
            _warn_of_broken_turn(request, found)
            return redirect(found)
    return _show_settings(request, "edit_tournament.html", form, seen, change)


def _warn_of_broken_turn(request: HttpRequest, found: Tournament) -> None:
    if warning := broken_turn(found.rules, found.rounds_per_session):
        messages.warning(request, warning)


def _show_settings(
    request: HttpRequest,
    template: str,
    form: TournamentForm,
    seen: int | None = None,
    change: Change | None = None,
) -> HttpResponse:
    """Show the settings; those that are not stored yet have no version to be seen."""
    context = {"form": form, "tournament": form.tournament, "rules": form.rules}
    context |= {"change": change, "seen": seen}
    if not form.errors:
        context["rules_fingerprint"] = form.rules.fingerprint
    status = 409 if change else 422 if form.is_bound else 200
    return render(request, template, context, status=status)


@never_cache  # a new account's password stands on it once
@requires(GET=Level.DIRECT, POST=Level.DIRECT)
def staff(request: HttpRequest, slug: str) -> HttpResponse:
    """Show who runs the tournament; add somebody, or remove them."""
    found = door.tournament_of(request)
    if "remove" in request.POST:
        return _remove_staff(request, found)
    form = StaffForm(found, posted(request))
    if request.method == "POST" and form.is_valid():
        password = _add_staff(request, found, form)
        if password:  # shown on this very page and kept nowhere
            return _show_staff(request, found, StaffForm(found), form.user, password)
        if not form.errors:
            messages.success(request, _("%(name)s is on the staff now.") % {"name": form.user})
            return redirect("staff", found.slug)
    return _show_staff(request, found, form)


def _add_staff(request: HttpRequest, tournament: Tournament, form: StaffForm) -> str | None:
    """Give a role to an account, made anew if need be; return the password of a new one."""
    role = form.cleaned_data["role"]
    if form.user:
        try:
            give_role(tournament, form.user, role, by=rights.actor(request))
        except AlreadyOnStaff as refused:  # added by somebody else just now
            form.add_error("username", refused.sentence)
        return None
    password = venue.readable_password()
    try:
        form.user = open_account(
            tournament, form.cleaned_data["username"], password, role, by=rights.actor(request)
        )
    except IntegrityError:  # somebody else made this account at the same moment
        form.add_error("username", _("There is an account of this name: choose another."))
        return None
    return password


def _remove_staff(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    chosen = request.POST["remove"]
    members = {each.user.username: each for each in tournament.memberships.select_related("user")}
    if chosen not in members:
        raise Http404
    member = members[chosen]
    try:
        take_role(member, by=rights.actor(request))
    except Membership.DoesNotExist as removed:
        raise Http404 from removed
    except LastDirector:
        messages.error(
            request, _("A tournament needs a director: make somebody else director first.")
        )
    else:
        messages.success(request, _("%(name)s was removed.") % {"name": member.user})
    return redirect("staff", tournament.slug)


def _show_staff(
    request: HttpRequest,
    tournament: Tournament,
    form: StaffForm,
    user: User | None = None,
    password: str = "",
) -> HttpResponse:
    context = {
        "tournament": tournament,
        "members": tournament.memberships.select_related("user").order_by("role", "user__username"),
        "scorekeeper": Membership.Role.SCOREKEEPER,
        "form": form,
        "new_user": user,
        "password": password,
    }
    return render(request, "staff.html", context, status=422 if form.is_bound else 200)
