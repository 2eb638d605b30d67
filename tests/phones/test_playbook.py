"""The playbook on the phone agrees with the engine on random rounds."""

from __future__ import annotations

import random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import scoring
from scoring.kankei import DECLARATIONS, KankeiGame
from scoring.variants.gong_zhu import EXPOSABLE, Captures, scoring_cards
from tests import cast
from tests.phones.conftest import Phone
from tournaments.game_kinds import TableShape
from tournaments.i18n.sentences import advice_sentence
from tournaments.playbook.document import playbook

TABLES = [
    ("goninkan-association", "ABCDEF"),
    ("goninkan-classic", "ABCDE"),
    ("goninkan-classic", "ABCDEF"),
    ("goninkan-nakayoshi", "ABCDE"),
    ("damarikan", "ABCD"),
    ("yoninkan", "ABCD"),
]

LOOK_UP = """([table, players, sittings]) => {
  const book = new makiyaku.Playbook(table);
  return sittings.map((rounds) => ({
    states: rounds.map((_, i) => book.stateAfter(rounds.slice(0, i + 1), players)),
    scores: rounds.map((facts) => ({
      points: book.points(facts, players),
      lines: book.round(facts.deals, facts.cut_off).lines,
      isOver: book.round(facts.deals, facts.cut_off).isOver,
      wasOver: book.round(facts.deals.slice(0, -1), false).isOver,
    })),
  }));
}"""


def random_deal(dice: random.Random) -> dict[str, Any]:
    kankei = dice.choice([0, 16, *range(17)])
    left = 16 - kankei
    deal: dict[str, Any] = {
        "kankei": kankei,
        "mukankei": dice.choice([0, left, dice.randint(0, left)]),
    }
    if dice.random() < 0.3:
        deal["declaration"] = dice.choice(DECLARATIONS)
    return deal


def random_round(dice: random.Random, rules: scoring.Rules, players: str) -> dict[str, Any]:
    """The round is valid and complete."""
    document = {"ruleset": rules.slug, "players": list(players)}
    while True:
        dealer, *others = dice.sample(players, 3)
        facts: dict[str, Any] = {"dealer": dealer, "kankei": others}
        facts["deals"] = [random_deal(dice) for _ in range(dice.randint(1, 3))]
        if dice.random() < 0.2:
            facts["cut_off"] = True
        try:
            record = scoring.read_record({**document, "rounds": [facts]}, rules)
        except scoring.InvalidRecord:
            continue
        if scoring.score(record).complete:
            return facts


@pytest.mark.parametrize(("slug", "players"), TABLES)
def test_random_sittings_agree_with_the_engine(blank: Page, slug: str, players: str) -> None:
    rules = scoring.choose(scoring.get_rule_set(slug))
    game = rules.game
    assert isinstance(game, KankeiGame)
    dice = random.Random(slug + players)  # noqa: S311  repeatable
    sittings = [[random_round(dice, rules, players) for _ in range(8)] for _ in range(25)]
    planned = dice.choice([2, 8, 10])  # may be fewer than are played
    table = playbook(rules, TableShape(len(players), planned))
    found = blank.evaluate(LOOK_UP, [table, list(players), sittings])
    for rounds, told in zip(sittings, found, strict=True):
        document = {"ruleset": slug, "players": list(players), "rounds": rounds}
        record = scoring.read_record(document, rules)
        for i, score in enumerate(scoring.score(record).rounds):
            state = game.state_after(record.rounds[: i + 1], players, planned)
            assert told["states"][i] == {
                "seats": list(state.seats),
                "dealer": state.dealer,
                "trump": state.trump,
            }
            said = told["scores"][i]
            assert said["points"] == score.points
            assert said["lines"] == [[line.deal, line.item, line.points] for line in score.lines]
            assert (said["isOver"], said["wasOver"]) == (True, False)


HANDS = """([table, players, deals]) => {
  const book = new makiyaku.Playbook(table);
  const next = (facts) => book.nextDeal(facts, players, (player) => `Name ${player}`);
  return deals.map((facts) => ({ ...book.captures(facts), next: next(facts) }));
}"""


def random_captures(dice: random.Random, players: str) -> dict[str, Any]:
    """Return the facts of a deal in which some players take all cards."""
    takers = dice.sample(players, dice.randint(1, len(players)))
    captured: dict[str, list[str]] = {}
    for card in scoring_cards(len(players)):
        captured.setdefault(dice.choice(takers), []).append(card)
    exposed = [card for card in EXPOSABLE if dice.random() < 0.3]
    return {"captured": captured, "exposed": exposed}


