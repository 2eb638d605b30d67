"""The page where the director chooses the ranking rules."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.exceptions import OperationRefused
from tournaments.forms import posted_data
from tournaments.forms.ranking import RankingForm
from tournaments.permissions import door, rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.services import ranking as ranking_service
from tournaments.services import versions
from tournaments.views.conflicts import seen_version, unseen_change


@never_cache
@requires(GET=Level.DIRECT, POST=Level.DIRECT)
def ranking(request: HttpRequest, slug: str) -> HttpResponse:
    """Choose the tie-breaks and what counts besides rounds.

    Answers 409 with the change of somebody else, if the ranking rules were changed since the page
    was opened.
    """
    tournament = door.tournament_with_sessions(request)
    is_posted = request.method == "POST"
    shown_version = seen_version(request) if is_posted else versions.ranking_version(tournament)
    tournament.refresh_from_db()  # after the version, so that the page is not older
    has_teams = tournament.entries.exclude(team="").exists()
    form = RankingForm(tournament, posted_data(request), has_teams=has_teams)
    change = None
    if is_posted and form.is_valid():
        try:
            ranking_service.set_ranking(
                tournament,
                form.ranking,
                seen_version=shown_version,
                by=rights.actor(request),
                reason=form.cleaned_data["reason"],
            )
        except versions.VersionConflict as conflict:
            change, shown_version = unseen_change(tournament, conflict), conflict.version
        except OperationRefused as refused:
            form.add_error(None, str(refused))
        else:
            messages.success(request, _("Saved."))
            return redirect("ranking", slug)
    context = {
        "tournament": tournament,
        "form": form,
        "change": change,
        "seen": shown_version,
        "rules_fingerprint": tournament.rules.fingerprint,
    }
    status = 409 if change else 422 if form.is_bound else 200
    return render(request, "ranking.html", context, status=status)
