"""The page of a player: rounds with their score lines, and the running score."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

import scoring
from tests.cast import (
    SOMEBODY,
    in_english,
    keys,
    make_entries,
    make_sitting,
    make_tournament,
    plain_round,
    record,
    standings_for,
)
from tournaments.models import Sitting, Tournament
from tournaments.queries.events import Event
from tournaments.queries.player_rounds import rounds_of
from tournaments.queries.presence import Status, roll_call
from tournaments.queries.sheets import sheets_for
from tournaments.queries.standings import compare_tie_breaks
from tournaments.services import closing
from tournaments.services.adjustments import adjust_points
from tournaments.services.presence import mark_presence
from tournaments.services.ranking import set_ranking
from tournaments.services.seating import open_session
from tournaments.services.sessions import end_session

pytestmark = pytest.mark.django_db

WON = {"kankei": 9, "mukankei": 4}
LOST = {"kankei": 5, "mukankei": 8}


@pytest.fixture
def sitting() -> Sitting:
    """A published table of six: a round of +13 for the kankei, one lost, one under way."""
    sitting = make_sitting(make_tournament(published=True))
    juroku = [WON, {"kankei": 16, "mukankei": 0, "declaration": "juroku"}, WON]
    for number, deals in enumerate((juroku, [LOST], [WON]), 1):
        record(sitting, plain_round(sitting) | {"deals": deals}, number=number)
    return sitting


@pytest.fixture
def shown(client: Client) -> Callable[[Sitting, int], str]:
    def get(sitting: Sitting, number: int) -> str:
        answer = client.get(f"/tournaments/{sitting.session.tournament.slug}/players/{number}/")
        assert answer.status_code == 200
        return answer.content.decode()

    return get


def points_of(sitting: Sitting, player: str) -> list[tuple[str, int, int]]:
    sheets = sheets_for(sitting.session.tournament)
    return [(own.side.role, own.points, own.total) for own in rounds_of(player, sheets)]


def test_running_score_continues_over_sessions(sitting: Sitting) -> None:
    assert points_of(sitting, "1") == [("kankei", 13, 13), ("kankei", -1, 12), ("kankei", 0, 12)]
    assert points_of(sitting, "2") == [
        ("mukankei", -13, -13),
        ("mukankei", 1, -12),
        ("mukankei", 0, -12),
    ]


def test_the_dealer_of_six_scores_with_the_kankei(sitting: Sitting) -> None:
    assert points_of(sitting, "6")[0] == ("dealer", 13, 13)
    own = rounds_of("6", sheets_for(sitting.session.tournament))[0]
    assert {entry.key for entry in own.side.partners} == {"1", "3"}


@pytest.mark.parametrize(
    ("rule_set", "players"),
    [
        ("goninkan-association", 6),
        ("goninkan-nakayoshi", 5),
        ("yoninkan", 4),
        ("gong-zhu", 5),
        ("gouji", 6),
    ],
)
def test_a_players_own_lines_sum_to_the_points(rule_set: str, players: int) -> None:
    sitting = make_sitting(make_tournament(rule_set), players)
    record(sitting)
    sheets = sheets_for(sitting.session.tournament)
    for player in keys(sitting):
        (own,) = rounds_of(player, sheets)
        assert sum(line.points for line in own.lines) == own.points


def test_team_mates_are_partners() -> None:
    sitting = make_sitting(make_tournament("gouji"))
    one, two, three, four, five, six = keys(sitting)
    teams = [[one, two, three], [four, five, six]]
    record(sitting, {"finish": [one, two, three, four, five, six], "teams": teams})
    (own,) = rounds_of(five, sheets_for(sitting.session.tournament))
    assert [entry.key for entry in own.side.partners] == [four, six]
    assert own.points == -6


def test_page_compares_with_the_place_above(sitting: Sitting) -> None:
    rows = standings_for(sitting.session.tournament)
    below = next(i for i, row in enumerate(rows) if row.place and row.place.rank != 1)
    steps = scoring.USUAL_TIE_BREAKS
    decided = [
        each.step.title for each in compare_tie_breaks(rows, below, steps) if each.decides_above
    ]
    assert decided == ["Points"]
    assert [each.above for each in compare_tie_breaks(rows, 0, steps)] == [None, None, None]


@pytest.mark.parametrize("code", ["lot", "head_to_head"])
@pytest.mark.parametrize("alone", [1, 2, 3, 6])
def test_page_compares_tied_players_only_with_the_players_they_are_tied_with(
    shown: Callable[[Sitting, int], str], code: str, alone: int
) -> None:
    """Here one player is tied with nobody, whose neighbours may be tied with others."""
    sitting = make_sitting(make_tournament(published=True))
    tournament = sitting.session.tournament
    record(sitting)
    ranking = {"tie_breaks": ["points", code]} | ({"lot_seed": "1"} if code == "lot" else {})
    set_ranking(tournament, ranking, seen_version=0, by=SOMEBODY)
    entry = tournament.entries.get(number=alone)
    points = {1: 50, 2: -50}.get(alone, -1 if alone == 3 else 1)
    adjust_points(tournament, 1, entry, points, by=SOMEBODY, reason="遅刻")
    rows, steps = standings_for(tournament), Event(tournament).ranking_facts.steps
    places = [row.place for row in rows if row.place]
    assert len(places) == 6
    compared = set()
    for i, place in enumerate(places):
        neighbours = [places[j] if 0 <= j < 6 else None for j in (i - 1, i + 1)]
        tied = [each is not None and each.points == place.points for each in neighbours]
        told = [each for each in compare_tie_breaks(rows, i, steps) if each.step.code == code]
        assert len(told) == any(tied)
        assert compare_tie_breaks(rows, i, steps)[0].step.code == "points"
        for each in told:
            assert each.own is not None
            assert [value is not None for value in (each.above, each.below)] == tied
        compared |= {place.who} if told else set()
    assert str(alone) not in compared
    assert compared
    word = "抽選" if code == "lot" else "同卓"
    why = shown(sitting, alone).partition("この順位の理由")[2].partition("</table>")[0]
    assert word not in why


def test_page_shows_score_lines_with_reasons(
    sitting: Sitting, shown: Callable[[Sitting, int], str]
) -> None:
    page = shown(sitting, 1)
    assert "+13" in page
    assert "+12" in page
    assert "特別ボーナス+8点" in page  # the source's own words
    assert '<polyline class="chart-line series-1" points="' in page
    assert 'role="img" aria-labelledby="chart-title chart-desc"' in page
    assert "style=" not in page


def test_a_player_without_rounds_has_a_page(shown: Callable[[Sitting, int], str]) -> None:
    page = shown(make_sitting(make_tournament(published=True)), 1)
    assert "<svg" not in page
    assert 'class="empty"' in page


@pytest.mark.parametrize("rule_set", ["goninkan-classic", "damarikan", "gong-zhu", "gouji"])
def test_every_kind_of_game_has_pages(rule_set: str, shown: Callable[[Sitting, int], str]) -> None:
    sitting = make_sitting(make_tournament(rule_set, published=True))
    record(sitting)
    assert re.search(r'class="num points (plus|minus)?', shown(sitting, 1))


def test_unknown_number_is_not_found(client: Client, sitting: Sitting) -> None:
    slug = sitting.session.tournament.slug
    assert client.get(f"/tournaments/{slug}/players/7/").status_code == 404
    assert client.get(f"/tournaments/{slug}/players/99999999999999999999/").status_code == 404


def test_player_of_another_tournament_is_not_found(client: Client, sitting: Sitting) -> None:
    other = make_tournament(published=True)
    assert client.get(f"/tournaments/{other.slug}/players/1/").status_code == 404
    assert sitting.pk


def test_the_page_asks_few_questions(
    client: Client, sitting: Sitting, django_assert_num_queries: Any
) -> None:
    with django_assert_num_queries(12):
        client.get(f"/tournaments/{sitting.session.tournament.slug}/players/1/")
    with django_assert_num_queries(1):
        client.get(f"/tournaments/{sitting.session.tournament.slug}/players/1/")


@pytest.mark.parametrize(
    ("missed", "while_on"),
    [
        ("nothing", "{}, no points."),
        ("own_average", "{}, no points yet (counts as: The player’s own average per session)."),
        ("fixed", "{}, no points yet (counts as: −5)."),
    ],
)
def test_missed_session_is_said_to_count_nothing_only_if_it_will(
    client: Client, missed: str, while_on: str
) -> None:
    """It counts once it is over and the player has a result.

    Whatever the reason: absent, late, sitting out, or added once the seats were assigned."""
    tournament = make_tournament(published=True)
    ranking: dict[str, Any] = {"missed": missed}
    ranking |= {"missed_points": -5} if missed == "fixed" else {}
    if missed != "nothing":
        counted = -5 if missed == "fixed" else missed
        ranking["absences"] = {"sat_out": counted, "joined_later": counted}
    set_ranking(tournament, ranking, seen_version=0, by=SOMEBODY)
    players = make_entries(tournament, 9)
    for entry, status in zip(players[6:8], (Status.ABSENT, Status.LATE), strict=True):
        mark_presence(entry, 1, status, seen_status=Status.EXPECTED, by=SOMEBODY)
    session = open_session(tournament, [players[:6]], by=SOMEBODY)
    reasons = {7: "Absent", 8: "Late", 9: "Sat out", 10: "Joined later"}
    make_entries(tournament, 1)
    record(session.sittings.get())
    in_english(client)

    def said(number: int) -> str:
        page = client.get(f"/tournaments/{tournament.slug}/players/{number}/").text
        return " ".join(re.sub("<[^>]+>|[\u2066-\u2069]", "", page).split())

    for number, reason in reasons.items():
        assert f"Session 1: {while_on.format(reason)}" in said(number), reason
    end_session(session, stopping=[1], by=SOMEBODY)
    for number, reason in reasons.items():  # who has played nothing, and may never
        without = "no points." if missed == "nothing" else "no points without a round."
        assert f"Session 1: {reason}, {without}" in said(number)
    for entry, status in roll_call(tournament, 2, players[6:8]).statuses.items():
        mark_presence(entry, 2, Status.PRESENT, seen_status=status, by=SOMEBODY)
    seats = [*players[6:9], tournament.entries.get(number=10), *players[:2]]
    last = open_session(tournament, [seats], by=SOMEBODY)
    record(last.sittings.get())
    for number, reason in reasons.items():
        assert "no points yet" not in said(number)
        assert (f"{reason}, no points." in said(number)) == (missed == "nothing")
        unknown = "(no session that the player played is over yet)" in said(number)
        assert unknown == (missed == "own_average")
    assert f"Session 2: {while_on.format('Sat out')}" in said(3)
    closing.close(Tournament.objects.get(), by=SOMEBODY)  # which ends no session
    lacking = "no points, as these results do not have all of this session (counts as:"
    assert ("no points." if missed == "nothing" else lacking) in said(3)
