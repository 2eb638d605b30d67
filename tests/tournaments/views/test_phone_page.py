"""The phone at a table: who may open its page and what it carries; a club table has no desk."""

from __future__ import annotations

import re

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from tests import cast
from tournaments.models import Sitting, Tournament
from tournaments.services import table_links

# Names of fields and addresses, which nobody reads.
UNREAD = re.compile(
    r'"(?:at_desk|(?:recorded_)?by_desk|desk|desk_decides|points_at_desk)":|<style.*?</style>',
    re.DOTALL,
)
DESK = {"ja": "本部", "en": "desk", "zh-hans": "记录台"}


@pytest.mark.django_db
@pytest.mark.parametrize("rule_set", ["goninkan-association", "gong-zhu"])
@pytest.mark.parametrize("language", DESK)
def test_the_page_of_a_club_table_names_no_desk(language: str, rule_set: str) -> None:
    sitting = cast.make_sitting(cast.make_tournament(rule_set, kind=Tournament.Kind.TABLE))
    client = Client()
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = language
    client.get(reverse("join-table", args=[sitting.token]))
    place = [sitting.session.tournament.slug, sitting.session.number, sitting.number]
    address = reverse("play-table", args=place)
    page = client.get(address).content.decode()
    table_links.revoke_link(sitting, by=cast.SOMEBODY)
    page += client.get(address).content.decode()
    words = re.sub(r"\\u([0-9a-f]{4})", lambda found: chr(int(found[1], 16)), page.lower())
    assert 'id="round-title"' in words
    assert 'id="unsent"' in words
    assert DESK[language] not in UNREAD.sub("", words)


def address(sitting: Sitting, name: str = "play-table") -> str:
    session = sitting.session
    return reverse(name, args=[session.tournament.slug, session.number, sitting.number])


@pytest.fixture
def phone(sitting: Sitting) -> Client:
    client = cast.in_english(Client())
    client.get(reverse("join-table", args=[sitting.token]))
    return client


@pytest.mark.parametrize("name", ["play-table", "play-chart"])
def test_only_the_table_and_the_staff_find_it(
    phone: Client, scorekeeper: Client, stranger: Client, sitting: Sitting, name: str
) -> None:
    assert phone.get(address(sitting, name)).status_code == 200
    assert scorekeeper.get(address(sitting, name)).status_code == 200
    assert stranger.get(address(sitting, name)).status_code == 404
    assert Client().get(address(sitting, name)).status_code == 404


def test_it_carries_what_a_phone_needs_without_the_network(phone: Client, sitting: Sitting) -> None:
    answer = phone.get(address(sitting))
    assert answer.headers["Cache-Control"] == "private, max-age=0"  # the browser alone stores it
    assert answer.headers["Vary"] == "Accept-Encoding"
    table = answer.context["table"]
    assert table["players"] == tuple(cast.keys(sitting))
    assert table["playbook"]
    assert table["api"] == reverse("api-sitting", args=[sitting.pk])
    assert table["sheet_urls"]["chart"] == address(sitting, "play-chart")


def test_it_shows_the_next_round(phone: Client, sitting: Sitting) -> None:
    assert phone.get(address(sitting)).context["form"].number == 1
    cast.record(sitting)
    assert phone.get(address(sitting)).context["form"].number == 2


def test_only_a_club_table_shows_a_link_for_a_second_phone(phone: Client, sitting: Sitting) -> None:
    assert phone.get(address(sitting)).context["join"] == ""
    club = cast.make_sitting(cast.make_tournament(kind=Tournament.Kind.TABLE))
    phone.get(reverse("join-table", args=[club.token]))
    join = phone.get(address(club)).context["join"]
    assert join.endswith(reverse("join-table", args=[club.token]))


@pytest.mark.both
def test_a_table_of_totals_has_no_round_to_record(scorekeeper: Client, sitting: Sitting) -> None:
    sitting.session.totals_only = True
    sitting.session.save()
    answer = scorekeeper.get(address(sitting), follow=True)
    assert answer.redirect_chain == [(sitting.get_absolute_url(), 302)]


def test_the_service_worker_is_never_cached(client: Client) -> None:
    answer = client.get(reverse("service-worker"))
    assert answer.headers["Content-Type"].startswith("text/javascript")
    assert answer.headers["Cache-Control"] == "no-cache"


@pytest.mark.django_db
def test_chart_is_that_of_the_rules_and_rounds_in_the_phones_language(sitting: Sitting) -> None:
    """It is cached for all phones."""

    def chart(language: str) -> str:
        client.cookies[settings.LANGUAGE_COOKIE_NAME] = language
        return client.get(address(sitting, "play-chart")).text

    client = Client()
    client.get(reverse("join-table", args=[sitting.token]))
    for language, words in (("ja", "切札の順"), ("en", "round by round"), ("ja", "切札の順")):
        assert words in chart(language)
    items = chart("en").count("<li>")
    tournament = sitting.session.tournament
    tournament.sessions.update(rounds_planned=4)
    assert chart("en").count("<li>") == items - 6  # of ten rounds
    before = tournament.rules.fingerprint
    Tournament.objects.filter(pk=tournament.pk).update(points={"juroku": 17})
    assert f'data-rules="{before}"' not in chart("en")
