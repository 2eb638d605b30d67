"""Seat changes of adjacent kankei, the next dealer, trumps and advice."""

from itertools import combinations, permutations
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import Deal, Round, Start, choose, get_rule_set, seats
from scoring.kankei import KankeiGame, both_key_cards_advice, seat_change_advice
from tests.scoring.face_cards import GAMES

TABLES = [(slug, players) for slug, game in GAMES.items() for players in game.players]
every_table = pytest.mark.parametrize(("slug", "players"), TABLES)
every_game = pytest.mark.parametrize("slug", GAMES)


def game_of(slug: str, **options: Any) -> KankeiGame:
    game = choose(get_rule_set(slug), options).game
    assert isinstance(game, KankeiGame)
    return game


def sits_out(order: str, dealer: str | None) -> str | None:
    return dealer if len(order) == 6 else None


def are_neighbours(order: tuple[str, ...], one: str, other: str, dealer: str | None) -> bool:
    """Whether two players sit side by side, ignoring a dealer who sits out."""
    ring = [player for player in order if player != dealer]
    return abs(ring.index(one) - ring.index(other)) in (1, len(ring) - 1)


class Sides(NamedTuple):
    """Seats, dealer and kankei."""

    order: str
    dealer: str
    kankei: tuple[str, str]


FOUR_HANDED = [slug for slug, game in GAMES.items() if game.players == ("ABCD",)]
ALL_SIDES = [
    Sides(players, dealer, kankei)
    for players in ("ABCD", "ABCDE", "ABCDEF")
    for dealer in players
    for kankei in permutations(players, 2)
    if len(players) < 6 or dealer not in kankei
]
GAME_FOR = {4: "yoninkan", 5: "goninkan-classic", 6: "goninkan-association"}


def test_kankei_are_not_adjacent_after_the_seat_change() -> None:
    for sides in ALL_SIDES:
        check_seat_change(sides)


def check_seat_change(sides: Sides) -> None:
    order, dealer, kankei = sides
    out = sits_out(order, dealer)
    move = game_of(GAME_FOR[len(order)]).seat_change(order, kankei, dealer)
    if not are_neighbours(tuple(order), *kankei, out):
        assert move is None
        return
    assert move is not None
    mover, other = move
    after = seats.swapped(order, mover, other)
    assert not are_neighbours(after, *kankei, out)
    assert sorted(after) == sorted(order)
    assert mover in kankei
    assert other not in kankei
    assert out not in move
    stayed = next(player for player in kankei if player != mover)
    ring = [player for player in order if player != out]
    assert ring[(ring.index(stayed) + 1) % len(ring)] == mover  # the right one of the two
    assert ring[(ring.index(mover) + 1) % len(ring)] == other  # moves to the right


def test_seat_change_never_moves_the_dealer_of_six() -> None:
    for dealer in "ABCDEF":
        for kankei in combinations(set("ABCDEF") - {dealer}, 2):
            facts = Round(kankei, (Deal(8, 8),), dealer)
            after = game_of("goninkan-association").seats_after([facts], "ABCDEF")
            assert after.index(dealer) == "ABCDEF".index(dealer)


@st.composite
def sittings(draw: st.DrawFn, players: str) -> list[Round]:
    """Rounds with any kankei and any dealer, over after any deal."""
    rounds = []
    for _ in range(draw(st.integers(0, 6))):
        dealer = draw(st.sampled_from(players))
        others = [p for p in players if len(players) < 6 or p != dealer]
        kankei = draw(st.permutations(others))[:2]
        won = draw(st.integers(0, 2))
        deals = (Deal(9, 7), Deal(8, 8))[:won] + ((Deal(0, 10),) if won < 2 else (Deal(9, 7),))
        rounds.append(Round(tuple(kankei), deals, dealer))
    return rounds


@every_table
@given(data=st.data())
def test_seat_changes_are_permanent(slug: str, players: str, data: st.DataObject) -> None:
    game, rounds = game_of(slug), data.draw(sittings(players))
    for count, facts in enumerate(rounds):
        before = game.seats_after(rounds[:count], players)
        after = game.seats_after(rounds[: count + 1], players)
        assert sorted(after) == sorted(players)
        parts_late = GAMES[slug].parts_before_deal == 2
        if parts_late and len(facts.deals) < 2:
            assert after == before
            continue
        one, other = facts.kankei
        out = sits_out(players, facts.dealer)
        assert not are_neighbours(after, one, other, out)
        moved = [i for i, (was, now) in enumerate(zip(before, after, strict=True)) if was != now]
        assert len(moved) == (2 if are_neighbours(before, one, other, out) else 0)


