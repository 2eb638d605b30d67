"""Functions that the pages share which draw and change seats."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.core import signing
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from tournaments import draws
from tournaments.forms.draws import DrawForm
from tournaments.forms.seating import TablesForm
from tournaments.i18n.draws import problems_in_words
from tournaments.i18n.ranking import missed_counts
from tournaments.i18n.sentences import listed
from tournaments.models import Entry, Tournament
from tournaments.queries import presence, seat_draws, stages
from tournaments.queries.presence import RollCall, Status
from tournaments.queries.seat_draws import SeatDraw, draw_seats
from tournaments.web import draw_searches

# The sentences of the seating board's script, with the names of the values that it fills in.
BOARD_WORDS = {
    "table": _("Table {number}"),
    "bench": pgettext_lazy("seating board", "Sitting out or away"),
    "number": _("No. {number}"),
    "here": _("Put here"),
    "count": _("{count} players"),
    "wrong": _("{count} players: a table is for {sizes}"),
    "met": _("met {numbers}"),
    "rested": _("missed {times} sessions"),
    "mates": _("club {numbers}"),
    "seated": _("{tables} tables · {players} seated · {out} sitting out"),
    "repeats": _("pairs meeting again: {pairs}"),
    "clubmates": _("pairs of one club: {pairs}"),
    "sizes": _("{tables}: a table is for {sizes}"),
    "mixed": _("{tables}: players of several groups"),
    "swapped": _("{one} and {other} have changed places."),
    "moved": _("{name}: {place}"),
    "picked": _("{name} is picked: choose the new place."),
    "undone": _("Undone."),
}
MOST_MIXES = 12
PLAYERS_AROUND = 3  # more or fewer players for which the page shows the tables, too


def propose_seats(
    tournament: Tournament,
    roll: RollCall,
    form: DrawForm,
    out: list[Entry],
    *,
    searched: str = "",
) -> dict[str, Any]:
    """Draw seats for the roll call's session, and return the template context of the proposal.

    Players in `out` are not drawn. `searched` is the key of a search: its draw is proposed unless
    other players play by now. With errors in the form nothing is drawn, as it is unknown who sits
    out. In a stage with groups there are no table sizes to choose: they follow from each group.
    """
    session, playing = roll.session, [entry for entry in roll.statuses if entry not in out]
    drawn: SeatDraw | None = None
    problems: list[str] = []
    if not form.errors:
        try:
            drawn = _draw_of_search(tournament, session, playing, form, searched)
            drawn = drawn or draw_seats(tournament, session, playing, form.choices())
        except draws.InvalidRequest as invalid:
            problems = problems_in_words(invalid.problems, form.players.by_key)
    left_out = [*out, *(drawn.sits_out if drawn else ())]
    context: dict[str, Any] = {
        "draw": drawn,
        "signed": sign_draw(tournament, session, drawn.facts) if drawn else "",
        "search_seconds": draw_searches.CHOICES,
        "draw_problems": problems,
        "tables": drawn.tables if drawn else [],
        "left_out": left_out,
        "sitting_out": roll.not_away(left_out),
        "missed_counts": missed_counts(tournament.ranking_rules),
        "playing": len(playing),
    }
    if not stages.groups_of_session(tournament, session):
        context |= _table_choices(len(playing), tournament.table_sizes, drawn)
    return context


def _draw_of_search(
    tournament: Tournament, session: int, playing: list[Entry], form: DrawForm, key: str
) -> SeatDraw | None:
    """Return the draw that a search has found.

    None if the key is empty or unknown, the search has no answer, or other players play by now.
    """
    search = draw_searches.find(search_subject(tournament, session), key) if key else None
    facts = search.facts if search else None
    return seat_draws.seat_draw_of(facts, playing, form.choices()) if facts else None


def search_subject(tournament: Tournament, session: int) -> str:
    """Return the `subject` of searches for a session's draw, as `draw_searches.find` needs it."""
    return f"{tournament.slug}-{session}"


