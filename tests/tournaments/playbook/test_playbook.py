"""The playbook gives the same answers as the engine, in every cell."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from itertools import combinations, permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scoring
from scoring.game import Line
from scoring.kankei import Deal, ImpossibleDeal, KankeiGame, Round
from scoring.registry import RULE_SETS
from scoring.seats import swapped
from scoring.variants.gong_zhu import EXPOSABLE, Captures, GongZhuGame
from scoring.variants.gouji import Finish, GoujiGame
from tournaments.game_kinds import TableShape
from tournaments.games.captures.hands import subsets
from tournaments.playbook.document import playbook

# Every count of a deal: face cards of the kankei, of the mukankei.
COUNTS = [(kankei, mukankei) for kankei in range(17) for mukankei in range(17 - kankei)]
FACE_CARD_GAMES = [each.slug for each in RULE_SETS if scoring.choose(each).game.kind == "kankei"]


def other_choices(rules: scoring.RuleSet) -> list[scoring.Rules]:
    """Return the rules with each option alone at its other value, and with all of them."""
    turned = {option.name: option.other_values[0] for option in rules.options}
    each = [scoring.choose(rules, {name: choice}) for name, choice in turned.items()]
    return [*each, scoring.choose(rules, turned)] if len(turned) > 1 else each


def without_points(rules: scoring.RuleSet) -> scoring.Rules:
    return scoring.choose(
        rules, {}, {rule.item: 0 for rule in rules.rules if rule.lowest < rule.highest}
    )


def face_card_rules_and_players() -> list[tuple[scoring.Rules, int]]:
    return [
        (rules, players)
        for slug in FACE_CARD_GAMES
        for rule_set in [scoring.get_rule_set(slug)]
        for rules in (scoring.choose(rule_set), *other_choices(rule_set), without_points(rule_set))
        for players in rule_set.players
    ]


def id_of(rules_and_players: tuple[scoring.Rules, int]) -> str:
    return f"{rules_and_players[0].slug}-{rules_and_players[0].fingerprint}-{rules_and_players[1]}"


@pytest.mark.parametrize("rules_and_players", face_card_rules_and_players(), ids=id_of)
def test_every_answer_is_that_of_the_engine(rules_and_players: tuple[scoring.Rules, int]) -> None:
    rules, players = rules_and_players
    assert isinstance(rules.game, KankeiGame)
    document = json.loads(
        json.dumps(playbook(rules, TableShape(players, 10)))
    )  # as a phone reads it
    assert_every_cell_has_the_verdict(rules.game, document)
    assert_every_path_scores_alike(rules.game, document)
    assert_seats_change_alike(rules.game, players, document)
    assert_points_are_shared_alike(rules.game, players, document)
    assert_every_scored_item_has_a_name_and_a_source(document)
    assert document["trumps"] == [rules.game.trump(number, 10) for number in range(1, 201)]


def parts_of(lines: Iterable[Line]) -> list[list[Any]]:
    return [[line.deal, line.item, line.points] for line in lines]


def assert_every_cell_has_the_verdict(game: KankeiGame, document: dict[str, Any]) -> None:
    for number, deal in enumerate(document["deals"], 1):
        assert list(deal["cells"]) == ["", *game.declarations[number]]
        for declaration, cells in deal["cells"].items():
            assert sum(map(len, cells)) == len(COUNTS) == 153
            for kankei, mukankei in COUNTS:
                verdict = game.verdict(number, kankei, mukankei, declaration or None)
                said = deal["outcomes"][cells[kankei][mukankei]]
                if isinstance(verdict, ImpossibleDeal):
                    assert said["field"] == verdict.field
                    assert said["problem"]
                else:
                    assert said == {
                        "won": verdict.kankei_won,
                        "outcome": verdict.outcome,
                    }


def assert_every_path_scores_alike(game: KankeiGame, document: dict[str, Any]) -> None:
    """Tries all counts of a deal after one example of each sequence of earlier outcomes."""
    examples: list[tuple[tuple[Deal, ...], str, list[Any]]] = [((), "", [])]
    scored = 0
    for number in (1, 2, 3):
        seen: dict[str, tuple[tuple[Deal, ...], str, list[Any]]] = {}
        outcomes = document["deals"][number - 1]["outcomes"]
        for deals, path, lines in examples:
            expected: dict[int, tuple[str, Any, list[Any]]] = {}  # of each cell: key, path, lines
            for declaration in (None, *game.declarations[number]):
                cells = document["deals"][number - 1]["cells"][declaration or ""]
                for count in COUNTS:
                    cell = cells[count[0]][count[1]]
                    if "problem" in outcomes[cell]:
                        continue
                    if cell not in expected:
                        key = f"{path}.{cell}" if path else str(cell)
                        expected[cell] = (
                            key,
                            document["paths"][key],
                            lines + document["paths"][key]["lines"],
                        )
                    key, said, now = expected[cell]
                    deal = Deal(*count, declaration)
                    played = (*deals, deal)
                    assert now == parts_of(game.lines(played)), played
                    assert said["over"] == game.is_complete(Round(("", ""), played)), played
                    if game.may_be_cut_off and not said["over"]:
                        cut = game.lines(played, cut_off=True)
                        assert now + said["cut_off"] == parts_of(cut), played
                    scored += 1
                    if not said["over"]:
                        seen.setdefault(key, (played, key, now))
        examples = list(seen.values())
    assert scored > 153


def assert_seats_change_alike(game: KankeiGame, players: int, document: dict[str, Any]) -> None:
    ring = tuple(map(str, range(players)))
    for dealer in ring:
        for kankei in combinations([seat for seat in ring if seat != dealer], 2):
            deals = (Deal(9, 1), Deal(0, 16))
            state = game.state_after([Round(kankei, deals, dealer)], ring, 10)
            out = dealer if document["dealer_sits_out"] else ""
            move = document["seat_changes"].get(f"{out}:{','.join(kankei)}")
            assert state.seats == (swapped(ring, *map(str, move)) if move else ring)
            if game.has_dealers:
                next_seat = document["next_dealer"][state.seats.index(dealer)]
                assert state.dealer == state.seats[next_seat]
            else:
                assert (state.dealer, document["next_dealer"]) == (None, [])


def assert_points_are_shared_alike(
    game: KankeiGame, players: int, document: dict[str, Any]
) -> None:
    ring, deals = tuple(map(str, range(players))), (Deal(1, game.targets[1][1]),)
    for dealer in ring:
        others = [seat for seat in ring if seat != dealer or players < 6]
        for kankei in combinations(others, 2):
            points = game.score_round(Round(kankei, deals, dealer), ring).points
            assert points[kankei[0]] != 0 or not any(game.rules.points.values())
            for player in ring:
                side = "kankei" if player in kankei else "mukankei"
                share = document["point_factors"][
                    "dealer" if (player, side) == (dealer, "mukankei") else side
                ]
                assert points[player] == points[kankei[0]] * share


def assert_every_scored_item_has_a_name_and_a_source(document: dict[str, Any]) -> None:
    items = {line[1] for path in document["paths"].values() for line in path["lines"]}
    assert items <= document["items"].keys()
    assert all(document["items"][item]["name"] for item in items)
    assert all(document["items"][item]["source"]["words"] for item in items)


def test_every_finishing_order_of_gouji_scores_like_the_engine() -> None:
    rules = scoring.choose(scoring.get_rule_set("gouji"))
    game = rules.game
    assert isinstance(game, GoujiGame)
    book = playbook(rules, TableShape(6))
    finishes = book["finishes"]
    assert book["usual_teams"] == [[0, 2, 4], [1, 3, 5]]
    teams = (tuple("ABC"), tuple("DEF"))
    for order in permutations("ABCDEF"):
        key = "".join("1" if player in teams[0] else "2" for player in order)
        score = game.score_round(Finish(order, teams), "ABCDEF")
        assert finishes[key]["teams"] == score.teams
        assert finishes[key]["lines"] == [
            (line.team, line.item, line.points) for line in score.lines
        ]


HOUSE_POINTS = {"heart_ace": -51, "heart_jack": -30, "heart_spot": -7, "sheep": 90, "ten_alone": 0}


def gong_zhu_rules_and_players() -> list[tuple[scoring.Rules, int]]:
    rule_set = scoring.get_rule_set("gong-zhu")
    all_rules = [
        scoring.choose(rule_set),
        *other_choices(rule_set),
        scoring.choose(rule_set, {}, HOUSE_POINTS),
    ]
    return [(rules, players) for rules in all_rules for players in rule_set.players]


@pytest.fixture(scope="module", params=gong_zhu_rules_and_players(), ids=id_of)
def hands(request: pytest.FixtureRequest) -> Any:
    """Rules of Gong Zhu, the players, and the hands of the playbook as a phone reads them."""
    rules, players = request.param
    return (
        rules,
        "ABCDE"[:players],
        json.loads(json.dumps(playbook(rules, TableShape(players))))["hands"],
    )


def bits(cards: Iterable[str], among: list[str]) -> int:
    return sum(1 << i for i, card in enumerate(among) if card in cards)


class Lookup:
    """Looks hands up as `Playbook.hand` does on the phone.

    Keeps the lines of each score, and the column of each set of singles and exposed cards.
    """

    def __init__(self, document: Any) -> None:
        self.document = document
        lines = [tuple(line) for line in document["lines"]]
        self.scores = [[lines[each] for each in score] for score in document["scores"]]

    def row(self, cards: Iterable[str]) -> Any:
        return self.document["rows"][self.document["suit_rows"][bits(cards, self.document["suit"])]]

    def column(self, cards: Iterable[str], exposed: Iterable[str]) -> int:
        place = bits(cards, self.document["singles"]) * 2 ** len(self.document["exposable"])
        found: int = self.document["columns"][place + bits(exposed, self.document["exposable"])]
        return found

    def lines(self, cards: Iterable[str], exposed: Iterable[str]) -> list[tuple[str, int]]:
        return self.scores[self.row(cards)[self.column(cards, exposed)]]


def scored(game: GongZhuGame, cards: frozenset[str], exposed: frozenset[str], **said: bool) -> Any:
    """`said` is whether the cards have all hearts."""
    return [(line.item, line.points) for line in game.player_lines("A", cards, exposed, **said)]


def test_every_hand_of_hearts_scores_like_the_engine(hands: Any) -> None:
    """Tries all subsets of the hearts with all singles, each with another exposure."""
    rules, players, document = hands
    lookup, all_hearts = Lookup(document), rules.game.hearts(len(players))
    exposures, singles = list(subsets(EXPOSABLE)), list(subsets(document["singles"]))
    # The columns of all singles with each exposure that the first of them has.
    columns = [
        [
            lookup.column(more, exposures[(first + 5 * j) % len(exposures)])
            for j, more in enumerate(singles)
        ]
        for first in range(len(exposures))
    ]
    for i, hearts in enumerate(subsets(document["suit"])):
        row, has_all_hearts = lookup.row(hearts), hearts >= all_hearts
        for j, (more, column) in enumerate(zip(singles, columns[i % len(exposures)], strict=True)):
            cards, exposed = hearts | more, exposures[(i + 5 * j) % len(exposures)]
            assert lookup.scores[row[column]] == scored(
                rules.game, cards, exposed, has_all_hearts=has_all_hearts
            ), (cards, exposed)


def test_every_exposure_scores_like_the_engine(hands: Any) -> None:
    """Tries all singles with all exposures, with hands of hearts from none to all."""
    rules, players, document = hands
    lookup, all_hearts = Lookup(document), rules.game.hearts(len(players))
    some, exposures = list(subsets(document["suit"]))[::97], list(subsets(EXPOSABLE))
    columns = [
        (more, exposed, lookup.column(more, exposed))
        for more in subsets(document["singles"])
        for exposed in exposures
    ]
    for hearts in (*some, frozenset(), frozenset(document["suit"])):
        row, has_all_hearts = lookup.row(hearts), hearts >= all_hearts
        for more, exposed, column in columns:
            cards = hearts | more
            assert lookup.scores[row[column]] == scored(
                rules.game, cards, exposed, has_all_hearts=has_all_hearts
            ), (cards, exposed)


@settings(deadline=None)  # the first example of each builds its playbook
@given(rules_and_players=st.sampled_from(gong_zhu_rules_and_players()), data=st.data())
def test_any_deal_of_gong_zhu_scores_like_the_engine(
    rules_and_players: Any, data: st.DataObject
) -> None:
    rules, players = rules_and_players[0], "ABCDE"[: rules_and_players[1]]
    document = playbook(rules, TableShape(rules_and_players[1]))["hands"]
    cards = rules.game.scoring_cards(len(players))
    takers = data.draw(st.lists(st.sampled_from(players), min_size=len(cards), max_size=len(cards)))
    exposed = data.draw(st.frozensets(st.sampled_from(EXPOSABLE)))
    taken: dict[str, frozenset[str]] = {
        player: frozenset(c for c, taker in zip(cards, takers, strict=True) if taker == player)
        for player in players
    }
    score = rules.game.score_round(Captures(taken, exposed), players)
    lookup = Lookup(document)
    lines = [(player, *line) for player in players for line in lookup.lines(taken[player], exposed)]
    assert lines == [(line.player, line.item, line.points) for line in score.lines]


def is_over(rules: scoring.Rules, document: dict[str, Any]) -> bool:
    """Return whether the engine refuses another deal because the game is over."""
    try:
        scoring.read_record({**document, "rounds": [*document["rounds"], {}]}, rules)
    except scoring.InvalidRecord as invalid:
        return "game_over" in {problem.code for problem in invalid.problems}
    return False


WITH_PARTNERS = [
    (rules_and_players, partners)
    for rules_and_players in gong_zhu_rules_and_players()
    for partners in (False, True)
    if not partners or rules_and_players[1] in rules_and_players[0].rule_set.partnership_players
]


@pytest.mark.parametrize(("rules_and_players", "partners"), WITH_PARTNERS)
def test_game_ends_when_the_engine_ends_it(
    rules_and_players: tuple[scoring.Rules, int], *, partners: bool
) -> None:
    rules, count = rules_and_players
    assert isinstance(rules.game, GongZhuGame)
    cards = rules.game.scoring_cards(count)
    ending = playbook(rules, TableShape(count, partners=partners))["ending"]
    players = "ABCDE"[:count]
    dice = random.Random(count)  # noqa: S311  repeatable
    document: dict[str, Any] = {"ruleset": rules.slug, "players": list(players), "rounds": []}
    document |= {"partners": True} if partners else {}
    for _deal in range(40):
        captured: dict[str, list[str]] = {}
        for card in cards:  # two players mostly lose
            captured.setdefault(dice.choice(players + players[0::2] * 3), []).append(card)
        document["rounds"].append({"captured": captured, "exposed": ["SQ"]})
        score = scoring.score(scoring.read_record(document, rules))
        watched = [sum(score.totals[players[seat]] for seat in of) for of in ending["watched"]]
        ends = any(total <= ending["limit"] for total in watched)
        assert ends == is_over(rules, document)
        if ends:
            return
    pytest.fail("no game came to its end")


def test_playbook_of_partners_ends_the_game_by_the_pairs_total_if_chosen() -> None:
    rule_set = scoring.get_rule_set("gong-zhu")
    together = scoring.choose(rule_set, {"partners_end_by_total": True}, {"game_end": -700})
    for rules, partners, expected in (
        (scoring.choose(rule_set), True, {"limit": -1000, "watched": [[0], [1], [2], [3]]}),
        (together, False, {"limit": -700, "watched": [[0], [1], [2], [3]]}),
        (together, True, {"limit": -700, "watched": [[0, 2], [1, 3]]}),
    ):
        assert playbook(rules, TableShape(4, partners=partners))["ending"] == expected
    five = playbook(scoring.choose(rule_set, {"five_without": "D2"}), TableShape(5))["hands"]
    assert len(five["suit"]) == 13
