"""The front page: starting a table, the tables of this browser, and the visible tournaments."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import models
from django.test import Client
from django.urls import reverse
from django.utils import timezone

import scoring
from tests import cast, events
from tournaments import __version__
from tournaments.models import Membership, Publication, Round, Tournament
from tournaments.services import staff
from tournaments.services.publications import publish, show_live
from tournaments.views import home
from tournaments.views.home import NEWEST_SHOWN

pytestmark = pytest.mark.django_db


def test_every_rule_set_is_one_click_from_its_table(client: Client) -> None:
    page = client.get("/").text
    for rule_set in scoring.RULE_SETS:
        assert f'href="{reverse("start-table", args=[rule_set.slug])}"' in page


def test_the_footer_names_the_version(client: Client) -> None:
    assert f"まき役 {__version__}" in client.get("/").text


def test_the_public_sees_published_tournaments_only(client: Client) -> None:
    cast.make_tournament(name="公開の会", published=True)
    cast.make_tournament(name="準備中の会")
    page = client.get("/").text
    assert "公開の会" in page
    assert "準備中の会" not in page


def test_an_event_of_today_comes_before_tonight_s_table(client: Client) -> None:
    cast.make_tournament(published=True, held_on=timezone.localdate() - timedelta(days=1))
    page = client.get("/").text
    assert page.index("tonight-title") < page.index('"tournaments-title"')
    cast.make_tournament(published=True, held_on=timezone.localdate())
    page = client.get("/").text
    assert page.index('"tournaments-title"') < page.index("tonight-title")


def test_staff_see_their_own_once(director: Client, tournament: Tournament) -> None:
    show_live(tournament, by=cast.SOMEBODY)
    staff.give_role(
        tournament, cast.make_user("another"), Membership.Role.DIRECTOR, by=cast.SOMEBODY
    )
    assert director.get("/").text.count(tournament.get_absolute_url()) == 1


def test_staff_find_their_tournament_above_the_search_for_seats(
    director: Client, tournament: Tournament
) -> None:
    cast.make_sitting(tournament)
    show_live(tournament, by=cast.SOMEBODY)
    page = director.get("/").text
    assert page.index('"tournaments-title"') < page.index('"seats-title"')
    assert page.count('"tournaments-title"') == 2  # heading and section


def test_it_counts_rounds_rightly_for_staff(director: Client, tournament: Tournament) -> None:
    sitting = cast.make_sitting(tournament)
    cast.record(sitting)
    (found,) = director.get("/").context["tournaments"]
    assert found.progress == (1, 1, 10, 0)
    assert found.state == "playing"


def test_a_table_started_here_is_listed_here_only(client: Client) -> None:
    client.post(reverse("start-table", args=["yoninkan"]), {"name_1": "成田 キヨ"})
    assert "成田 キヨ" in client.get("/").text
    assert "成田 キヨ" not in Client().get("/").text


def test_an_empty_page_says_what_to_do(client: Client, stranger: Client, creator: Client) -> None:
    assert reverse("choose-rules") not in client.get("/").text
    assert reverse("choose-rules") not in stranger.get("/").text
    assert reverse("choose-rules") in creator.get("/").text


def test_older_tournaments_are_a_click_away(client: Client) -> None:
    for number in range(NEWEST_SHOWN + 1):
        cast.make_tournament(name=f"第{number}回", published=True)
    assert len(client.get("/").context["tournaments"]) == NEWEST_SHOWN
    assert len(client.get("/?all").context["tournaments"]) == NEWEST_SHOWN + 1


@pytest.mark.both
def test_all_of_them_come_in_pages(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(home, "ROWS_A_PAGE", 2)
    for number in range(1, 6):
        cast.make_tournament(name=f"第{number}回", published=True)

    def names(page: str) -> list[str]:
        return [each.tournament.name for each in client.get(page).context["tournaments"]]

    assert [names(f"/?all&page={page}") for page in (1, 2, 3)] == [
        ["第5回", "第4回"],
        ["第3回", "第2回"],
        ["第1回"],
    ]
    assert 'href="?all=&amp;page=2"' in client.get("/?all").text


def test_it_asks_few_questions_however_many_there_are(
    client: Client, django_assert_max_num_queries: object
) -> None:
    for number in range(5):
        cast.make_sitting(cast.make_tournament(name=f"第{number}回", published=True))
    with django_assert_max_num_queries(6):  # type: ignore[operator]  # pytest-django's fixture
        client.get("/")


@pytest.mark.both
def test_one_row_that_cannot_be_read_leaves_the_others_listed(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    """The guards are dropped, as by somebody who edits the database file."""
    cast.make_tournament(name="読める会", published=True)
    for content in BROKEN:
        broken = cast.make_tournament(name="壊れた会")
        cast.record(cast.make_sitting(broken))
        publish(broken, by=cast.SOMEBODY)
        with events.lifted():
            touched = Publication._base_manager.filter(tournament=broken)
            models.QuerySet.update(touched, content=models.Value(content, models.JSONField()))
    unknown = cast.make_tournament(name="壊れた会", published=True)
    Tournament.objects.filter(pk=unknown.pk).update(rule_set="bridge")
    odd = cast.make_tournament(name="壊れた役の会", published=True)
    cast.record(cast.make_sitting(odd))
    with events.lifted():
        of_it = Round._base_manager.filter(sitting__session__tournament=odd)
        models.QuerySet.update(of_it, facts={"deals": [1]})
    page = client.get("/").text
    assert "読める会" in page
    assert "壊れた役の会" in page
    assert "壊れた会" not in page
    listed = client.get("/api/tournaments").json()["tournaments"]
    assert {each["name"] for each in listed} == {"読める会", "壊れた役の会"}
    assert "cannot be read" in caplog.text


SETTINGS = {"name": "壊れた会", "rule_set": "goninkan-association"}
BROKEN: tuple[Any, ...] = (
    *(None, [], "x", {}, {"progress": {"evil": 1}}),
    {"tournament": SETTINGS, "progress": {"tables": 1, "recorded": "x", "planned": None}},
)