def _table_choices(playing: int, sizes: tuple[int, ...], drawn: SeatDraw | None) -> dict[str, Any]:
    """Return the template context of the table sizes to choose from, for so many players.

    `mixes` are the choices, as (value in the form, `TablePlan`, whether it was drawn); `around` are
    the plans for a few players more or fewer. If not everybody can be seated, `nearest` has the
    next smaller and the next larger number of players with which everybody can.
    """
    seated = tuple(len(table) for table in drawn.tables) if drawn else ()
    mixes = [
        draws.TablePlan(playing, mix, playing - sum(mix))
        for mix in draws.all_mixes(playing, sizes, MOST_MIXES)
    ]
    around = range(max(playing - PLAYERS_AROUND, min(sizes)), playing + PLAYERS_AROUND + 1)
    return {
        "mixes": [
            (" ".join(f"{n}x{size}" for size, n in each.tables.items()), each, each.mix == seated)
            for each in mixes
        ],
        "around": [draws.table_plan(count, sizes) for count in around],
        "nearest": draws.nearest_seatable(playing, sizes)
        if draws.divide_into_tables(playing, sizes) is None
        else None,
    }


def initial_tables(context: dict[str, Any]) -> dict[str, str]:
    """Return initial data of the tables form from the context that `propose_seats` returns."""
    return {
        "out": " ".join(entry.key for entry in context["left_out"]),
        "tables": "\n".join(" ".join(entry.key for entry in table) for table in context["tables"]),
        "draw": context["signed"],
    }


def warn_of_mixed_groups(
    request: HttpRequest, tournament: Tournament, session: int, tables: list[list[Entry]]
) -> None:
    """Show a message that names the tables with players of several groups of a stage, if any."""
    if mixed := stages.mixed_tables(tournament, session, tables):
        words = gettext("Players of several groups share a table: %(tables)s.")
        messages.warning(request, words % {"tables": listed([str(each) for each in mixed])})


def _salt(tournament: Tournament, session: int) -> str:
    """Return the salt of signed draws, which binds a signature to one session."""
    return f"tournaments.draw/{tournament.slug}/{session}"


def sign_draw(tournament: Tournament, session: int, facts: dict[str, Any]) -> str:
    """Return a draw, as `models.Draw` stores it, as signed text for a hidden field.

    `signed_draw` reads it for the same session only.
    """
    return signing.dumps(facts, salt=_salt(tournament, session), compress=True)


def signed_draw(tournament: Tournament, session: int, text: str) -> dict[str, Any] | None:
    """Return the draw in a text of `sign_draw`.

    None for any other text, such as the empty one of tables that were typed by hand.
    """
    try:
        facts: dict[str, Any] = signing.loads(text, salt=_salt(tournament, session))
    except signing.BadSignature:
        return None
    return facts


def board_context(
    tournament: Tournament, roll: RollCall, history: Sequence[Any] | None = None
) -> dict[str, Any]:
    """Return the template context of the seating board (席割りボード), a script's drag and drop.

    `board` is the script's data as JSON, `marks_url` the URL that it polls for the roll call's
    marks. `history` are the tables of earlier sessions, by default of the seated ones.
    """
    if history is None:
        history = seat_draws.earlier_tables(tournament, roll.session)
    facts = {
        "players": {
            entry.key: [entry.name, entry.reading, entry.club, str(status)]
            for entry, status in roll.statuses.items()
        },
        "groups": stages.groups_of_session(tournament, roll.session),
        "history": history,
        "sizes": tournament.table_sizes,
        "statuses": {each.value: str(each.label) for each in Status},
        "words": {name: str(text) for name, text in BOARD_WORDS.items()},
    }
    return {
        "board": json.dumps(facts, ensure_ascii=False),
        "marks_url": reverse("roll-call-marks", args=[tournament.slug, roll.session]),
    }


def marked_since(
    tournament: Tournament, roll: RollCall, form: TablesForm
) -> list[tuple[Entry, Status]]:
    """Return each player whose seat contradicts a newer mark, as (player, status).

    A player was marked after the page was opened, and has a seat in the valid form but is away, or
    has no seat but is present. The form gets the current version of the marks, so that the same
    seats are accepted if they are posted again.
    """
    version, seen = presence.version_of(tournament), form.cleaned_data["roll"]
    if seen is None or seen == version:
        return []
    newly_marked = presence.marked_since(tournament, seen)
    seated = {entry for table in form.cleaned_data["tables"] for entry in table}
    contradicted = [
        (entry, status)
        for entry, status in roll.statuses.items()
        if entry.number in newly_marked
        and (status in presence.AWAY if entry in seated else status == Status.PRESENT)
    ]
    form.data = {**{name: form.data[name] for name in form.data}, "roll": str(version)}
    return contradicted
