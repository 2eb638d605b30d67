"""Editing the settings; the rules only while nothing is recorded."""

from functools import partial
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests import cast
from tests.cast import SOMEBODY
from tests.races import run_before
from tournaments.models import Sitting, Tournament
from tournaments.services import totals, versions


@pytest.fixture
def address(tournament: Tournament) -> str:
    return reverse("edit-tournament", args=[tournament.slug])


def as_shown(director: Client, address: str, **changes: Any) -> dict[str, Any]:
    """Return what a browser sends: nothing for unticked boxes and disabled fields."""
    page = director.get(address)
    form = page.context["form"]
    shown = {
        name: form[name].value()
        for name, field in form.fields.items()
        if not field.disabled and form[name].value() not in (None, False)
    }
    return {**shown, "held_on": str(shown["held_on"]), "seen": page.context["seen"], **changes}


def test_others_do_not_find_it(
    client: Client, stranger: Client, scorekeeper: Client, address: str
) -> None:
    for browser in (client, stranger, scorekeeper):
        assert browser.get(address).status_code == 404
        assert browser.post(address, {"name": "mine"}).status_code == 404


def test_everything_can_change_before_play(
    director: Client, tournament: Tournament, address: str
) -> None:
    changes = {"name": "秋の大会", "points_skunk": 3, "rounds_per_session": 4}
    assert director.post(address, as_shown(director, address, **changes)).status_code == 302
    tournament.refresh_from_db()
    assert (tournament.name, tournament.points) == ("秋の大会", {"skunk": 3})
    assert tournament.rounds_per_session == 4


def test_the_rules_are_locked_once_recorded(
    director: Client, tournament: Tournament, address: str
) -> None:
    cast.record(cast.make_sitting(tournament))
    before = tournament.rules.fingerprint
    page = cast.in_english(director).get(address)
    rules = page.text.partition('aria-labelledby="rules-title"')[2].partition("</section>")[0]
    assert "The rules are locked" in rules
    assert page.context["form"].fields["points_skunk"].disabled
    director.post(address, as_shown(director, address, name="秋の大会"))
    tournament.refresh_from_db()
    assert (tournament.name, tournament.rules.fingerprint) == ("秋の大会", before)


def test_page_says_that_sessions_that_are_over_keep_their_rounds(
    director: Client, tournament: Tournament, address: str
) -> None:
    said = "終わったときの数のままです"
    sitting = cast.make_sitting(tournament)
    for rounds in (2, 1):
        sent = as_shown(director, address, rounds_per_session=rounds)
        assert said not in director.post(address, sent, follow=True).text
    cast.record(sitting)
    sent = as_shown(director, address, rounds_per_session=3)
    assert said in director.post(address, sent, follow=True).text
    assert Sitting.objects.get().session.rounds_per_table == 1


def test_rules_sent_after_the_first_record_are_refused(
    director: Client, tournament: Tournament, address: str
) -> None:
    typed = as_shown(director, address, name="秋の大会", points_skunk=3)
    cast.record(cast.make_sitting(tournament))
    answer = director.post(address, typed)
    assert answer.status_code == 422
    assert 'value="秋の大会"' in answer.text
    form = answer.context["form"]
    assert form.non_field_errors()
    assert form["points_skunk"].value() == 1
    tournament.refresh_from_db()
    assert (tournament.name, tournament.points) == ("新春大会", {})


def test_name_can_change_after_the_first_record(
    director: Client, tournament: Tournament, address: str
) -> None:
    typed = as_shown(director, address, name="秋の大会")
    cast.record(cast.make_sitting(tournament))
    assert director.post(address, typed).status_code == 302
    tournament.refresh_from_db()
    assert tournament.name == "秋の大会"


def test_errors_keep_what_was_typed(director: Client, address: str) -> None:
    answer = director.post(address, as_shown(director, address, name="秋", points_skunk=-7))
    assert answer.status_code == 422
    assert 'value="秋"' in answer.text
    assert 'value="-7"' in answer.text
    assert "open" in answer.text.split('class="house-rule"')[1][:10]


def test_stale_page_replaces_nothing(
    director: Client, tournament: Tournament, address: str
) -> None:
    mine = as_shown(director, address, venue="立佞武多の館")
    director.post(address, as_shown(director, address, venue="いろは会館"))
    answer = cast.in_english(director).post(address, mine)
    assert answer.status_code == 409
    assert "いろは会館" in answer.text  # what is stored
    assert answer.context["form"]["venue"].value() == "立佞武多の館"  # what was typed
    tournament.refresh_from_db()
    assert tournament.venue == "いろは会館"
    assert director.post(address, mine | {"seen": answer.context["seen"]}).status_code == 302
    tournament.refresh_from_db()
    assert tournament.venue == "立佞武多の館"


