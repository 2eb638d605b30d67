"""Gouji: every finishing order, and the advice for the next deal."""

from itertools import combinations, permutations

import pytest

from scoring import Finish, Rules, Start, choose, get_rule_set, read_record, score
from scoring.variants.gouji import GoujiGame, Teams

PLAYERS = tuple("ABCDEF")
USUAL_TEAMS: Teams = (tuple("ACE"), tuple("BDF"))
ORDERS = list(permutations(PLAYERS))
POINTS_BY_PLACE = (4, 2, 0, 0, -2, -4)


def every_split() -> list[Teams]:
    """Every way to make two teams of three."""
    return [
        (one, tuple(player for player in PLAYERS if player not in one))
        for one in combinations(PLAYERS, 3)
    ]


@pytest.fixture
def rules() -> Rules:
    return choose(get_rule_set("gouji"))


@pytest.fixture
def game(rules: Rules) -> GoujiGame:
    assert isinstance(rules.game, GoujiGame)
    return rules.game


def test_every_finishing_order_scores_its_places(game: GoujiGame) -> None:
    for order in ORDERS:
        result = game.score_round(Finish(order, USUAL_TEAMS), PLAYERS)
        ours = sum(POINTS_BY_PLACE[order.index(player)] for player in USUAL_TEAMS[0])
        assert result.teams == (ours, -ours)
        assert result.points == {p: ours if p in USUAL_TEAMS[0] else -ours for p in PLAYERS}
        assert sum(result.points.values()) == 0
        assert result.complete


@pytest.mark.parametrize("teams", every_split(), ids=lambda teams: "".join(teams[0]))
def test_teams_may_be_any_three_against_three(game: GoujiGame, teams: Teams) -> None:
    for order in ORDERS[::7]:
        result = game.score_round(Finish(order, teams), PLAYERS)
        for number, team in enumerate(teams, 1):
            lines = [line for line in result.lines if line.team == number]
            assert len(lines) == 3
            points = sum(line.points for line in lines)
            assert points == sum(POINTS_BY_PLACE[order.index(player)] for player in team)
            assert all(result.points[player] == points for player in team)


def test_every_order_can_be_read_from_a_record(rules: Rules) -> None:
    rounds = [{"finish": list(order)} for order in ORDERS]
    record = read_record({"ruleset": "gouji", "players": list(PLAYERS), "rounds": rounds})
    assert [facts.order for facts in record.rounds] == ORDERS
    assert {facts.teams for facts in record.rounds} == {USUAL_TEAMS}
    assert score(record).team_totals == (0, 0)  # over all orders the teams are equal


def test_last_two_give_cards_to_the_first_two(game: GoujiGame) -> None:
    facts = Finish(tuple("ABCDEF"), USUAL_TEAMS)
    assert game.exchanges(facts, PLAYERS) == (("F", "A", 2), ("E", "B", 1))
    assert game.first_player([facts]) == "F"


def test_opposite_players_exchange_after_a_sweep(game: GoujiGame) -> None:
    facts = Finish(tuple("ECABFD"), USUAL_TEAMS)
    assert game.is_sweep(facts)
    assert game.exchanges(facts, PLAYERS) == (("B", "E", 1), ("F", "C", 1), ("D", "A", 1))
    assert game.first_player([facts]) is None
    assert codes(game, [facts]) == ["shuffle", "exchange", "exchange", "exchange", "starting_card"]


def test_sweep_is_one_team_in_the_first_three_places(game: GoujiGame) -> None:
    sweeps = [order for order in ORDERS if game.is_sweep(Finish(order, USUAL_TEAMS))]
    assert len(sweeps) == 2 * 6 * 6
    assert all(set(order[:3]) in (set("ACE"), set("BDF")) for order in sweeps)


def test_giver_finished_after_the_taker(game: GoujiGame) -> None:
    for teams in every_split():
        for order in ORDERS[::11]:
            facts = Finish(order, teams)
            for giver, taker, cards in game.exchanges(facts, PLAYERS):
                assert order.index(giver) > 2 >= order.index(taker)
                assert cards in (1, 2)


def test_first_two_shuffle_and_the_last_leads(game: GoujiGame) -> None:
    told = game.advice([Finish(tuple("CBFAED"), USUAL_TEAMS)], PLAYERS, None)
    shuffle, two, one, first, unless = told
    assert shuffle.players == {"first": "C", "second": "B"}
    assert (two.players, two.values) == ({"giver": "D", "taker": "C"}, {"cards": 2})
    assert (one.players, one.values) == ({"giver": "E", "taker": "B"}, {"cards": 1})
    assert first.players == {"first": "D"}
    assert unless.code == "starting_card_unless"


