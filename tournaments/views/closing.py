"""Closing an event, and opening it again."""

from __future__ import annotations

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.forms import posted_data
from tournaments.forms.sessions import ReasonForm
from tournaments.i18n.session_names import session_words
from tournaments.models import Sitting, Tournament
from tournaments.permissions import door, rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.queries.open_matters import open_matters
from tournaments.queries.publications import showing
from tournaments.queries.registrations import contacts_without_use
from tournaments.services import closing, registrations

UNFINISHED = ("under_way", "missing")  # codes of open matters that need a tick to close


@never_cache
@requires(GET=Level.DIRECT, POST=Level.DIRECT)
def close(request: HttpRequest, slug: str) -> HttpResponse:
    """List the open matters; close the event, or open it again.

    While rounds are unfinished, closing needs the tick `despite`; without the tick it answers 422.
    """
    tournament = door.tournament_with_sessions(request)
    matters = [] if tournament.closed_at else open_matters(tournament)
    has_unfinished_rounds = any(matter.code in UNFINISHED for matter in matters)
    is_closing = request.POST.get("do") == "close"
    is_refused = is_closing and has_unfinished_rounds and "despite" not in request.POST
    form = ReasonForm(posted_data(request))
    if request.method == "POST" and form.is_valid() and not is_refused:
        message = _close_or_reopen(request, tournament, form.cleaned_data["reason"])
        if message:
            messages.success(request, message)
        return redirect("close", slug)
    tables = Sitting.objects.filter(session__tournament=tournament)
    context = {
        "tournament": tournament,
        "rules_fingerprint": tournament.rules.fingerprint,
        "open_matters": matters,
        "has_unfinished_rounds": has_unfinished_rounds,
        "is_refused": is_refused,
        "to_announce": [
            session_words(each.number, tournament.play_off_numbers)
            for each in showing.sessions_to_announce(tournament)
        ],
        "form": form,
        "without_use": 0
        if tournament.closed_at
        else len(contacts_without_use(tournament, at_closing=True)),
        "open_tables": tables.filter(closed_at=None, continues=None).count(),
        "is_forgotten": tournament.closed_at is None and closing.is_over(tournament),
    }
    return render(request, "close.html", context, status=422 if form.is_bound else 200)


def _close_or_reopen(request: HttpRequest, tournament: Tournament, reason: str) -> str | None:
    """Close or reopen the event as posted in `do`, and return the success message.

    None, and nothing is done, for any other `do`.
    """
    by = rights.actor(request)
    match request.POST.get("do"):
        case "close":
            closing.close(tournament, by=by)
            return _(
                "The tournament is closed. Links, PINs and phones of its tables no longer work."
            )
        case "reopen":
            with transaction.atomic():
                closing.reopen(tournament, by=by, reason=reason)
                registrations.approve_waiting(tournament, by=by)
            return _(
                "The tournament is open again. Make new links or table cards for tables that are "
                "still playing."
            )
    return None
