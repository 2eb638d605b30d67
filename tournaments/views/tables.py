"""One table tonight, without an account; and how phones come to a table."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseForbidden
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache

import scoring
from tournaments.forms import posted
from tournaments.forms.tables import JoinByCodeForm, JoinForm, StartTableForm
from tournaments.i18n import sentences
from tournaments.models import Sitting, Tournament
from tournaments.permissions import admission, door, guessers, rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.queries.sheets import Sheet, sheet_of
from tournaments.services import guesses, phones, table_codes, tournaments
from tournaments.views import over
from tournaments.views.over import for_former_phones
from tournaments.views.rules import find_rules
from tournaments.web import club_table_limits


@requires(GET=Level.ANYBODY, POST=Level.ANYBODY)
def start_table(request: HttpRequest, rule_set: str) -> HttpResponse:
    """Ask who plays, then open their score pad."""
    rules = find_rules(rule_set)
    players = _players_asked_for(request, rules)
    form = StartTableForm(rules, players, posted(request))
    status, headers = (422 if form.is_bound else 200), {}
    if request.method == "POST" and form.is_valid():
        wait = club_table_limits.seconds_to_wait(request)
        if not wait:
            tonight = _tonight(form.rules, form.planned, form.wants_partners)
            return _start(request, tonight, form.rules, form.names)
        form.add_error(None, _too_many())
        status, headers = 429, {"Retry-After": str(wait)}
    context = {"form": form, "rules": rules, "rules_fingerprint": rules.fingerprint}
    return _shown(request, "start_table.html", context, status, headers)


def _too_many() -> str:
    """Say why this browser starts no other table now, and what to do."""
    return str(club_table_limits.SENTENCE) % {"most": club_table_limits.MOST_A_DAY}


def _players_asked_for(request: HttpRequest, rules: scoring.Rules) -> int:
    """Return for how many players the form is: what was asked for if the rules allow it."""
    asked_for = request.POST.get("players") or request.GET.get("players")
    allowed = rules.rule_set.players
    return next((count for count in allowed if str(count) == asked_for), allowed[0])


def _start(
    request: HttpRequest, tonight: Tournament, rules: scoring.Rules, names: Sequence[str]
) -> HttpResponse:
    """Set the table up and make this browser its phone."""
    tournaments.remove_unplayed_tables()
    with transaction.atomic():  # no table that nobody holds
        sitting = tournaments.start_table(tonight, rules, names, by=rights.actor(request))
        admission.let_record(request, sitting)
        club_table_limits.note(request)
    return redirect(sitting)


@requires(POST=Level.PHONE)
def go_on(request: HttpRequest, slug: str, session: int, table: int) -> HttpResponse:
    """Let one table play on once it has played what it agreed on: everybody deals once more."""
    sheet = _club_sheet(request, slug, session, table)
    seen = request.POST.get("planned", "")
    if sheet.may_be_prolonged and seen == str(sheet.planned):
        tournaments.prolong(
            sheet.sitting.session.tournament,
            len(sheet.players),
            seen=int(seen),
            by=rights.actor(request, sheet.sitting),
        )
    return redirect(sheet.sitting)


@requires(POST=Level.PHONE)
def play_again(request: HttpRequest, slug: str, session: int, table: int) -> HttpResponse:
    """Once a game has ended, start a new one of the same people, seats and rules."""
    sheet = _club_sheet(request, slug, session, table)
    if not sheet.is_finished:
        return redirect(sheet.sitting)
    if club_table_limits.seconds_to_wait(request):
        messages.error(request, _too_many())
        return redirect(sheet.sitting)
    before = sheet.sitting.session.tournament
    usual, planned = sheet.rules.usual_rounds, before.rounds_per_session
    if usual and planned:  # those who played on plan what is usual, not what it came to
        planned = min(usual, planned)
    tonight = _tonight(sheet.rules, planned, before.partners)
    return _start(request, tonight, sheet.rules, [entry.name for entry in sheet.entries])


def _club_sheet(request: HttpRequest, slug: str, session: int, table: int) -> Sheet:
    """Return the sheet of a table that plays by itself."""
    sitting = door.sitting_of(request)
    if sitting.session.tournament.kind != Tournament.Kind.TABLE:
        raise Http404
    return sheet_of(sitting)


def _tonight(rules: scoring.Rules, planned: int | None, partners: bool) -> Tournament:
    """Return a tournament for this table alone, named after its rules and the day."""
    today = timezone.localdate()
    title = sentences.translated(rules.rule_set.title)
    return Tournament(
        name=gettext("%(rules)s, %(date)s")
        % {"rules": title, "date": date_format(today, "MONTH_DAY_FORMAT")},
        held_on=today,
        rounds_per_session=planned,
        partners=partners,
    )


@never_cache
@requires(GET=Level.ANYBODY)
def join_table(request: HttpRequest, token: str) -> HttpResponse:
    """Lead to the table whose link was opened, of which this browser is to be a phone.

    It becomes one when it asks for the page that it is led to. The token goes no further.
    """
    if _is_preview(request):
        return HttpResponseForbidden()
    try:
        sitting = phones.sitting_of_link(token)
    except phones.NoSuchLink:
        return over.tell_of_link(request, token)
    if request.method == "GET" and not rights.may_record(request, sitting):
        admission.expect(request, sitting)
        return _lead(sitting, writes=not phones.has_writer(sitting))
    return _at_the_table(request, sitting)


def _is_preview(request: HttpRequest) -> bool:
    """Return whether a browser looks ahead, and nobody has opened the page yet."""
    purposes = (request.headers.get(name, "") for name in ("Sec-Purpose", "Purpose", "X-Purpose"))
    return any(each.startswith(("prefetch", "preview")) for each in purposes)


@never_cache
@requires(GET=Level.ANYBODY, POST=Level.ANYBODY)
def join(request: HttpRequest) -> HttpResponse:
    """Ask for a table's number and the PIN on its card, or for the code of a club table."""
    if "code" in request.POST:
        return _join_with_code(request)
    form = JoinForm(posted(request))
    status, headers = (422 if form.is_bound else 200), {}
    if request.method == "POST" and form.is_valid():
        try:
            joined = phones.join_by_number_alone(
                form.cleaned_data["table"],
                form.cleaned_data["pin"],
                guesser=guessers.guesser_of(request),
            )
        except (phones.WrongPin, phones.NoSuchLink):  # the latter where it was closed just now
            form.ask_pin_again(
                gettext(
                    "The table’s number or the PIN is wrong. A card that was printed again has "
                    "a new PIN; once a tournament is over, its PINs open nothing."
                )
            )
        except guesses.TooManyGuesses as throttled:
            form.ask_pin_again(throttled.words)
            status, headers = 429, {"Retry-After": str(throttled.seconds)}
        else:
            admission.remember(request, joined)
            return _joined(request, joined.phone.sitting)
    context = {"form": form, "code_form": JoinByCodeForm()}
    return _shown(request, "join.html", context, status, headers)


