"""Options of rule sets: chosen in forms and over the API, stored, shown and archived."""

from __future__ import annotations

from itertools import zip_longest
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

import scoring
from tests import cast, events
from tests.api import json_of, staff
from tournaments import archives, verification
from tournaments.audit import Actor
from tournaments.models import Tournament
from tournaments.services import tournaments
from tournaments.services.publications import publish

pytestmark = pytest.mark.django_db

# Events from before an option was added: rule set, options, points, printed fingerprint.
OLD_EVENTS: list[tuple[str, dict[str, bool], dict[str, int], str]] = [
    ("goninkan-association", {"last_round_spades": True}, {}, "Q59R-5HBY"),
    ("goninkan-classic", {"skunk_kept_with_juroku": True}, {"skunk": 2}, "BPCE-MG58"),
    ("damarikan", {"missed_call_ends_deal": False}, {}, "6ACS-P1WC"),
    ("yoninkan", {"last_round_spades": False}, {"juroku": 20}, "RC8Y-4ERM"),
    ("gong-zhu", {"all_hearts_with_ten_300": True}, {"pig": -150}, "SNZD-VRRG"),
]


@pytest.fixture
def director() -> User:
    return cast.make_creator("director")


@pytest.fixture
def browser(director: User) -> Client:
    return cast.in_english(cast.browser_of(director))


def typed(rules: scoring.Rules, **changes: Any) -> dict[str, Any]:
    """Return the fields that the form of a new event sends for these rules."""
    settled = {"name": "新春大会", "held_on": "2027-01-03", "rounds_per_session": "9"}
    points = {f"points_{r.item}": rules.points[r.item] for r in rules.rule_set.rules}
    options = {f"option_{name}": choice for name, choice in rules.options.items() if choice}
    return settled | points | options | changes


def create(browser: Client, slug: str, **changes: Any) -> Any:
    rules = scoring.choose(scoring.get_rule_set(slug))
    address = reverse("create-tournament", args=[slug])
    return browser.post(address, typed(rules, **changes), follow=True)


@pytest.mark.parametrize(("slug", "options", "points", "code"), OLD_EVENTS)
def test_events_from_before_an_option_keep_their_fingerprint(
    director: User, slug: str, options: dict[str, bool], points: dict[str, int], code: str
) -> None:
    by = Actor(director, "director")
    rules = scoring.choose(scoring.get_rule_set(slug), options, points)
    event = tournaments.create_tournament(Tournament(name="去年の大会"), rules, by=by)
    cast.record(cast.make_sitting(event))
    assert (event.options, event.points) == (options, points)  # as stored at that time
    content = archives.export_archive(event, with_private=False)
    events.forget(event)
    again = archives.import_archive(content, by=by)
    assert again.rules.fingerprint == code
    assert verification.is_consistent(again)


def changed_options(rule_set: scoring.RuleSet) -> list[dict[str, scoring.Choice]]:
    """Return few choices of options, which together have every value but the defaults."""
    values = [[(each.name, value) for value in each.other_values] for each in rule_set.options]
    return [dict(filter(None, choices)) for choices in zip_longest(*values)] or [{}]


@pytest.mark.parametrize(
    ("rule_set", "options"),
    [
        pytest.param(
            rule_set, options, id=f"{rule_set.slug} {' '.join(map(str, options.values()))}"
        )
        for rule_set in scoring.RULE_SETS
        for options in changed_options(rule_set)
    ],
)
def test_event_with_changed_options_is_published_listed_and_archived(
    client: Client,
    director: User,
    rule_set: scoring.RuleSet,
    options: dict[str, scoring.Choice],
) -> None:
    by = Actor(director, "director")
    rules = scoring.choose(rule_set, options)
    event = tournaments.create_tournament(Tournament(name="新春大会"), rules, by=by)
    cast.record(cast.make_sitting(event))
    publish(event, by=by)

    def assert_is_listed() -> None:
        assert "新春大会" in client.get("/").text
        [listed] = client.get("/api/tournaments").json()["tournaments"]
        assert listed["options"] == options

    assert_is_listed()
    assert verification.is_consistent(event)
    content = archives.export_archive(event, with_private=False)
    events.forget(event)
    again = archives.import_archive(content, by=by)
    assert again.options == options
    assert again.rules is rules
    assert verification.is_consistent(again)
    assert_is_listed()


