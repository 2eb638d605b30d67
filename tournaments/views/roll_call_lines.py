"""The lines of the roll call: one for each player, with the buttons that mark the player."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from typing import NamedTuple

from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from tournaments.i18n import romaji
from tournaments.i18n.player_search import Finder, finder_of
from tournaments.i18n.sentences import isolated
from tournaments.models import Entry, Tournament
from tournaments.queries.presence import RollCall, Status

AWAY = (Status.LATE, Status.ABSENT, Status.WITHDRAWN)
# A template takes ten times as long for the lines of 340 players.
LINE = (
    '<li id="p{number}" data-status="{status}" data-romaji="{romaji}"{hidden}><p id="n{number}">'
    "<b>{number}</b> <bdi>{name}</bdi> <small>{details}</small>{plays_for}{substitute}</p>"
    '<div role="group" aria-labelledby="n{number}">{present}<details class="printed">'
    "<summary>{summary}</summary><div>{others}</div></details></div></li>\n"
)
BUTTON = '<button name="mark" value="{}.{}.{}"{}>{}</button>'
PRESSED = {
    is_pressed: format_html(' aria-pressed="{}"', str(is_pressed).lower())
    for is_pressed in (True, False)
}
# Shown instead of a status: substitutes are counted apart, those who are there and the others.
SUBSTITUTE, SUBSTITUTE_AWAY = "substitute", "substitute-away"
DISABLED, HIDDEN, NOTHING = (SafeString(each) for each in (" disabled", " hidden", ""))


class Line(NamedTuple):
    """A player in the roll call.

    - `romaji`: the folded reading, which a search compares
    - `is_listed`: whether the player is one who was searched for
    - `is_unmarked`: whether there is no mark to undo, as of who plays without one
    - `substitute`: who plays in this player's stead
    - `plays_for`: in whose stead this player plays
    - `may_be_replaced`: whether somebody can play in the stead of this player, once away
    """

    entry: Entry
    status: Status
    romaji: str
    is_listed: bool
    is_unmarked: bool
    substitute: Entry | None = None
    plays_for: Entry | None = None
    may_be_replaced: bool = True

    @property
    def is_away(self) -> bool:
        return self.status in AWAY

    @property
    def details(self) -> str:
        return "\u00a0· ".join(filter(None, (self.entry.reading, self.entry.club, self.entry.team)))


def lines_of(roll: RollCall, typed: str, shown: str, given: Container[str] = ()) -> list[Line]:
    """Return the lines of all players; `is_listed` is true for players who match the search.

    `given` are the keys of players whose seat somebody else has now.
    `typed` is a text to search for, `shown` what `_kind_of` returns; empty matches everybody.
    """
    by_number = {each.number: each for each in roll.statuses}
    plays_for = {each.number: by_number[absent] for absent, each in roll.substitutes.items()}
    finds = finder_of(typed)
    lines = [
        Line(
            entry,
            status,
            romaji.romaji_of(entry.reading),
            is_listed=shown in ("", _kind_of(entry, status)),
            is_unmarked=status == Status.EXPECTED or entry in roll.playing,
            substitute=roll.substitutes.get(entry.number),
            plays_for=plays_for.get(entry.number),
            may_be_replaced=not entry.is_substitute and entry.key not in given,
        )
        for entry, status in roll.statuses.items()
    ]
    return [each if _is_found(each, finds) else each._replace(is_listed=False) for each in lines]


def _kind_of(entry: Entry, status: Status) -> str:
    """Return as what a player is counted: the status, `SUBSTITUTE` or `SUBSTITUTE_AWAY`."""
    if not entry.is_substitute:
        return status
    return SUBSTITUTE_AWAY if status in AWAY else SUBSTITUTE


def _is_found(line: Line, finds: Finder) -> bool:
    return finds(line.entry.key, line.entry.name + line.details, line.romaji)


def html_of(lines: Iterable[Line], tournament: Tournament, session: int) -> SafeString:
    """Return the items of the list; lines that are not listed are hidden."""
    write = _writer(tournament, session)
    return SafeString("".join(map(write, lines)))


def _writer(tournament: Tournament, session: int) -> Callable[[Line], SafeString]:
    """Return a function that writes a line as HTML; words and addresses are looked up once."""
    is_closed = DISABLED if tournament.closed_at else NOTHING
    labels = {each: str(each.label) for each in Status}
    undo, other = pgettext("the last step", "Undo"), pgettext("marks of the roll call", "Other")
    page = reverse("roll-call", args=[tournament.slug, session])

    def button(line: Line, status: Status) -> SafeString:
        is_pressed = PRESSED[line.status == status]
        return format_html(
            BUTTON, line.entry.number, line.status.value, status.value,
            is_pressed + is_closed, labels[status],
        )  # fmt: skip

    def write(line: Line) -> SafeString:
        number, status = line.entry.number, line.status
        is_undone = DISABLED if line.is_unmarked else is_closed
        return format_html(
            LINE,
            number=number,
            status=status.value,
            romaji=line.romaji,
            hidden=NOTHING if line.is_listed else HIDDEN,
            name=line.entry.name,
            details=line.details,
            plays_for=_plays_for(line),
            substitute=_link_to_substitute(
                line, f"{page}{number}/substitute/", may_choose=tournament.closed_at is None
            ),
            present=button(line, Status.PRESENT),
            summary=labels[status] if line.is_away else other,
            others=format_html_join("", "{}", ((button(line, each),) for each in AWAY))
            + format_html(BUTTON, number, status.value, Status.EXPECTED.value, is_undone, undo),
        )

    return write


def _plays_for(line: Line) -> SafeString:
    """Return whom a player replaces, or that a player was added only as a substitute."""
    if line.plays_for is not None:
        words = _("for %(name)s") % {"name": isolated(line.plays_for.name)}
    elif line.entry.is_substitute:
        words = _("Substitute")
    else:
        return NOTHING
    return format_html(' <span class="roll-stead">{}</span>', words)


def _link_to_substitute(line: Line, address: str, *, may_choose: bool) -> SafeString:
    """Empty for players whom nobody replaces, and who are there or `may_choose` nobody."""
    if line.substitute is not None:
        words = _("replaced by %(name)s") % {"name": isolated(line.substitute.name)}
        return format_html(' <a class="roll-stead" href="{}">{}</a>', address, words)
    if not may_choose or not line.is_away or not line.may_be_replaced:
        return NOTHING
    words = _("Choose a substitute")
    return format_html(' <a class="roll-stead if-away" href="{}">{}</a>', address, words)
