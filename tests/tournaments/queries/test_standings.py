"""Who stands where: the rows, and the page that shows them."""

import re
from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from openpyxl import load_workbook

from tests.cast import (
    SOMEBODY,
    browser_of,
    keys,
    make_entries,
    make_sitting,
    make_staff,
    make_tournament,
    make_user,
    plain_round,
    record,
    standings_for,
)
from tournaments.models import Entry, Sitting, Tournament
from tournaments.queries.standings import filter_standings, sheets_for, tally_of, teams_of
from tournaments.services import seating
from tournaments.services.entries import add_entries
from tournaments.services.publications import show_live

pytestmark = pytest.mark.django_db

WON = {"kankei": 9, "mukankei": 4}
LOST = {"kankei": 5, "mukankei": 8}


def ranks(tournament: Tournament) -> list[tuple[int | None, str, int | None]]:
    return [
        (row.place and row.place.rank, row.entry.key, row.place and row.place.points)
        for row in standings_for(tournament)
    ]


def address(tournament: Tournament, asked: str = "") -> str:
    return f"/tournaments/{tournament.slug}/standings/{asked}"


def play(sitting: Sitting, *rounds: Any) -> None:
    """Record these deals as rounds dealt by the last player, with players 1 and 3 as kankei."""
    for number, deals in enumerate(rounds, 1):
        record(sitting, plain_round(sitting) | {"deals": deals}, number=number)


def test_those_who_share_their_points_share_their_rank() -> None:
    sitting = make_sitting()
    play(sitting, [LOST])
    assert ranks(sitting.session.tournament) == [
        (1, "2", 1),
        (1, "4", 1),
        (1, "5", 1),
        (4, "1", -1),
        (4, "3", -1),
        (4, "6", -1),
    ]


def test_those_who_have_not_played_come_last_even_after_those_who_lost() -> None:
    sitting = make_sitting()
    make_entries(sitting.session.tournament, 2)
    play(sitting, [LOST])
    rows = standings_for(sitting.session.tournament)
    assert [row.entry.key for row in rows[-2:]] == ["7", "8"]
    assert [row.place for row in rows[-2:]] == [None, None]


def test_a_round_under_way_counts_for_nobody_and_is_told() -> None:
    sitting = make_sitting()
    play(sitting, [LOST], [WON])
    sheets = sheets_for(sitting.session.tournament)
    assert tally_of(sheets) == (1, 1, (), 0, 10, 1)
    assert {
        row.place.rounds_played for row in standings_for(sitting.session.tournament) if row.place
    } == {1}


def test_it_says_which_step_separated() -> None:
    sitting = make_sitting()
    play(sitting, [WON, WON, WON], [LOST], [LOST], [LOST], [LOST])
    by_key = {row.entry.key: row.place for row in standings_for(sitting.session.tournament)}
    assert [by_key[key].points for key in "12"] == [0, 0]  # type: ignore[union-attr]
    assert by_key["1"].separated_by == "rounds_won"  # type: ignore[union-attr]


def test_it_ranks_within_a_class() -> None:
    sitting = make_sitting()
    Entry.objects.filter(number__in=(1, 4)).update(division="有段者")
    play(sitting, [LOST])
    in_class = {
        row.entry.key: row.rank_in_class for row in standings_for(sitting.session.tournament)
    }
    assert in_class == {"2": 1, "5": 1, "3": 3, "6": 3, "4": 1, "1": 2}


def test_there_is_no_rank_in_no_class() -> None:
    sitting = make_sitting()
    Entry.objects.filter(number__in=(1, 4)).update(division="")
    play(sitting, [LOST])
    rows = standings_for(sitting.session.tournament)
    assert {row.entry.key for row in rows if row.rank_in_class is None} == {"1", "4"}


def test_it_adds_up_over_sessions() -> None:
    tournament = make_tournament()
    entries = make_entries(tournament, 6)
    for _session in range(2):
        session = seating.open_session(tournament, [entries], by=SOMEBODY)
        play(session.sittings.get(), [LOST])
    assert ranks(tournament)[0] == (1, "2", 2)


@pytest.mark.parametrize("tables", [1, 20])
def test_queries_do_not_grow_with_the_tables(tables: int, django_assert_num_queries: Any) -> None:
    tournament = make_tournament()
    entries = make_entries(tournament, 6 * tables)
    groups = [entries[i : i + 6] for i in range(0, len(entries), 6)]
    for sitting in seating.open_session(tournament, groups, by=SOMEBODY).sittings.all():
        record(sitting)
    with django_assert_num_queries(4):
        standings_for(tournament)


def test_more_than_a_thousand_can_be_ranked() -> None:
    tournament = make_tournament()
    entries = make_entries(tournament, 1002)
    groups = [entries[i : i + 6] for i in range(0, len(entries), 6)]
    seating.open_session(tournament, groups, by=SOMEBODY)
    assert len(standings_for(tournament)) == 1002


