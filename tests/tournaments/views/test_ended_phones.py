"""Phones of an event that is over: nothing opens, unsent rounds are shown, the desk corrects."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from tests import api, cast
from tests.tournaments.views.event_ends import end, forget
from tests.tournaments.views.test_rounds import THIRTEEN, address
from tournaments import audit
from tournaments.audit import Actor
from tournaments.models import AuditEntry, Round, Sitting, Tournament
from tournaments.services import (
    acceptances,
    calls,
    closing,
    entries,
    phones,
    seating,
    table_links,
)
from tournaments.services.closing import EventClosed, EventOver
from tournaments.services.publications import publish


def as_staff(tournament: Tournament) -> audit.Actor:
    user = cast.make_staff(tournament, "keeper")
    return audit.Actor(user, user.username)


ENDINGS = pytest.mark.parametrize("over", [end, forget], ids=["closed", "forgotten"])


@ENDINGS
def test_links_pins_and_phones_open_nothing(
    sitting: Sitting, over: Callable[[Tournament], None]
) -> None:
    pin = table_links.make_pin(sitting, by=cast.SOMEBODY)
    joined = phones.join(sitting.token)
    over(sitting.session.tournament)
    stored = Sitting.objects.get(pk=sitting.pk)
    assert phones.phone_of(joined.secret) is None
    for refused in (
        lambda: phones.join(sitting.token),
        lambda: phones.admit_phone(stored),
        lambda: phones.take_over(joined.phone),
    ):
        with pytest.raises(phones.NoSuchLink):
            refused()
    with pytest.raises(phones.WrongPin):
        phones.join_by_number_alone(stored.number, pin)
    with pytest.raises(phones.WrongPin):
        phones.join_by_number_alone(sitting.number, pin)


@ENDINGS
def test_ended_table_writes_nothing(sitting: Sitting, over: Callable[[Tournament], None]) -> None:
    Tournament.objects.update(accepting="same")
    phone = phones.join(sitting.token).phone
    cast.record(sitting)
    over(sitting.session.tournament)
    by = phones.actor_of(phone)
    with pytest.raises(EventOver):
        cast.record(sitting, number=2, by=by)
    with pytest.raises(EventOver):
        acceptances.accept_round(sitting, 1, 1, by=by, phone=phone)
    with pytest.raises(EventOver):
        calls.call_desk(sitting, "director", "", by=by)
    assert Round.objects.count() == 1


@ENDINGS
def test_ended_phone_gets_404_like_a_stranger(
    client: Client, sitting: Sitting, over: Callable[[Tournament], None]
) -> None:
    link = reverse("join-table", args=[sitting.token])
    pin = table_links.make_pin(sitting, by=cast.SOMEBODY)
    client.get(link, follow=True)
    over(sitting.session.tournament)
    assert Client().get(link).status_code == 404
    refused = Client().post(reverse("join"), {"table": "1", "pin": pin})
    assert refused.status_code == 422
    assert "終了した大会" in refused.content.decode()
    for page in ("", "play/", "take-over/", "rounds/1/"):
        answer = client.get(f"{sitting.get_absolute_url()}{page}")
        assert answer.status_code == 404, page
        assert "ended_phone.html" in [template.name for template in answer.templates], page
        stranger = Client().get(f"{sitting.get_absolute_url()}{page}")
        assert "ended_phone.html" not in [template.name for template in stranger.templates], page


def test_ended_phone_gets_a_link_to_public_standings(client: Client, sitting: Sitting) -> None:
    client.get(reverse("join-table", args=[sitting.token]), follow=True)
    tournament = sitting.session.tournament
    end(tournament)
    standings = reverse("standings", args=[tournament.slug])
    play = f"{sitting.get_absolute_url()}play/"
    assert standings not in client.get(play).content.decode()
    Tournament.objects.update(showing=Tournament.Showing.LIVE)
    assert standings in client.get(play).content.decode()
    assert client.get(standings).status_code == 200


@ENDINGS
def test_api_says_that_the_event_is_over(
    client: Client, sitting: Sitting, over: Callable[[Tournament], None]
) -> None:
    program = api.phone(sitting)
    client.get(reverse("join-table", args=[sitting.token]), follow=True)
    over(sitting.session.tournament)
    at = f"/api/sittings/{sitting.pk}"
    facts = {"facts": cast.plain_round(sitting), "seen": 0}
    assert api.code(program.put(f"{at}/rounds/1", facts)) == (401, "event_over")
    assert api.code(program.ask("GET", at)) == (401, "event_over")
    refusals: list[Any] = [
        client.get(at),
        client.post(f"{at}/calls", {}, content_type="application/json"),
        client.put(
            f"{at}/rounds/1",
            facts,
            content_type="application/json",
            headers={"Idempotency-Key": "a key"},
        ),
    ]
    for refused in refusals:
        assert api.code(refused) == (401, "event_over")
    assert not Round.objects.exists()


def test_closed_link_is_explained(client: Client, sitting: Sitting) -> None:
    client.get(reverse("join-table", args=[sitting.token]), follow=True)
    table_links.revoke_link(sitting, by=cast.SOMEBODY)
    answer: Any = client.get(f"/api/sittings/{sitting.pk}")
    assert api.code(answer) == (401, "phone_ended")
    page = cast.in_english(client).get(f"{sitting.get_absolute_url()}play/")
    assert (page.status_code, "This link is closed" in page.content.decode()) == (404, True)


def test_nothing_new_begins_in_a_closed_event(sitting: Sitting) -> None:
    tournament = sitting.session.tournament
    end(tournament)
    everybody = list(tournament.entries.all())
    before = AuditEntry.objects.count()
    for begin in (
        lambda: table_links.make_link(sitting, by=cast.SOMEBODY),
        lambda: table_links.make_pin(sitting, by=cast.SOMEBODY),
        lambda: entries.add_entries(tournament, [{"name": "新人"}], by=cast.SOMEBODY),
        lambda: seating.open_session(tournament, [everybody], by=cast.SOMEBODY),
    ):
        with pytest.raises(EventClosed):
            begin()
    assert AuditEntry.objects.count() == before


def test_round_typed_for_a_closed_event_is_shown(
    director: Client, sitting: Sitting, tournament: Tournament
) -> None:
    end(tournament)
    pasted = director.post(reverse("entries", args=[tournament.slug]), {"people": "成田 イト"})
    assert (pasted.status_code, "成田 イト" in pasted.content.decode()) == (409, True)
    seating = reverse("seat-session", args=[tournament.slug])
    for answer in (director.post(seating), director.get(seating)):
        assert answer["Location"] == reverse("close", args=[tournament.slug])
    program = api.staff(cast.make_staff(tournament, "api-director", "director"))
    asked = {"entries": [{"name": "新人"}]}
    refused = program.post(f"/api/tournaments/{tournament.slug}/entries", asked)
    assert api.code(refused) == (409, "event_closed")
    assert api.code(program.post(f"/api/sittings/{sitting.pk}/pin")) == (409, "event_closed")


def test_the_desk_still_corrects_and_announces(sitting: Sitting) -> None:
    tournament = sitting.session.tournament
    cast.record(sitting)
    by = as_staff(tournament)
    end(tournament)
    facts = cast.plain_round(sitting) | {"deals": [{"kankei": 4, "mukankei": 9}]}
    cast.record(sitting, facts, seen=1, by=by, reason="数え違い")
    cast.record(sitting, number=2, by=by)  # a sheet that was found late
    assert publish(tournament, by=by).number == 1


@pytest.mark.both
@pytest.mark.parametrize(
    ("day", "last_act", "is_over"),
    [(8, 8, True), (8, 6, False), (6, 8, False), (0, 400, False), (-30, 400, False)],
)
def test_event_is_over_a_week_after_its_last_entry(
    sitting: Sitting, day: int, last_act: int, *, is_over: bool
) -> None:
    tournament = sitting.session.tournament
    forget(tournament, ago=timedelta(days=last_act))
    Tournament.objects.update(held_on=timezone.localdate() - timedelta(days=day))
    assert closing.is_over(tournament) is is_over


def test_new_link_reopens_a_forgotten_event(sitting: Sitting) -> None:
    joined = phones.join(sitting.token)
    forget(sitting.session.tournament)
    assert phones.phone_of(joined.secret) is None
    other = cast.make_sitting()  # another event wakes nothing
    table_links.make_pin(other, by=cast.SOMEBODY)
    assert phones.phone_of(joined.secret) is None
    table_links.make_pin(sitting, by=cast.SOMEBODY)
    assert phones.phone_of(joined.secret) is not None


def test_a_phone_is_known_by_one_query(sitting: Sitting) -> None:
    secret = phones.join(sitting.token).secret
    with CaptureQueriesContext(connection) as queries:
        assert phones.phone_of(secret) is not None
    assert len(queries) == 1


OTHERWISE = THIRTEEN | {"kankei": ["3", "5"]}


def phone(sitting: Sitting) -> Client:
    browser = cast.in_english(Client())
    browser.get(reverse("join-table", args=[sitting.token]))
    return browser


def close_event(sitting: Sitting, *, by: Actor) -> None:
    closing.close(sitting.session.tournament, by=by)


@pytest.mark.both
@pytest.mark.parametrize(("end", "names"), [(close_event, True), (table_links.revoke_link, False)])
def test_late_round_is_shown_in_words(
    sitting: Sitting, end: Callable[..., object], names: bool
) -> None:
    table = phone(sitting)
    assert table.get(address(sitting)).status_code == 200
    end(sitting, by=cast.SOMEBODY)
    answer = table.post(address(sitting), OTHERWISE)
    assert answer.status_code == 404
    assert "Show it at the desk" in answer.text
    third, fifth = (sitting.seats.all()[seat].entry for seat in (2, 4))
    kankei = [each.name if names else each.key for each in (third, fifth)]
    told = answer.context["typed"]["facts"]
    assert all(each in told for each in (*kankei, "9–4", "16–0", "9–7")), told
    assert (third.name in answer.text) == names
    assert not Round.objects.exists()


def test_late_round_is_shown_to_former_phones_only(sitting: Sitting) -> None:
    close_event(sitting, by=cast.SOMEBODY)
    answer = Client().post(address(sitting), OTHERWISE)
    assert (answer.status_code, "typed" in (answer.context or {})) == (404, False)


def test_late_round_with_an_impossible_number_is_not_shown(sitting: Sitting) -> None:
    table = phone(sitting)
    assert table.get(address(sitting)).status_code == 200
    close_event(sitting, by=cast.SOMEBODY)
    answer = table.post(address(sitting, 9), OTHERWISE)
    assert (answer.status_code, answer.context["typed"]) == (404, None)
