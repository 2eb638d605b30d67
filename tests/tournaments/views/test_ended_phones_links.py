"""Links, PINs and phones of an event that is closed or forgotten."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests import cast
from tests.api import Program, code, json_of, phone
from tests.cast import SOMEBODY
from tournaments.audit import guards
from tournaments.models import Phone, Round, Sitting, Tournament
from tournaments.services import closing, table_links
from tournaments.services.publications import show_live

pytestmark = pytest.mark.django_db


def let_weeks_pass(tournament: Tournament) -> None:
    """Move all timestamps some weeks into the past."""
    Tournament.objects.filter(pk=tournament.pk).update(
        held_on=timezone.localdate() - timedelta(days=30)
    )
    guards.lift_guards()
    with connection.cursor() as cursor:
        then = timezone.now() - timedelta(days=30)
        cursor.execute("UPDATE tournaments_act SET at = %s", [then])


def end(sitting: Sitting, how: str) -> None:
    """End the access of the table's phones."""
    tournament = sitting.session.tournament
    if how == "the event is closed":
        closing.close(tournament, by=SOMEBODY)
    elif how == "the event is forgotten":
        let_weeks_pass(tournament)
    else:
        table_links.revoke_link(sitting, by=SOMEBODY)


ENDINGS = ["the event is closed", "the event is forgotten", "the link is closed"]


@pytest.mark.parametrize("how", ENDINGS)
def test_lost_answer_is_repeated_after_the_event(sitting: Sitting, how: str) -> None:
    """The round was stored in time, so the phone must not keep it as unsent."""
    at_table, other = phone(sitting), phone(cast.make_sitting(sitting.session.tournament))
    one, two = (f"/api/sittings/{sitting.pk}/rounds/{number}" for number in (1, 2))
    body = {"facts": cast.plain_round(sitting), "seen": 0}
    before = at_table.put(one, body, key="first")
    end(sitting, how)
    again = at_table.put(one, body, key="first")
    assert (again.status_code, json_of(again)) == (201, json_of(before))
    ended = "phone_ended" if how == "the link is closed" else "event_over"
    assert code(at_table.put(one, {**body, "seen": 1}, key="first")) == (401, ended)
    assert code(at_table.put(one, body, key="second")) == (401, ended)
    assert code(at_table.put(two, body, key="first")) == (401, ended)
    assert other.put(one, body, key="first").status_code in {401, 404}
    assert Program().put(one, body, key="first").status_code == 401
    assert Round.objects.count() == 1


@pytest.mark.parametrize("how", ENDINGS)
def test_lost_answer_is_repeated_to_a_browser(sitting: Sitting, how: str) -> None:
    browser = Client()
    browser.get(reverse("join-table", args=[sitting.token]), follow=True)
    one = f"/api/sittings/{sitting.pk}/rounds/1"
    body = {"facts": cast.plain_round(sitting), "seen": 0}

    def put(key: str) -> int:
        headers = {"Idempotency-Key": key}
        return browser.put(one, body, "application/json", headers=headers).status_code

    assert put("first") == 201
    end(sitting, how)
    assert (put("first"), put("second")) == (201, 401)


@pytest.mark.both
@pytest.mark.parametrize("how", ["closed", "forgotten"])
def test_links_open_nothing_after_the_event(tournament: Tournament, how: str) -> None:
    sitting = cast.make_sitting(tournament)
    pin = table_links.make_pin(sitting, by=SOMEBODY)
    table = phone(sitting)
    where = f"/api/sittings/{sitting.pk}"
    assert table.ask("GET", where).status_code == 200
    if how == "closed":
        closing.close(tournament, by=SOMEBODY)
    else:
        let_weeks_pass(tournament)
    body = {"facts": cast.plain_round(sitting), "seen": 0}
    assert code(table.put(f"{where}/rounds/1", body)) == (401, "event_over")
    link = {"token": Sitting.objects.get().token}
    card = {"tournament": tournament.slug, "table": 1, "pin": pin}
    for opening in (link, card):
        assert Program().post("/api/join", opening).status_code in {401, 403, 404}


@pytest.mark.both
def test_card_scanned_after_the_event_is_explained(client: Client, sitting: Sitting) -> None:
    tournament, page = sitting.session.tournament, reverse("join-table", args=[sitting.token])
    show_live(tournament, by=SOMEBODY)
    table_links.revoke_link(sitting, by=SOMEBODY)
    answer = client.get(page)
    assert (answer.status_code, answer.context["is_over"]) == (404, False)
    closing.close(tournament, by=SOMEBODY)
    answer = client.get(page)
    assert (answer.status_code, answer.context["is_over"]) == (404, True)
    assert reverse("standings", args=[tournament.slug]) in answer.text
    assert not Phone.objects.exists()
