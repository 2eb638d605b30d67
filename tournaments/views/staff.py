"""The staff of a tournament: its directors and scorekeepers."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.models import User
from django.db import IntegrityError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.forms import posted_data
from tournaments.forms.staff import StaffForm
from tournaments.models import AuditEntry, Membership, Tournament
from tournaments.permissions import door, rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.server import venue
from tournaments.services.staff import (
    ConfusingName,
    LastDirector,
    give_role,
    open_account,
    remove_role,
)
from tournaments.web.refusals import refusal_in


@never_cache  # it shows a new account's password once
@requires(GET=Level.DIRECT, POST=Level.DIRECT)
def staff(request: HttpRequest, slug: str) -> HttpResponse:
    """List the staff; on POST add or remove a member.

    A member without an account gets a new one; its password is shown once, in the response.
    """
    tournament = door.tournament_of(request)
    if "remove" in request.POST:
        return _remove_staff(request, tournament)
    form = StaffForm(tournament, posted_data(request))
    if request.method == "POST" and form.is_valid():
        if form.user:
            _give_role(request, tournament, form.user, form)
        elif password := _open_account(request, tournament, form):
            return _show_staff(
                request, tournament, StaffForm(tournament), new_user=form.user, password=password
            )
        if not form.errors:
            messages.success(request, _("%(name)s is on the staff now.") % {"name": form.user})
            return redirect("staff", tournament.slug)
    return _show_staff(request, tournament, form)


def _give_role(request: HttpRequest, tournament: Tournament, user: User, form: StaffForm) -> None:
    with refusal_in(form, "username"):
        give_role(tournament, user, form.cleaned_data["role"], by=rights.actor(request))


def _open_account(request: HttpRequest, tournament: Tournament, form: StaffForm) -> str | None:
    """Open the account in the form with its role, and return its new password.

    Return None, with an error in the form, if the name has been taken meanwhile.
    """
    password = venue.readable_password()
    try:
        form.user = open_account(
            tournament,
            username=form.cleaned_data["username"],
            password=password,
            role=form.cleaned_data["role"],
            by=rights.actor(request),
        )
    except IntegrityError:  # created since the form was validated
        form.add_error("username", _("There is already an account with this name: choose another."))
        return None
    except ConfusingName as refused:
        form.add_error("username", str(refused))
        return None
    return password


def _remove_staff(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Remove an account from the staff; of one that was removed already a message says so."""
    chosen = request.POST["remove"]
    members = {
        member.user.username: member for member in tournament.memberships.select_related("user")
    }
    is_member = chosen in members
    if is_member:
        try:
            remove_role(members[chosen], by=rights.actor(request))
        except Membership.DoesNotExist:
            is_member = False
        except LastDirector:
            messages.error(
                request, _("A tournament needs a director: make somebody else director first.")
            )
        else:
            messages.success(request, _("%(name)s was removed.") % {"name": chosen})
    if not is_member:
        if chosen not in _removed_accounts(tournament):
            raise Http404
        messages.info(request, _("%(name)s has been removed already.") % {"name": chosen})
    return redirect("staff", tournament.slug)


def _removed_accounts(tournament: Tournament) -> set[str]:
    removed = tournament.audit_entries.filter(kind=AuditEntry.Kind.ROLE_TAKEN)
    return {*removed.values_list("old__user", flat=True)}


def _show_staff(
    request: HttpRequest,
    tournament: Tournament,
    form: StaffForm,
    *,
    new_user: User | None = None,
    password: str = "",
) -> HttpResponse:
    """`password` is that of `new_user`, who was just added."""
    context = {
        "tournament": tournament,
        "members": tournament.memberships.select_related("user").order_by("role", "user__username"),
        "directors": tournament.memberships.filter(role=Membership.Role.DIRECTOR).count(),
        "scorekeeper": Membership.Role.SCOREKEEPER,
        "form": form,
        "new_user": new_user,
        "password": password,
    }
    return render(request, "staff.html", context, status=422 if form.is_bound else 200)
