"""The players of a tournament."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from tournaments import backups
from tournaments.forms import posted
from tournaments.forms.entries import EntryForm, PasteForm
from tournaments.forms.entry_file import EntryFileForm
from tournaments.i18n.sentences import isolated, listed
from tournaments.models import Entry, Membership, Tournament
from tournaments.models.people import PRIVATE_FIELDS, search_form
from tournaments.permissions import door, rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.queries.events import Event
from tournaments.services import versions
from tournaments.services.closing import EventClosed
from tournaments.services.entries import (
    HasPlayed,
    TooManyEntries,
    add_entries,
    correct_entry,
    last_number,
    remove_entries,
    remove_entry,
)
from tournaments.spreadsheets.entry_lists import MOST_ENTRIES
from tournaments.views.stale import change_of, seen_by

MOST_ASKED = 200  # of those added at once, whose names were there before


@requires(GET=Level.SEE, POST=Level.DIRECT)
def entries(request: HttpRequest, slug: str) -> HttpResponse:
    """List the players; the director adds to them: typed one by one, pasted, or from a file."""
    if request.method == "POST" and "delete" in request.POST:
        return _delete_twice(request, door.tournament_of(request))
    if request.method == "POST":
        return _add(request, door.tournament_of(request))
    return _show(request, door.event_of(request), _empty_ways())


class Ways(NamedTuple):
    """The forms by which players are added; at most one of them is filled in."""

    typed: EntryForm
    pasted: PasteForm
    file: EntryFileForm


def _empty_ways() -> Ways:
    return Ways(EntryForm(), PasteForm(), EntryFileForm())


def _ways(request: HttpRequest, room: int) -> tuple[Ways, EntryForm | PasteForm | EntryFileForm]:
    """Return the forms, and the one among them that was sent."""
    if "encoding" in request.POST:
        file = EntryFileForm(request.POST, request.FILES, room=room)
        return _empty_ways()._replace(file=file), file
    if "people" in request.POST:
        pasted = PasteForm(request.POST, room=room)
        return _empty_ways()._replace(pasted=pasted), pasted
    typed = EntryForm(request.POST)
    return _empty_ways()._replace(typed=typed), typed


def _add(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    room = MOST_ENTRIES - last_number(tournament)
    ways, sent = _ways(request, room)
    if tournament.closed_at is not None:
        sent.add_error(None, EventClosed.sentence)
        return _show(request, Event(tournament), ways, status=409)
    if not sent.is_valid():
        return _show(request, Event(tournament), ways, status=422)
    people = sent.cleaned_data.get("people", [sent.cleaned_data])
    if sent is not ways.typed:
        backups.take(backups.Reason.BEFORE_IMPORT, who=rights.actor(request).who)
    known = set(tournament.entries.values_list("name", flat=True))
    try:
        added = add_entries(tournament, people, by=rights.actor(request))
    except (EventClosed, TooManyEntries) as refused:
        sent.add_error(None, refused.sentence)
        status = 409 if isinstance(refused, EventClosed) else 422
        return _show(request, Event(tournament), ways, status)
    twice = _tell(request, added, known)
    if ways.file.titles:
        said = _("Left out above the headings: %(lines)s")
        messages.info(request, said % {"lines": isolated(" / ".join(ways.file.titles)[:300])})
    if ways.pasted.columns:
        messages.info(request, _("The first line named the columns; it was taken for nobody."))
    query = {"add": ""} if sent is ways.typed else {}  # whoever types one player types more
    if twice:
        query["twice"] = ".".join(str(number) for number in twice[:MOST_ASKED])
    following = f"?{urlencode(query)}" if query else ""
    return redirect(reverse("entries", args=[tournament.slug]) + following)


def _tell(request: HttpRequest, added: list[Entry], known: set[str]) -> list[int]:
    """Say exactly what was added; return the numbers of those whose name was there before."""
    first, last = added[0], added[-1]
    if len(added) == 1:
        said = _("Added: %(number)s %(name)s") % {
            "number": first.number,
            "name": isolated(first.name),
        }
    else:
        said = _("%(count)s players added: numbers %(first)s to %(last)s.") % {
            "count": len(added),
            "first": first.number,
            "last": last.number,
        }
    messages.success(request, said)
    twice, names = [], {search_form(name) for name in known}
    for entry in added:
        if search_form(entry.name) in names:
            twice.append(entry.number)
        names.add(search_form(entry.name))
    return twice


class Twice(NamedTuple):
    """A player just added, and those of the same name who were there before."""

    entry: Entry
    before: list[Entry]


def _twice(request: HttpRequest, entries: list[Entry]) -> list[Twice]:
    """Return the players to be asked about: perhaps one person was added twice."""
    asked = set(request.GET.get("twice", "").split(".")[:MOST_ASKED])
    by_name: dict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        by_name[search_form(entry.name)].append(entry)
    return [
        Twice(entry, same[:at])
        for same in by_name.values()
        for at, entry in enumerate(same)
        if at and entry.key in asked
    ]


def _delete_twice(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Delete those who were added twice and are ticked; one who has a seat meanwhile stays."""
    wanted = {number for number in request.POST.getlist("delete") if number.isdecimal()}
    entries = [entry for entry in tournament.entries.all() if entry.key in wanted]
    deleted = remove_entries(tournament, entries, by=rights.actor(request))
    if deleted:
        names = listed([f"{each.number} {isolated(each.name)}" for each in deleted])
        messages.success(request, _("Deleted: %(name)s") % {"name": names})
    return redirect("entries", tournament.slug)


