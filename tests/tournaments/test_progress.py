"""How far tournaments are: a round of which more is to come is not yet played."""

import pytest

from tests import cast
from tournaments.models import Tournament
from tournaments.progress import progress_of, sessions_of

pytestmark = pytest.mark.django_db

GOES_ON = {"kankei": ["1", "3"], "dealer": "6", "deals": [{"kankei": 9, "mukankei": 7}]}


def counted(tournament: Tournament) -> tuple[int, int]:
    """What the front page counts, which is what the overview counts."""
    [found] = progress_of(Tournament.objects.filter(pk=tournament.pk))
    sessions = sessions_of(tournament)
    assert found.progress.recorded == sum(each.progress.recorded for each in sessions)
    assert found.progress.under_way == sum(each.progress.under_way for each in sessions)
    return found.progress.recorded, found.progress.under_way


def test_a_round_counts_once_it_is_played_to_its_end() -> None:
    sitting = cast.make_sitting()
    tournament = sitting.session.tournament
    assert counted(tournament) == (0, 0)
    cast.record(sitting)
    assert counted(tournament) == (1, 0)
    cast.record(sitting, GOES_ON, number=2)
    assert counted(tournament) == (1, 1)
    won = [*GOES_ON["deals"], {"kankei": 4, "mukankei": 9}]
    cast.record(sitting, GOES_ON | {"deals": won}, number=2, seen=1)
    assert counted(tournament) == (2, 0)


def test_a_round_cut_off_counts() -> None:
    sitting = cast.make_sitting()
    cast.record(sitting, GOES_ON | {"cut_off": True})
    assert counted(sitting.session.tournament) == (1, 0)


def test_three_deals_count_however_they_ended() -> None:
    sitting = cast.make_sitting()
    deals = [
        {"kankei": 9, "mukankei": 7},
        {"kankei": 9, "mukankei": 7},
        {"kankei": 9, "mukankei": 7},
    ]
    cast.record(sitting, GOES_ON | {"deals": deals})
    assert counted(sitting.session.tournament) == (1, 0)


@pytest.mark.parametrize("rule_set", ["gong-zhu", "gouji"])
def test_a_round_of_one_deal_is_never_under_way(rule_set: str) -> None:
    sitting = cast.make_sitting(cast.make_tournament(rule_set))
    cast.record(sitting)
    assert counted(sitting.session.tournament) == (1, 0)


def test_a_tournament_with_its_first_round_under_way_has_begun() -> None:
    sitting = cast.make_sitting()
    cast.record(sitting, GOES_ON)
    [found] = progress_of(Tournament.objects.all())
    assert found.state == "playing"
