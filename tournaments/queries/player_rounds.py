"""One player's rounds in a tournament: role, partners, points, and the lines that explain them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from types import MappingProxyType
from typing import NamedTuple

import scoring
from scoring.stages.places import Stage as PlayedStage
from scoring.stages.places import credited_with
from tournaments.models import Entry, Session, Substitution
from tournaments.queries.events import Event
from tournaments.queries.ranking_facts import RankingFacts
from tournaments.queries.sheets import PlayedRound, Sheet
from tournaments.queries.substitutions import replaced_in


class Side(NamedTuple):
    """A player's role in a round (see `scoring.game.Side`), and the others on the same side."""

    role: str
    partners: tuple[Entry, ...]


class PlayerRound(NamedTuple):
    """A round of one player: the player's lines and points, and the running `total` after it.

    - `carried`: the points carried over if the round is the player's first in a later stage
    - `substitute`: who played it for the player, who gets the points; None for the player's own
    - `counts`: whether the points are the player's; False for those a substitute won for somebody
      else, or for nobody, and for those of a stage of others, which the total leaves out
    """

    sheet: Sheet
    played: PlayedRound
    side: Side
    lines: tuple[scoring.Line, ...]
    points: int
    total: int
    carried: int | None = None
    substitute: Entry | None = None
    counts: bool = True

    @property
    def is_complete(self) -> bool:
        return self.played.score.complete


def rounds_of(
    player: str,
    sheets: Iterable[Sheet],
    carried: Mapping[range, int] = MappingProxyType({}),
    credited: Mapping[tuple[int, str], str | None] = MappingProxyType({}),
    stages: Sequence[PlayedStage] = (),
) -> list[PlayerRound]:
    """Return a player's rounds in the order played; unfinished ones have 0 points.

    They are those that the player has played, and those of substitutes for which `credited` (see
    `scoring.credits_of`) names the player. `total` is the running total of points. It starts again
    in each later stage of the player, with the points `carried` over to it, by the numbers of its
    sessions; and at 0 in each play-off. It includes typed totals. In the later `stages`, rounds of
    players who are no members count for nobody.
    """
    rounds: list[PlayerRound] = []
    totals: dict[range | int | None, int] = {None: 0}  # by stage, None for the first; by play-off
    for sheet in sheets:
        number = sheet.sitting.session.number
        stage = next((s for s in carried if number in s), None) if not sheet.is_play_off else None
        part = number if sheet.is_play_off else stage
        for entry, counts in _who_played_for(player, sheet, credited, stages):
            who = entry.key
            if sheet.typed_totals and counts:
                before = totals.get(part, carried[stage] if stage else 0)
                totals[part] = before + sheet.score.totals[who]
            for played in sheet.rounds:
                start = carried[stage] if stage and part not in totals else None
                points = played.score.points[who]
                totals[part] = totals.get(part, start or 0) + (points if counts else 0)
                lines = sheet.rules.game.own_lines(
                    who, played.facts, played.score.lines, sheet.players
                )
                own = PlayerRound(
                    sheet, played, side_of(who, played, sheet), lines, points, totals[part], start
                )
                substitute = None if who == player else entry
                rounds.append(own._replace(substitute=substitute, counts=counts))
    return rounds


def totals_of(
    player: str,
    sheets: Iterable[Sheet],
    credited: Mapping[tuple[int, str], str | None] = MappingProxyType({}),
    stages: Sequence[PlayedStage] = (),
) -> list[PlayerTotals]:
    """Return the typed totals of the player, and those of substitutes that count for the player.

    Arguments as for `rounds_of`.
    """
    return [
        PlayerTotals(
            sheet, sheet.score.totals[entry.key], None if entry.key == player else entry, counts
        )
        for sheet in sheets
        if sheet.typed_totals
        for entry, counts in _who_played_for(player, sheet, credited, stages)
    ]


def _who_played_for(
    player: str,
    sheet: Sheet,
    credited: Mapping[tuple[int, str], str | None],
    stages: Sequence[PlayedStage],
) -> Iterator[tuple[Entry, bool]]:
    """Yield the player, and a substitute whose points are the player's, with whether they count."""
    number = sheet.sitting.session.number
    for entry in sheet.entries:
        is_credited = credited.get((number, entry.key), entry.key) == player
        if entry.key == player or is_credited:
            counts = credited_with(entry.key, number, stages, credited) == player
            yield entry, is_credited and (sheet.is_play_off or counts)


def counting_for_nobody(
    entries: Iterable[Entry], session: Session, facts: RankingFacts
) -> set[str]:
    """Return the keys of the players whose points of a session count for nobody if they play in it.

    Empty for a play-off, which only orders tied players.
    """
    if session.is_play_off:
        return set()
    credited = scoring.credits_of(facts.contest.substitutes, facts.rules)
    return {
        entry.key
        for entry in entries
        if credited_with(entry.key, session.number, facts.played_stages, credited) is None
    }


def shown_as_counting_for_nobody(
    event: Event, entries: Iterable[Entry], session: Session
) -> set[str]:
    """Return the keys as `counting_for_nobody`, by what the event shows.

    Empty where it shows only seats: a publication before them may have had other members.
    """
    if event.shows_only_seats(session.number):
        return set()
    return counting_for_nobody(entries, session, event.ranking_facts)


class PlayerTotals(NamedTuple):
    """The typed totals of a table as far as they concern a player.

    `substitute` and `counts` are as in `PlayerRound`.
    """

    sheet: Sheet
    points: int
    substitute: Entry | None
    counts: bool


class PlayerTable(NamedTuple):
    """A table with a player's rounds, and who else has played at least one of them.

    `sheet` is that of the last one. Rounds of a substitute are apart. `others` are in seat order,
    each with the player in whose stead they play there, or None.
    """

    sheet: Sheet
    rounds: tuple[PlayerRound, ...]
    others: tuple[tuple[Entry, Entry | None], ...]


def by_table(
    player: str, rounds: Iterable[PlayerRound], substitutions: Collection[Substitution] = ()
) -> list[PlayerTable]:
    """Return the tables of the player's rounds, in the order of these."""
    return [
        _table_of(player, tuple(at_table), substitutions)
        for _place, at_table in groupby(rounds, _place_of)
    ]


def _place_of(own: PlayerRound) -> tuple[int, int, Entry | None]:
    sitting = own.sheet.sitting
    return sitting.session.number, sitting.shown_number, own.substitute


def _table_of(
    player: str, rounds: tuple[PlayerRound, ...], substitutions: Collection[Substitution]
) -> PlayerTable:
    """Return the table of these rounds; the player's substitute is none of the others."""
    last = rounds[-1]
    replaced = replaced_in(last.sheet.sitting.session.number, substitutions)
    seated = dict.fromkeys(entry for own in rounds for entry in own.sheet.entries)
    others = [each for each in seated if each.key != player and each != last.substitute]
    return PlayerTable(last.sheet, rounds, tuple((e, replaced.get(e.key)) for e in others))


def side_of(player: str, played: PlayedRound, sheet: Sheet) -> Side:
    """The partners are in seat order."""
    game, partners = sheet.rules.game, sheet.record.partners
    side = game.side_of(player, played.facts, sheet.players, partners)
    others = set(side.players) - {player}
    return Side(side.role, tuple(entry for entry in sheet.entries if entry.key in others))
