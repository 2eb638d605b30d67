"""How far tournaments are: a round of which more is to come is not yet played."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from tests import cast
from tournaments.models import Sitting, Tournament
from tournaments.queries.progress import progress_of, sessions_of
from tournaments.services import seating, totals

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


@pytest.mark.parametrize("planned", [None, 6])
@pytest.mark.parametrize("rule_set", ["goninkan-association", "gong-zhu"])
def test_a_session_of_totals_is_complete_once_every_table_s_are_typed(
    rule_set: str, planned: int | None
) -> None:
    """However many rounds are agreed on: they are played, and not taken down."""
    tournament = cast.make_tournament(rule_set, totals_only=True, rounds_per_session=planned)
    entries = cast.make_entries(tournament, 12)
    size = tournament.table_sizes[0]
    tables = [entries[:size], entries[size : 2 * size]]
    first, second = seating.open_session(tournament, tables, by=cast.SOMEBODY).sittings.all()
    assert states(tournament) == ("waiting", False)
    type_totals(first)
    assert counted(tournament) == (1, 0)
    assert states(tournament) == ("playing", False)
    type_totals(second)
    type_totals(second, first=20, seen=1)
    assert counted(tournament) == (2, 0)
    assert states(tournament) == ("done", True)


def test_a_final_in_deals_after_sessions_of_totals_is_complete_by_its_rounds() -> None:
    tournament = cast.make_tournament(totals_only=True, rounds_per_session=1)
    type_totals(cast.make_sitting(tournament))
    tournament.totals_only = False
    tournament.save()
    final = cast.make_sitting(tournament)
    assert [each.progress.is_complete for each in sessions_of(tournament)] == [True, False]
    cast.record(final)
    assert [each.progress.is_complete for each in sessions_of(tournament)] == [True, True]
    assert states(tournament) == ("done", True)


@pytest.mark.parametrize("name", ["session", "sitting", "tournament", "board"])
def test_pages_of_totals_tell_of_totals_and_of_no_rounds(
    director: Client, tournament: Tournament, name: str
) -> None:
    tournament.totals_only = True
    tournament.save()
    sitting = cast.make_sitting(tournament)
    place = [tournament.slug, sitting.session.number, sitting.number]
    address = reverse(name, args=place[: {"session": 2, "sitting": 3}.get(name, 1)])
    for is_typed in (False, True):
        page = cast.in_english(director).get(address).content.decode()
        assert not re.search(r"\d+ of \d+ rounds|\d+ rounds? recorded|Round <b>", page)
        if not is_typed:
            type_totals(sitting)
    if name == "tournament":
        assert "totals of 1 of 1 tables" in page


def states(tournament: Tournament) -> tuple[str, bool]:
    """What the front page says, and whether the last session's bar is full."""
    [found] = progress_of(Tournament.objects.filter(pk=tournament.pk))
    last = sessions_of(tournament)[-1].progress
    assert last.planned
    return found.state, last.is_complete


def type_totals(sitting: Sitting, first: int = 10, seen: int = 0) -> None:
    players = cast.keys(sitting)
    points = dict.fromkeys(players, 0) | {players[0]: first, players[1]: -first}
    totals.enter_totals(sitting, points, seen=seen, by=cast.SOMEBODY, reason="misread")


def test_a_tournament_with_its_first_round_under_way_has_begun() -> None:
    sitting = cast.make_sitting()
    cast.record(sitting, GOES_ON)
    [found] = progress_of(Tournament.objects.all())
    assert found.state == "playing"
