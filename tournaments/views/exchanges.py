"""Exchanging two players of a session: their seats and everything recorded there."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.exceptions import ConflictError
from tournaments.forms import posted_data
from tournaments.forms.exchanges import ExchangeForm
from tournaments.i18n.sentences import isolated
from tournaments.models import Entry, Session, Tournament
from tournaments.permissions import door, rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.queries import exchanges, live_events
from tournaments.queries.exchanges import Exchange
from tournaments.queries.player_names import player_names
from tournaments.queries.player_rounds import counting_for_nobody
from tournaments.queries.seated_tables import with_seats
from tournaments.services.exchanges import exchange, plan
from tournaments.services.seating import PlayersAway, TiedLeave

TABLES_A_PAGE = 250


@never_cache
@requires(GET=Level.STAFF, POST=Level.STAFF)
def exchange_players(request: HttpRequest, slug: str, session: int) -> HttpResponse:
    """Choose two players; show what an exchange would change; on POST with `confirm` exchange them.

    What would change has an address that names the exchange and where the two sit, so that a
    browser can go back to it and reload it: a POST without `confirm` is redirected there. Once one
    of them sits elsewhere, that page only says so: it would show the opposite. Two presses of
    `confirm` are one act. Answers 409 if anything has changed since the exchange was shown, or if
    disputes at their tables have to be settled first.
    """
    tournament = door.tournament_of(request)
    stored_session = door.session_in(tournament, session)
    initial = {"one": request.GET.get("one", "")}
    is_asked = request.method != "POST" and "other" in request.GET
    data = request.GET if is_asked else posted_data(request)
    form = ExchangeForm(tournament.entries.all(), data, initial=initial)
    if not form.is_bound:
        return _show_page(request, tournament, stored_session, form)
    try:
        planned = _plan(stored_session, form) if form.is_valid() else None
        if planned is None:
            return _show_page(request, tournament, stored_session, form, status=422)
        if request.GET.get("places", planned.places) != planned.places:
            moved = _moved_context(planned, request.GET["places"])
            return _show_page(request, tournament, stored_session, form, **moved)
        if request.method != "POST":
            return _show_page(request, tournament, stored_session, form, planned=planned)
        if "confirm" not in request.POST:
            query = {"one": planned.one.key, "other": planned.other.key}
            query |= {"reason": form.cleaned_data["reason"], "places": planned.places}
            return redirect(f"{request.path}?{urlencode(query)}#follows")
        if _is_made(planned, form):
            messages.info(request, _exchanged_words(planned))
            return redirect(stored_session)
        _exchange(request, stored_session, form, planned)
    except Entry.DoesNotExist:  # begin again: the form will refuse the player who was removed
        return exchange_players(request, slug, session)
    except ConflictError:
        return _show_page(
            request, tournament, stored_session, form, planned=planned, is_stale=True, status=409
        )
    except exchanges.Undecided as undecided:
        disputes = undecided.disagreements
        return _show_page(request, tournament, stored_session, form, undecided=disputes, status=409)
    messages.success(request, _exchanged_words(planned))
    messages.info(request, _("Sheets and cards printed before still have the old names on them."))
    return redirect(stored_session)


def _is_made(planned: Exchange, form: ExchangeForm) -> bool:
    """Return whether the two sit as they would after the exchange that the page showed."""
    seen, places = form.cleaned_data["seen"], form.cleaned_data["places"]
    return bool(seen.startswith(planned.stamp_of_pair) and places == planned.places_afterwards)


def _moved_context(planned: Exchange, places: str) -> dict[str, Any]:
    """Return the template context if the two sit elsewhere than when they sat at `places`."""
    is_made = places == planned.places_afterwards
    return {"has_moved": True, "exchanged": planned if is_made else None}


def _exchanged_words(planned: Exchange) -> str:
    one, other = map(isolated, player_names((planned.one, planned.other)).values())
    words = _("%(one)s and %(other)s have taken each other’s place.")
    return words % {"one": one, "other": other}


def _plan(session: Session, form: ExchangeForm) -> Exchange | None:
    """Return what the exchange would change; None, with an error in the form, if it is impossible.

    At least one of the two players needs a seat in this session.
    """
    try:
        return plan(session, form.cleaned_data["one"], form.cleaned_data["other"])
    except (exchanges.NotSeated, PlayersAway, TiedLeave) as refused:
        form.add_error("one", str(refused))
    return None


def _exchange(
    request: HttpRequest, session: Session, form: ExchangeForm, planned: Exchange
) -> None:
    """Raises `ConflictError` if anything changed since it was shown."""
    exchange(
        session,
        planned.one,
        planned.other,
        seen_stamp=form.cleaned_data["seen"],
        by=rights.actor(request),
        reason=form.cleaned_data["reason"],
    )


def _show_page(
    request: HttpRequest,
    tournament: Tournament,
    session: Session,
    form: ExchangeForm,
    *,
    status: int = 200,
    **more: Any,
) -> HttpResponse:
    """`more` is added to the template context."""
    sittings = with_seats(session.sittings.select_related("continues"))
    in_order = sorted(sittings, key=lambda each: (each.shown_number, each.number))
    context = {
        "tournament": tournament,
        "session": session,
        "form": form,
        "page": Paginator(in_order, TABLES_A_PAGE).get_page(request.GET.get("page")),
        "for_nobody": _changed_for_nobody(session, more.get("planned")),
        **more,
    }
    return render(request, "exchange_players.html", context, status=status)


def _changed_for_nobody(session: Session, planned: Exchange | None) -> set[str]:
    """Return the keys of those of the two whose points of this session count for nobody."""
    if planned is None:
        return set()
    facts = live_events.events.current(session.tournament).ranking_facts
    return counting_for_nobody((planned.one, planned.other), session, facts)
