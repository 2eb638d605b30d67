"""Copying the players of another tournament, for example those of last year."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from tournaments.forms import posted_data
from tournaments.forms.copied_entries import CopyEntriesForm
from tournaments.models import Entry, Tournament
from tournaments.models.entry_fields import MOST_ENTRIES
from tournaments.models.people import search_key
from tournaments.permissions import door, rights, tournament_lists
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.services.closing import EventClosed
from tournaments.services.entries import AddedSince, TooManyEntries, import_entries, last_number
from tournaments.views.entries import (
    added_already_message,
    added_message,
    redirect_to_list,
    shown_number,
)


@requires(GET=Level.DIRECT, POST=Level.DIRECT)
def copy_entries(request: HttpRequest, slug: str) -> HttpResponse:
    """List the tournaments to copy from; with `from` in the query, the players of that tournament.

    On POST copy these players, except the players ticked to be left out.
    """
    tournament = door.tournament_of(request)
    if tournament.closed_at is not None:
        return redirect("close", slug)
    if "from" not in request.GET:
        sources = tournament_lists.staffed_tournaments(request).exclude(pk=tournament.pk)
        with_players = sources.filter(entries__isnull=False).distinct()
        context = {"tournament": tournament, "sources": with_players}
        return render(request, "copy_entries.html", context)
    source = tournament_lists.staffed_tournament(request, request.GET["from"])
    if source is None or source == tournament:
        raise Http404
    return _show_or_copy(request, tournament, source)


def _show_or_copy(request: HttpRequest, tournament: Tournament, source: Tournament) -> HttpResponse:
    """Show the players of `source`; on POST make a backup and add the players not left out."""
    entries = list(source.entries.all())
    already_present = _already_present(tournament, entries)
    room = MOST_ENTRIES - last_number(tournament)  # how many players can be added
    form = CopyEntriesForm(entries, already_present, posted_data(request), room=room)
    status = 422 if form.is_bound else 200
    if form.is_valid():
        try:
            added = import_entries(
                tournament,
                form.cleaned_data["people"],
                by=rights.actor(request),
                shown_number=shown_number(request),
            )
        except AddedSince as again:
            messages.info(request, added_already_message(again.entry))
            return redirect_to_list(tournament, [])
        except (EventClosed, TooManyEntries) as refused:
            form.add_error(None, refused.sentence)
            status = 409
        else:
            messages.success(request, added_message(added))
            return redirect_to_list(tournament, added)
    # A player of `source`, whether `tournament` has the player, and the box that leaves them out.
    rows = [
        (entry, entry in already_present, box)
        for entry, box in zip(entries, form["leave_out"].subwidgets, strict=True)
    ]
    context = {
        "tournament": tournament,
        "source": source,
        "form": form,
        "rows": rows,
        "first_number": last_number(tournament) + 1,
    }
    return render(request, "copy_entries.html", context, status=status)


def _already_present(tournament: Tournament, entries: list[Entry]) -> set[Entry]:
    """Return the entries whose name and club a player of `tournament` has.

    Names and clubs are compared by their search keys, so spaces and the like do not matter.
    """

    def name_and_club(entry: Entry) -> tuple[str, str]:
        return search_key(entry.name), search_key(entry.club)

    present = {name_and_club(entry) for entry in tournament.entries.all()}
    return {entry for entry in entries if name_and_club(entry) in present}


def copy_entries_url(tournament: Tournament, source: Tournament) -> str:
    return f"{reverse('copy-entries', args=[tournament.slug])}?from={source.slug}"
