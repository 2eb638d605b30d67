"""The shorthand for one round: a line of digits, parsed into facts and formatted from facts.

Players are given by seat number, as on the printed sheet. Words are separated by a space, comma,
full stop or plus sign, so that a number pad is enough.

- Face cards: ``[dealer] kankei deals…``. ``1 24 94 160* 97``: seat 1 deals, seats 2 and 4 are
  kankei, who took 9 face cards against 4, then all 16 as declared, then 9 against 7. Without a
  dealer, the next one in turn deals. ``88h``: hearts were chosen. ``x`` at the end: time ran out.
- Gong Zhu: the taker of each card in the printed order, then the exposed cards.
- Gouji: the seats in the order they went out, then team 1 if its members changed.

`scoring` decides whether the facts are legal.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext_lazy as _

from scoring.kankei import KankeiGame
from scoring.rules import Game
from scoring.variants.gong_zhu import GongZhuGame
from tournaments.paper_entry.dashes import narrow
from tournaments.paper_entry.deal_shorthand import Unreadable, format_deal, read_deal

SEPARATORS = re.compile(r"[\s,.+、。]+")

CUT_OFF_MARKS = ("x", "/")

# Exposed cards by their mark: a letter, or the number of their box on the printed sheet.
EXPOSED = {"q": "SQ", "j": "DJ", "t": "C10", "a": "HA", "1": "SQ", "2": "DJ", "3": "C10", "4": "HA"}


def split_words(line: str) -> list[str]:
    """Split a line at its separators, with wide characters made narrow and letters small.

    >>> split_words("２ ２４　９４+160J")
    ['2', '24', '94', '160j']
    """
    return [word for word in SEPARATORS.split(narrow(line).lower()) if word]


def read_line(
    line: str, game: Game, players: Sequence[str], dealer: str | None = None
) -> dict[str, Any]:
    """Parse a line into the facts of a round. Raises `Unreadable`.

    `players` are the entry numbers by seat. `dealer` is the dealer if the line names none; games
    without dealers ignore it.
    """
    if isinstance(game, KankeiGame):
        return read_kankei(line, game, players, dealer)
    if isinstance(game, GongZhuGame):
        return read_captures(line, game, players)
    return read_finish(line, players)


def read_kankei(
    line: str, game: KankeiGame, players: Sequence[str], dealer: str | None = None
) -> dict[str, Any]:
    """Parse a line of a face-card game; arguments and errors as in `read_line`.

    >>> import scoring
    >>> game = scoring.choose(scoring.get_rule_set("goninkan-association")).game
    >>> read_kankei("1 24 94 160* 97", game, "ABCDEF")
    {'dealer': 'A', 'kankei': ['B', 'D'],
     'deals': [{'kankei': 9, 'mukankei': 4},
               {'kankei': 16, 'mukankei': 0, 'declaration': 'juroku'},
               {'kankei': 9, 'mukankei': 7}]}
    >>> read_kankei("35 5-10", game, "ABCDEF", dealer="B")
    {'dealer': 'B', 'kankei': ['C', 'E'], 'deals': [{'kankei': 5, 'mukankei': 10}]}
    >>> read_kankei("35 94 59h", game, "ABCDEF")["deals"][1]
    {'kankei': 5, 'mukankei': 9, 'trump': 'hearts'}
    """
    words = split_words(line)
    facts: dict[str, Any] = {}
    if words and len(words[0]) == 1 and words[0].isdecimal():
        facts["dealer"] = _player_at(words.pop(0), players)
    elif dealer is not None:
        facts["dealer"] = dealer
    if not words or not re.fullmatch(r"\d\d", words[0]):
        raise Unreadable(_("Begin with the two kankei by their seats, such as 24."))
    facts["kankei"] = [_player_at(digit, players) for digit in words.pop(0)]
    if words and words[-1] in CUT_OFF_MARKS:
        words.pop()
        facts["cut_off"] = True
    facts["deals"] = [
        read_deal(word, game, number, player_count=len(players))
        for number, word in enumerate(words, 1)
    ]
    if facts["deals"] and "trump" in facts["deals"][0]:  # facts store it with the round
        facts["trump"] = facts["deals"][0].pop("trump")
    return facts


def read_captures(line: str, game: GongZhuGame, players: Sequence[str]) -> dict[str, Any]:
    """Parse a line of Gong Zhu: takers of the cards in printed order, then exposed cards.

    A dash after a taker means that this player took all following cards, too. Exposed cards are
    given by their marks in `EXPOSED`. Raises `Unreadable`.

    >>> import scoring
    >>> game = scoring.choose(scoring.get_rule_set("gong-zhu")).game
    >>> read_captures("1342- 14", game, "ABCD")["captured"]["A"]
    ['SQ']
    >>> read_captures("1342- qa", game, "ABCD")["exposed"]
    ['SQ', 'HA']
    >>> read_captures("2-", game, "ABCD")["exposed"]
    []
    """
    words, cards = split_words(line), game.scoring_cards(len(players))
    if not words or len(words) > 2:
        raise Unreadable(
            _("Type who took each card, in the printed order; then a space, then what was exposed.")
        )
    takers = words[0]  # a seat number for each card
    if takers.endswith("-") and len(takers) > 1:
        takers = takers[:-1].ljust(len(cards), takers[-2])
    if len(takers) != len(cards):
        raise Unreadable(
            _("The number of takers is %(typed)s, but there are %(cards)s cards."),
            typed=len(takers),
            cards=len(cards),
        )
    captured: dict[str, list[str]] = {}
    for card, digit in zip(cards, takers, strict=True):
        captured.setdefault(_player_at(digit, players), []).append(card)
    return {"captured": captured, "exposed": _read_exposed(words[1] if len(words) == 2 else "")}


def _read_exposed(marks: str) -> list[str]:
    """Return the exposed cards that the marks stand for, in the printed order.

    Raises `Unreadable` for an unknown mark.
    """
    unknown = [mark for mark in marks if mark not in EXPOSED]
    if unknown:
        raise Unreadable(
            _("“%(word)s” is no card that can be exposed: 1 or q, 2 or j, 3 or t, 4 or a."),
            word=unknown[0],
        )
    exposed = {EXPOSED[mark] for mark in marks}
    return [card for card in ("SQ", "DJ", "C10", "HA") if card in exposed]


def read_finish(line: str, players: Sequence[str]) -> dict[str, Any]:
    """Parse a line of Gouji: the order of going out, then team 1 if its members changed.

    `teams` are left out of the facts if they are the usual ones, every other seat. Raises
    `Unreadable`.

    >>> read_finish("132546", "ABCDEF")
    {'finish': ['A', 'C', 'B', 'E', 'D', 'F']}
    >>> read_finish("132546 123", "ABCDEF")["teams"]
    [['A', 'B', 'C'], ['D', 'E', 'F']]
    """
    words = split_words(line)
    if not words or len(words) > 2:
        raise Unreadable(_("Type the seats in the order they went out, such as 132546."))
    facts: dict[str, Any] = {"finish": [_player_at(digit, players) for digit in words[0]]}
    if len(words) == 2:
        team_1 = [_player_at(digit, players) for digit in words[1]]
        teams = [[p for p in players if p in team_1], [p for p in players if p not in team_1]]
        if teams != [list(players[::2]), list(players[1::2])]:
            facts["teams"] = teams
    return facts


def format_kankei_round(facts: Mapping[str, Any], players: Sequence[str]) -> str:
    """Return a face-card round in shorthand, without the trump of the first deal.

    >>> format_kankei_round({"dealer": "A", "kankei": ["B", "D"], "deals": [
    ...     {"kankei": 9, "mukankei": 4}, {"kankei": 1, "mukankei": 10}]}, "ABCD")
    '1 24 94 1-10'
    """
    seat = {player: str(number) for number, player in enumerate(players, 1)}
    words = [seat[facts["dealer"]]] if facts.get("dealer") else []
    words.append("".join(seat[player] for player in facts["kankei"]))
    words += [format_deal(deal) for deal in facts["deals"]]
    return " ".join(words + (["x"] if facts.get("cut_off") else []))


def format_round(facts: Mapping[str, Any], game: Game, players: Sequence[str]) -> str:
    """Return a round of any game in shorthand, with all its facts.

    >>> import scoring
    >>> goninkan = scoring.choose(scoring.get_rule_set("goninkan-association")).game
    >>> format_round({"dealer": "A", "trump": "hearts", "kankei": ["B", "D"], "deals": [
    ...     {"kankei": 9, "mukankei": 4}]}, goninkan, "ABCD")
    '1 24 94h'
    """
    if isinstance(game, GongZhuGame):
        return _format_captures(facts, game, players)
    if not isinstance(game, KankeiGame):
        return _format_finish(facts, players)
    deals = [dict(deal) for deal in facts["deals"]]
    if deals and "trump" in facts:
        deals[0]["trump"] = facts["trump"]
    return format_kankei_round({**facts, "deals": deals}, players)


def _format_captures(facts: Mapping[str, Any], game: GongZhuGame, players: Sequence[str]) -> str:
    """Return a Gong Zhu round in shorthand.

    If it is shorter, a dash stands for all but the first of the last cards that one player took.
    """
    taker_of = {card: player for player, cards in facts["captured"].items() for card in cards}
    takers = _seat_digits([taker_of[card] for card in game.scoring_cards(len(players))], players)
    shortened = takers.rstrip(takers[-1]) + takers[-1] + "-"
    if len(shortened) < len(takers):
        takers = shortened
    exposed = (mark for mark in "1234" if EXPOSED[mark] in facts.get("exposed", ()))
    return f"{takers} {''.join(exposed)}".rstrip()


def _format_finish(facts: Mapping[str, Any], players: Sequence[str]) -> str:
    """Return a Gouji round in shorthand."""
    teams = facts.get("teams")
    words = [facts["finish"], *([teams[0]] if teams else [])]
    return " ".join(_seat_digits(word, players) for word in words)


def _seat_digits(selected: Sequence[str], players: Sequence[str]) -> str:
    """Return the seat numbers of the selected players as digits, without spaces."""
    return "".join(str(players.index(player) + 1) for player in selected)


def _player_at(digit: str, players: Sequence[str]) -> str:
    """Return the player at a seat, from 1. Raises `Unreadable` if there is no such seat."""
    if not digit.isdecimal() or not 1 <= int(digit) <= len(players):
        raise Unreadable(
            _("There is no seat %(seat)s: type 1 to %(last)s."), seat=digit, last=len(players)
        )
    return players[int(digit) - 1]
