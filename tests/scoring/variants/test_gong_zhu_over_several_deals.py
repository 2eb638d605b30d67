"""Gong Zhu over several deals: who leads, when the game ends, partnerships."""

from typing import Any

import pytest
from hypothesis import given

from scoring import InvalidRecord, Start, choose, get_rule_set, read_record, score
from scoring.variants.gong_zhu import Captures, GongZhuGame, scoring_cards
from tests.scoring.record_problems import found_in, problems_of
from tests.scoring.variants.gong_zhu import HEARTS, Table, tables

LOSES_250 = Table([["SQ", "HA"], ["DJ"], ["C10"], list(scoring_cards(4)[4:])], ["SQ"])


def documents(*deals: Table, **more: Any) -> dict[str, Any]:
    rounds = [table.facts() for table in deals]
    return {"ruleset": "gong-zhu", "players": list("ABCD"), "rounds": rounds} | more


def test_game_ends_at_minus_1000() -> None:
    dearest = Table([["SQ", "C10"], ["DJ"], list(scoring_cards(4)[3:]), []], ["SQ", "C10"])
    assert dearest.scored()["A"] == -800
    pig = Table([["SQ"], ["DJ", "C10"], list(scoring_cards(4)[3:]), []], [])
    assert score(read_record(documents(dearest, pig, pig))).totals["A"] == -1000
    for late in (1, 2):
        document = documents(dearest, pig, pig, *[pig] * late)
        expected = [(f"rounds[{3 + i}]", "game_over") for i in range(late)]
        assert problems_of(document) == expected
        assert all(problem.params == {"deal": 3} for problem in found_in(document))


def with_players(facts: Captures, players: str) -> Captures:
    """Return a deal of A, B, C and D as played by others."""
    names = dict(zip("ABCD", players, strict=True))
    return facts._replace(captured={names[each]: own for each, own in facts.captured.items()})


def test_limit_counts_the_whole_game_of_each_person() -> None:
    """A loses 250 a deal. E takes over the seat of B after three deals, B comes back."""
    game, won = choose(get_rule_set("gong-zhu")).game, LOSES_250.scored()
    (facts,) = read_record(documents(LOSES_250)).rounds
    start = game.next_start([facts] * 3, "ABCD", "AECD")
    assert start == Start(3, "A", {player: 3 * won[player] for player in "ABCD"})
    fourth = with_players(facts, "AECD")
    [over] = game.advice([fourth], "AECD", None, start=start)
    assert (over.code, over.players, over.values) == (
        "game_over",
        {"loser": "A"},
        {"points": -1000},
    )
    again = game.next_start([fourth], "AECD", "ABCD", start)
    four = {player: 4 * won[player] for player in "ACD"}
    assert again.totals == {**four, "B": 3 * won["B"], "E": won["B"]}
    with pytest.raises(InvalidRecord) as refused:
        read_record(documents(LOSES_250), start=again)
    [problem] = refused.value.problems
    assert (problem.at, problem.code, problem.params) == ("rounds[0]", "game_over", {"deal": 4})


@pytest.mark.parametrize(("players", "code"), [("ABCD", "leads"), ("EBCD", "game_over")])
def test_who_takes_over_a_seat_begins_at_0(players: str, code: str) -> None:
    """E had lost 990 and left; A, who sat there then, is at 0."""
    game = choose(get_rule_set("gong-zhu")).game
    (facts,) = read_record(documents(LOSES_250)).rounds
    start = Start(3, totals={"E": -990})
    played = [with_players(facts, players)]
    assert game.advice(played, players, None, start=start)[0].code == code


def test_pairs_go_on_from_what_both_seats_have_won() -> None:
    game = choose(get_rule_set("gong-zhu"), {"partners_end_by_total": True}).game
    (facts,) = read_record(documents(PAIRS)).rounds  # A and C lose 650 a deal
    start = game.next_start([facts], "ABCD", "ABED", partners=True)
    assert start.team_totals == (-650, 100)
    played = [with_players(facts, "ABED")]
    [over] = game.advice(played, "ABED", None, partners=True, start=start)
    assert (over.players, over.values) == ({"first": "A", "second": "E"}, {"points": -1300})


def test_house_rule_may_end_the_game_earlier() -> None:
    rules = choose(get_rule_set("gong-zhu"), points={"game_end": -250})
    document = documents(LOSES_250, LOSES_250)
    assert score(read_record(document)).totals["A"] == -500
    assert problems_of(document, rules) == [("rounds[1]", "game_over")]


def test_the_taker_of_the_pig_leads_the_next_deal() -> None:
    game = choose(get_rule_set("gong-zhu")).game
    assert isinstance(game, GongZhuGame)
    (facts,) = read_record(documents(LOSES_250)).rounds
    assert game.leader([]) is None
    assert game.leader([facts]) == "A"
    other = facts._replace(captured={"B": frozenset({"SQ"}), "A": frozenset({"DJ"})})
    assert game.leader([facts, other]) == "B"
    assert game.leader([other, facts]) == "A"


