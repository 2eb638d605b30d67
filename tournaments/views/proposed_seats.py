"""Functions that the pages share which draw and change seats."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import json_script
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from tournaments import draws
from tournaments.forms.draws import DrawForm
from tournaments.i18n import romaji
from tournaments.i18n.sentences import listed
from tournaments.models import Entry, Tournament
from tournaments.queries import live_events, seat_draws, stages
from tournaments.queries.presence import RollCall, Status
from tournaments.queries.seat_draws import EarlierSeats

# The sentences of the seating board's script, with the names of the values that it fills in.
BOARD_WORDS = {
    "table": _("Table {number}"),
    "substitute": _("Substitute"),
    "bench": pgettext_lazy("seating board", "Sitting out or away"),
    "number": _("No. {number}"),
    "here": _("Put here"),
    "count": _("{count} players"),
    "one": _("1 player"),
    "wrong": _("{players}: a table seats {sizes}"),
    "met": _("met {numbers}"),
    "rested": _("sessions missed: {times}"),
    "mates": _("club {numbers}"),
    "seated": _("tables: {tables} · seated: {players} · sitting out: {out}"),
    "repeats": _("pairs meeting again: {pairs}"),
    "clubmates": _("pairs from the same club: {pairs}"),
    "sizes": _("{tables}: a table seats {sizes}"),
    "mixed": _("{tables}: players of several groups"),
    "swapped": _("{one} and {other} have changed places."),
    "moved": _("{name}: {place}"),
    "picked": _("{name} is picked: choose the new place."),
    "undone": _("Undone."),
}
FIRST_LETTER = 0x100  # of the tables of an earlier session
MOST_MIXES = 12
PLAYERS_AROUND = 3  # more or fewer players for which the page shows the tables, too


def draw_context(
    tournament: Tournament,
    session: int,
    form: DrawForm,
    *,
    playing: int,
    drawn: Sequence[Sequence[Any]] = (),
    problems: Sequence[str] = (),
) -> dict[str, Any]:
    """Return the template context of the form of a draw, for so many players.

    `drawn` are the proposed tables, `problems` says why a draw failed. In a stage with groups there
    are no table sizes to choose: they follow from each group. `stage_to_seat` is the stage, if not
    the first, whose players cannot all be seated; `selections`: who else would advance to it.
    """
    context: dict[str, Any] = {
        "draw_form": form,
        "draw_problems": problems,
        "playing": playing,
    }
    stage = stages.stage_of_session(tournament, session)
    if not stages.groups_in(stage, session):
        context |= _table_choices(playing, tournament.table_sizes, drawn)
    if stage is None:
        return context
    if context.get("nearest"):
        context["stage_to_seat"] = stage
    changes = live_events.events.current(tournament).selection_changes
    context["selections"] = [each for each in changes if each.stage == stage]
    return context


def _table_choices(
    playing: int, sizes: tuple[int, ...], drawn: Sequence[Sequence[Any]]
) -> dict[str, Any]:
    """Return the template context of the table sizes to choose from, for so many players.

    `mixes` are the choices, as (value in the form, `TablePlan`, whether it was drawn); `around` are
    the plans for a few players more or fewer. If not everybody can be seated, `nearest` has the
    next smaller and the next larger number of players with which everybody can; with the smaller
    one `nearest_out` players sit out.
    """
    seated = tuple(len(table) for table in drawn)
    mixes = [
        draws.TablePlan(playing, mix, playing - sum(mix))
        for mix in draws.all_mixes(playing, sizes, MOST_MIXES)
    ]
    around = range(max(playing - PLAYERS_AROUND, min(sizes)), playing + PLAYERS_AROUND + 1)
    is_seatable = draws.divide_into_tables(playing, sizes) is not None
    nearest = None if is_seatable else draws.nearest_seatable(playing, sizes)
    return {
        "mixes": [
            (" ".join(f"{n}x{size}" for size, n in each.tables.items()), each, each.mix == seated)
            for each in mixes
        ],
        "around": [draws.table_plan(count, sizes) for count in around],
        "nearest": nearest,
        "nearest_out": nearest and playing - nearest.fewer,
    }


def as_text(tables: Sequence[Sequence[Entry]]) -> str:
    """Return tables as they are typed: the players' keys, a line a table."""
    return "\n".join(" ".join(entry.key for entry in table) for table in tables)


def warn_of_mixed_groups(
    request: HttpRequest, tournament: Tournament, session: int, tables: list[list[Entry]]
) -> None:
    """Show a message that names the tables with players of several groups, if any."""
    if mixed := stages.mixed_tables(tournament, session, tables):
        words = gettext("Players of several groups share a table: %(tables)s.")
        messages.warning(request, words % {"tables": listed([str(each) for each in mixed])})


class ShortEncoder(json.JSONEncoder):
    """Writes names as they are: escaped, kana and kanji take twice the bytes. No spaces."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options | {"ensure_ascii": False, "separators": (",", ":")})


def board_context(
    tournament: Tournament, roll: RollCall, earlier: EarlierSeats | None = None
) -> dict[str, Any]:
    """Return the template context of the seating board (席割りボード), a script's drag and drop.

    `board` is the script's data as an element, `folds` how it folds typed text, `marks_url` the URL
    that it polls for the roll call's marks. `earlier` are the seats of earlier sessions, by
    default of the seated ones.

    A club, a status or a division is written once, in `texts`, and stands for its players as a
    number; clubs spelled differently only in width, case or spaces are one. An earlier session is
    a text with a letter for each player, as `_letters_of` writes it.
    """
    if earlier is None:
        earlier = seat_draws.earlier_seats(tournament, roll.session)
    texts: dict[str, int] = {}
    clubs = seat_draws.one_spelling_of_clubs(roll.statuses)
    players = {
        entry.key: [
            entry.name,
            entry.reading,
            *(
                texts.setdefault(text, len(texts))
                for text in (clubs[entry.key], str(status), entry.division)
            ),
        ]
        for entry, status in roll.statuses.items()
    }
    by_number = sorted(players, key=int)  # as a script reads the keys of an object
    facts = {
        "players": players,
        "texts": list(texts),
        "substitutes": [entry.key for entry in roll.substitute_players],
        "groups": stages.groups_of_session(tournament, roll.session),
        "history": [_letters_of(session, by_number) for session in earlier.tables],
        "met": earlier.met,
        "sizes": tournament.table_sizes,
        "statuses": {each.value: str(each.label) for each in Status},
        "words": {name: str(text) for name, text in BOARD_WORDS.items()},
    }
    return {
        "board": json_script(facts, "board-facts", encoder=ShortEncoder),
        "has_readings": any(entry.reading for entry in roll.statuses),
        "folds": romaji.PAGE_FOLDS,
        "marks_url": reverse("roll-call-marks", args=[tournament.slug, roll.session]),
    }


def _letters_of(tables: Sequence[Sequence[str]], players: Sequence[str]) -> str:
    """Return a letter for each player: each table has its own, a space is for those without one.

    >>> _letters_of([("1", "4"), ("2",)], ["1", "2", "3", "4"])
    'Āā Ā'
    """
    letters = {key: chr(FIRST_LETTER + i) for i, table in enumerate(tables) for key in table}
    return "".join(letters.get(key, " ") for key in players)