@pytest.mark.parametrize("players", ["ABCD", "ABCDE"])
def test_random_deals_of_gong_zhu_agree_with_the_engine(blank: Page, players: str) -> None:
    rules = scoring.choose(scoring.get_rule_set("gong-zhu"))
    dice = random.Random(players)  # noqa: S311  repeatable
    deals = [random_captures(dice, players) for _ in range(300)]
    found = blank.evaluate(HANDS, [playbook(rules, TableShape(len(players))), list(players), deals])
    goes_on = 0
    for facts, told in zip(deals, found, strict=True):
        taken = {player: frozenset(cards) for player, cards in facts["captured"].items()}
        score = rules.game.score_round(Captures(taken, frozenset(facts["exposed"])), players)
        lines = [(player, *line) for player in players for line in told["lines"].get(player, [])]
        assert lines == [(line.player, line.item, line.points) for line in score.lines]
        assert {player: told["points"].get(player, 0) for player in players} == score.points
        if said := advice_after(
            rules, Captures(taken, frozenset()), players
        ):  # none if the game is over
            assert said == told["next"]
            goes_on += 1
    assert goes_on > 200


def advice_after(rules: scoring.Rules, facts: Any, players: str) -> list[str]:
    """Return the advice before the next deal, without the end of the game."""
    advice = rules.game.advice([facts], tuple(players), None)
    names = {player: f"Name {player}" for player in players}
    return [advice_sentence(each, names, rules) for each in advice if each.code != "game_over"]


FINISHES = """([table, players, deals]) => {
  const book = new makiyaku.Playbook(table);
  const name = (player) => `Name ${player}`;
  return deals.map((facts) => [book.pointsOf(facts, players), book.nextDeal(facts, players, name)]);
}"""


def random_finish(dice: random.Random, players: str) -> dict[str, Any]:
    """Return the facts of a deal of Gouji, half of the time with changed teams."""
    order, mixed = dice.sample(players, 6), dice.sample(players, 6)
    facts: dict[str, Any] = {"finish": order}
    return facts | {"teams": [mixed[:3], mixed[3:]]} if dice.random() < 0.5 else facts


def test_random_finishes_of_gouji_agree_with_the_engine(blank: Page) -> None:
    rules, players = scoring.choose(scoring.get_rule_set("gouji")), "ABCDEF"
    dice = random.Random(players)  # noqa: S311  repeatable
    deals = [random_finish(dice, players) for _ in range(100)]
    table = playbook(rules, TableShape(len(players)))
    found = blank.evaluate(FINISHES, [table, list(players), deals])
    document = {"ruleset": "gouji", "players": list(players), "rounds": deals}
    scores = scoring.score(scoring.read_record(document, rules)).rounds
    assert [points for points, _ in found] == [score.points for score in scores]
    record = scoring.read_record(document, rules)
    said = [advice_after(rules, facts, players) for facts in record.rounds]
    assert [sentences for _, sentences in found] == said


def test_changed_teams_are_listed(blank: Page) -> None:
    words = {"names": {"A": "成田"}, "team": "Team {number}"}
    facts = {"finish": list("ABCDEF"), "teams": [list("ABC"), list("DEF")]}
    listed = "([words, facts]) => new makiyaku.Wording(words).facts(facts)"
    found = blank.evaluate(listed, [words, facts])
    assert found[0] == ["1", "成田"]
    assert found[6:] == [["Team 1", "成田 · B · C"], ["Team 2", "D · E · F"]]


def test_cards_taken_are_listed_in_seat_order(blank: Page) -> None:
    facts = {"captured": {"2": ["DJ"], "7": ["HA"], "15": ["SQ", "C10"]}}
    listed = "([facts, players]) => new makiyaku.Wording({ names: {} }, null, players).facts(facts)"
    found = blank.evaluate(listed, [facts, ["15", "2", "4"]])
    assert found == [["15", "♠Q ♣10"], ["2", "♦J"], ["7", "♥A"]]


@pytest.mark.django_db(transaction=True)
def test_points_appear_offline(phone: Phone) -> None:
    phone.context.set_offline(True)
    phone.kankei(2, 4)
    phone.count(1, 9, 0)
    expect(phone.page.locator("#preview .facts-big dd").first).to_have_text("+2")
    expect(phone.page.locator("#preview tbody tr")).to_have_count(2)
    expect(phone.page.locator("#deal-2.is-open")).to_have_count(1)
    expect(phone.page.locator("#deal-3.is-waiting")).to_have_count(1)


@pytest.mark.django_db(transaction=True)
def test_neighbours_change_seats_offline(phone: Phone) -> None:
    phone.context.set_offline(True)
    phone.kankei(2, 3)
    phone.count(1, 5, 8)
    phone.save()
    phone.take_phone()
    keys = cast.keys(phone.sitting)
    boxes = phone.page.locator(".ring .seat [name=kankei]")
    found = [boxes.nth(i).get_attribute("value") for i in range(6)]
    assert found == [keys[0], keys[1], keys[3], keys[2], keys[4], keys[5]]
