"""The players of a tournament: listing, adding, editing and deleting them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from tournaments.forms import posted_data
from tournaments.forms.entries import EntryForm
from tournaments.forms.entry_lists import EntryFileForm, PasteForm
from tournaments.i18n import romaji
from tournaments.i18n.player_search import Finder, finder_of
from tournaments.i18n.sentences import isolated, listed
from tournaments.models import AuditEntry, Entry, Membership, Registration, Tournament
from tournaments.models.entry_fields import MOST_ENTRIES, PRIVATE_FIELDS
from tournaments.models.people import search_key
from tournaments.permissions import door, rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.queries.events import Event
from tournaments.queries.registrations import OpenApplications, open_applications
from tournaments.services import list_layouts, registrations, versions
from tournaments.services.closing import EventClosed
from tournaments.services.entries import (
    AddedSince,
    StaysOnRecord,
    TooManyEntries,
    add_entries,
    correct_entry,
    import_entries,
    last_number,
    removable_entries,
    remove_removable,
)
from tournaments.views.conflicts import seen_version, unseen_change
from tournaments.views.entry_previews import must_be_shown, people_as_ticked, show_preview
from tournaments.web.numbers import parse_number
from tournaments.web.public_pages import cached_for_spectators

PLAYERS_A_PAGE = 500
MOST_DUPLICATES = 200  # possible duplicates that the page asks about after adding players


@requires(GET=Level.SEE, POST=Level.DIRECT)
@cached_for_spectators
def entries(request: HttpRequest, slug: str) -> HttpResponse:
    """List the players; on POST add some by form, pasted lines or file, or delete duplicates."""
    if request.method == "POST" and "delete" in request.POST:
        return _delete_duplicates(request, door.tournament_of(request))
    if request.method == "POST":
        return _add_players(request, door.tournament_of(request))
    return _show_entries(request, door.event_of(request), _empty_forms())


class AddForms(NamedTuple):
    """At most one of the forms is bound."""

    typed: EntryForm
    pasted: PasteForm
    file: EntryFileForm


def _empty_forms() -> AddForms:
    return AddForms(typed=EntryForm(), pasted=PasteForm(), file=EntryFileForm())


def _bound_forms(
    request: HttpRequest, tournament: Tournament
) -> tuple[AddForms, EntryForm | PasteForm | EntryFileForm]:
    if "encoding" not in request.POST and "people" not in request.POST:
        typed = EntryForm(request.POST)
        return _empty_forms()._replace(typed=typed), typed
    room = MOST_ENTRIES - last_number(tournament)  # how many players can still be added
    known = list_layouts.known_layouts(rights.actor(request).user)
    if "encoding" in request.POST:
        file = EntryFileForm(request.POST, request.FILES, room=room, known=known)
        return _empty_forms()._replace(file=file), file
    pasted = PasteForm(request.POST, room=room, known=known)
    return _empty_forms()._replace(pasted=pasted), pasted


def _add_players(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Add the players of the posted form and redirect to the list.

    A list that is refused, or has to be shown first, is shown with what can be chosen.
    """
    add_forms, form = _bound_forms(request, tournament)
    if tournament.closed_at is not None:
        form.add_error(None, EventClosed.sentence)
        return _show_entries(request, Event(tournament), add_forms, status=409)
    if isinstance(form, EntryForm):
        if not form.is_valid():
            return _show_entries(request, Event(tournament), add_forms, status=422)
        return _add(request, tournament, add_forms, [form.cleaned_data])
    is_valid = form.is_valid()
    if form.layout is None:
        return _show_entries(request, Event(tournament), add_forms, status=422)
    if not is_valid or "preview" in request.POST or must_be_shown(request, tournament, form):
        return show_preview(request, tournament, form)
    people = people_as_ticked(request, tournament, form.lines_to_add())
    return _add(request, tournament, add_forms, people, form)


def _add(
    request: HttpRequest,
    tournament: Tournament,
    add_forms: AddForms,
    people: list[dict[str, Any]],
    form: PasteForm | EntryFileForm | None = None,
) -> HttpResponse:
    """Add these players and redirect to the list of players; `form` is that of a list.

    Before a list is added a backup is made, and the layout that was shown is remembered. If the
    same form has added the player already, nobody is added; such a list is shown again.
    """
    by = rights.actor(request)
    try:
        add = import_entries if form else add_entries
        added = add(tournament, people, by=by, shown_number=shown_number(request))
    except AddedSince as again:
        if form:
            return show_preview(request, tournament, form)
        messages.info(request, added_already_message(again.entry))
        return redirect_to_list(tournament, [], {"add": ""})
    except (EventClosed, TooManyEntries) as refused:
        (form or add_forms.typed).add_error(None, refused.sentence)
        status = 409 if isinstance(refused, EventClosed) else 422
        return _show_entries(request, Event(tournament), add_forms, status=status)
    messages.success(request, added_message(added))
    if form is None:
        # The form stays open for the next player.
        return redirect_to_list(tournament, added, {"add": ""})
    if form.layout and by.user and "seen" in request.POST:
        list_layouts.remember(by.user, form.layout)
    for notice in form.notices():
        messages.info(request, notice)
    return redirect_to_list(tournament, added)


