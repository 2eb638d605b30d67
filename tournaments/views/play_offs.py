"""Seating a play-off of tied players."""

from __future__ import annotations

from typing import NamedTuple

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.draws import as_document
from tournaments.exceptions import OperationRefused
from tournaments.forms import posted_data
from tournaments.forms.play_offs import PlayOffForm
from tournaments.models import Entry, Session, Tournament
from tournaments.permissions import door, rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.queries import play_offs
from tournaments.queries.awards import USUAL_PLACES, interim_of
from tournaments.queries.events import Event
from tournaments.queries.play_offs import decisions_among
from tournaments.queries.seat_draws import earlier_tables
from tournaments.queries.ties import ties_of
from tournaments.services import seating
from tournaments.services.adjustments import AlreadyDecided
from tournaments.services.play_offs import open_play_off
from tournaments.services.seating import PlayOffPlan


@never_cache
@requires(GET=Level.DIRECT, POST=Level.DIRECT)
def play_off(request: HttpRequest, slug: str) -> HttpResponse:
    """Seat the players who are tied, named by `tied`: their numbers with dashes between them."""
    tournament = door.tournament_with_sessions(request)
    if tournament.closed_at is not None:
        return redirect("close", slug)
    tied = _tied(tournament, request.POST.get("tied") or request.GET.get("tied", ""))
    if tied is None:
        key = request.POST.get("tied") or request.GET.get("tied", "")
        why = why_not_tied(Event(tournament), key)
        nobody = {
            "tournament": tournament,
            "why": why,
            "rules_fingerprint": tournament.rules.fingerprint,
        }
        is_sent = request.method == "POST"
        return render(request, "play_off.html", nobody, status=422 if is_sent else 200)
    number = seating.next_session_number(tournament)
    form = PlayOffForm(tournament, tied, posted_data(request), number=number)
    if form.is_valid() and (session := _open(request, tournament, form)):
        messages.success(request, _("The play-off is seated."))
        return redirect(session)
    context = {
        "tournament": tournament,
        "form": form,
        "tied": tied,
        "key": key_of(tied),
        "sizes": sorted(tournament.table_sizes),
        "rules_fingerprint": tournament.rules.fingerprint,
    }
    return render(request, "play_off.html", context, status=422 if form.is_bound else 200)


def key_of(tied: list[Entry]) -> str:
    """Return the numbers of tied players as one text."""
    return "-".join(entry.key for entry in tied)


def why_not_tied(event: Event, key: str) -> str:
    """Return why these players, as `key_of` names them, have nothing to decide, as a sentence."""
    numbers = [int(each) for each in key.split("-") if each.isdecimal()]
    if decisions_among(numbers, event.ranking_facts.decisions):
        return str(AlreadyDecided.sentence)
    return _("These players are no longer tied. Nothing has been saved.")


class TieToSettle(NamedTuple):
    """Players to part for a place that gets an award; `key` is as `key_of` gives it.

    `is_shared` is as in `queries.ties`.
    """

    rank: int
    players: int
    key: str
    is_shared: bool


def ties_to_settle(event: Event) -> list[TieToSettle]:
    """Return the ties to settle before the awards; empty while play can still change them."""
    tournament = event.tournament
    is_past = event.publication is not None or tournament.closed_at is not None
    if is_past or tournament.kind == Tournament.Kind.TABLE or interim_of(event) is not None:
        return []
    ties = ties_of(event.standings, event.ranking_facts)
    return [
        TieToSettle(tie.rank, len(tie.players), key_of(tie.players), tie.is_shared)
        for tie in ties
        if tie.rank <= USUAL_PLACES
    ]


def _tied(tournament: Tournament, key: str) -> list[Entry] | None:
    """Return the tied players whom `key_of` names so; None if they are not tied."""
    event = Event(tournament)
    ties = play_offs.open_ties(event.standings, event.ranking_facts)
    groups = [[row.entry for row in tie] for tie in ties]
    return next((group for group in groups if key_of(group) == key), None)


def _open(request: HttpRequest, tournament: Tournament, form: PlayOffForm) -> Session | None:
    """Open the play-off that a valid form says; None if it is refused, and the form says why."""
    sent = form.cleaned_data
    history = earlier_tables(tournament, sent["number"])
    tables, drawn = play_offs.draw_by_lot(form.playing, form.sizes, sent["seed"], history)
    plan = PlayOffPlan([entry.number for entry in form.tied], sent["rounds"])
    try:
        return open_play_off(
            tournament,
            plan,
            tables,
            number=sent["number"],
            by=rights.actor(request),
            draw={"request": as_document(drawn.request), "answer": drawn.as_json()},
        )
    except OperationRefused as refused:
        form.add_error(None, str(refused))
    except seating.SeatingConflict:
        form.add_error(None, _("The players or the table sizes have changed. Try again."))
    return None
