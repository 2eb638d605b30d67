"""Creating and editing a series: its rules, its events, and who may edit it."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.exceptions import OperationRefused
from tournaments.forms import posted_data
from tournaments.forms.series import OwnerForm, SeriesForm
from tournaments.i18n.series import facts_in_words
from tournaments.models import Series, Tournament
from tournaments.permissions import door, rights, series_rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.services import series as series_service
from tournaments.views.conflicts import seen_version
from tournaments.web.refusals import refusal_as_message

CHANGES_SHOWN = 30


@requires(GET=Level.CREATE, POST=Level.CREATE)
def create_series(request: HttpRequest) -> HttpResponse:
    """Create a series, which its creator may edit.

    If the reader directs the `tournament` in the query, it is added to the series.
    """
    form = SeriesForm(Series(), posted_data(request))
    first_event = series_rights.directed_tournament(request, request.GET.get("tournament", ""))
    if form.is_valid():
        new = Series(**form.settings())
        series_service.create_series(new, by=rights.actor(request), event=first_event)
        if first_event is None:
            messages.success(request, _("The series has been created. Now add its tournaments."))
        else:
            words = _("The series has been created, and “%(name)s” is part of it.")
            messages.success(request, words % {"name": first_event})
        return redirect("edit-series", new.slug)
    context = {"form": form, "first": first_event}
    return render(request, "create_series.html", context, status=422 if form.is_bound else 200)


@never_cache
@requires(GET=Level.SERIES, POST=Level.SERIES)
def edit_series(request: HttpRequest, series: str) -> HttpResponse:
    """Change the name and rules of a series; with `do` add or remove an account that may edit it.

    The page also lists the events, and the tournaments that the reader could add.
    """
    edited = door.series_of(request)
    match request.POST.get("do"):
        case "add-owner":
            return _add_owner(request, edited)
        case "remove-owner":
            return _remove_owner(request, edited)
    form, seen = SeriesForm(edited, posted_data(request)), edited.version
    if form.is_valid():
        by, seen = rights.actor(request), seen_version(request)
        try:
            series_service.edit_series(edited, form.settings(), seen_version=seen, by=by)
        except OperationRefused as refused:
            form.add_error(None, str(refused))
            return _show_page(request, edited, form, seen=edited.version, status=409)
        messages.success(request, _("Saved."))
        return redirect("series", edited.slug)
    return _show_page(request, edited, form, seen=seen)


def _add_owner(request: HttpRequest, series: Series) -> HttpResponse:
    form = OwnerForm(request.POST)
    if form.is_valid() and form.user is not None:
        series_service.add_owner(series, form.user, by=rights.actor(request))
        messages.success(request, _("%(name)s may now edit the series.") % {"name": form.user})
        return redirect("edit-series", series.slug)
    return _show_page(request, series, SeriesForm(series, None), owner_form=form, status=422)


def _remove_owner(request: HttpRequest, series: Series) -> HttpResponse:
    """Take from the posted account the right to edit the series.

    Redirects to this page; to the series if the reader may no longer edit it.
    """
    user = get_object_or_404(User, username=request.POST.get("username", ""))
    with refusal_as_message(request):
        series_service.remove_owner(series, user, by=rights.actor(request))
        messages.success(request, _("%(name)s was removed.") % {"name": user})
    lost_own_right = user == request.user and not user.is_superuser
    return redirect("series" if lost_own_right else "edit-series", series.slug)


def _show_page(
    request: HttpRequest,
    series: Series,
    form: SeriesForm,
    *,
    seen: int | None = None,
    owner_form: OwnerForm | None = None,
    status: int | None = None,
) -> HttpResponse:
    """Show the page.

    `seen` is the version of the series that the form shows, by default the current one. `status` is
    422 by default if the form is bound, else 200.
    """
    changes = series.changes.order_by("-number")[:CHANGES_SHOWN]
    context = {
        "series": series,
        "form": form,
        "owner_form": owner_form or OwnerForm(),
        "seen": series.version if seen is None else seen,
        "owners": series.owners.order_by("username"),
        "addable": _directed_tournaments_by_membership(request, series),
        "changes": [(change, facts_in_words(change.facts)) for change in changes],
    }
    status = status or (422 if form.is_bound else 200)
    return render(request, "edit_series.html", context, status=status)


def _directed_tournaments_by_membership(
    request: HttpRequest, series: Series
) -> list[tuple[Tournament, bool]]:
    """Return the tournaments that the reader directs, each with whether it is in the series.

    The tournaments in the series come first.
    """
    pks_in_series = set(series.events.values_list("tournament", flat=True))
    tournaments = series_rights.directed_tournaments(request)
    return sorted(
        [(each, each.pk in pks_in_series) for each in tournaments],
        key=lambda pair: not pair[1],
    )
