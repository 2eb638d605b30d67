"""The staff's pages of registration: the list of applications, and the settings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import compress
from typing import Any, NamedTuple

from django.contrib import messages
from django.core.paginator import Page, Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache

from tournaments.exceptions import OperationRefused
from tournaments.forms import posted_data
from tournaments.forms.registrations import DecisionForm, RegistrationSettingsForm
from tournaments.models import Registration, Tournament
from tournaments.models.entry_fields import ENTRY_FIELDS
from tournaments.permissions import door, rights, tournament_lists
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.queries.earlier_players import Earlier, earlier_players
from tournaments.queries.registrations import (
    Applicant,
    applicants_of,
    code_of,
    contacts_without_use,
    counts_of,
    is_still_player,
    mailings_of,
    path_for_applicants,
    vacancies_of,
)
from tournaments.services import contacts, versions
from tournaments.services import registrations as service
from tournaments.services.entries import StaysOnRecord
from tournaments.services.registrations import Decision
from tournaments.views.conflicts import seen_version, unseen_change
from tournaments.web.numbers import parse_number
from tournaments.web.origins import is_unreachable, qr_code

State = Registration.State
SHOWN_STATES = [State.PENDING, State.WAITING, State.APPROVED, State.DECLINED, State.WITHDRAWN]
FIRST_ROWS, ROWS_A_PAGE = 40, 100  # of each state, and of one state alone


class Row(NamedTuple):
    """An application on the list.

    `earlier` is the player of an earlier tournament who may be the same person; `lacking` has
    (label, value) of each field that this player has and the application lacks.
    """

    applicant: Applicant
    earlier: Earlier | None
    lacking: list[tuple[str, str]]

    @property
    def key(self) -> str:
        """Return the value of the box that ticks this application: its number and shown state."""
        return f"{self.applicant.row.number}.{self.applicant.state}"

    @property
    def key_of_earlier(self) -> str:
        """Return the value of the box that copies the lacking fields from the earlier player.

        Empty without an earlier player.
        """
        return f"{self.applicant.row.number}.{self.earlier.entry.pk}" if self.earlier else ""


@never_cache
@requires(GET=Level.STAFF, POST=Level.DIRECT)
def registrations(request: HttpRequest, slug: str) -> HttpResponse:
    """List the applications with their counts: the first of each state, or one state in pages.

    On POST decide the ticked applications; with `decline_all` decline all of a state, with `remove`
    remove the player of an application, with `erase` erase contacts that are no longer used.
    """
    tournament = door.tournament_with_sessions(request)
    if "remove" in request.POST:
        return _remove_player(request, tournament)
    if "erase" in request.POST:
        return _erase_contacts(request, tournament)
    status = 200
    if request.method == "POST":
        is_for_all = "decline_all" in request.POST
        problem = (_decline_all if is_for_all else _decide)(request, tournament)
        if not problem:
            return redirect(request.get_full_path())
        messages.error(request, problem)
        status = 409
    context = _list_context(request, tournament)
    return render(request, "registrations.html", context, status=status)


class Section(NamedTuple):
    """The applications in one state: those of one page, and the number of the last of all."""

    state: State
    page: Page[Applicant]
    rows: list[Row]
    last: int

    @property
    def may_decline_all(self) -> bool:
        """Return whether a button declines all: where nobody has decided yet."""
        return self.state in {State.PENDING, State.WAITING}

    @property
    def is_open(self) -> bool:
        return self.may_decline_all or self.page.paginator.per_page == ROWS_A_PAGE


def _sections(
    request: HttpRequest, tournament: Tournament, applicants: Sequence[Applicant]
) -> list[Section]:
    """Return a page of the state that is asked for, or else the first rows of each state."""
    asked = request.GET.get("state", "")
    states = [State(asked)] if asked in State else SHOWN_STATES
    rows_a_page = ROWS_A_PAGE if asked in State else FIRST_ROWS
    sections = []
    for state in states:
        found = [each for each in applicants if each.state == state]
        page = Paginator(found, rows_a_page).get_page(request.GET.get("page"))
        last = max((each.row.number for each in found), default=0)
        sections.append(Section(state, page, _rows(request, tournament, page.object_list), last))
    return [section for section in sections if section.rows]


def _list_context(request: HttpRequest, tournament: Tournament) -> dict[str, Any]:
    """Return the template context of the list.

    - `withdrawn_players`: the withdrawn applications whose applicants are still players
    - `proposed`: the numbers of the applications on the waiting list that the vacancies allow
    - `erasable_contacts`: the number of contacts that can be erased
    """
    applicants = applicants_of(tournament)
    vacancies = vacancies_of(tournament)
    waiting = [each.row for each in applicants if each.state == State.WAITING]
    fits = vacancies.which_fit(row.division for row in waiting)
    counts = counts_of(applicants)
    return {
        "tournament": tournament,
        "role": rights.role_in(request, tournament),
        "settings": tournament.registration_settings,
        "has_ended": tournament.registration_settings.has_ended(timezone.now()),
        "places": vacancies,
        "counts": list(counts.items()),
        "withdrawn_players": [each for each in applicants if is_still_player(each)],
        "sections": _sections(request, tournament, applicants),
        "is_anybody_waiting": bool(counts[State.PENDING] or waiting),
        "proposed": {row.number for row in compress(waiting, fits)},
        "erasable_contacts": len(contacts_without_use(tournament)),
        "mailings": mailings_of(applicants),
        "ticked": set(request.POST.getlist("ticked")),
        "link": qr_code(request, path_for_applicants(tournament)),
        "is_unreachable": is_unreachable(request),
    }


def _rows(
    request: HttpRequest, tournament: Tournament, applicants: Iterable[Applicant]
) -> list[Row]:
    applicants = list(applicants)
    people = [each.row.person() for each in applicants]
    earlier = earlier_players(
        people, tournament_lists.staffed_tournaments(request).exclude(pk=tournament.pk)
    )
    rows = []
    for applicant, player in zip(applicants, earlier, strict=True):
        lacking = player.lacking if player else {}
        labelled = [(str(ENTRY_FIELDS[name].label), value) for name, value in lacking.items()]
        rows.append(Row(applicant, player, labelled))
    return rows


def _decide(request: HttpRequest, tournament: Tournament) -> str:
    """Store the posted state of the ticked applications.

    Return an empty string, or the error if nothing is stored.
    """
    applicants = applicants_of(tournament)
    form = DecisionForm(request.POST, [each.row for each in applicants])
    if not form.is_valid():
        return " ".join(str(error) for errors in form.errors.values() for error in errors)
    ticked_earlier = set(request.POST.getlist("take_over"))
    numbers = {each.number for each in form.ticked_applications} if ticked_earlier else set()
    ticked = _rows(request, tournament, (e for e in applicants if e.row.number in numbers))
    lacking = {
        row.applicant.row.number: row.earlier.lacking
        for row in ticked
        if row.earlier and row.key_of_earlier in ticked_earlier
    }
    decisions = [
        Decision(each.number, each.seen, lacking.get(each.number, {}))
        for each in form.ticked_applications
    ]
    state = form.cleaned_data["state"]
    try:
        changed = service.decide(tournament, decisions, state, by=rights.actor(request))
    except OperationRefused as refused:
        return str(refused)
    messages.success(request, _decided_message(State(state), len(changed)))
    return ""


def _decline_all(request: HttpRequest, tournament: Tournament) -> str:
    """Decline all applications of a state up to the last one that was shown.

    Return an empty string, or the error if nothing is stored.
    """
    state, _, last = request.POST["decline_all"].partition(".")
    if state not in {State.PENDING, State.WAITING} or (number := parse_number(last)) is None:
        raise Http404
    try:
        declined = service.decline_all(tournament, state, last=number, by=rights.actor(request))
    except OperationRefused as refused:
        return str(refused)
    messages.success(request, _decided_message(State.DECLINED, len(declined)))
    return ""


def _decided_message(state: State, count: int) -> str:
    words = {
        State.APPROVED: ngettext(
            "%(count)s application approved and added to the players.",
            "%(count)s applications approved and added to the players.",
            count,
        ),
        State.WAITING: ngettext(
            "%(count)s application put on the waiting list.",
            "%(count)s applications put on the waiting list.",
            count,
        ),
        State.DECLINED: ngettext(
            "%(count)s application declined.", "%(count)s applications declined.", count
        ),
    }
    return words[state] % {"count": count}


def _remove_player(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    number = parse_number(request.POST["remove"])
    row = get_object_or_404(tournament.registrations, number=number)
    try:
        service.remove_player(row, by=rights.actor(request))
    except StaysOnRecord as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, _("The player has been removed."))
    return redirect("registrations", tournament.slug)


def _erase_contacts(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    count = contacts.erase_contacts(tournament, by=rights.actor(request))
    words = ngettext("%(count)s contact erased.", "%(count)s contacts erased.", count)
    messages.success(request, words % {"count": count})
    return redirect("registrations", tournament.slug)


@never_cache
@requires(GET=Level.DIRECT, POST=Level.DIRECT)
def registration_settings(request: HttpRequest, slug: str) -> HttpResponse:
    """Choose whether and until when applications are taken, the capacity and who approves.

    Answers 409 with the change of somebody else, if the settings were changed since the page was
    opened.
    """
    tournament = door.tournament_with_sessions(request)
    is_posted = request.method == "POST"
    shown_version = (
        seen_version(request) if is_posted else versions.registration_version(tournament)
    )
    tournament.refresh_from_db()  # after the version, so that the page is not older
    form = RegistrationSettingsForm(
        posted_data(request),
        tournament.registration_settings,
        proposes_opening=not tournament.registration,
    )
    change = None
    if is_posted and form.is_valid():
        try:
            service.set_registration(
                tournament, form.settings, seen_version=shown_version, by=rights.actor(request)
            )
        except versions.VersionConflict as conflict:
            change, shown_version = unseen_change(tournament, conflict), conflict.version
        except OperationRefused as refused:
            form.add_error(None, str(refused))
        else:
            messages.success(request, _("Saved."))
            return redirect("registrations", slug)
    context = {"tournament": tournament, "form": form, "change": change, "seen": shown_version}
    context["code"] = code_of(tournament)
    status = 409 if change else 422 if form.is_bound else 200
    return render(request, "registration_settings.html", context, status=status)
