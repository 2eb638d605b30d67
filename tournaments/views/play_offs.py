"""Seating a play-off of tied players; and the ties that still have to be decided."""

from __future__ import annotations

import sys
from collections.abc import Collection, Sequence
from typing import NamedTuple

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from scoring.stages.selection import Quota
from tournaments import draws
from tournaments.exceptions import OperationRefused
from tournaments.forms.play_offs import PlayOffForm
from tournaments.i18n.sentences import isolated, listed
from tournaments.models import Entry, Session, Stage, Tournament
from tournaments.permissions import door, rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.queries import live_events, play_offs
from tournaments.queries.awards import USUAL_PLACES, AwardList, award_lists
from tournaments.queries.events import Event
from tournaments.queries.play_offs import decisions_among, stage_of_tie
from tournaments.queries.progress import current_progress
from tournaments.queries.seat_draws import earlier_seats
from tournaments.queries.stages import going_on
from tournaments.queries.ties import Tie, ties_of
from tournaments.services import seating
from tournaments.services.adjustments import AlreadyDecided, PlayOffIsOn
from tournaments.services.play_offs import open_play_off
from tournaments.services.seating import PlayOffPlan
from tournaments.views.proposed_seats import as_text


@never_cache
@requires(GET=Level.DIRECT, POST=Level.DIRECT)
def play_off(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the form of a play-off, or the seats drawn by lot; on POST open it with these seats.

    The parameter `tied` is the key of the tie, as `key_of` returns it. If these players are not
    tied, or one of them has withdrawn, the page says so. The form is sent by GET, and the page that
    answers shows the seats; its POST sends them as `shown`. If they are others by now, it is shown
    again.
    """
    tournament = door.tournament_with_sessions(request)
    if tournament.closed_at is not None:
        return redirect("close", slug)
    is_posted = request.method == "POST"
    sent = request.POST if is_posted else request.GET
    key = sent.get("tied", "")
    event = live_events.events.current(tournament)
    tied = _tied_players(event, key)
    on = play_off_on(event, tied) if tied else None
    if on and sent.get("number") == str(on.number):
        on = None  # it is sent once more
    why = (
        why_not_tied(event, key, is_posted=is_posted)
        if tied is None
        else why_not_played(event, tied)
    )
    if tied is None or why or on:
        context = {
            "tournament": tournament,
            "why": why or str(PlayOffIsOn.sentence),
            "on": on,
            "rules_fingerprint": tournament.rules.fingerprint,
        }
        return render(request, "play_off.html", context, status=422 if is_posted else 200)
    number = seating.next_session_number(tournament)
    form = PlayOffForm(tournament, tied, sent if "seed" in sent else None, number=number)
    tables: list[list[Entry]] = []
    if form.is_valid():
        tables, draw = _drawn(tournament, form)
        if sent.get("shown", "").splitlines() == as_text(tables).splitlines():
            if session := _open_play_off(request, tournament, form, tables, draw):
                messages.success(request, _("The play-off has been seated."))
                return redirect(session)
            tables = []
    context = {
        "tournament": tournament,
        "form": form,
        "tied": tied,
        "away": who_is_away(tournament, tied),
        "key": key,
        "tables": tables,
        "shown": as_text(tables),
        "has_changed": bool(tables) and "shown" in sent,
        "sizes": sorted(tournament.table_sizes),
        "rules_fingerprint": tournament.rules.fingerprint,
    }
    status = 409 if context["has_changed"] else 422 if form.errors else 200
    return render(request, "play_off.html", context, status=status)


def key_of(tied: list[Entry]) -> str:
    """Return the key of a tie: the numbers of the tied players, joined by hyphens."""
    return "-".join(entry.key for entry in tied)


def why_not_tied(event: Event, key: str, *, is_posted: bool) -> str:
    """Return a sentence that says why the players with this key are not tied.

    Either a decision on them is in force, or results have changed. Of what was posted it says that
    nothing has been saved.
    """
    numbers = [int(each) for each in key.split("-") if each.isdecimal()]
    facts = event.ranking_facts
    if decisions_among(numbers, facts.decisions, stage_of_tie(numbers, facts)):
        return str(AlreadyDecided.sentence)
    if is_posted:
        return _("These players are no longer tied. Nothing has been saved.")
    return _("These players are no longer tied.")


def why_not_played(event: Event, tied: Sequence[Entry]) -> str:
    """Return why these players cannot play off, as some have withdrawn; empty if they can."""
    withdrawn = event.ranking_facts.withdrawn
    names = [isolated(each.name) for each in tied if each.key in withdrawn]
    if not names:
        return ""
    return _(
        "Withdrawn: %(names)s. Places shared with them cannot be played off: decide by lot, or "
        "enter the order."
    ) % {"names": listed(names)}


def who_is_away(tournament: Tournament, tied: Collection[Entry]) -> list[Entry]:
    """Return which of these players a play-off marks as present, who are late or absent by now."""
    return [*play_offs.late_or_absent(tournament, seating.next_session_number(tournament), tied)]


def play_off_on(event: Event, tied: Sequence[Entry]) -> Session | None:
    """Return the play-off of these players that is seated and not over; None if there is none."""
    return play_offs.play_off_on(event.sessions, [entry.number for entry in tied])


class TieToSettle(NamedTuple):
    """A tie at a line to the next stage, or for one of the ranks that usually get an award.

    - `key`: as `key_of` returns it; empty if others are in the same open tie, or one of the players
      has withdrawn, so that these players cannot play their places off
    - `is_shared`: as in `queries.ties.Tie`
    - `rank`, `awards`: the best rank of the players in a list of the awards; none at a line
    - `stage`, `line`, `places`: the stage with the line, its quota, and how many of them go on
    """

    players: list[Entry]
    key: str
    is_shared: bool = True
    rank: int = 0
    awards: AwardList | None = None
    stage: Stage | None = None
    line: Quota | None = None
    places: int = 0


def ties_to_settle(event: Event, last_rank: int = USUAL_PLACES) -> list[TieToSettle]:
    """Return the ties that the plan needs settled now.

    Before it is confirmed who goes on to a stage, these are the ties at its lines; before the
    awards, those for the ranks up to `last_rank` in any list of the awards. Empty while play can
    still change ranks, for a club table, in closed tournaments and for an event as published.
    """
    tournament = event.tournament
    is_final = event.publication is not None or tournament.closed_at is not None
    is_table = tournament.kind == Tournament.Kind.TABLE
    if is_final or is_table or current_progress(event.sessions) or event.plan.next == "session":
        return []
    ties, following = ties_of(event.standings, event.ranking_facts), event.plan.following
    if following is not None and following.row is not None:
        return _ties_at_lines(event, following.row, ties)
    return _ties_for_awards(event, last_rank, ties)


def _ties_at_lines(event: Event, stage: Stage, ties: Sequence[Tie]) -> list[TieToSettle]:
    by_key = {entry.key: entry for entry in event.entries}
    keys = {
        frozenset(tie.players): key_of(tie.players)
        for tie in ties
        if not why_not_played(event, tie.players)
    }
    found = []
    for at_line in going_on(stage, facts=event.ranking_facts).ties:
        players = [by_key[key] for key in at_line.tied]
        key = keys.get(frozenset(players), "")
        line, places = at_line.quota, at_line.open_places
        found.append(TieToSettle(players, key, stage=stage, line=line, places=places))
    return found


def _ties_for_awards(event: Event, last_rank: int, ties: Sequence[Tie]) -> list[TieToSettle]:
    """Return the ties for ranks with an award, each as in the first award list that has it."""
    found: dict[int, TieToSettle] = {}
    for awards in award_lists(event, sys.maxsize):
        ranks = {award.entry: award.rank for award in awards.awards}
        for number, tie in enumerate(ties):
            players = [entry for entry in tie.players if entry in ranks]
            rank = min((ranks[entry] for entry in players), default=0)
            if len(players) > 1 and rank <= last_rank:
                is_whole = len(players) == len(tie.players)
                key = key_of(players) if is_whole and not why_not_played(event, players) else ""
                found.setdefault(number, TieToSettle(players, key, tie.is_shared, rank, awards))
    return list(found.values())


def _tied_players(event: Event, key: str) -> list[Entry] | None:
    """Return the players of the open tie with this key; None if there is none."""
    ties = play_offs.open_ties(event.standings, event.ranking_facts)
    groups = [[row.entry for row in tie] for tie in ties]
    return next((group for group in groups if key_of(group) == key), None)


def _drawn(tournament: Tournament, form: PlayOffForm) -> tuple[list[list[Entry]], draws.Draw]:
    """The same form gives the same seats."""
    earlier = earlier_seats(tournament, form.cleaned_data["number"])
    return play_offs.draw_by_lot(
        form.seated_players, form.sizes, form.cleaned_data["seed"], earlier
    )


def _open_play_off(
    request: HttpRequest,
    tournament: Tournament,
    form: PlayOffForm,
    tables: list[list[Entry]],
    drawn: draws.Draw,
) -> Session | None:
    """Open the play-off of a valid form with the seats drawn for it.

    None, with an error in the form, if it is refused.
    """
    cleaned = form.cleaned_data
    plan = PlayOffPlan([entry.number for entry in form.tied], cleaned["rounds"])
    try:
        return open_play_off(
            tournament,
            plan,
            tables,
            number=cleaned["number"],
            by=rights.actor(request),
            draw={"request": draws.as_document(drawn.request), "answer": drawn.as_json()},
        )
    except OperationRefused as refused:
        form.add_error(None, str(refused))
    except seating.SeatingConflict:
        form.add_error(None, _("The players or the table sizes have changed. Try again."))
    return None
