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

CHANGES_SHOWN = 30


@requires(GET=Level.CREATE, POST=Level.CREATE)
def create_series(request: HttpRequest) -> HttpResponse:
    """Create a series, which its creator may edit; with the tournament that the query names."""
    form = SeriesForm(Series(), posted_data(request))
    first = series_rights.directed_tournament(request, request.GET.get("tournament", ""))
    if form.is_valid():
        new = Series(**form.settings())
        series_service.create_series(new, by=rights.actor(request), event=first)
        if first is None:
            messages.success(request, _("The series is set up. Now add its tournaments."))
        else:
            words = _("The series is set up, and “%(name)s” is part of it.")
            messages.success(request, words % {"name": first})
        return redirect("edit-series", new.slug)
    context = {"form": form, "first": first}
    return render(request, "create_series.html", context, status=422 if form.is_bound else 200)


@never_cache
@requires(GET=Level.SERIES, POST=Level.SERIES)
def edit_series(request: HttpRequest, series: str) -> HttpResponse:
    """Change name and rules; list the events, those that could be added, and who may edit."""
    found = door.series_of(request)
    match request.POST.get("do"):
        case "add-owner":
            return _add_owner(request, found)
        case "remove-owner":
            return _remove_owner(request, found)
    form, seen = SeriesForm(found, posted_data(request)), found.version
    if form.is_valid():
        by, seen = rights.actor(request), seen_version(request)
        try:
            series_service.edit_series(found, form.settings(), seen_version=seen, by=by)
        except OperationRefused as refused:
            form.add_error(None, str(refused))
            return _show(request, found, form, seen=found.version, status=409)
        messages.success(request, _("Saved."))
        return redirect("series", found.slug)
    return _show(request, found, form, seen=seen)


def _add_owner(request: HttpRequest, series: Series) -> HttpResponse:
    form = OwnerForm(request.POST)
    if form.is_valid() and form.user is not None:
        series_service.add_owner(series, form.user, by=rights.actor(request))
        messages.success(request, _("%(name)s may edit the series now.") % {"name": form.user})
        return redirect("edit-series", series.slug)
    return _show(request, series, SeriesForm(series, None), owner_form=form, status=422)


def _remove_owner(request: HttpRequest, series: Series) -> HttpResponse:
    user = get_object_or_404(User, username=request.POST.get("username", ""))
    try:
        series_service.remove_owner(series, user, by=rights.actor(request))
    except OperationRefused as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, _("%(name)s was removed.") % {"name": user})
    is_gone = user == request.user and not user.is_superuser
    return redirect("series" if is_gone else "edit-series", series.slug)


def _show(
    request: HttpRequest,
    series: Series,
    form: SeriesForm,
    *,
    seen: int | None = None,
    owner_form: OwnerForm | None = None,
    status: int | None = None,
) -> HttpResponse:
    """Show the page. `seen` is the version that the form shows."""
    changes = series.changes.order_by("-number")[:CHANGES_SHOWN]
    context = {
        "series": series,
        "form": form,
        "owner_form": owner_form or OwnerForm(),
        "seen": series.version if seen is None else seen,
        "owners": series.owners.order_by("username"),
        "addable": _addable(request, series),
        "changes": [(change, facts_in_words(change.facts)) for change in changes],
    }
    status = status or (422 if form.is_bound else 200)
    return render(request, "edit_series.html", context, status=status)


def _addable(request: HttpRequest, series: Series) -> list[tuple[Tournament, bool]]:
    """Return the tournaments that the reader directs, and whether each is in the series.

    Those that are come first.
    """
    in_series = set(series.events.values_list("tournament", flat=True))
    found = [(each, each.pk in in_series) for each in series_rights.directed_tournaments(request)]
    return sorted(found, key=lambda each: not each[1])
