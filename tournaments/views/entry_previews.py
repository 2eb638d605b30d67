"""What a list of players would add: shown before anybody is added, with earlier players."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from tournaments.forms.entries import PasteForm
from tournaments.forms.entry_files import EntryFileForm
from tournaments.models import Tournament
from tournaments.models.entry_fields import ENTRY_FIELDS
from tournaments.permissions import tournament_lists
from tournaments.queries.earlier_players import Earlier, Proposal, earlier_players, proposals
from tournaments.services.entries import last_number

People = list[dict[str, Any]]


class Row(NamedTuple):
    """A person of the list: the number to come, the cells, and who it may be.

    `lacking` are label and value of what the earlier player has and the list lacks; `key` is sent
    to take that over. `is_known` tells whether the name is in this tournament or list already.
    """

    number: int
    cells: list[Any]
    is_known: bool
    earlier: Earlier | None
    lacking: list[tuple[str, str]]
    key: str


def show_preview(
    request: HttpRequest, tournament: Tournament, form: PasteForm | EntryFileForm, people: People
) -> HttpResponse:
    """Show what the list of a valid form would add; its page sends the list again."""
    columns = [name for name in ENTRY_FIELDS if any(person.get(name) for person in people)]
    proposed = proposals(tournament, people, _others(request, tournament))
    rows = _rows(tournament, proposed, columns)
    context = {
        "tournament": tournament,
        "form": form,
        "columns": [ENTRY_FIELDS[name].label for name in columns],
        "rows": rows,
        "has_lacking": any(row.lacking for row in rows),  # there is something to tick
    }
    return render(request, "entries_preview.html", context)


def take_over(request: HttpRequest, tournament: Tournament, people: People) -> None:
    """Fill in what the list lacks of those whose earlier player was ticked.

    A tick names line and player, so that nothing is taken from another player than was shown.
    """
    ticked = set(request.POST.getlist("take_over"))
    if not ticked:
        return
    for index, found in enumerate(earlier_players(people, _others(request, tournament))):
        if found is not None and _key(index, found) in ticked:
            people[index] |= found.lacking


def _others(request: HttpRequest, tournament: Tournament) -> QuerySet[Tournament]:
    """Return the other tournaments of this reader's, where players are looked for."""
    return tournament_lists.staffed_tournaments(request).exclude(pk=tournament.pk)


def _key(index: int, found: Earlier | None) -> str:
    return f"{index}.{found.entry.pk}" if found else ""


def _rows(
    tournament: Tournament, proposed: Sequence[Proposal], columns: Sequence[str]
) -> list[Row]:
    rows = []
    next_number = last_number(tournament) + 1
    for index, (person, is_known, found) in enumerate(proposed):
        lacking = found.lacking if found else {}
        labelled = [(str(ENTRY_FIELDS[each].label), value) for each, value in lacking.items()]
        cells = [person.get(column, "") or "" for column in columns]
        key = _key(index, found)
        rows.append(Row(next_number + index, cells, is_known, found, labelled, key))
    return rows