@pytest.mark.parametrize(
    ("slug", "name", "choice", "word"),
    [("yoninkan", "key_card", "A", "Ace"), ("gong-zhu", "five_without", "D2", "♦2 and ♣2")],
)
def test_option_with_named_values_is_a_select_field(
    browser: Client, slug: str, name: str, choice: str, word: str
) -> None:
    form = browser.get(reverse("create-tournament", args=[slug])).text
    assert f'<select name="option_{name}"' in form
    answer = create(browser, slug, **{f"option_{name}": choice})
    event = Tournament.objects.get()
    assert event.options == {name: choice}
    history = browser.get(reverse("history", args=[event.slug])).text
    assert word in history
    assert answer.status_code == 200


def test_invalid_option_is_refused_and_the_form_keeps_its_input(browser: Client) -> None:
    answer = create(browser, "yoninkan", option_key_card="Q", name="初夢の会")
    assert answer.status_code == 422
    assert "初夢の会" in answer.text
    assert not Tournament.objects.exists()


def test_odd_points_that_an_option_halves_are_refused_at_their_field(browser: Client) -> None:
    odd = {"option_all_hearts_with_ten_300": "on", "points_all_hearts": "201"}
    answer = create(browser, "gong-zhu", **odd)
    assert answer.status_code == 422
    errors = answer.context["form"].errors
    assert list(errors) == ["points_all_hearts"]
    assert "even number" in str(errors)
    assert not Tournament.objects.exists()


def test_api_accepts_named_values_and_refuses_odd_points() -> None:
    event = {"name": "新春大会", "rule_set": "gong-zhu"}
    program = staff(cast.make_creator("founder"))
    odd = {"options": {"all_hearts_with_ten_300": True}, "points": {"all_hearts": 201}}
    refused = program.post("/api/tournaments", event | odd)
    assert refused.status_code == 422
    assert [each["at"] for each in json_of(refused)["errors"]] == ["points.all_hearts"]
    wrong = program.post("/api/tournaments", event | {"options": {"five_without": True}})
    assert [each["code"] for each in json_of(wrong)["errors"]] == ["option"]
    chosen = program.post("/api/tournaments", event | {"options": {"five_without": "D2"}})
    assert chosen.status_code == 201
    assert json_of(chosen)["options"] == {"five_without": "D2"}
    assert json_of(chosen)["warnings"] == []


@pytest.mark.parametrize(
    ("slug", "rounds", "closes", "is_warned"),
    [
        ("goninkan-association", 9, False, False),
        ("goninkan-association", 12, False, False),
        ("goninkan-association", 10, True, False),
        ("goninkan-association", 10, False, True),
        ("goninkan-association", 9, True, True),
        ("goninkan-classic", 8, True, False),
    ],
)
def test_number_of_rounds_within_a_turn_of_trumps_is_accepted_with_a_warning(
    browser: Client, slug: str, rounds: int, *, closes: bool, is_warned: bool
) -> None:
    option = {"option_last_round_spades": "on" if closes else ""}
    answer = create(browser, slug, rounds_per_session=str(rounds), **option)
    event = Tournament.objects.get()
    assert event.rounds_per_session == rounds
    assert (f"A session of {rounds} ends in the middle of a cycle" in answer.text) is is_warned
    program = staff(cast.make_creator("founder"))
    options = {"last_round_spades": closes}
    body = {"name": "x", "rule_set": slug, "options": options, "rounds_per_session": rounds}
    warnings = json_of(program.post("/api/tournaments", body))["warnings"]
    assert [(each["at"], each["code"]) for each in warnings] == (
        [("rounds_per_session", "broken_turn")] if is_warned else []
    )
    assert all(each["message"] for each in warnings)


@pytest.mark.parametrize(("closes", "usual"), [(False, 9), (True, 10)])
def test_default_number_of_rounds_is_whole_cycles_of_trumps(*, closes: bool, usual: int) -> None:
    body: dict[str, Any] = {"name": "x", "rule_set": "goninkan-association"}
    body |= {"options": {"last_round_spades": closes}}
    answer = staff(cast.make_creator("founder")).post("/api/tournaments", body)
    assert json_of(answer)["rounds_per_session"] == usual


@pytest.mark.parametrize("page", ["create-tournament", "start-table"])
def test_forms_propose_whole_cycles_for_the_association_only(browser: Client, page: str) -> None:
    field = "rounds" if page == "start-table" else "rounds_per_session"
    asked = browser.get(reverse(page, args=["goninkan-association"]))
    assert "full cycles" in asked.text
    assert "3, 6, 9, 12, 15, 18 rounds" in asked.text
    assert asked.context["form"][field].value() == 9
    others = browser.get(reverse(page, args=["goninkan-classic"]))
    assert "full cycles" not in others.text
    assert others.context["form"][field].value() == 10
