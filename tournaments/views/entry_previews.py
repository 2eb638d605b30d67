"""The preview of a list of players, each with the same player of an earlier tournament, if any."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from itertools import count
from typing import Any, NamedTuple

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from tournaments.forms.entry_lists import EntryFileForm, PasteForm
from tournaments.models import Tournament
from tournaments.models.entry_fields import ENTRY_FIELDS
from tournaments.permissions import tournament_lists
from tournaments.queries.class_spellings import Spellings, class_spellings, spelling_key
from tournaments.queries.earlier_players import (
    Earlier,
    Proposal,
    earlier_players,
    has_namesakes,
    proposals,
)
from tournaments.services.entries import last_number
from tournaments.spreadsheets.entry_lists import ListedPerson

People = list[dict[str, Any]]


class Row(NamedTuple):
    """A line of the list as the preview shows it.

    - `key`: the value of the box that leaves the line out
    - `name`: the person's name
    - `number`: the number that the player would get; None for a line that is wrong
    - `cells`: the values of the shown columns
    - `problems`: what is wrong in the line
    - `is_left_out`: whether the line was ticked to be left out
    - `is_known`: whether the name is in this tournament already, or further up in the list
    - `has_other_club`: whether everybody of that name has another club
    - `earlier`: the player of another tournament who may be the same person
    - `lacking`: (label, value) of each field that the earlier player has and the list lacks
    - `fill_in_key`: the value of the box that copies the lacking fields from the earlier player
    - `is_filled_in`: whether that box was ticked
    """

    key: str
    name: str
    number: int | None
    cells: list[Any]
    problems: list[str]
    is_left_out: bool
    is_known: bool
    has_other_club: bool
    earlier: Earlier | None
    lacking: list[tuple[str, str]]
    fill_in_key: str
    is_filled_in: bool


class SpellingChoice(NamedTuple):
    """Spellings of a class, and whether they are to be written alike."""

    spellings: Spellings
    is_ticked: bool


def show_preview(
    request: HttpRequest, tournament: Tournament, form: PasteForm | EntryFileForm
) -> HttpResponse:
    """Show the players that a form would add; the page posts the list again to add them.

    What was ticked on it stays ticked where the lines are the same.
    """
    right = [line for line in form.lines() if not line.problems]
    people = [line.person for line in right]
    columns = [name for name in ENTRY_FIELDS if any(person.get(name) for person in people)]
    rows = _preview_rows(request, tournament, form, columns)
    asked = {*request.POST.getlist("class_asked")}
    alike = {*request.POST.getlist("same_class")}
    spellings = class_spellings(tournament, people)
    context = {
        "tournament": tournament,
        "form": form,
        "spellings": [
            SpellingChoice(each, each.usual not in asked or each.usual in alike)
            for each in spellings
        ],
        "columns": [ENTRY_FIELDS[name].label for name in columns],
        "rows": rows,
        "count": len(form.lines_to_add()),
        "first_number": last_number(tournament) + 1,
        "were_players_added": _were_players_added(request, tournament),
        "other_ticks": _other_ticks(request, rows, {each.usual for each in spellings}),
        "notices": form.notices(),
        "has_lacking": any(row.lacking for row in rows),  # there is something to tick
    }
    status = 422 if form.errors else 200
    return render(request, "entries_preview.html", context, status=status)


def _other_ticks(
    request: HttpRequest, rows: Sequence[Row], classes: AbstractSet[str]
) -> list[tuple[str, str]]:
    """Return (name, value) of what was ticked before, but has no box on the page."""
    right = [row for row in rows if not row.problems]
    shown = {
        "leave_out": {row.key for row in right},
        "take_over": {row.fill_in_key for row in right if row.lacking},
        "class_asked": classes,
        "same_class": classes,
    }
    return [
        (name, value)
        for name, values in shown.items()
        for value in request.POST.getlist(name)
        if value not in values
    ]


def must_be_shown(
    request: HttpRequest, tournament: Tournament, form: PasteForm | EntryFileForm
) -> bool:
    """Return whether a list has to be shown before it is added.

    It has to if its sheet or columns are guessed, if classes that may be the same, or somebody who
    may be listed twice, were not shown yet, or if players were added since it was shown, perhaps by
    a first press of the same button.
    """
    if form.must_be_shown or _were_players_added(request, tournament):
        return True
    if "looked" in request.POST:
        return False
    people = form.cleaned_data["people"]
    return has_namesakes(people) or bool(class_spellings(tournament, people))


def _were_players_added(request: HttpRequest, tournament: Tournament) -> bool:
    """Return whether the players would get other numbers than the preview has shown."""
    first = request.POST.get("first_number")
    return first is not None and first != str(last_number(tournament) + 1)


def people_as_ticked(
    request: HttpRequest, tournament: Tournament, lines: Sequence[ListedPerson]
) -> People:
    """Return the people of these lines as ticked on the preview.

    Missing fields are filled in from ticked earlier players, and classes are written as ticked.
    Changes the persons.
    """
    _copy_from_earlier_players(request, tournament, lines)
    people = [line.person for line in lines]
    ticked = {*request.POST.getlist("same_class")}
    spellings = class_spellings(tournament, people) if ticked else []
    usual = {spelling_key(each.usual): each.usual for each in spellings if each.usual in ticked}
    for person in people:
        if name := person.get("division"):
            person["division"] = usual.get(spelling_key(name), name)
    return people


def _copy_from_earlier_players(
    request: HttpRequest, tournament: Tournament, lines: Sequence[ListedPerson]
) -> None:
    """Fill in the fields that the list lacks, for each person whose earlier player was ticked.

    Changes the persons. A tick names the line and the earlier player, so that it has no effect if
    another player would be proposed by now.
    """
    ticked = set(request.POST.getlist("take_over"))
    if not ticked:
        return
    people = [line.person for line in lines]
    earlier = earlier_players(people, _other_tournaments(request, tournament))
    for line, player in zip(lines, earlier, strict=True):
        if player is not None and _fill_in_key(line, player) in ticked:
            line.person.update(player.lacking)


def _other_tournaments(request: HttpRequest, tournament: Tournament) -> QuerySet[Tournament]:
    return tournament_lists.staffed_tournaments(request).exclude(pk=tournament.pk)


def _fill_in_key(line: ListedPerson, earlier: Earlier | None) -> str:
    """Empty without an earlier player."""
    return f"{line.key}.{earlier.entry.pk}" if earlier else ""


def _preview_rows(
    request: HttpRequest,
    tournament: Tournament,
    form: PasteForm | EntryFileForm,
    columns: Sequence[str],
) -> list[Row]:
    """`columns` are names of fields."""
    people = [line.person for line in form.lines() if not line.problems]
    proposed = iter(proposals(tournament, people, _other_tournaments(request, tournament)))
    filled_in = set(request.POST.getlist("take_over"))
    numbers = count(last_number(tournament) + 1)
    rows = []
    for line in form.lines():
        proposal = (
            next(proposed) if not line.problems else Proposal(line.person, False, False, None)
        )
        is_left_out = line.key in form.left_out
        earlier = proposal.earlier
        lacking = earlier.lacking if earlier else {}
        key = _fill_in_key(line, earlier)
        rows.append(
            Row(
                key=line.key,
                name=line.person.get("name", line.text),
                number=None if line.problems or is_left_out else next(numbers),
                cells=[line.person.get(column, "") or "" for column in columns],
                problems=[problem.message for problem in line.problems],
                is_left_out=is_left_out,
                is_known=proposal.is_known,
                has_other_club=proposal.has_other_club,
                earlier=earlier,
                lacking=[(str(ENTRY_FIELDS[name].label), lacking[name]) for name in lacking],
                fill_in_key=key,
                is_filled_in=key in filled_in,
            )
        )
    return rows
