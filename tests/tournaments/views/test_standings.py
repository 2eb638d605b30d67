"""The standings page: who may see it, how it is sorted and paged, the projector's page."""

import re
from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from openpyxl import load_workbook
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from tests.cast import (
    SOMEBODY,
    browser_of,
    make_entries,
    make_sitting,
    make_staff,
    make_tournament,
    make_user,
    record,
)
from tests.live import wait_until
from tournaments.models import Tournament
from tournaments.services.adjustments import adjust_points
from tournaments.services.entries import add_entries
from tournaments.services.play_offs import open_play_off
from tournaments.services.publications import publish, show_live
from tournaments.services.seating import PlayOffPlan

pytestmark = pytest.mark.django_db


def address(tournament: Tournament, asked: str = "") -> str:
    return f"/tournaments/{tournament.slug}/standings/{asked}"


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
    """Return the public page of a published event."""

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


def test_players_of_the_same_name_are_told_apart_on_the_wall(shown: Callable[..., str]) -> None:
    sitting = make_sitting(make_tournament(published=True))
    tournament = sitting.session.tournament
    name = tournament.entries.get(number=1).name
    tournament.entries.filter(number=2).update(name=name)
    page = shown(tournament, "?wall=1")
    assert f"{name} 1番<" in page
    assert f"{name} 2番<" in page
    assert page.count("番<") == 2


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
        "?wall=1&page=99",
        "?wall=2",
        "?name=%F0%A0%AE%B7",
    ],
)
def test_any_query_is_answered(asked: str, shown: Callable[..., str]) -> None:
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


def test_projector_page_moves_on_by_itself(shown: Callable[..., str]) -> None:
    tournament = make_tournament(published=True)
    make_entries(tournament, 34)
    assert 'content="10; url=?wall=1&amp;page=1"' in shown(tournament, "?wall=1")  # all on one
    make_entries(tournament, 1)
    first, last = shown(tournament, "?wall=1"), shown(tournament, "?wall=1&page=2")
    assert 'content="10; url=?wall=1&amp;page=2"' in first
    assert 'content="10; url=?wall=1&amp;page=1"' in last
    assert 'class="projector"' in first
    assert (first.count("<table"), last.count("<table")) == (2, 1)


def test_projector_page_shows_the_qr_code(client: Client) -> None:
    tournament = make_tournament()
    make_entries(tournament, 6)
    director = browser_of(make_staff(tournament, "director"))
    assert "wall-code" not in director.get(address(tournament, "?wall=1")).text
    show_live(tournament, by=SOMEBODY)
    page = client.get(address(tournament, "?wall=1")).text
    assert 'class="wall-code" src="data:image/svg' in page
    assert f"{address(tournament)} · " in page


def test_printed_standings_name_the_event(shown: Callable[..., str]) -> None:
    tournament = make_tournament(published=True, name="りんご杯", venue="体育館")
    make_entries(tournament, 1)
    page = shown(tournament)
    line = " ".join(page.partition('<p class="print-only">')[2].partition("</p>")[0].split())
    assert re.search(r"<strong><bdi[^>]*>りんご杯</bdi></strong> · .+ · 体育館", line)
    assert "data-print" in page


def test_the_page_asks_few_questions(client: Client, django_assert_num_queries: Any) -> None:
    sitting = make_sitting(make_tournament(published=True))
    record(sitting)
    with django_assert_num_queries(12):
        client.get(address(sitting.session.tournament))
    with django_assert_num_queries(1):
        client.get(address(sitting.session.tournament))


def test_it_tells_the_fingerprint_of_the_rules(shown: Callable[..., str]) -> None:
    tournament = make_tournament(published=True)
    assert tournament.rules.fingerprint in shown(tournament)


@pytest.mark.parametrize("rule_set", ["gong-zhu", "gouji"])
def test_rounds_of_one_deal_are_called_deals(client: Client, rule_set: str) -> None:
    sitting = make_sitting(make_tournament(rule_set, published=True, rounds_per_session=4))
    record(sitting)
    tournament = sitting.session.tournament
    for page in ("standings/", "players/1/", "", "sessions/1/", "sessions/1/tables/1/"):
        text = client.get(tournament.get_absolute_url() + page).text
        assert "ディール" in text
        assert re.findall(r"\d役|役数", text) == [], page