def test_gouji_teams_have_totals_of_their_own() -> None:
    sitting = make_sitting(make_tournament("gouji"))
    one, two, three, four, five, six = keys(sitting)
    record(sitting, {"finish": [one, three, five, two, four, six]})
    teams = teams_of(sheets_for(sitting.session.tournament))
    assert [(team.number, team.points, team.changed) for team in teams] == [
        (1, 6, False),
        (2, -6, False),
    ]
    changed = [[one, two, three], [four, five, six]]
    record(sitting, {"finish": [one, three, five, two, four, six], "teams": changed}, number=2)
    teams = teams_of(sheets_for(sitting.session.tournament))
    assert [team.changed for team in teams] == [True, True]
    assert [entry.key for entry in teams[0].members] == [one, two, three]


def test_partners_have_totals_of_their_own() -> None:
    sitting = make_sitting(make_tournament("gong-zhu", partners=True), players=4)
    record(sitting)
    teams = teams_of(sheets_for(sitting.session.tournament))
    assert [[entry.key for entry in team.members] for team in teams] == [["1", "3"], ["2", "4"]]


def test_games_without_teams_have_none() -> None:
    sitting = make_sitting()
    record(sitting)
    assert teams_of(sheets_for(sitting.session.tournament)) == []
    assert teams_of(sheets_for(make_sitting(make_tournament("gouji")).session.tournament)) == []


def test_names_are_found_however_they_are_typed() -> None:
    tournament = make_tournament()
    add_entries(tournament, [{"name": "成田　ＫＩＹＯ"}, {"name": "工藤 正"}], by=SOMEBODY)
    rows = standings_for(tournament)
    assert [row.entry.key for row in filter_standings(rows, name="成田kiyo")] == ["1"]
    assert [row.entry.key for row in filter_standings(rows, division="有段者")] == []


# The page


def test_a_stranger_finds_nothing_until_it_is_published(client: Client) -> None:
    tournament = make_sitting().session.tournament
    assert client.get(address(tournament)).status_code == 404
    assert client.get(f"/tournaments/{tournament.slug}/standings.xlsx").status_code == 404
    assert client.get(f"/tournaments/{tournament.slug}/players/1/").status_code == 404
    assert browser_of(make_user("somebody")).get(address(tournament)).status_code == 404


def test_staff_and_the_table_itself_see_it_live(client: Client) -> None:
    sitting = make_sitting()
    tournament = sitting.session.tournament
    assert browser_of(make_staff(tournament, "keeper")).get(address(tournament)).status_code == 200
    client.get(reverse("join-table", args=[sitting.token]), follow=True)
    assert client.get(address(tournament)).status_code == 200


@pytest.fixture
def shown(client: Client) -> Callable[..., str]:
    """The page of a published event, as anybody sees it."""

    def get(tournament: Tournament, asked: str = "") -> str:
        answer = client.get(address(tournament, asked))
        assert answer.status_code == 200
        return answer.content.decode()

    return get


def test_points_are_signed(shown: Callable[..., str]) -> None:
    sitting = make_sitting(make_tournament(published=True))
    record(sitting)
    page = shown(sitting.session.tournament)
    assert ">+1<" in page
    assert ">−1<" in page


def test_hostile_names_are_text(shown: Callable[..., str]) -> None:
    tournament = make_tournament(published=True, name="<b>A&B</b>")
    hostile = ["<script>alert(1)</script>", "=1+1", '"><img src=x>', "𠮷野 葛󠄀城 🀄", "名" * 200]
    add_entries(
        tournament,
        [{"name": name, "club": name, "division": name[:100]} for name in hostile],
        by=SOMEBODY,
    )
    page = shown(tournament)
    assert "<script>alert" not in page
    assert "<img src=x>" not in page
    assert "<b>A" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "𠮷野 葛󠄀城 🀄" in page
    assert "style=" not in page


def test_it_shows_one_class(shown: Callable[..., str]) -> None:
    tournament = make_tournament(published=True)
    add_entries(
        tournament,
        [{"name": "成田", "division": "有段者"}, {"name": "工藤", "division": "一般"}],
        by=SOMEBODY,
    )
    page = shown(tournament, "?class=一般")
    assert "工藤" in page
    assert "成田" not in page
    assert shown(tournament, "?name=居ない").count('class="empty"') == 1


def test_it_shows_teams_where_there_are_any(shown: Callable[..., str]) -> None:
    sitting = make_sitting(make_tournament("gouji", published=True))
    assert 'id="teams-title"' not in shown(sitting.session.tournament)
    record(sitting)
    assert 'id="teams-title"' in shown(sitting.session.tournament)


def test_a_thousand_players_come_in_pages(shown: Callable[..., str]) -> None:
    tournament = make_tournament(published=True)
    make_entries(tournament, 101)
    assert 'rel="next"' in shown(tournament)
    assert shown(tournament, "?page=2").count("/players/") == 1


