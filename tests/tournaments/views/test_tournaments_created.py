"""Creating a tournament. Its creator becomes its director."""

import datetime as dt
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

import scoring
from tests import cast
from tournaments.models import Membership, Tournament

ADDRESS = reverse("create-tournament", args=["goninkan-classic"])


def typed(**changes: Any) -> dict[str, Any]:
    rules = scoring.get_rule_set("goninkan-classic")
    points = {f"points_{r.item}": r.points for r in rules.rules if r.lowest < r.highest}
    usual = {
        "name": "新春大会",
        "held_on": "2027-01-03",
        "venue": "公民館",
        "rounds_per_session": "10",
        "option_last_round_spades": "on",
        "option_cut_off_round_scores": "on",
        "option_reverse_juroku_voids": "on",
    }
    return usual | points | changes


@pytest.mark.django_db
@pytest.mark.parametrize("address", [ADDRESS, reverse("choose-rules")])
def test_it_asks_to_log_in(client: Client, address: str) -> None:
    answer = client.get(address)
    assert answer.headers["Location"] == f"{reverse('log-in')}?next={address}"


def test_rules_are_chosen_first(creator: Client) -> None:
    page = creator.get(reverse("choose-rules")).text
    for rule_set in scoring.RULE_SETS:
        assert f'href="{reverse("create-tournament", args=[rule_set.slug])}"' in page


@pytest.mark.parametrize("rule_set", scoring.RULE_SETS, ids=lambda found: found.slug)
def test_every_option_has_its_default_and_source(
    creator: Client, rule_set: scoring.RuleSet
) -> None:
    page = creator.get(reverse("create-tournament", args=[rule_set.slug])).text
    for option in rule_set.options:
        assert f'name="option_{option.name}"' in page
        assert option.source.words in page
    for rule in rule_set.rules:
        is_changeable = rule.lowest < rule.highest
        assert (f'name="points_{rule.item}"' in page) is is_changeable
    assert ('name="partners"' in page) is bool(rule_set.partnership_players)
    assert scoring.choose(rule_set).fingerprint in page


@pytest.mark.both
def test_creator_becomes_director(creator: Client) -> None:
    answer = creator.post(ADDRESS, typed())
    tournament = Tournament.objects.get()
    assert answer.headers["Location"] == reverse("entries", args=[tournament.slug])
    assert tournament.memberships.get().role == Membership.Role.DIRECTOR
    assert tournament.memberships.get().user.username == "creator"
    assert tournament.held_on == dt.date(2027, 1, 3)
    assert not tournament.rules.is_house_rule
    assert not tournament.is_public


def test_house_rule_is_stored_and_marked(creator: Client) -> None:
    creator.post(ADDRESS, typed(points_skunk="2", option_last_round_spades=""))
    tournament = Tournament.objects.get()
    assert tournament.points == {"skunk": 2}
    assert tournament.options == {"last_round_spades": False}
    assert tournament.rules.is_house_rule


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("points_skunk", "-5"),
        ("points_skunk", "1.5"),
        ("points_skunk", ""),
        ("points_skunk", "9" * 5000),
        ("name", "  "),
        ("name", "名" * 201),
        ("name", "a\x00b"),
        ("held_on", "someday"),
        ("rounds_per_session", "0"),
    ],
)
def test_error_is_at_its_field_and_input_is_kept(creator: Client, field: str, value: str) -> None:
    answer = creator.post(ADDRESS, typed(venue="五所川原", **{field: value}))
    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == [field]
    assert 'value="五所川原"' in answer.text
    assert not Tournament.objects.exists()


def test_games_without_a_number_of_rounds_need_none(creator: Client) -> None:
    rules = scoring.get_rule_set("gong-zhu")
    points = {f"points_{r.item}": r.points for r in rules.rules if r.lowest < r.highest}
    event = {"name": "拱猪の夕べ", "held_on": "2027-01-03", "partners": "on"}
    creator.post(reverse("create-tournament", args=["gong-zhu"]), points | event)
    tournament = Tournament.objects.get()
    assert tournament.rounds_per_session is None
    assert tournament.partners
    assert tournament.table_sizes == (4,)


def test_unknown_rules_are_not_found(creator: Client) -> None:
    assert creator.get(reverse("create-tournament", args=["poker"])).status_code == 404


def test_name_is_focused(creator: Client) -> None:
    assert 'name="name"' in creator.get(ADDRESS).text.split("autofocus")[0].rsplit("<input", 1)[1]
    creator.post(ADDRESS, typed())
    settings = reverse("edit-tournament", args=[Tournament.objects.get().slug])
    assert "autofocus" not in creator.get(settings).text


def test_choices_have_no_hint_about_empty_fields(creator: Client) -> None:
    page = cast.in_english(creator).get(ADDRESS).text
    assert "(optional)" in page.split("Venue")[1].split("</label>")[0]
    assert "(optional)" not in page.split("Who accepts a round")[1].split("</label>")[0]