def test_all_rows_can_be_shown_for_printing(
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
    """Its workbook contains other players only as dealers."""
    sitting = make_sitting(make_tournament(published=True))
    tournament = sitting.session.tournament
    tournament.entries.filter(number=1).update(name="葛西 初段", division="有段者", team="嶽きみ")
    tournament.entries.filter(number=2).update(team="ねぶた組")
    record(sitting)
    everybody = list(tournament.entries.all())
    for number, entry in enumerate(everybody[:2], 1):
        adjust_points(tournament, number, entry, -1, by=SOMEBODY, reason="遅刻")
    plan = PlayOffPlan([1, 2, 3, 4, 5, 6], rounds=1)
    play_off = open_play_off(tournament, plan, [everybody], number=2, by=SOMEBODY)
    record(play_off.sittings.get())
    assert "総合順位" in shown(tournament, "?class=一般")
    assert "?class=" in shown(tournament, "?class=一般")
    url = f"/tournaments/{tournament.slug}/standings.xlsx"
    of_class = load_workbook(BytesIO(client.get(url, {"class": "一般"}).content))
    assert of_class.sheetnames == [
        *("順位表", "チーム順位", "減点・加点", "役ごとの得点", "決定戦", "ルール", "全記録")
    ]
    texts = {str(cell.value) for sheet in of_class for row in sheet.iter_rows() for cell in row}
    assert texts.isdisjoint({"葛西 初段", "嶽きみ"})
    assert texts > {everybody[1].name, "ねぶた組"}
    whole = load_workbook(BytesIO(client.get(url).content), data_only=True)
    assert whole.sheetnames[:3] == ["順位表", "一般", "有段者"]
    head, own = whole["有段者"].values
    cells = dict(zip(head, own, strict=True))
    assert (cells["順位"], cells["総合順位"], cells["得点"]) == (1, 6, -2)
    assert (cells["第1回戦"], cells["減点・加点"]) == (-1, -1)


def test_mark_changes_with_the_event_only(client: Client) -> None:
    """It is small and the same for everybody, so that a whole hall can poll it."""
    sitting = make_sitting(make_tournament(published=True))
    tournament = sitting.session.tournament
    address = reverse("event-mark", args=[tournament.slug])
    answer = client.get(address)
    assert len(answer.content) == 16
    assert client.get(address).content == answer.content
    assert client.get(address, headers={"If-None-Match": answer["ETag"]}).status_code == 304
    record(sitting)
    recorded = client.get(address).content
    assert recorded != answer.content
    publish(tournament, by=SOMEBODY)
    published = client.get(address).content
    record(sitting, number=2)
    assert client.get(address).content == published != recorded
    for page in (
        reverse("standings", args=[tournament.slug]),
        f"{tournament.get_absolute_url()}players/1/",
    ):
        assert f'data-mark="{address}"' in client.get(page).text


@pytest.mark.django_db(transaction=True)
def test_page_left_open_follows_what_is_played(live_server: LiveServer, still_page: Page) -> None:
    """The page is fetched only when the mark has changed; what is unfolded stays so."""
    page = still_page
    sitting = make_sitting(make_tournament(published=True))
    slug = sitting.session.tournament.slug
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rsplit("/", 2)[-2]))

    def pass_time_until(check: Callable[[], object]) -> None:
        def has_come() -> object:
            page.clock.run_for(3000)
            return check()

        wait_until(has_come)

    def reads(name: str, *args: int) -> int:
        """Return the number of reads of the page until it shows that nothing has changed."""
        asked.clear()
        page.goto(live_server.url + reverse(name, args=[slug, *args]))
        pass_time_until(lambda: asked.count("mark") > 3)
        return asked.count(str(args[0]) if args else name)

    def goes_on_to(selector: str, points: str) -> None:
        record(sitting, number=sitting.rounds.count() + 1)
        shown = page.locator(selector).first
        pass_time_until(lambda: points in (shown.text_content() or ""))

    assert reads("standings") == 2
    goes_on_to("#standings", "+1")
    assert reads("player", 2) == 2
    page.locator("td details").first.evaluate("fold => { fold.open = true; }")
    goes_on_to(".facts-big .points", "+2")
    assert page.locator("td details[open]").count() == 1


def test_class_has_places_of_its_own(client: Client) -> None:
    """2, 4 and 5 have 1 point, the others −1; of the class only 1, 3, 4 and 5 are."""
    sitting = make_sitting(make_tournament(published=True))
    tournament = sitting.session.tournament
    tournament.entries.filter(number__in=(2, 6)).update(division="有段者")
    record(sitting)
    address = reverse("standings", args=[tournament.slug])
    page = client.get(address, {"class": "一般"})
    rows = list(page.context["table"].data)
    assert [(row.place.rank, row.place.tied, row.entry.number) for row in rows] == [
        *((1, True, 4), (1, True, 5)),
        *((3, True, 1), (3, True, 3)),
    ]
    assert [row.place.rank for row in rows] == [row.rank_in_class for row in rows]
    assert [row.rank_among_all for row in rows] == [1, 1, 4, 4]
    assert re.search(r"<h\d[^>]*>[^<]*<bdi[^>]*>一般</bdi>", page.text)
    assert "wall=1" in page.text
    winner = client.get(address, {"class": "有段者"}).context["table"].data[0]
    assert (winner.place.rank, winner.place.tied, winner.rank_among_all) == (1, False, 1)
    wall = client.get(address, {"class": "一般", "wall": "1"})
    assert [row.place.rank for row in wall.context["page"].object_list] == [1, 1, 3, 3]
    assert re.search(r"<h1>[^/]*</bdi>[^/]*一般", wall.text)
    book = client.get(reverse("standings-workbook", args=[tournament.slug]), {"class": "一般"})
    ranks = [row[0].value for row in load_workbook(BytesIO(book.content)).worksheets[0].iter_rows()]
    assert ranks[1:] == [1, 1, 3, 3]
    for name in ("standings", "standings-workbook"):
        for query in ({"class": "二段"}, {"class": "\0"}, {"class": "二段", "wall": "1"}):
            assert client.get(reverse(name, args=[tournament.slug]), query).status_code == 404