@every_table
@given(data=st.data())
def test_next_dealer_sits_to_the_right_of_the_last_after_seat_changes(
    slug: str, players: str, data: st.DataObject
) -> None:
    game, rounds = game_of(slug), data.draw(sittings(players))
    state = game.state_after(rounds, players, None)
    assert state.seats == game.seats_after(rounds, players)
    assert state.round_number == len(rounds) + 1
    if not rounds:
        assert state.dealer is None
        return
    last = rounds[-1].dealer
    assert last is not None
    if not game.has_dealers:
        assert state.dealer is None
        return
    assert state.dealer == state.seats[(state.seats.index(last) + 1) % len(players)]


def test_seat_change_can_pass_over_the_dealer_of_six() -> None:
    """The text says so: the deal goes to the right all the same (000: かまわず右隣に交替)."""
    game = game_of("goninkan-association")
    facts = Round(("B", "C"), (Deal(8, 8),), "A")
    state = game.state_after([facts], "ABCDEF", 10)
    assert state.seats == ("A", "B", "D", "C", "E", "F")
    assert state.dealer == "B"
    facts = Round(("F", "B"), (Deal(8, 8),), "A")  # side by side, but for the dealer
    assert game.state_after([facts], "ABCDEF", 10).seats == ("A", "C", "B", "D", "E", "F")


def test_next_dealer_is_unknown_without_a_dealer_on_record() -> None:
    game, silent = game_of("goninkan-classic"), Round(("B", "D"), (Deal(8, 8),))
    assert game.state_after([silent], "ABCDE", 10).dealer is None
    named = silent._replace(dealer="D")
    assert game.state_after([named, silent, silent], "ABCDE", 10).dealer == "B"  # after E and A
    assert codes(game, [silent], "ABCDE") == ["trump", "first_lead"]  # nobody draws again


@pytest.mark.parametrize("slug", FOUR_HANDED)
def test_four_change_seats_only_before_deal_2(slug: str) -> None:
    game, kankei = game_of(slug), ("A", "B")
    lost = Round(kankei, (Deal(8, 8),), "A")
    assert game.seats_after([lost], "ABCD") == tuple("ABCD")
    won = Round(kankei, (Deal(9, 7),), "A")
    assert "seat_change" in codes(game, [won], "ABCD")
    going_on = Round(kankei, (Deal(9, 7), Deal(8, 8)), "A")
    assert "seat_change" not in codes(game, [going_on], "ABCD")
    assert game.seats_after([going_on], "ABCD") == ("A", "C", "B", "D")
    opposite = Round(("A", "C"), (Deal(9, 7),), "A")
    assert "seat_change" not in codes(game, [opposite], "ABCD")


def test_partner_of_both_key_cards_is_the_second_player_to_the_right() -> None:
    for i, player in enumerate("ABCDE"):
        assert seats.partner_of_both_key_cards("ABCDE", player) == "ABCDE"[(i + 2) % 5]
    for i, player in enumerate("ABCD"):
        assert seats.partner_of_both_key_cards("ABCD", player) == "ABCD"[(i + 2) % 4]  # opposite
    for dealer in "ABCDEF":
        ring = [player for player in "ABCDEF" if player != dealer]
        for i, player in enumerate(ring):
            partner = seats.partner_of_both_key_cards("ABCDEF", player, sitting_out=dealer)
            assert partner == ring[(i + 2) % 5]
            assert not are_neighbours(tuple("ABCDEF"), player, partner, dealer)


def test_a_dealer_has_a_partner_unless_six_play() -> None:
    game = game_of("goninkan-classic")
    assert game.partner_of_both_key_cards("ABCDE", "A", "B") == "C"
    assert game.partner_of_both_key_cards("ABCDE", "A", "A") == "C"
    assert game.partner_of_both_key_cards("ABCDEF", "A", "B") == "D"
    assert game.partner_of_both_key_cards("ABCDEF", "A", "A") is None
    assert game.partner_of_both_key_cards("ABCDEF", "A", None) == "C"


# What the table does next


def codes(
    game: KankeiGame, rounds: list[Round], players: str, planned: int | None = None
) -> list[str]:
    return [advice.code for advice in game.advice(rounds, players, planned)]


@every_game
def test_trumps_alternate_and_the_last_round_may_be_in_spades(slug: str) -> None:
    closes = slug != "goninkan-association"
    suits = ["clubs", "diamonds", "hearts"] * 3 + ["spades" if closes else "clubs"]
    game = game_of(slug)
    assert [game.trump(number, 10) for number in range(1, 11)] == suits
    assert game.trump(10, None) == "clubs"
    assert game_of(slug, last_round_spades=True).trump(4, 4) == "spades"
    assert game_of(slug, last_round_spades=False).trump(4, 4) == "clubs"