def redirect_to_list(
    tournament: Tournament,
    added: list[Entry],
    query: Mapping[str, str] | None = None,
) -> HttpResponse:
    """Redirect to the list of players, which proposes to delete duplicates.

    Possible duplicates are added players whose name a player with a lower number has; their
    numbers are in the query of the redirect, besides `query`.
    """
    query = {**(query or {})}
    if duplicates := _numbers_of_duplicates(tournament, added):
        query["duplicates"] = ".".join(str(number) for number in duplicates[:MOST_DUPLICATES])
    query_string = f"?{urlencode(query)}" if query else ""
    return redirect(reverse("entries", args=[tournament.slug]) + query_string)


def shown_number(request: HttpRequest) -> int | None:
    """Return the next player's number as the posted form has it; None if it has none."""
    return parse_number(request.POST.get("first_number", ""))


def added_already_message(entry: Entry) -> str:
    return _(
        "%(number)s %(name)s was added before; nobody was added twice. For somebody else of that "
        "name, fill in the form again."
    ) % {"number": entry.number, "name": isolated(entry.name)}


def added_message(added: list[Entry]) -> str:
    first, last = added[0], added[-1]
    if len(added) == 1:
        return _("Added: %(number)s %(name)s") % {
            "number": first.number,
            "name": isolated(first.name),
        }
    return _("%(count)s players added: numbers %(first)s to %(last)s.") % {
        "count": len(added),
        "first": first.number,
        "last": last.number,
    }


def _numbers_of_duplicates(tournament: Tournament, added: list[Entry]) -> list[int]:
    """Return the numbers of the added players who have the name of an earlier player."""
    if not added:
        return []
    before = tournament.entries.filter(number__lt=added[0].number)
    duplicates = []
    names = {search_key(name) for name in before.values_list("name", flat=True)}
    for entry in added:
        if search_key(entry.name) in names:
            duplicates.append(entry.number)
        names.add(search_key(entry.name))
    return duplicates


class Duplicate(NamedTuple):
    entry: Entry
    before: list[Entry]


def _duplicates(request: HttpRequest, entries: list[Entry]) -> list[Duplicate]:
    """Return the possible duplicates: players with the name of an earlier player.

    Only players whose numbers are in the query are returned.
    """
    requested = set(request.GET.get("duplicates", "").split(".")[:MOST_DUPLICATES])
    by_name: dict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        by_name[search_key(entry.name)].append(entry)
    return [
        Duplicate(entry, before=same_name[:index])
        for same_name in by_name.values()
        for index, entry in enumerate(same_name)
        if index > 0 and entry.key in requested
    ]


