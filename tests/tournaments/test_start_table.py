"""One table tonight: names, go."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

import scoring
from tests import cast
from tournaments.models import Sitting, Tournament

pytestmark = pytest.mark.django_db


def start(client: Client, rule_set: str = "goninkan-association", **typed: Any) -> Any:
    return client.post(reverse("start-table", args=[rule_set]), typed)


@pytest.mark.parametrize("rule_set", scoring.RULE_SETS, ids=lambda rule_set: rule_set.slug)
def test_two_clicks_lead_to_a_score_pad(client: Client, rule_set: scoring.RuleSet) -> None:
    page = client.get(reverse("start-table", args=[rule_set.slug]))
    answer = client.post(reverse("start-table", args=[rule_set.slug]), page.context["form"].initial)
    sitting = Sitting.objects.get()
    assert answer.headers["Location"] == sitting.get_absolute_url()
    assert sitting.seats.count() == rule_set.players[0]
    assert client.get(sitting.get_absolute_url()).status_code == 200


def test_only_this_browser_may_see_and_record(client: Client) -> None:
    start(client)
    sitting = Sitting.objects.get()
    record = reverse("record-round", args=[sitting.session.tournament.slug, 1, 1, 1])
    assert client.get(record).status_code == 200
    assert Client().get(record).status_code == 404
    assert Client().get(sitting.get_absolute_url()).status_code == 404


def test_names_are_kept_and_empty_ones_get_their_usual_name(client: Client) -> None:
    start(cast.in_english(client), "yoninkan", name_1="  髙𠮷\U000e0100", name_3="=1+1")
    names = [seat.entry.name for seat in Sitting.objects.get().seats.all()]
    assert names == ["髙𠮷\U000e0100", "Player 2", "=1+1", "Player 4"]


def test_a_name_means_one_player(client: Client) -> None:
    answer = start(client, "yoninkan", name_1="成田", name_2="成田")
    assert answer.status_code == 422
    assert answer.context["form"].errors.keys() == {"name_1", "name_2"}
    assert 'value="成田"' in answer.text
    assert not Tournament.objects.exists()


def test_as_many_sit_down_as_asked_for(client: Client) -> None:
    address = reverse("start-table", args=["goninkan-classic"])
    assert client.get(f"{address}?players=6").context["form"].players == 6
    assert client.get(f"{address}?players=99").context["form"].players == 5
    start(client, "goninkan-classic", players="6")
    assert Sitting.objects.get().seats.count() == 6


def test_partnerships_are_offered_where_they_exist(client: Client) -> None:
    address = reverse("start-table", args=["gong-zhu"])
    assert 'name="partners"' in client.get(f"{address}?players=4").text
    assert 'name="partners"' not in client.get(f"{address}?players=5").text
    start(client, "gong-zhu", players="4", partners="on")
    assert Tournament.objects.get().partners


def test_options_are_the_tables_to_choose(client: Client) -> None:
    page = client.get(reverse("start-table", args=["goninkan-classic"])).text
    assert "最後のラウンドの時には、スペードが切札になります" in page
    start(client, "goninkan-classic", option_skunk_kept_with_juroku="on")
    options = Tournament.objects.get().rules.options
    assert options["skunk_kept_with_juroku"]
    assert not options["last_round_spades"]


def test_it_is_no_tournament(client: Client) -> None:
    start(client)
    tournament = Tournament.objects.get()
    assert tournament.kind == Tournament.Kind.TABLE
    answer = client.get(tournament.get_absolute_url())
    assert answer.headers["Location"] == Sitting.objects.get().get_absolute_url()


def test_there_is_no_table_for_unknown_rules(client: Client) -> None:
    assert client.get(reverse("start-table", args=["poker"])).status_code == 404