@every_game
def test_advice_on_the_next_deal_or_round(slug: str) -> None:
    game, players = game_of(slug), GAMES[slug].players[-1]
    first = Deal(9, 7)
    after_one = Round(("A", "C"), (first,), "B")
    after_two = Round(("A", "C"), (first, Deal(8, 8)), "B")
    over = Round(
        ("A", "C"),
        (Deal(4, 12),),
        "B",
    )
    lead = [] if slug == "damarikan" else ["first_lead"]  # 000 does not say who leads there
    draw, dealer = ([], []) if slug == "yoninkan" else (["draw_dealer"], ["dealer"])
    assert codes(game, [], players) == [*draw, "trump", *lead]
    assert codes(game, [after_one], players) == ["same_sides", "joker_holder_chooses"]
    assert codes(game, [after_two], players) == ["same_sides", "key_card_holder_chooses"]
    assert codes(game, [over], players, 10) == [*dealer, "trump", *lead]
    assert codes(game, [over] * 10, players, 10) == ["finished"]
    assert codes(game, [after_one._replace(cut_off=True)], players) == [*dealer, "trump", *lead]


@every_game
def test_the_draw_for_the_first_dealer_is_told_once(slug: str) -> None:
    """Also where no round names its dealer: then nobody is told who deals next."""
    game, over = game_of(slug), Round(("A", "C"), (Deal(4, 12),))
    for players in GAMES[slug].players:
        told = [codes(game, [over] * played, players, 10) for played in range(10)]
        assert [each.count("draw_dealer") for each in told] == [slug != "yoninkan", *[0] * 9]
        assert not any("dealer" in each for each in told)


def test_yoninkan_has_no_dealer_and_an_ace_leads() -> None:
    """002, 7: スペードのA(ピン)が手札にある人から打ち出します; 第10ゲームは … クラブのA(ピン)."""
    game, over = game_of("yoninkan"), Round(("A", "C"), (Deal(8, 8),))
    leads = []
    for played in range(10):
        *before, lead = game.advice([over] * played, "ABCD", 10)
        assert [each.code for each in before] == ["trump"]
        leads.append((lead.code, lead.source and lead.source.text))
    assert leads == [("first_lead", "002")] * 9 + [("first_lead_spades", "002")]
    (same, *_rest) = game.advice([over._replace(deals=(Deal(9, 7),))], "ABCD", 10)
    assert "dealer" not in same.template
    named = over._replace(dealer="B")  # a record may name one; nothing depends on it
    assert game.canonical_facts(named, [], "ABCD", 10) == game.canonical_facts(over, [], "ABCD", 10)


def test_yoninkan_tells_why_a_failed_reverse_16_is_won_by_the_kankei() -> None:
    game = game_of("yoninkan")
    for deals in ((Deal(9, 7), Deal(1, 9, "reverse_juroku")), (Deal(9, 7), Deal(8, 8))):
        told = game.advice([Round(("A", "C"), deals)], "ABCD", 10)
        notes = [each.template for each in told if each.code == "note"]
        assert len(notes) == (deals[1].declaration is not None)
        assert all("⑫" in note for note in notes)


AdviceValues = tuple[str, dict[str, str], dict[str, str | int]]


def advice_values(
    game: KankeiGame, rounds: list[Round], players: str, planned: int | None = None
) -> list[AdviceValues]:
    """The advice: codes, players and values."""
    given = game.advice(rounds, players, planned)
    assert all(advice.template.format(**advice.players, **advice.values) for advice in given)
    return [(advice.code, dict(advice.players), dict(advice.values)) for advice in given]


def test_advice_has_players_and_values() -> None:
    game = game_of("goninkan-classic")
    over = Round(("B", "C"), (Deal(4, 12),), "A")
    trump: AdviceValues = ("trump", {}, {"round": 2, "trump": "diamonds"})
    lead: AdviceValues = ("first_lead", {}, {})
    dealer: AdviceValues = ("dealer", {"dealer": "B"}, {})
    assert advice_values(game, [over], "ABCDE", 10) == [dealer, trump, lead]
    assert advice_values(game, [over._replace(dealer=None)], "ABCDE", 10) == [trump, lead]
    first: AdviceValues = ("trump", {}, {"round": 1, "trump": "clubs"})
    assert advice_values(game, [], "ABCDE", 10) == [("draw_dealer", {}, {}), first, lead]
    last: AdviceValues = ("trump", {}, {"round": 10, "trump": "spades"})
    assert advice_values(game, [over] * 9, "ABCDE", 10)[-2:] == [last, lead]
    done: list[AdviceValues] = [("finished", {}, {"planned": 3})]
    assert (
        advice_values(game, [over] * 3, "ABCDE", 3)
        == advice_values(game, [over] * 4, "ABCDE", 3)
        == done
    )


