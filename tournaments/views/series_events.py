"""The series of a tournament: its director adds it to one, or takes it out."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.models import Series, Tournament
from tournaments.permissions import door, rights, series_rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.services import series as series_service


@never_cache
@requires(GET=Level.DIRECT, POST=Level.DIRECT)
def tournament_series(request: HttpRequest, slug: str) -> HttpResponse:
    """List the tournament's series, and the other series that the reader may edit.

    On POST add the tournament to the posted series, or take it out.
    """
    tournament = door.tournament_with_sessions(request)
    chosen = request.POST.get("series", "")
    if chosen:
        return _add_or_remove(request, tournament, chosen)
    editable = series_rights.series_edited_by(request)
    in_series = list(Series.objects.filter(tournaments=tournament))
    context = {
        "tournament": tournament,
        # Each series with this tournament, and whether the reader may edit the series.
        "in_series": [(each, editable.filter(pk=each.pk).exists()) for each in in_series],
        "others": editable.exclude(pk__in=[each.pk for each in in_series]),
        "may_create": rights.may_create(request),
    }
    status = 422 if request.method == "POST" else 200
    return render(request, "tournament_series.html", context, status=status)


def _add_or_remove(request: HttpRequest, tournament: Tournament, slug: str) -> HttpResponse:
    """Add the tournament to a series, or with `do=remove` take it out, and redirect to the series.

    Raises `Http404` unless the reader may edit the series.
    """
    editable = {each.slug: each for each in series_rights.series_edited_by(request)}
    if slug not in editable:  # compared here, as PostgreSQL refuses some posted texts
        raise Http404
    series, by = editable[slug], rights.actor(request)
    names = {"name": tournament, "series": series}
    if request.POST.get("do") == "remove":
        series_service.remove_event(series, tournament, by=by)
        messages.success(request, _("“%(name)s” has been taken out of %(series)s.") % names)
    else:
        series_service.add_event(series, tournament, by=by)
        messages.success(request, _("“%(name)s” is now part of %(series)s.") % names)
    return redirect("edit-series" if request.POST.get("from") == "series" else "series", slug)