def _delete_duplicates(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Delete the ticked players, except those who stay on record by now, such as with a seat.

    Places that become free are given to applicants on the waiting list.
    """
    ticked = {number for number in request.POST.getlist("delete") if number.isdecimal()}
    entries = [entry for entry in tournament.entries.all() if entry.key in ticked]
    by = rights.actor(request)
    with transaction.atomic():
        deleted = remove_removable(tournament, entries, by=by)
        approved = registrations.approve_waiting(tournament, by=by)
    if deleted:
        names = listed([f"{entry.number} {isolated(entry.name)}" for entry in deleted])
        messages.success(request, _("Deleted: %(name)s") % {"name": names})
    show_approved_message(request, approved)
    return redirect("entries", tournament.slug)


def _show_entries(
    request: HttpRequest,
    event: Event,
    add_forms: AddForms,
    *,
    status: int = 200,
) -> HttpResponse:
    """Show the list of players; to directors also the forms and the possible duplicates.

    `sort=reading` in the query sorts by reading, players without a reading last; `q` searches.
    """
    tournament = event.tournament
    entries, searched = event.entries, request.GET.get("q", "").strip()
    if request.GET.get("sort") == "reading":
        entries = sorted(entries, key=lambda entry: (not entry.reading, search_key(entry.reading)))
    role = rights.role_in(request, tournament)
    finds = finder_of(searched)
    found = [entry for entry in entries if not searched or _is_found(entry, finds)]
    context = {
        "applications": open_applications(tournament) if role else OpenApplications(),
        "tournament": tournament,
        "publication": event.publication,
        "role": role,
        "may_edit": role == Membership.Role.DIRECTOR,
        "entries": entries,
        "page": Paginator(found, PLAYERS_A_PAGE).get_page(request.GET.get("page")),
        "searched": searched,
        "is_searched": bool(searched) or len(entries) > PLAYERS_A_PAGE,
        "players": len(event.players),
        "substitutes": len(event.entries) - len(event.players),
        "divisions": dict(Counter(sorted(filter(None, (p.division for p in event.players))))),
        "has_readings": any(entry.reading for entry in entries),
        "has_teams": any(entry.team for entry in entries),
        "duplicates": _duplicates(request, event.entries)
        if role == Membership.Role.DIRECTOR
        else [],
        "is_unseated": bool(event.entries) and not event.sessions,
        **add_forms._asdict(),
        "first_number": last_number(tournament) + 1 if role == Membership.Role.DIRECTOR else None,
        "is_adding": any(form.is_bound for form in add_forms),
        "is_open": any(form.is_bound for form in add_forms) or "add" in request.GET,
        "is_private_open": any(request.POST.get(name) for name in PRIVATE_FIELDS),
        "rules_fingerprint": tournament.rules.fingerprint,
    }
    return render(request, "entries.html", context, status=status)


def _is_found(entry: Entry, finds: Finder) -> bool:
    text = f"{entry.name} {entry.reading} {entry.club} {entry.team}"
    return finds(entry.key, text, romaji.romaji_of(entry.reading))


@requires(GET=Level.DIRECT, POST=Level.DIRECT)
def edit_entry(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Edit a player; delete a player who never had a seat.

    Answers 409 with the change of somebody else, if the player was changed since the page was
    opened.
    """
    tournament = door.tournament_of(request)
    if "delete" in request.POST:
        return _delete_entry(request, tournament, number)
    entry, version = _entry_and_version(tournament, number)
    stored = entry.public_values() | entry.private_values()
    form = EntryForm(posted_data(request), initial=stored)
    context: dict[str, Any] = {"tournament": tournament, "entry": entry, "form": form}
    status = 200
    if form.is_bound:
        status, version = 422, seen_version(request)
    if form.is_valid():
        try:
            by = rights.actor(request)
            with transaction.atomic():
                correct_entry(entry, form.cleaned_data, seen_version=version, by=by)
                # A player who changes class may leave a vacancy in the old class.
                approved = registrations.approve_waiting(tournament, by=by)
        except Entry.DoesNotExist as removed:
            raise Http404 from removed
        except versions.VersionConflict as conflict:
            context["change"], version, status = (
                unseen_change(tournament, conflict),
                conflict.version,
                409,
            )
            current = get_object_or_404(tournament.entries, number=number)
            context["stored_private"] = _differing_private_facts(current, form)
        else:
            messages.success(request, _("Saved."))
            show_approved_message(request, approved)
            return redirect("entries", tournament.slug)
    may_delete = removable_entries(tournament).filter(pk=entry.pk).exists()
    context |= {"may_delete": may_delete, "seen": version}
    return render(request, "edit_entry.html", context, status=status)


def _entry_and_version(tournament: Tournament, number: int) -> tuple[Entry, int]:
    """Return a player, and the version of the player's data.

    The version is read first, so that it is not newer than the data.
    """
    version = versions.version_of(get_object_or_404(tournament.entries, number=number))
    return get_object_or_404(tournament.entries, number=number), version


def _differing_private_facts(entry: Entry, form: EntryForm) -> list[tuple[str, str]]:
    """Return (label, stored value) of each private field whose stored and typed values differ.

    Audit entries hold only digests of private values, so `unseen_change` cannot show them.
    """
    return [
        (str(form[name].label), str(stored or ""))
        for name, stored in entry.private_values().items()
        if stored != form.cleaned_data[name]
    ]


def _delete_entry(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Delete a player; of one who was deleted already a message says so."""
    deleted = tournament.audit_entries.filter(kind=AuditEntry.Kind.ENTRY_REMOVED)
    try:
        entry = tournament.entries.get(number=number)
        approved = registrations.remove_entries(tournament, [entry], by=rights.actor(request))
    except Entry.DoesNotExist:
        if not deleted.filter(old__number=number).exists():
            raise Http404 from None
        messages.info(request, _("This player has been deleted already."))
    except StaysOnRecord as refused:
        messages.error(request, str(refused))
    else:
        name = f"{entry.number} {isolated(entry.name)}"
        messages.success(request, _("Deleted: %(name)s") % {"name": name})
        show_approved_message(request, approved)
    return redirect("entries", tournament.slug)


def show_approved_message(request: HttpRequest, approved: list[Registration]) -> None:
    """Show a message that names the applicants of the waiting list who have become players."""
    if approved:
        names = listed([f"{row.player} {isolated(row.name)}" for row in approved])
        words = _("From the waiting list, now players: %(names)s")
        messages.success(request, words % {"names": names})