def test_advice_continues_an_unfinished_round_beyond_the_planned_ones() -> None:
    goes_on = Round(("A", "C"), (Deal(9, 7),), "B")
    assert advice_values(game_of("goninkan-classic"), [goes_on], "ABCDE", 1) == [
        ("same_sides", {}, {"deal": 2}),
        ("joker_holder_chooses", {}, {}),
    ]
    two = goes_on._replace(deals=(Deal(9, 7), Deal(8, 8)))
    assert advice_values(game_of("goninkan-classic"), [two], "ABCDE", 1) == [
        ("same_sides", {}, {"deal": 3}),
        ("key_card_holder_chooses", {}, {"card": "A"}),
    ]


@pytest.mark.parametrize("slug", FOUR_HANDED)
def test_advice_names_the_seat_change_of_four(slug: str) -> None:
    game, deals = game_of(slug), (Deal(9, 7),)
    expected = {"AB": ("B", "C"), "BC": ("C", "D"), "CD": ("D", "A"), "AD": ("A", "B")}
    for (one, other), (mover, neighbour) in ((tuple(k), v) for k, v in expected.items()):
        for kankei in ((one, other), (other, one)):
            same, change, joker = advice_values(game, [Round(kankei, deals, "A")], "ABCD")
            assert same == ("same_sides", {}, {"deal": 2})
            assert change == ("seat_change", {"mover": mover, "other": neighbour}, {})
            assert joker[0] == "joker_holder_chooses"
    moved = Round(("A", "B"), (*deals, Deal(8, 8), Deal(9, 7)), "A")  # now they sit A C B D
    following = Round(("C", "B"), deals, "C")
    assert advice_values(game, [moved, following], "ABCD")[1] == (
        "seat_change",
        {"mover": "B", "other": "D"},
        {},
    )


def test_sentences_on_seats_name_the_players() -> None:
    change = seat_change_advice(seats.SeatChange("C", "D"))
    assert (change.code, change.players) == ("seat_change", {"mover": "C", "other": "D"})
    assert change.template.format(**change.players) == "C changes places with D."
    both = both_key_cards_advice("A", "C")
    assert (both.code, both.players) == ("both_key_cards", {"player": "A", "partner": "C"})


def test_canonical_form_has_the_trump_once() -> None:
    game = game_of("goninkan-classic")

    def written(trump: str | None, deal: str | None) -> tuple[str, list[str | None]]:
        deals = (Deal(9, 7, trump=deal), Deal(7, 9, trump="hearts"))
        document = game.canonical_facts(Round(("B", "D"), deals, "A", trump), (), "ABCDE", 10)
        return document["trump"], [each.get("trump") for each in document["deals"]]

    assert written("hearts", "hearts") == written("hearts", None) == ("hearts", [None, "hearts"])
    assert written(None, "spades") == ("spades", [None, "hearts"])
    assert written(None, None) == ("clubs", [None, "hearts"])


def test_dealer_may_be_left_out_when_next_in_turn() -> None:
    game, before = game_of("goninkan-classic"), [Round(("A", "C"), (Deal(4, 12),), "B")]
    silent = Round(("D", "B"), (Deal(4, 12),))
    document = game.canonical_facts(silent, before, "ABCDE", 10)
    assert (document["dealer"], document["kankei"]) == ("C", ["B", "D"])
    assert "dealer" not in game.canonical_facts(silent, [], "ABCDE", 10)
    assert "cut_off" not in document
    cut_off = silent._replace(deals=(Deal(9, 7),), cut_off=True)
    assert game.canonical_facts(cut_off, before, "ABCDE", 10)["cut_off"] is True


@every_game
def test_key_card_is_the_ace_or_with_four_players_the_jack(slug: str) -> None:
    assert key_card_in_advice(slug) == ("J" if slug in FOUR_HANDED else "A")


@pytest.mark.parametrize("slug", FOUR_HANDED)
def test_four_players_may_choose_another_key_card(slug: str) -> None:
    assert key_card_in_advice(slug, key_card="A") == "A"


def key_card_in_advice(slug: str, **options: str) -> str:
    """Return the key card named in the advice after two won deals."""
    after_two = Round(("A", "C"), (Deal(9, 7), Deal(8, 8)), "B")
    *_rest, advice = game_of(slug, **options).advice([after_two], GAMES[slug].players[-1], None)
    assert set(advice.values) == {"card"}
    return str(advice.values["card"])


def test_other_players_go_on_with_the_next_round_and_dealer() -> None:
    game = game_of("goninkan-association")
    played = [Round(("A", "C"), (Deal(9, 1), Deal(8, 1), Deal(9, 1)), dealer="F")]
    state = game.state_after(played, "ABCDEF", 10)
    assert state is not None
    start = game.next_start(played, "ABCDEF", "ABCDEF")
    assert start == Start(1, state.dealer)
    after = game.state_after([], "ABCDEF", 10, start)
    assert after is not None
    assert (after.round_number, after.dealer) == (2, state.dealer)
