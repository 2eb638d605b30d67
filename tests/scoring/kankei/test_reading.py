"""Reading rounds of the face-card games: all problems, and what their messages say."""

import pytest

import scoring
from scoring.kankei import Deal, KankeiGame
from tests.scoring.record_problems import assert_exactly_these_problems, found_in, problems_of
from tests.scoring.records import (
    BAD_ROUNDS_OF_FACE_CARDS,
    CLASSIC,
    GONINKAN,
    LOST,
    ROUND,
    WON,
    YONINKAN,
    with_,
)


def test_invalid_round_has_exactly_these_problems() -> None:
    assert_exactly_these_problems(BAD_ROUNDS_OF_FACE_CARDS)


def test_a_round_already_over_says_after_which_deal() -> None:
    document = with_(CLASSIC, "rounds[0].deals", [{"kankei": 8, "mukankei": 8}, WON, WON, WON])
    assert [(p.at, p.code, p.params) for p in found_in(document)] == [
        (f"rounds[0].deals[{i}]", "round_over", {"deal": 1}) for i in (1, 2, 3)
    ]


def message(declaration: str, kankei: int, mukankei: int) -> str:
    """The messages on deal 2, in which the kankei need eight, with these counts."""
    deal = {"kankei": kankei, "mukankei": mukankei, "declaration": declaration}
    (problem,) = found_in(with_(YONINKAN, "rounds[0].deals[1]", deal))
    return problem.message


def test_undecided_deal_names_the_targets_of_both_sides() -> None:
    deal = {"kankei": 7, "mukankei": 8}
    (problem,) = found_in(with_(YONINKAN, "rounds[0].deals[1]", deal))
    assert problem.params == {"kankei": 8, "mukankei": 9}
    assert "the kankei need 8 face cards, or the mukankei 9" in problem.message


def test_impossible_declaration_names_the_declaring_side() -> None:
    assert "the kankei must hold 8 or more" in message("juroku", 7, 1)
    assert "the mukankei must hold 9 or more" in message("reverse_juroku", 1, 8)
    assert message("called_skunk", 8, 1).endswith("none, or the kankei fewer than 8.")
    assert message("called_reverse_skunk", 1, 9).endswith("none, or the mukankei fewer than 9.")
    assert message("called_reverse_skunk", 0, 8) == (
        "A reverse skunk was called: either the mukankei hold 9 or more, or the kankei at least 1."
    )


def test_undecided_declaration_names_the_possible_counts() -> None:
    assert message("juroku", 15, 0) == (
        "A juroku was declared: either the kankei hold all 16, or the mukankei at least 1."
    )
    assert message("called_reverse_juroku", 0, 15) == (
        "A reverse juroku was declared: either the mukankei hold all 16, or the kankei at least 1."
    )
    assert message("called_skunk", 7, 0) == (
        "A skunk was called: either the kankei hold 8 or more, or the mukankei at least 1."
    )


def test_the_first_deal_may_repeat_the_trump_of_the_round() -> None:
    again = {"trump": "hearts", "deals": [WON | {"trump": "hearts"}, LOST | {"trump": "spades"}]}
    assert problems_of(with_(GONINKAN, "rounds[0]", ROUND | again)) == []


def test_a_table_of_five_may_leave_the_dealer_out_or_have_one_who_plays() -> None:
    assert problems_of(with_(CLASSIC, "rounds[0].dealer", "B")) == []
    assert problems_of(with_(CLASSIC, "rounds[0].dealer", "X")) == [
        ("rounds[0].dealer", "unknown_player")
    ]


def test_lines_of_an_impossible_deal_are_refused() -> None:
    game = scoring.choose(scoring.get_rule_set("yoninkan")).game
    assert isinstance(game, KankeiGame)
    with pytest.raises(ValueError):  # noqa: PT011  in the words of the problem
        game.lines([Deal(1, 1)])
