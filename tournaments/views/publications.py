"""What the public sees of a tournament: a publication, the live event, or nothing."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from tournaments.forms import posted_data
from tournaments.forms.sessions import ReasonForm
from tournaments.i18n.publications import name_of_number
from tournaments.models import Tournament
from tournaments.permissions import door, rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.queries import live_events
from tournaments.queries.board import count_disagreements
from tournaments.queries.events import Event
from tournaments.queries.publications import showing
from tournaments.queries.publications.events import PublishedEvent, published_event
from tournaments.queries.publications.showing import Showing
from tournaments.queries.what_if import Move, moves_between
from tournaments.services.publications import (
    publish_or_show_live,
    set_shows_seats,
    show_live,
    unpublish,
)
from tournaments.views.play_offs import ties_to_settle
from tournaments.web import origins


@requires(GET=Level.DIRECT, POST=Level.DIRECT)
def publish(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what is public, and what has changed since the publication.

    On POST publish, show live, withdraw, or show the seats, as posted in `showing`.
    """
    tournament = door.tournament_of(request)
    form = ReasonForm(posted_data(request))
    if request.method == "POST" and form.is_valid():
        message = _change_visibility(request, tournament, form.cleaned_data["reason"])
        if message:
            messages.success(request, message)
        return redirect("publish", slug)
    event = live_events.events.current(tournament)
    context = {
        "tournament": tournament,
        "seats_code": (
            origins.qr_code(request, reverse("seats", args=[slug]))
            if tournament.has_public_seats
            else None
        ),
        "code": origins.qr_code(request, tournament.get_absolute_url())
        if tournament.is_public
        else None,
        "is_unreachable": origins.is_unreachable(request),
        "has_results": showing.has_results(tournament),
        "rules": tournament.rules,
        "unfinished": [
            each
            for each in event.sessions
            if each.progress.planned is not None and not each.is_over
        ],
        "disagreements": count_disagreements(tournament),
        "ties": ties_to_settle(event),
        "selections": event.selection_changes,
        "rules_fingerprint": tournament.rules.fingerprint,
        "form": form,
        **_publications_context(tournament, event),
    }
    return render(request, "publish.html", context, status=422 if form.is_bound else 200)


def _publications_context(tournament: Tournament, event: Event) -> dict[str, Any]:
    """Return the template context of the tournament's publications.

    `announced` is the publication shown now, `changes` the number of audit entries since, and
    `moves` the players whose result or class has changed since.
    """
    newest_first = list(tournament.publications.with_final().order_by("-number").defer("content"))
    next_number = newest_first[0].number + 1 if newest_first else 1
    shown = showing.shown_publication(tournament)
    changes = showing.changes_since(shown).count() if shown else 0
    return {
        "publications": newest_first,
        "announced": shown,
        "next_name": name_of_number(next_number, is_final=tournament.closed_at is not None),
        "changes": changes,
        "moves": _moves(event, published_event(shown, tournament)) if shown and changes else [],
    }


def _change_visibility(request: HttpRequest, tournament: Tournament, reason: str) -> str | None:
    """Publish, show live or withdraw as posted in `showing`; return the success message.

    Return None for anything else in `showing`.
    """
    by = rights.actor(request)
    match request.POST.get("showing"):
        case Showing.PUBLISHED:
            publication = publish_or_show_live(tournament, by=by)
            if publication is None:  # it is shown live instead
                return _(
                    "Nothing is recorded yet: everybody can follow the tournament as it is played."
                )
            is_final = tournament.closed_at is not None
            name = name_of_number(publication.number, is_final=is_final)
            return _("Published: %(name)s. This is what everybody sees now.") % {"name": name}
        case "seats":
            set_shows_seats(tournament, shows=True, by=by)
            return _("The seats are public now. The results are shown or hidden as before.")
        case "no_seats":
            set_shows_seats(tournament, shows=False, by=by, reason=reason)
            return _("The seats are no longer public.")
        case Showing.LIVE:
            show_live(tournament, by=by)
            return _("Everybody can follow the tournament as it is played.")
        case Showing.STAFF:
            unpublish(tournament, by=by, reason=reason)
            if tournament.shows_seats:
                return _(
                    "Only the staff can see the results now. Everybody can still find the seats."
                )
            return _("Only the staff can see the tournament now.")
    return None


def _moves(event: Event, published: PublishedEvent) -> list[Move]:
    return moves_between(published.standings, event.standings, with_classes=True)
