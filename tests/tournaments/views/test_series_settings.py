"""Creating a series, changing its rules, and who may edit it."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests import cast, series
from tournaments.models import Series

pytestmark = pytest.mark.django_db

TYPED = {"name": "県シリーズ", "season": "2026年度", "counting": "places", "best": "3"}


@pytest.fixture
def owned(creator: Client) -> Series:
    return series.make_series(owner=User.objects.get(username="creator"))


def save(browser: Client, found: Series, **typed: Any) -> Any:
    return browser.post(reverse("edit-series", args=[found.slug]), TYPED | typed)


def test_a_series_is_created_and_edited_by_its_creator(creator: Client) -> None:
    typed = TYPED | {"place_points": "12, 8　5", "step_1": "latest", "least": "2"}
    answer = creator.post(reverse("create-series"), typed)
    made = Series.objects.get()
    assert answer.headers["Location"] == reverse("edit-series", args=[made.slug])
    rules = made.season_rules
    assert (rules.place_points, rules.best, rules.least) == ((12, 8, 5), 3, 2)
    assert rules.tie_breaks == ("latest",)
    assert list(made.owners.values_list("username", flat=True)) == ["creator"]
    assert creator.get(answer.headers["Location"]).context["form"].initial["best"] == 3


def test_a_series_created_from_a_tournament_has_it_at_once(creator: Client) -> None:
    user = User.objects.get(username="creator")
    own, others = series.make_played("春の大会", 4, by=user), series.make_played("他の大会", 5)
    link = f"{reverse('create-series')}?tournament="
    assert link + own.slug in creator.get(reverse("tournament-series", args=[own.slug])).text
    for first in (own, others):
        answer = creator.post(link + first.slug, TYPED)
        assert answer.status_code == 302
    found = {made.slug: list(made.tournaments.all()) for made in Series.objects.order_by("pk")}
    assert list(found.values()) == [[own], []]
    assert creator.get(link + "%00").context["first"] is None


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"place_points": "5-x"}, "place_points"),
        ({"place_points": "5-7"}, "place_points"),
        ({"step_1": "firsts", "step_2": "firsts"}, "step_2"),
        ({"best": "100"}, "best"),
        ({"name": " "}, "name"),
    ],
)
def test_wrong_rules_are_refused_and_kept_as_typed(
    creator: Client, owned: Series, wrong: dict[str, str], field: str
) -> None:
    answer = save(creator, owned, **wrong, seen=owned.version)
    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == [field]
    assert Series.objects.get().rules == {}
    assert answer.context["form"]["season"].value() == "2026年度"


def test_unseen_edits_are_not_overwritten(creator: Client, owned: Series) -> None:
    assert save(creator, owned, seen=owned.version).status_code == 302
    answer = save(creator, owned, name="別の名前", seen=owned.version)
    assert answer.status_code == 409
    assert Series.objects.get().name == "県シリーズ"
    assert save(creator, owned, seen=owned.version).status_code == 302  # the same again


def test_accounts_are_added_and_removed_but_the_last_stays(creator: Client, owned: Series) -> None:
    address = reverse("edit-series", args=[owned.slug])
    other = cast.make_user("other")
    browser = cast.browser_of(other)
    assert browser.get(address).status_code == 404
    assert creator.post(address, {"do": "add-owner", "username": "nobody"}).status_code == 422
    creator.post(address, {"do": "add-owner", "username": "other"})
    assert browser.get(address).status_code == 200
    browser.post(address, {"do": "remove-owner", "username": "creator"})
    assert creator.get(address).status_code == 404
    browser.post(address, {"do": "remove-owner", "username": "other"})
    page = browser.get(address)
    assert page.status_code == 200
    whats = [(change.who, change.kind) for change, _words in page.context["changes"]]
    assert whats[:2] == [("other", "owner_removed"), ("creator", "owner_added")]
