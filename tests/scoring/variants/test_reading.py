"""Reading deals of Gong Zhu and Gouji."""

from tests.scoring.record_problems import assert_exactly_these_problems
from tests.scoring.records import BAD_DEALS_OF_CARDS


def test_invalid_deal_has_exactly_these_problems() -> None:
    assert_exactly_these_problems(BAD_DEALS_OF_CARDS)