def test_advice_names_the_leader_or_the_end_of_the_game() -> None:
    game = choose(get_rule_set("gong-zhu")).game
    (facts,) = read_record(documents(LOSES_250)).rounds

    def told(deals: int, planned: int | None) -> tuple[str, dict[str, str], dict[str, str | int]]:
        (advice,) = game.advice([facts] * deals, "ABCD", planned)
        return advice.code, dict(advice.players), dict(advice.values)

    assert told(0, 4) == ("two_of_spades_leads", {}, {})
    assert told(1, 4) == told(1, None) == told(3, 4) == ("leads", {"leader": "A"}, {})
    assert told(4, 4) == told(4, None) == ("game_over", {"loser": "A"}, {"points": -1000})
    assert told(5, None) == ("game_over", {"loser": "A"}, {"points": -1250})
    assert told(1, 1) == told(2, 1) == ("finished", {}, {"planned": 1})


PAIRS = Table(
    [
        ["SQ", "C10", "H10", "H9", "H8", "H7", "H6"],
        ["DJ"],
        ["HA", "HK", "HQ", "HJ", *HEARTS[9:]],
        [],
    ],
    ["SQ"],
)


def test_option_ends_partnership_games_by_the_pairs_total() -> None:
    """A −500, B +100, C −150, D 0 a deal: a player has lost 1000 after two, the pair as well."""
    alone = choose(get_rule_set("gong-zhu")).game
    together = choose(get_rule_set("gong-zhu"), {"partners_end_by_total": True}).game
    (facts,) = read_record(documents(PAIRS)).rounds
    assert PAIRS.scored() == {"A": -500, "B": 100, "C": -150, "D": 0}
    for game, partners, loser, points in (
        (alone, True, {"loser": "A"}, -1000),
        (alone, False, {"loser": "A"}, -1000),
        (together, False, {"loser": "A"}, -1000),
        (together, True, {"first": "A", "second": "C"}, -1300),
    ):
        (told,) = game.advice([facts] * 2, "ABCD", None, partners)
        assert (told.code, told.players, told.values) == ("game_over", loser, {"points": points})
        assert game.advice([facts], "ABCD", None, partners)[0].code == "leads"


def test_pair_plays_on_while_only_one_of_them_is_at_minus_1000() -> None:
    """A −800 and C +200 a deal: after two A has lost 1600, the pair 1200."""
    rules = choose(get_rule_set("gong-zhu"), {"partners_end_by_total": True})
    dear = Table([["SQ", "C10"], HEARTS[:4], ["DJ"], HEARTS[4:]], ["SQ", "C10", "DJ"])
    assert dear.scored() == {"A": -800, "B": -140, "C": 200, "D": -60}
    two = documents(dear, dear, partners=True)
    assert problems_of(two, rules) == []
    assert problems_of(documents(dear, dear, dear, partners=True), rules) == [
        ("rounds[2]", "game_over")
    ]
    assert problems_of(documents(dear, dear, dear), rules) == [("rounds[2]", "game_over")]
    kind = Table([["SQ", "C10"], HEARTS[:4], ["DJ", *HEARTS[9:]], HEARTS[4:9]], ["SQ"])
    assert kind.scored() == {"A": -400, "B": -140, "C": 90, "D": -50}
    three, four = documents(*[kind] * 3, partners=True), documents(*[kind] * 4, partners=True)
    assert problems_of(three) == problems_of(four, rules) == []
    assert problems_of(four) == [("rounds[3]", "game_over")]
    assert problems_of(documents(*[kind] * 5, partners=True), rules) == [("rounds[4]", "game_over")]


def test_partners_add_up_their_points() -> None:
    result = score(read_record(documents(LOSES_250, LOSES_250, partners=True)))
    assert list(result.totals.values()) == [-500, 200, 100, -300]
    assert result.team_totals == (-400, -100)
    assert score(read_record(documents(LOSES_250, partners=False))).team_totals is None


@given(tables())
def test_partnership_does_not_change_players_points(table: Table) -> None:
    hands = [*table.hands[:3], [card for hand in table.hands[3:] for card in hand]]
    missing = set(scoring_cards(4)) - {card for hand in hands for card in hand}
    four = Table([*hands[:3], [*hands[3], *missing]], table.exposed)
    assert score(read_record(documents(four, partners=True))).totals == four.scored()


def test_there_are_no_trumps_and_partners_sit_opposite() -> None:
    game = choose(get_rule_set("gong-zhu")).game
    assert game.trump(1, None) == ""
    assert game.state_after([], "ABCD", None) is None
    assert game.lineup(None, "ABCD") == (("A", "C"), ("B", "D"))


def test_only_a_table_that_has_begun_anew_is_held_to_the_end_of_the_game() -> None:
    dearest = Table([["SQ", "C10"], ["DJ"], list(scoring_cards(4)[3:]), []], ["SQ", "C10"])
    document = documents(dearest, dearest, dearest)
    with pytest.raises(InvalidRecord):
        read_record(document)
    assert len(read_record(document, start=None).rounds) == 3
