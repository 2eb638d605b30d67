"""The preview of a list of players, each with the same player of an earlier tournament, if any."""

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
from tournaments.queries.class_spellings import class_key, class_spellings
from tournaments.queries.earlier_players import Earlier, Proposal, earlier_players, proposals
from tournaments.services.entries import last_number

People = list[dict[str, Any]]


class Row(NamedTuple):
    """A person of the list as the preview shows them.

    - `line`: its index in the list
    - `name`: the person's name
    - `number`: the number that the player would get
    - `cells`: the values of the shown columns
    - `is_known`: whether the name is in this tournament already, or further up in the list
    - `earlier`: the player of another tournament who may be the same person
    - `lacking`: (label, value) of each field that the earlier player has and the list lacks
    - `key`: the value of the box that, if ticked, copies the lacking fields from the earlier player
    """

    line: int
    name: str
    number: int
    cells: list[Any]
    is_known: bool
    earlier: Earlier | None
    lacking: list[tuple[str, str]]
    key: str


def show_preview(
    request: HttpRequest, tournament: Tournament, form: PasteForm | EntryFileForm, people: People
) -> HttpResponse:
    """Show the players that a form would add; the page posts the list again to add them.

    A form with errors has no `people`: the page names the errors, and offers the other sheets.
    """
    columns = [name for name in ENTRY_FIELDS if any(person.get(name) for person in people)]
    proposed = proposals(tournament, people, _other_tournaments(request, tournament))
    rows = _preview_rows(tournament, proposed, columns)
    context = {
        "tournament": tournament,
        "form": form,
        "spellings": class_spellings(tournament, people),
        "columns": [ENTRY_FIELDS[name].label for name in columns],
        "rows": rows,
        "notices": form.notices() if isinstance(form, EntryFileForm) else [],
        "has_lacking": any(row.lacking for row in rows),  # there is something to tick
    }
    status = 422 if form.errors else 200
    return render(request, "entries_preview.html", context, status=status)


def must_be_shown(
    request: HttpRequest, tournament: Tournament, form: PasteForm | EntryFileForm, people: People
) -> bool:
    """Return whether a list has to be shown before it is added.

    It has to if its sheet or columns are guessed, or if classes that may be the same were not shown
    yet, unless the list is too large to be shown.
    """
    if isinstance(form, EntryFileForm):
        if form.must_be_shown:
            return True
        if not form.content_for_hidden_field:
            return False
    return "looked" not in request.POST and bool(class_spellings(tournament, people))


def people_as_ticked(request: HttpRequest, tournament: Tournament, people: People) -> People:
    """Return the people as ticked on the preview.

    Missing fields are filled in from ticked earlier players, classes are written as ticked, and
    ticked lines are left out. Changes the persons in `people`.
    """
    _copy_from_earlier_players(request, tournament, people)
    usual = {class_key(name): name for name in request.POST.getlist("same_class")}
    for person in people:
        if name := person.get("division"):
            person["division"] = usual.get(class_key(name), name)
    left_out = {*request.POST.getlist("leave_out")}
    return [person for index, person in enumerate(people) if str(index) not in left_out]


def _copy_from_earlier_players(
    request: HttpRequest, tournament: Tournament, people: People
) -> None:
    """Fill in the fields that the list lacks, for each person whose earlier player was ticked.

    Changes the persons in `people`. A tick names the line and the earlier player, so that it has no
    effect if another player would be proposed by now.
    """
    ticked = set(request.POST.getlist("take_over"))
    if not ticked:
        return
    earlier = earlier_players(people, _other_tournaments(request, tournament))
    for index, player in enumerate(earlier):
        if player is not None and _box_key(index, player) in ticked:
            people[index] |= player.lacking


def _other_tournaments(request: HttpRequest, tournament: Tournament) -> QuerySet[Tournament]:
    """Return the other tournaments that this reader staffs, in which players are looked up."""
    return tournament_lists.staffed_tournaments(request).exclude(pk=tournament.pk)


def _box_key(index: int, earlier: Earlier | None) -> str:
    """Return `Row.key`, by index in the list; empty without an earlier player."""
    return f"{index}.{earlier.entry.pk}" if earlier else ""


def _preview_rows(
    tournament: Tournament, proposed: Sequence[Proposal], columns: Sequence[str]
) -> list[Row]:
    """Return a row for each person of the list; `columns` are names of fields."""
    next_number = last_number(tournament) + 1
    rows = []
    for index, (person, is_known, earlier) in enumerate(proposed):
        lacking = earlier.lacking if earlier else {}
        rows.append(
            Row(
                line=index,
                name=person["name"],
                number=next_number + index,
                cells=[person.get(column, "") or "" for column in columns],
                is_known=is_known,
                earlier=earlier,
                lacking=[(str(ENTRY_FIELDS[name].label), lacking[name]) for name in lacking],
                key=_box_key(index, earlier),
            )
        )
    return rows
