"""The end of private data: when they are erased, what was erased, and what is still where."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.forms import posted_data
from tournaments.forms.private_data import PrivateEndForm
from tournaments.i18n.audit_entries import before_and_after, entry_context
from tournaments.permissions import door, rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.queries import private_data as queries
from tournaments.services import private_data as services
from tournaments.services import versions
from tournaments.views.conflicts import seen_version, unseen_change
from tournaments.web import standby


@never_cache
@requires(GET=Level.DIRECT, POST=Level.DIRECT)
def private_data(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the end of private data; on POST set it, or with `do=erase` erase them now.

    Answers 409 with the change of somebody else if the day was changed since the page was opened.
    """
    tournament = door.tournament_of(request)
    by = rights.actor(request)
    if request.POST.get("do") == "erase":
        services.erase(tournament, by=by)
        messages.success(request, _("The private data has been erased."))
        return redirect("private-data", slug)
    last = versions.last_private_end_change(tournament)
    shown_version = seen_version(request) if request.method == "POST" else versions.number_of(last)
    form, change = PrivateEndForm(tournament, posted_data(request)), None
    if form.is_valid():
        try:
            services.set_end(
                tournament, form.cleaned_data["until"], seen_version=shown_version, by=by
            )
        except versions.VersionConflict as conflict:
            change, shown_version = unseen_change(tournament, conflict), conflict.version
        except services.EndsTooEarly as refused:
            form.add_error("until", refused.sentence)
        else:
            messages.success(request, _("Saved."))
            return redirect("private-data", slug)
    left = queries.left_of(tournament)
    context = {
        "tournament": tournament,
        "form": form,
        "seen": shown_version,
        "change": change,
        "holdings": queries.holdings_of(tournament),
        "is_past": tournament.private_data_end < timezone.localdate(),
        "left": left,
        "standby": standby.names_elsewhere(),
        "erased": left and before_and_after(left.erasure, entry_context(tournament))[1],
    }
    status = 409 if change else 422 if form.is_bound else 200
    return render(request, "private_data.html", context, status=status)