@pytest.mark.parametrize("seen", ["", "-1", "x", "9" * 30])
def test_page_without_version_replaces_nothing(
    director: Client, tournament: Tournament, address: str, seen: str
) -> None:
    answer = director.post(address, as_shown(director, address, venue="館", seen=seen))
    assert answer.status_code == 409
    tournament.refresh_from_db()
    assert tournament.venue == ""


@pytest.mark.parametrize("accepting", Tournament.Accepting.values)
def test_the_director_chooses_who_accepts_a_round(
    director: Client, tournament: Tournament, address: str, accepting: str
) -> None:
    director.post(address, as_shown(director, address, accepting=accepting))
    tournament.refresh_from_db()
    assert tournament.accepting == accepting


def test_typed_totals_lock_the_rules_as_rounds_do(
    director: Client, tournament: Tournament, address: str
) -> None:
    typed = as_shown(director, address, points_skunk=3)
    sitting = cast.make_sitting(tournament)
    points = dict.fromkeys(cast.keys(sitting), 0)
    totals.enter_totals(sitting, points, seen_version=0, by=SOMEBODY)
    assert director.post(address, typed).status_code == 422
    tournament.refresh_from_db()
    assert tournament.points == {}


@pytest.mark.django_db
def test_partnerships_cannot_be_chosen_for_tables_of_five(client: Client) -> None:
    tournament = cast.make_tournament("gong-zhu")
    browser = cast.in_english(cast.browser_of(cast.make_staff(tournament, "chief", "director")))
    address = reverse("edit-tournament", args=[tournament.slug])
    typed = as_shown(browser, address, partners="on", name="秋の大会")
    cast.make_sitting(tournament, players=4)
    sitting = cast.make_sitting(tournament, players=5)
    answer = browser.post(address, typed)
    assert answer.status_code == 422
    assert "Session 2, table 1" in answer.context["form"].errors["partners"][0]
    assert 'value="秋の大会"' in answer.text
    tournament.refresh_from_db()
    assert not tournament.partners
    assert browser.get(sitting.session.get_absolute_url()).status_code == 200


@pytest.mark.django_db
def test_partnerships_can_be_chosen_for_tables_of_four(client: Client) -> None:
    tournament = cast.make_tournament("gong-zhu")
    browser = cast.browser_of(cast.make_staff(tournament, "chief", "director"))
    address = reverse("edit-tournament", args=[tournament.slug])
    cast.make_sitting(tournament, players=4)
    assert browser.post(address, as_shown(browser, address, partners="on")).status_code == 302
    tournament.refresh_from_db()
    assert tournament.partners


def test_shown_data_are_not_older_than_their_version(
    director: Client, tournament: Tournament, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs = as_shown(director, address, venue="いろは会館")
    send = partial(director.post, address, theirs)
    run_before(monkeypatch, versions, "version_of", send)
    mine = as_shown(director, address, name="秋の大会")
    assert mine["venue"] == "いろは会館"
    assert director.post(address, mine).status_code == 302
    tournament.refresh_from_db()
    assert (tournament.name, tournament.venue) == ("秋の大会", "いろは会館")


def test_second_conflict_is_shown_too(
    director: Client, tournament: Tournament, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = as_shown(director, address, venue="立佞武多の館")
    director.post(address, as_shown(director, address, venue="いろは会館"))
    theirs = as_shown(director, address, venue="市民体育館")
    send = partial(director.post, address, theirs)
    run_before(monkeypatch, versions, "version_of", send)
    shown = director.post(address, mine)
    assert shown.context["seen"] == shown.context["change"].audit_entry.number


def test_page_with_errors_keeps_the_version_seen(
    director: Client, tournament: Tournament, address: str
) -> None:
    mine = as_shown(director, address, name="秋の大会")
    director.post(address, as_shown(director, address, venue="いろは会館"))
    faulty = director.post(address, mine | {"name": ""})
    assert faulty.status_code == 422
    assert director.post(address, mine | {"seen": faulty.context["seen"]}).status_code == 409
    tournament.refresh_from_db()
    assert tournament.venue == "いろは会館"