def test_leader_depends_on_the_last_deal_only(game: GoujiGame) -> None:
    rounds = [Finish(tuple("ABCDEF"), USUAL_TEAMS), Finish(tuple("CAFBED"), USUAL_TEAMS)]
    assert game.first_player(rounds) == "D"
    assert [each.players.get("first") for each in game.advice(rounds, PLAYERS, None)] == [
        *("C", None, None, None, "D", None)
    ]


def test_codes_of_advice(game: GoujiGame) -> None:
    plain = [Finish(tuple("CBFAED"), USUAL_TEAMS)]
    assert codes(game, plain) == [
        *("shuffle", "exchange", "exchange", "plays_first", "starting_card_unless")
    ]
    assert codes(game, plain, planned=2) == codes(game, plain)
    (done,) = game.advice(plain * 3, PLAYERS, 2)
    assert (done.code, done.values) == ("finished", {"planned": 2})


AGREEMENTS = ("exchange_in_team", "exchanges_swapped")


def test_teammates_are_told_what_they_may_agree_on(game: GoujiGame) -> None:
    """004: 同じチームどうしで交換を行うことになった場合は; 5位と6位のプレイヤーが同じチーム."""
    found = set()
    for order in ORDERS:
        facts = Finish(order, USUAL_TEAMS)
        told = game.advice([facts], PLAYERS, None)
        said = [(each.code, each.players) for each in told if each.code in AGREEMENTS]
        first, second, fifth, sixth = order[0], order[1], order[4], order[5]
        expected: list[tuple[str, dict[str, str]]] = []
        if not game.is_sweep(facts):
            expected += [
                ("exchange_in_team", {"giver": giver, "taker": taker})
                for giver, taker in ((sixth, first), (fifth, second))
                if facts.are_one_team(giver, taker)
            ]
            if facts.are_one_team(fifth, sixth):
                named = {"first": first, "second": second, "fifth": fifth, "sixth": sixth}
                expected.append(("exchanges_swapped", named))
        assert said == expected
        found.add(tuple(code for code, _players in said))
    assert len(found) == 5  # none, each alone, and two or three together


def test_advice_after_a_sweep_asks_for_one_card_each(game: GoujiGame) -> None:
    shuffle, *exchanges, _draw = game.advice([Finish(tuple("ECABFD"), USUAL_TEAMS)], PLAYERS, None)
    assert shuffle.players == {"first": "E", "second": "C"}
    assert [(each.players, each.values) for each in exchanges] == [
        ({"giver": "B", "taker": "E"}, {"cards": 1}),
        ({"giver": "F", "taker": "C"}, {"cards": 1}),
        ({"giver": "D", "taker": "A"}, {"cards": 1}),
    ]


def test_only_opponents_exchange_after_a_sweep_of_changed_teams(game: GoujiGame) -> None:
    """A and D sit opposite each other; here they are one team, with B."""
    facts = Finish(tuple("ADBCEF"), (tuple("ABD"), tuple("CEF")))
    assert game.exchanges(facts, PLAYERS) == (("E", "B", 1),)


def test_canonical_form_has_teams_only_if_members_changed(game: GoujiGame) -> None:
    def written(*teams: str) -> object:
        one, two = map(tuple, teams)
        return game.canonical_facts(Finish(PLAYERS, (one, two)), (), PLAYERS, None).get("teams")

    assert written("ACE", "BDF") is written("ECA", "FBD") is None
    assert written("CBA", "FED") == [list("ABC"), list("DEF")]
    assert written("BDF", "ACE") == [list("BDF"), list("ACE")]


def test_the_first_deal_begins_with_a_drawn_card(game: GoujiGame) -> None:
    assert codes(game, []) == ["starting_card"]
    assert game.first_player([]) is None


def test_others_go_on_after_the_deals_played_with_a_drawn_card(game: GoujiGame) -> None:
    played = [Finish(tuple("ABCDEF"), USUAL_TEAMS)] * 2
    assert game.next_start(played, PLAYERS, PLAYERS, Start(rounds=3)) == Start(rounds=5)


def test_after_the_planned_deals_nothing_follows(game: GoujiGame) -> None:
    assert codes(game, [Finish(tuple("ABCDEF"), USUAL_TEAMS)], planned=1) == ["finished"]


def codes(game: GoujiGame, rounds: list[Finish], planned: int | None = None) -> list[str]:
    return [advice.code for advice in game.advice(rounds, PLAYERS, planned)]