def _join_with_code(request: HttpRequest) -> HttpResponse:
    form, status, headers = JoinByCodeForm(posted(request)), 422, {}
    if form.is_valid():
        code, guesser = form.cleaned_data["code"], guessers.guesser_of(request)
        try:
            joined = table_codes.join(code, guesser=guesser)
        except (table_codes.WrongCode, table_codes.CodeEnded) as refused:
            form.ask_again(str(refused.sentence))
        except guesses.TooManyGuesses as throttled:
            form.ask_again(throttled.words)
            status, headers = 429, {"Retry-After": str(throttled.seconds)}
        else:
            admission.remember(request, joined)
            return _at_the_table(request, joined.phone.sitting)
    card_form = JoinForm()
    card_form.remove_autofocus()
    context = {"form": card_form, "code_form": form}
    return _shown(request, "join.html", context, status, headers)


def _shown(
    request: HttpRequest,
    template: str,
    context: dict[str, Any],
    status: int,
    headers: Mapping[str, str],
) -> HttpResponse:
    """Return a page with its form, as it was typed, and the status that belongs to it."""
    answer = render(request, template, context, status=status)
    for name, value in headers.items():
        answer.headers[name] = value
    return answer


def _joined(request: HttpRequest, sitting: Sitting) -> HttpResponse:
    """Lead to the table, and say of which event it is: the number alone does not tell."""
    event = sitting.session.tournament
    told = {"table": sitting.number, "event": sentences.isolated(event.name)}
    if event.held_on == timezone.localdate():
        words = gettext("This phone is at table %(table)s of %(event)s.")
    else:
        words = gettext(
            "This phone is at table %(table)s of %(event)s, on %(date)s. "
            "That is not today: please check."
        )
        told["date"] = date_format(event.held_on)
    messages.success(request, words % told)
    return _at_the_table(request, sitting)


def _at_the_table(request: HttpRequest, sitting: Sitting) -> HttpResponse:
    """Lead to the table; a phone that is not its writer is asked whether it takes over."""
    phone = rights.phone_at(request, sitting)
    return _lead(sitting, writes=phone is None or phone.is_writer)


def _lead(sitting: Sitting, *, writes: bool) -> HttpResponse:
    """Lead to the next round, or where a phone is asked whether it takes over."""
    if writes:
        return _to_play(sitting)
    session = sitting.session
    return redirect("take-over", session.tournament.slug, session.number, sitting.number)


def _to_play(sitting: Sitting) -> HttpResponse:
    """Lead straight to where the next round is taken down, or to the ledger where none is."""
    session = sitting.session
    if session.totals_only:
        return redirect(sitting)
    return redirect("play-table", session.tournament.slug, session.number, sitting.number)


@never_cache
@for_former_phones
@requires(GET=Level.PHONE, POST=Level.PHONE)
def take_over(request: HttpRequest, slug: str, session: int, table: int) -> HttpResponse:
    """Let a phone become its table's writer by a tap."""
    sitting = door.sitting_of(request)
    phone = rights.phone_at(request, sitting)
    if phone is None:
        raise Http404
    if request.method == "POST":
        try:
            phones.take_over(phone)
        except phones.NoSuchLink:  # closed a moment ago
            raise Http404 from None
        return _to_play(sitting)
    context = {"sitting": sitting, "tournament": sitting.session.tournament, "phone": phone}
    return render(request, "take_over.html", context)