def _show(
    request: HttpRequest,
    event: Event,
    ways: Ways,
    status: int = 200,
) -> HttpResponse:
    tournament = event.tournament
    entries = event.entries
    if request.GET.get("sort") == "reading":
        entries = sorted(entries, key=lambda entry: (not entry.reading, search_form(entry.reading)))
    role = rights.role_in(request, tournament)
    context = {
        "tournament": tournament,
        "publication": event.publication,
        "role": role,
        "may_edit": role == Membership.Role.DIRECTOR,
        "entries": entries,
        "has_readings": any(entry.reading for entry in entries),
        "twice": _twice(request, event.entries) if role == Membership.Role.DIRECTOR else [],
        "is_unseated": bool(event.entries) and not event.sessions,
        **ways._asdict(),
        "is_adding": any(form.is_bound for form in ways),
        "is_open": any(form.is_bound for form in ways) or "add" in request.GET,
        "is_private_open": any(request.POST.get(name) for name in PRIVATE_FIELDS),
        "rules_fingerprint": tournament.rules.fingerprint,
    }
    return render(request, "entries.html", context, status=status)


@requires(GET=Level.DIRECT, POST=Level.DIRECT)
def edit_entry(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Put right what is known of a player; remove a player who never sat down."""
    tournament = door.tournament_of(request)
    entry, version = _entry_and_version(tournament, number)
    if "delete" in request.POST:
        return _delete(request, entry)
    known = entry.public_facts() | entry.private_facts()
    form = EntryForm(posted(request), initial=known)
    context: dict[str, Any] = {"tournament": tournament, "entry": entry, "form": form}
    status = 200
    if form.is_bound:  # what is typed again still replaces only what was seen first
        status, version = 422, seen_by(request)
    if form.is_valid():
        try:
            by = rights.actor(request)
            correct_entry(entry, form.cleaned_data, seen=version, by=by)
        except Entry.DoesNotExist as removed:
            raise Http404 from removed
        except versions.VersionConflict as stale:
            context["change"], version, status = change_of(tournament, stale), stale.version, 409
            current = get_object_or_404(tournament.entries, number=number)
            context["stored_private"] = _other_private(current, form)
        else:
            messages.success(request, _("Saved."))
            return redirect("entries", tournament.slug)
    context |= {"may_delete": not entry.seats.exists(), "seen": version}
    return render(request, "edit_entry.html", context, status=status)


def _entry_and_version(tournament: Tournament, number: int) -> tuple[Entry, int]:
    """Return a player, and a version that is no newer than what is known of them."""
    version = versions.version_of(get_object_or_404(tournament.entries, number=number))
    return get_object_or_404(tournament.entries, number=number), version


def _other_private(entry: Entry, form: EntryForm) -> list[tuple[str, str]]:
    """Return by its label what is stored of a player's private facts, where other was typed.

    No act holds these, so that the one that was not seen cannot tell them.
    """
    return [
        (str(form[name].label), str(stored or ""))
        for name, stored in entry.private_facts().items()
        if stored != form.cleaned_data[name]
    ]


def _delete(request: HttpRequest, entry: Entry) -> HttpResponse:
    name = f"{entry.number} {isolated(entry.name)}"
    try:
        remove_entry(entry, by=rights.actor(request))
    except Entry.DoesNotExist as removed:
        raise Http404 from removed
    except HasPlayed:
        messages.error(
            request, _("%(name)s has sat at a table and stays on record.") % {"name": name}
        )
    else:
        messages.success(request, _("Deleted: %(name)s") % {"name": name})
    return redirect("entries", entry.tournament.slug)
