"""Club tables: starting one, prolonging its game, and playing again."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

import scoring
from scoring.variants.gong_zhu import scoring_cards
from tests import cast
from tournaments.models import AuditEntry, Sitting, Tournament
from tournaments.permissions.daily_limits import CLUB_TABLES
from tournaments.queries import round_validation
from tournaments.queries.sheets import sheet_of
from tournaments.services import daily_counts, tournaments
from tournaments.services.daily_counts import A_DAY

pytestmark = pytest.mark.django_db


def start(client: Client, rule_set: str = "goninkan-association", **typed: Any) -> Any:
    return client.post(reverse("start-table", args=[rule_set]), typed)


@pytest.mark.parametrize("rule_set", scoring.RULE_SETS, ids=lambda rule_set: rule_set.slug)
def test_table_starts_in_two_clicks(client: Client, rule_set: scoring.RuleSet) -> None:
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


def test_empty_names_get_a_default(client: Client) -> None:
    cast.in_english(client)
    shown = client.get(reverse("start-table", args=["yoninkan"])).context["form"]["name_2"]
    assert (shown.value(), shown.field.widget.attrs["placeholder"]) == (None, "Player 2")
    start(client, "yoninkan", name_1="  髙𠮷\U000e0100", name_3="=1+1")
    names = [seat.entry.name for seat in Sitting.objects.get().seats.all()]
    assert names == ["髙𠮷\U000e0100", "Player 2", "=1+1", "Player 4"]


def test_duplicate_names_are_refused(client: Client) -> None:
    answer = start(client, "yoninkan", name_1="成田", name_2="成田")
    assert answer.status_code == 422
    assert answer.context["form"].errors.keys() == {"name_1", "name_2"}
    assert 'value="成田"' in answer.text
    assert not Tournament.objects.exists()


def test_form_has_the_requested_number_of_players(client: Client) -> None:
    address = reverse("start-table", args=["goninkan-classic"])
    assert client.get(f"{address}?players=6").context["form"].player_count == 6
    assert client.get(f"{address}?players=99").context["form"].player_count == 5
    start(client, "goninkan-classic", players="6")
    assert Sitting.objects.get().seats.count() == 6


def test_partnerships_are_offered_where_they_exist(client: Client) -> None:
    address = reverse("start-table", args=["gong-zhu"])
    assert 'name="partners"' in client.get(f"{address}?players=4").text
    assert 'name="partners"' not in client.get(f"{address}?players=5").text
    start(client, "gong-zhu", players="4", partners="on")
    assert Tournament.objects.get().partners


def test_table_chooses_its_options(client: Client) -> None:
    page = client.get(reverse("start-table", args=["goninkan-classic"])).text
    assert "最後のラウンドの時には、スペードが切札になります" in page
    start(client, "goninkan-classic", option_skunk_kept_with_juroku="on")
    options = Tournament.objects.get().rules.options
    assert options["skunk_kept_with_juroku"]
    assert not options["last_round_spades"]


def test_club_table_is_not_listed_as_a_tournament(client: Client) -> None:
    start(client)
    tournament = Tournament.objects.get()
    assert tournament.kind == Tournament.Kind.TABLE
    answer = client.get(tournament.get_absolute_url())
    assert answer.headers["Location"] == Sitting.objects.get().get_absolute_url()


def test_unknown_rules_are_not_found(client: Client) -> None:
    assert client.get(reverse("start-table", args=["poker"])).status_code == 404


def test_daily_limit_of_a_browser_keeps_what_was_typed(client: Client) -> None:
    cast.in_english(client)
    for _ in range(CLUB_TABLES.limit):
        assert start(client, rounds="1").status_code == 302
    answer = start(client, name_1="成田")
    assert answer.status_code == 429
    assert 0 < int(answer.headers["Retry-After"]) <= 24 * 60 * 60
    assert "started 20 tables" in answer.text
    assert 'value="成田"' in answer.text
    last = Sitting.objects.latest("pk")
    cast.record(last)
    again = client.post(at(last, "play-again"), follow=True)
    assert again.redirect_chain == [(last.get_absolute_url(), 302)]
    assert "started 20 tables" in again.text
    assert Tournament.objects.count() == CLUB_TABLES.limit
    assert start(Client()).status_code == 302


def test_daily_limit_ends_after_a_day(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CLUB_TABLES, "limit", 1)
    assert start(client).status_code == 302
    assert start(client).status_code == 429
    tomorrow = timezone.now() + A_DAY
    monkeypatch.setattr(timezone, "now", lambda: tomorrow)
    assert start(client).status_code == 302


def test_count_of_a_past_day_begins_anew_where_it_is_not_deleted_yet(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(daily_counts, "BATCH_SIZE", 0)
    yesterday = timezone.now() - A_DAY
    monkeypatch.setattr(timezone, "now", lambda: yesterday)
    daily_counts.count("started", "192.0.2.1", 1)
    with pytest.raises(daily_counts.TooManyToday):
        daily_counts.count("started", "192.0.2.1", 1)
    monkeypatch.undo()
    monkeypatch.setattr(daily_counts, "BATCH_SIZE", 0)
    daily_counts.count("started", "192.0.2.1", 1)


def finish(rule_set: str = "goninkan-association", **typed: Any) -> tuple[Client, Sitting]:
    """Return the browser of a table, and the table, after its one planned round."""
    browser = cast.in_english(Client())
    start(browser, rule_set, rounds="1", **typed)
    sitting = Sitting.objects.get(session__tournament__kind=Tournament.Kind.TABLE)
    cast.record(sitting)
    return browser, sitting


def at(sitting: Sitting, name: str) -> str:
    return reverse(name, args=[sitting.session.tournament.slug, 1, 1])


def planned(sitting: Sitting) -> int | None:
    return Tournament.objects.get(sessions__sittings=sitting).rounds_per_session


def test_empty_number_of_rounds_means_no_limit(client: Client) -> None:
    form = client.get(reverse("start-table", args=["goninkan-association"])).context["form"]
    assert form["rounds"].value() == 9
    start(client, rounds="")
    sitting = Sitting.objects.get()
    assert planned(sitting) is None
    for number in range(1, 13):
        cast.record(sitting, number=number)
    assert "What comes next" in cast.in_english(client).get(sitting.get_absolute_url()).text


@pytest.mark.both
def test_repeated_request_prolongs_once() -> None:
    browser, sitting = finish()
    players = sitting.seats.count()
    assert at(sitting, "go-on") in browser.get(sitting.get_absolute_url()).text
    for _tap in range(2):
        assert browser.post(at(sitting, "go-on"), {"planned": "1"}).status_code == 302
    assert planned(sitting) == 1 + players
    cast.record(sitting, number=2)


def test_new_game_needs_a_finished_one(client: Client) -> None:
    start(client, rounds="2")
    sitting = Sitting.objects.get()
    for number in (1, 2):
        answer = client.post(at(sitting, "play-again"))
        assert answer.headers["Location"] == sitting.get_absolute_url()
        assert Sitting.objects.count() == 1
        cast.record(sitting, number=number)
    assert client.post(at(sitting, "play-again")).status_code == 302
    assert Sitting.objects.count() == 2


@pytest.mark.both
def test_a_new_game_has_the_same_people_and_rules() -> None:
    browser, sitting = finish(option_cut_off_round_scores="on", name_1="成田")
    answer = browser.post(at(sitting, "play-again"))
    again = Sitting.objects.exclude(pk=sitting.pk).get()
    assert answer.headers["Location"] == again.get_absolute_url()
    assert browser.get(again.get_absolute_url()).status_code == 200
    names = [[seat.entry.name for seat in table.seats.all()] for table in (sitting, again)]
    assert names[0] == names[1]
    old, new = sitting.session.tournament, again.session.tournament
    assert old.rules.fingerprint == new.rules.fingerprint
    assert planned(again) == 1


def test_finished_table_records_no_more_rounds() -> None:
    browser, sitting = finish()
    with pytest.raises(round_validation.NotNext):
        cast.record(sitting, number=2)
    address = reverse("record-round", args=[sitting.session.tournament.slug, 1, 1, 2])
    answer = browser.post(address, {"seen": "0"})
    assert answer.status_code == 422
    assert answer.context["form"].non_field_errors() == ["All rounds have been played (1)."]


def test_gong_zhu_game_that_is_over_is_not_prolonged() -> None:
    browser = Client()
    start(browser, "gong-zhu", players="4", rounds="")
    sitting = Sitting.objects.get()
    players = cast.keys(sitting)
    hearts = [card for card in scoring_cards(4) if card not in ("DJ", "C10")]
    some = {
        "captured": {
            players[0]: [*hearts[:-1]],
            players[1]: [hearts[-1], "DJ"],
            players[2]: ["C10"],
        }
    }
    number = 0
    while not sheet_of(sitting).is_finished:
        number += 1
        cast.record(sitting, some, number=number)
    page = browser.get(sitting.get_absolute_url()).text
    assert at(sitting, "go-on") not in page
    assert at(sitting, "play-again") in page
    browser.post(at(sitting, "go-on"), {"planned": "None"})
    with pytest.raises(scoring.InvalidRecord) as refused:
        cast.record(sitting, some, number=number + 1)
    assert {problem.code for problem in refused.value.problems} == {"game_over"}


@pytest.mark.parametrize("name", ["go-on", "play-again"])
def test_only_a_club_table_is_prolonged(
    scorekeeper: Client, tournament: Tournament, name: str
) -> None:
    sitting = cast.make_sitting(tournament)
    assert scorekeeper.post(at(sitting, name)).status_code == 404
    _browser, mine = finish()
    assert Client().post(at(mine, name)).status_code == 404


@pytest.fixture
def at_venue(settings: Settings) -> None:
    settings.VENUE = True


@pytest.mark.usefixtures("at_venue")
def test_tables_started_without_cookies_are_counted_by_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(CLUB_TABLES, "limit", 2)

    def script() -> Client:
        return Client(REMOTE_ADDR="192.168.1.7")

    for _ in range(CLUB_TABLES.limit):
        assert start(script()).status_code == 302
    refused = start(script())
    assert refused.status_code == 429
    assert int(refused.headers["Retry-After"]) > 0
    assert start(Client(REMOTE_ADDR="192.168.1.8")).status_code == 302
    tomorrow = timezone.now() + A_DAY
    monkeypatch.setattr(timezone, "now", lambda: tomorrow)
    assert start(script()).status_code == 302


def test_behind_a_proxy_tables_are_not_counted_by_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CLUB_TABLES, "limit", 1)
    for _ in range(3):
        assert start(Client()).status_code == 302


def a_day_ago(sitting: Sitting) -> Tournament:
    tournament = sitting.session.tournament
    before = timezone.now() - tournaments.UNPLAYED_AFTER
    Tournament.objects.filter(pk=tournament.pk).update(created_at=before)
    return tournament


@pytest.mark.both
def test_unplayed_tables_are_removed_after_a_day(client: Client) -> None:
    start(client)
    old = Sitting.objects.get()
    start(Client())
    fresh = Sitting.objects.latest("pk").session.tournament
    table = a_day_ago(old)
    start(Client())
    assert not Tournament.objects.filter(pk=table.pk).exists()
    assert Tournament.objects.filter(pk=fresh.pk).exists()
    assert client.get(old.get_absolute_url()).status_code == 404
    assert table.audit_entries.latest("number").kind == AuditEntry.Kind.EVENT_REMOVED


@pytest.mark.both
def test_played_tables_and_events_stay(client: Client) -> None:
    _browser, sitting = finish()
    event = cast.make_sitting()
    tables = [a_day_ago(sitting), a_day_ago(event)]
    start(client)
    assert Tournament.objects.filter(pk__in=[each.pk for each in tables]).count() == 2