@pytest.mark.parametrize(
    "asked",
    [
        "?page=0",
        "?page=-1",
        "?page=x",
        "?page=" + "9" * 5000,
        "?per_page=0",
        "?sort=",
        "?sort=-points",
        "?sort=nonsense",
        "?sort=-rank&sort=number",
        "?class=%00",
        "?wall=1&page=99",
        "?wall=2",
        "?name=%F0%A0%AE%B7",
    ],
)
def test_whatever_is_asked_there_is_an_answer(asked: str, shown: Callable[..., str]) -> None:
    sitting = make_sitting(make_tournament(published=True))
    make_entries(sitting.session.tournament, 1)
    record(sitting)
    shown(sitting.session.tournament, asked)


def test_it_is_sorted_as_asked(shown: Callable[..., str]) -> None:
    sitting = make_sitting(make_tournament(published=True))
    record(sitting)
    page = shown(sitting.session.tournament, "?sort=-number")
    assert page.index("/players/6/") < page.index("/players/1/")
    assert 'aria-sort="descending"' in page


def test_the_wall_moves_on_by_itself(shown: Callable[..., str]) -> None:
    tournament = make_tournament(published=True)
    make_entries(tournament, 24)
    assert 'content="10; url=?wall=1&amp;page=1"' in shown(tournament, "?wall=1")  # all on one
    make_entries(tournament, 1)
    first, last = shown(tournament, "?wall=1"), shown(tournament, "?wall=1&page=2")
    assert 'content="10; url=?wall=1&amp;page=2"' in first
    assert 'content="10; url=?wall=1&amp;page=1"' in last
    assert 'class="projector"' in first
    assert (first.count("<table"), last.count("<table")) == (2, 1)


def test_the_wall_shows_visitors_the_code_of_the_standings(client: Client) -> None:
    tournament = make_tournament()
    make_entries(tournament, 6)
    director = browser_of(make_staff(tournament, "director"))
    assert "wall-code" not in director.get(address(tournament, "?wall=1")).text
    show_live(tournament, by=SOMEBODY)
    page = client.get(address(tournament, "?wall=1")).text
    assert 'class="wall-code" src="data:image/svg' in page
    assert f"{address(tournament)} · " in page


def test_on_paper_the_standings_say_of_what_event_they_are(shown: Callable[..., str]) -> None:
    tournament = make_tournament(published=True, name="りんご杯", venue="体育館")
    page = shown(tournament)
    assert re.search(r'"print-only"><strong><bdi[^>]*>りんご杯</bdi></strong> · .+ · 体育館', page)
    assert "data-print" in page


def test_the_page_asks_few_questions(client: Client, django_assert_num_queries: Any) -> None:
    sitting = make_sitting(make_tournament(published=True))
    record(sitting)
    with django_assert_num_queries(5):
        client.get(address(sitting.session.tournament))


def test_it_tells_the_fingerprint_of_the_rules(shown: Callable[..., str]) -> None:
    tournament = make_tournament(published=True)
    assert tournament.rules.fingerprint in shown(tournament)


@pytest.mark.parametrize("rule_set", ["gong-zhu", "gouji"])
def test_where_a_round_is_one_deal_it_is_called_one(client: Client, rule_set: str) -> None:
    sitting = make_sitting(make_tournament(rule_set, published=True, rounds_per_session=4))
    record(sitting)
    tournament = sitting.session.tournament
    for page in ("standings/", "players/1/", "", "sessions/1/", "sessions/1/tables/1/"):
        text = client.get(tournament.get_absolute_url() + page).text
        assert "ディール" in text
        assert re.findall(r"\d役|役数", text) == [], page


def test_everybody_is_shown_to_print_and_a_page_says_which_rows_it_has(
    shown: Callable[..., str],
) -> None:
    tournament = make_tournament(published=True)
    make_entries(tournament, 134)
    page = shown(tournament)
    assert "?all=1" in page
    assert "data-print" not in page
    assert re.search(r'class="print-only">[^<]*134[^<]*1–100', page)
    whole = shown(tournament, "?all=1")
    assert whole.count("/players/") == 134
    assert "data-print" in whole


def test_a_class_keeps_its_ranks_on_the_page_and_in_the_workbook(
    client: Client, shown: Callable[..., str]
) -> None:
    sitting = make_sitting(make_tournament(published=True))
    tournament = sitting.session.tournament
    [other] = add_entries(tournament, [{"name": "葛西 初段", "division": "有段者"}], by=SOMEBODY)
    record(sitting)
    assert "クラス内順位" in shown(tournament, "?class=一般")
    assert "?class=" in shown(tournament, "?class=一般")
    answer = client.get(f"/tournaments/{tournament.slug}/standings.xlsx", {"class": "一般"})
    sheet = load_workbook(BytesIO(answer.content)).worksheets[0]
    names = {str(cell.value) for row in sheet.iter_rows() for cell in row}
    assert other.name not in names
    assert "成田 キヨ" in names
