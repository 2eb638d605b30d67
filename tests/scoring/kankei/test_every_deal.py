"""Tries every possible deal and every sequence of outcomes: scored correctly, or refused.

What is right, the tables of `face_cards.py` say.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

import pytest

from scoring import Rules, choose, get_rule_set, read_record, score
from tests.scoring import record_problems
from tests.scoring.face_cards import (
    CONTINUING_OUTCOMES,
    COUNTS,
    DECLARATIONS,
    GAMES,
    Refused,
    choices,
    is_legal,
    outcome,
    points_table,
    round_points,
)

EVERY_CHOICE = [
    pytest.param(slug, options, id=f"{slug} {''.join(str(on)[0] for on in options.values())}")
    for slug in GAMES
    for options in choices(slug)
]

Facts = dict[str, Any]


def deal(k: int, m: int, declaration: str | None = None) -> Facts:
    facts: Facts = {"kankei": k, "mukankei": m}
    return facts if declaration is None else facts | {"declaration": declaration}


def won_before(slug: str, number: int) -> list[Facts]:
    """Deals won without a bonus, before this one."""
    return [deal(target, 16 - target) for target in GAMES[slug].targets[: number - 1]]


def round_of(deals: list[Facts], players: str, **more: Any) -> Facts:
    facts = {"kankei": ["B", "D"], "deals": deals} | more
    return facts | {"dealer": "F"} if len(players) == 6 else facts


def document(players: str, *rounds: Facts) -> Facts:
    return {"players": list(players), "rounds": list(rounds)}


def read(rules: Rules, players: str, *rounds: Facts) -> Any:
    return read_record(document(players, *rounds), rules)


def problems_of(rules: Rules, players: str, *rounds: Facts) -> list[tuple[str, str]]:
    return record_problems.problems_of(document(players, *rounds), rules)


def assert_everybody_has(points: Mapping[str, int], kankei: int, players: str) -> None:
    side = {"B", "D", "F"}  # F deals at a table of six
    assert points == {player: kankei if player in side else -kankei for player in players}


@pytest.mark.parametrize(("slug", "options"), EVERY_CHOICE)
def test_every_deal_is_scored_or_refused(slug: str, options: dict[str, Any]) -> None:
    rules = choose(get_rule_set(slug), options)
    table = points_table(slug, options)
    players = GAMES[slug].players[-1]
    for number, declaration in product((1, 2, 3), DECLARATIONS):
        before, at = won_before(slug, number), f"rounds[0].deals[{number - 1}]"
        for k, m in COUNTS:
            more = {}
            ended = outcome(slug, number, k, m, declaration, options)
            if not is_legal(slug, number, declaration):
                ended = Refused("declaration", "declaration_not_allowed")
            elif number < 3 and ended in CONTINUING_OUTCOMES and GAMES[slug].may_be_cut_off:
                more = {"cut_off": True}
            facts = round_of([*before, deal(k, m, declaration)], players, **more)
            if isinstance(ended, Refused):
                expected = [(f"{at}.{ended.field}", ended.code)]
                assert problems_of(rules, players, facts) == expected, facts
                continue
            (result,) = score(read(rules, players, facts)).rounds
            points = round_points(table, ["won"] * (number - 1) + [ended])
            if more and not options["cut_off_round_scores"]:
                points = 0
            if number < 3 and ended in CONTINUING_OUTCOMES and not more:
                assert not result.complete
                points = 0
            assert_everybody_has(result.points, points, players)
            assert sum(line.points for line in result.lines) == points, facts


@pytest.mark.parametrize("slug", GAMES)
def test_more_than_sixteen_face_cards_are_refused(slug: str) -> None:
    rules, players = choose(get_rule_set(slug)), GAMES[slug].players[0]
    for number, (k, m) in product((1, 2, 3), product(range(17), repeat=2)):
        if k + m > 16:
            facts = round_of([*won_before(slug, number), deal(k, m)], players)
            expected = [(f"rounds[0].deals[{number - 1}]", "too_many_face_cards")]
            assert problems_of(rules, players, facts) == expected


def representatives(
    slug: str, options: Mapping[str, Any]
) -> dict[int, dict[str, tuple[int, int, str | None]]]:
    """One example deal for each possible outcome of deals 1, 2 and 3."""
    found: dict[int, dict[str, tuple[int, int, str | None]]] = {1: {}, 2: {}, 3: {}}
    for number, declaration, (k, m) in product(found, DECLARATIONS, COUNTS):
        if is_legal(slug, number, declaration):
            ended = outcome(slug, number, k, m, declaration, options)
            if isinstance(ended, str):
                found[number].setdefault(ended, (k, m, declaration))
    return found


def paths(endings: Mapping[int, Mapping[str, Any]]) -> Iterator[list[str]]:
    """Every sequence of outcomes, also of unfinished rounds."""
    for first in endings[1]:
        yield [first]
        if first in CONTINUING_OUTCOMES:
            for second in endings[2]:
                yield [first, second]
                if second in CONTINUING_OUTCOMES:
                    yield from ([first, second, third] for third in endings[3])


@pytest.mark.parametrize(("slug", "options"), EVERY_CHOICE)
def test_every_sequence_of_outcomes_is_scored(slug: str, options: dict[str, Any]) -> None:
    rules = choose(get_rule_set(slug), options)
    table = points_table(slug, options)
    endings = representatives(slug, options)
    for players, path in product(GAMES[slug].players, paths(endings)):
        deals = [deal(*endings[number][ended]) for number, ended in enumerate(path, 1)]
        facts = round_of(deals, players)
        goes_on = len(path) < 3 and path[-1] in CONTINUING_OUTCOMES
        earned = round_points(table, path)
        (result,) = score(read(rules, players, facts)).rounds
        assert result.complete is not goes_on
        assert_everybody_has(result.points, 0 if goes_on else earned, players)
        if goes_on:
            assert result.lines == ()
            assert problems_of(rules, players, facts, facts) == [("rounds[0]", "unfinished_round")]
        else:
            assert sum(line.points for line in result.lines) == earned
            late = round_of([*deals, deal(9, 7)], players)
            at = f"rounds[0].deals[{len(deals)}]"
            assert (at, "round_over") in problems_of(rules, players, late)
        cut_off = facts | {"cut_off": True}
        if not (goes_on and GAMES[slug].may_be_cut_off):
            assert problems_of(rules, players, cut_off) == [("rounds[0].cut_off", "cut_off")]
        else:
            (result,) = score(read(rules, players, cut_off, facts)).rounds[:1]
            counted = earned if options["cut_off_round_scores"] else 0
            assert result.complete
            assert_everybody_has(result.points, counted, players)
            assert sum(line.points for line in result.lines) == counted


@pytest.mark.parametrize(("slug", "options"), EVERY_CHOICE)
def test_voided_line_cancels_exactly_the_earlier_points(slug: str, options: dict[str, Any]) -> None:
    """The line comes directly before that of the deal that voids the round.

    There is none in deal 1, nor (in yoninkan) where plain deals have brought no line before.
    """
    rules = choose(get_rule_set(slug), options)
    table, endings = points_table(slug, options), representatives(slug, options)
    seen = Counter[str]()
    for path in paths(endings):
        cell = table[path[-1]][len(path) - 1]
        assert cell is not None
        deals = [deal(*endings[number][ended]) for number, ended in enumerate(path, 1)]
        more = {"cut_off": True} if len(path) < 3 and path[-1] in CONTINUING_OUTCOMES else {}
        if more and not (GAMES[slug].may_be_cut_off and options["cut_off_round_scores"]):
            continue
        facts = round_of(deals, GAMES[slug].players[-1], **more)
        (result,) = score(read(rules, GAMES[slug].players[-1], facts)).rounds
        told = [line.item for line in result.lines]
        has_lines_before = any(line.deal and line.deal < len(path) for line in result.lines)
        if not cell.is_all or not has_lines_before:
            assert "voided" not in told
            seen["deal 1" if cell.is_all and len(path) == 1 else "kept"] += 1
            continue
        *earlier, own = result.lines
        assert (own.points, own.deal) == (cell.points, len(path))
        assert told.index("voided") == len(earlier) - 1
        assert earlier[-1].points == -round_points(table, path[:-1])
        assert earlier[-1].deal == len(path)
        seen["void"] += 1
    assert seen["void"]
    assert seen["kept"]
    assert bool(seen["deal 1"]) is any(row[0] and row[0].is_all for row in table.values())


@pytest.mark.parametrize("slug", GAMES)
def test_options_of_the_tables_are_those_of_the_rule_set(slug: str) -> None:
    assert choose(get_rule_set(slug)).options == GAMES[slug].options


@pytest.mark.parametrize("slug", GAMES)
def test_every_cell_of_the_tables_is_tried(slug: str) -> None:
    tried: set[tuple[int, str]] = set()
    for options in choices(slug):
        for number, endings in representatives(slug, options).items():
            tried |= {(number, ended) for ended in endings}
    cells = {
        (number, ended)
        for ended, row in points_table(slug, GAMES[slug].options).items()
        for number, cell in enumerate(row, 1)
        if cell is not None
    }
    assert tried == cells
