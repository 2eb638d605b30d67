"""A club table: one table for tonight, started and played without an account."""

from collections.abc import Sequence

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext

import scoring
from tournaments.forms import posted_data
from tournaments.forms.club_tables import StartTableForm
from tournaments.i18n import sentences
from tournaments.models import Tournament
from tournaments.permissions import admission, door, rights
from tournaments.permissions.daily_limits import CLUB_TABLES
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.queries.sheets import Sheet, sheet_of
from tournaments.services import tournaments
from tournaments.services.daily_counts import TooManyToday
from tournaments.views.rules import find_rules


@requires(GET=Level.ANYBODY, POST=Level.ANYBODY)
def start_table(request: HttpRequest, rule_set: str) -> HttpResponse:
    """Show the form for the players' names; on POST start the table and redirect to it.

    Answers 429 once the phone has started as many tables as it may within a day.
    """
    rules = find_rules(rule_set)
    form = StartTableForm(rules, _requested_players(request, rules), posted_data(request))
    seconds_to_wait = 0
    if form.is_valid():
        tournament = _new_tournament(form.rules, form.planned_rounds, partners=form.wants_partners)
        try:
            return _start_and_redirect(request, tournament, form.rules, form.names)
        except TooManyToday as refused:
            seconds_to_wait = refused.seconds
            form.add_error(None, _limit_message())
    context = {"form": form, "rules": rules, "rules_fingerprint": rules.fingerprint}
    status = 429 if seconds_to_wait else 422 if form.is_bound else 200
    response = render(request, "start_table.html", context, status=status)
    if seconds_to_wait:
        response.headers["Retry-After"] = str(seconds_to_wait)
    return response


def _limit_message() -> str:
    words = gettext(
        "This phone has started %(most)s tables within a day. Continue at one of them, or start "
        "this one on another phone."
    )
    return words % {"most": CLUB_TABLES.limit}


def _requested_players(request: HttpRequest, rules: scoring.Rules) -> int:
    """Return the requested number of players; by default the first number the rules allow."""
    requested = request.POST.get("players") or request.GET.get("players")
    allowed = rules.rule_set.players
    return next((count for count in allowed if str(count) == requested), allowed[0])


def _start_and_redirect(
    request: HttpRequest, tournament: Tournament, rules: scoring.Rules, names: Sequence[str]
) -> HttpResponse:
    """Store the club table, make this browser its phone, and redirect to the table.

    Old club tables without a round are removed first. Raises `TooManyToday`.
    """
    tournaments.remove_unplayed_tables()
    with CLUB_TABLES.counting(request):  # in one transaction: only this phone opens the table
        sitting = tournaments.start_table(tournament, rules, names, by=rights.actor(request))
        admission.ensure_admitted(request, sitting)
    return redirect(sitting)


@requires(POST=Level.PHONE)
def go_on(request: HttpRequest, slug: str, session: int, table: int) -> HttpResponse:
    """Prolong a club table that has played all planned rounds: everybody deals once more.

    Idempotent: nothing is added if the table has been prolonged since the page was opened.
    """
    sheet = _club_sheet(request)
    seen_planned = request.POST.get("planned", "")
    if sheet.may_be_prolonged and seen_planned == str(sheet.planned):
        tournaments.add_planned_rounds(
            sheet.sitting.session.tournament,
            rounds=len(sheet.players),
            seen_planned=int(seen_planned),
            by=rights.actor(request, sheet.sitting),
        )
    return redirect(sheet.sitting)


@requires(POST=Level.PHONE)
def play_again(request: HttpRequest, slug: str, session: int, table: int) -> HttpResponse:
    """After a finished game, start a new club table with the same players, seats and rules.

    Redirects to the new table; to the old one if its game is not finished, or at the daily limit.
    """
    sheet = _club_sheet(request)
    if not sheet.is_finished:
        return redirect(sheet.sitting)
    finished = sheet.sitting.session.tournament
    usual, planned = sheet.rules.usual_rounds, finished.rounds_per_session
    if usual and planned:  # a prolonged game has more rounds than a new game should plan
        planned = min(usual, planned)
    tournament = _new_tournament(sheet.rules, planned, partners=finished.partners)
    names = [entry.name for entry in sheet.entries]
    try:
        return _start_and_redirect(request, tournament, sheet.rules, names)
    except TooManyToday:
        messages.error(request, _limit_message())
        return redirect(sheet.sitting)


def _club_sheet(request: HttpRequest) -> Sheet:
    """Raises `Http404` for other tables."""
    sitting = door.sitting_of(request)
    if sitting.session.tournament.kind != Tournament.Kind.TABLE:
        raise Http404
    return sheet_of(sitting)


def _new_tournament(
    rules: scoring.Rules, planned_rounds: int | None, *, partners: bool
) -> Tournament:
    """Return an unsaved tournament for one table, named after its rules and the day.

    `planned_rounds` is None for no limit; with `partners` seats 1 and 3 play 2 and 4.
    """
    today = timezone.localdate()
    title = sentences.translated(rules.rule_set.title)
    return Tournament(
        name=gettext("%(rules)s, %(date)s")
        % {"rules": title, "date": date_format(today, "MONTH_DAY_FORMAT")},
        held_on=today,
        rounds_per_session=planned_rounds,
        partners=partners,
    )
