"""Warnings about typed lines that are valid but unlikely; the typist has to confirm them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext

from tournaments.game_kinds import GameKind, kind_of
from tournaments.i18n.sentences import suit_name
from tournaments.i18n.units import round_in_sentence
from tournaments.queries.sheets import Sheet


def doubts_of(typed: dict[str, Any], number: int, sheet: Sheet) -> Iterator[str]:
    """Yield warnings, as sentences, about the facts typed for round `number`.

    `sheet` has the stored rounds. Round `number` may be one of them: it is then typed again.
    """
    stored = sheet.rows[number - 1].facts if number <= len(sheet.rows) else None
    if stored is None:
        yield from _warn_of_repetition(typed, sheet)
    yield from _warn_of_trump(typed, number, sheet, stored or {})


def repeated_rounds(typed: dict[str, Any], sheet: Sheet) -> list[int]:
    """Return the numbers of the stored rounds with the same facts."""
    kind = kind_of(sheet.rules.game)
    return [row.number for row in sheet.rows if matches_stored(kind, row.facts, typed)]


def _warn_of_repetition(typed: dict[str, Any], sheet: Sheet) -> Iterator[str]:
    """Yield a warning for each of the `repeated_rounds`."""
    for number in repeated_rounds(typed, sheet):
        words = gettext("The same has already been recorded as %(round)s. Is this a different one?")
        yield words % {"round": round_in_sentence(number, sheet.sitting)}


def _warn_of_trump(
    typed: Mapping[str, Any], round_number: int, sheet: Sheet, stored: Mapping[str, Any]
) -> Iterator[str]:
    """Yield a warning if a trump was typed for the first deal that is not the one by the rules.

    There is none if the stored round has the typed trump. `typed` and `stored` are facts of this
    round; `stored` is empty before the round is recorded.
    """
    game, trump = sheet.rules.game, typed.get("trump")
    if not trump:
        return
    trump_by_rules = game.trump(sheet.rounds_before + round_number, sheet.rounds_of_table)
    if trump not in (trump_by_rules, stored.get("trump")):
        words = gettext(
            "Are you sure that %(trump)s are trump in the first deal? In this round it should be "
            "%(due)s."
        )
        yield words % {"trump": suit_name(trump), "due": suit_name(trump_by_rules)}


def matches_stored(kind: GameKind, stored: Mapping[str, Any], typed: dict[str, Any]) -> bool:
    """Return whether typed facts agree with a stored round, apart from what the line omits.

    >>> import scoring
    >>> kind = kind_of(scoring.choose(scoring.get_rule_set("goninkan-association")).game)
    >>> deal = {"kankei": 5, "mukankei": 9}
    >>> typed = {"dealer": "A", "kankei": ["B", "D"], "deals": [deal]}
    >>> matches_stored(kind, {"trump": "clubs", **typed, "kankei": ["D", "B"]}, typed)
    True
    >>> matches_stored(kind, {**typed, "dealer": "B"}, typed)
    False
    """
    return not kind.differing_parts(stored, kind.merge_with_stored(stored, typed))
