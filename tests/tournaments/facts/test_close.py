"""Closing an event: nothing at its tables opens any more, the desk may still put things right."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from tests import api, cast
from tests.races import race
from tournaments import audit, backups
from tournaments.desk.loose_ends import loose_ends
from tournaments.facts import backing_up, closing, registration
from tournaments.facts.closing import EventClosed, EventOver
from tournaments.models import Act, Round, Sitting, TableSession, Tournament
from tournaments.phones import joining, links, saying
from tournaments.results import publications

EIGHT_DAYS = timedelta(days=8)


@pytest.fixture
def address(tournament: Tournament) -> str:
    return reverse("close", args=[tournament.slug])


def as_staff(tournament: Tournament) -> audit.Actor:
    user = cast.make_staff(tournament, "keeper")
    return audit.Actor(user, user.username)


def forget(tournament: Tournament, *, ago: timedelta = EIGHT_DAYS) -> None:
    """Let the event's day, and the last thing done in it, be that long ago."""
    then = timezone.now() - ago
    Tournament.objects.filter(pk=tournament.pk).update(held_on=timezone.localdate(then))
    tournament.refresh_from_db()
    audit.append(tournament, Act.Kind.WITHDRAWN, cast.SOMEBODY, at=then)


def end(tournament: Tournament) -> None:
    closing.close(tournament, by=cast.SOMEBODY)


ENDINGS = pytest.mark.parametrize("over", [end, forget], ids=["closed", "forgotten"])


# What ends


@ENDINGS
def test_links_pins_and_phones_open_nothing(
    sitting: Sitting, over: Callable[[Tournament], None]
) -> None:
    pin = links.make_pin(sitting, by=cast.SOMEBODY)
    joined = joining.join(sitting.token)
    over(sitting.session.tournament)
    stored = Sitting.objects.get(pk=sitting.pk)
    assert joining.phone_of(joined.secret) is None
    for refused in (
        lambda: joining.join(sitting.token),
        lambda: joining.let_in(stored),
        lambda: joining.take_over(joined.phone),
    ):
        with pytest.raises(joining.NoSuchLink):
            refused()
    with pytest.raises(joining.WrongPin):
        joining.join_with_pin(stored, pin)
    with pytest.raises(joining.WrongPin):
        joining.join_anywhere(sitting.number, pin)


@ENDINGS
def test_a_table_writes_nothing_any_more(
    sitting: Sitting, over: Callable[[Tournament], None]
) -> None:
    Tournament.objects.update(accepting="same")
    phone = joining.join(sitting.token).phone
    cast.record(sitting)
    over(sitting.session.tournament)
    by = joining.actor(phone)
    with pytest.raises(EventOver):
        cast.record(sitting, number=2, by=by)
    with pytest.raises(EventOver):
        saying.accept(sitting, 1, 1, by=by, phone=phone)
    with pytest.raises(EventOver):
        saying.call(sitting, "director", "", by=by)
    assert Round.objects.count() == 1


@ENDINGS
def test_pages_answer_a_phone_as_they_do_a_stranger(
    client: Client, sitting: Sitting, over: Callable[[Tournament], None]
) -> None:
    link = reverse("join-table", args=[sitting.token])
    pin = links.make_pin(sitting, by=cast.SOMEBODY)
    client.get(link)
    over(sitting.session.tournament)
    assert Client().get(link).status_code == 404
    refused = Client().post(reverse("join"), {"table": "1", "pin": pin})
    assert refused.status_code == 422
    assert "終了した大会" in refused.content.decode()
    for page in ("", "play/", "take-over/", "rounds/1/"):
        answer = client.get(f"{sitting.get_absolute_url()}{page}")
        assert answer.status_code == 404, page
        assert "over.html" in [template.name for template in answer.templates], page
        stranger = Client().get(f"{sitting.get_absolute_url()}{page}")
        assert "over.html" not in [template.name for template in stranger.templates], page


def test_a_phone_is_led_to_the_standings_that_everybody_may_see(
    client: Client, sitting: Sitting
) -> None:
    client.get(reverse("join-table", args=[sitting.token]))
    tournament = sitting.session.tournament
    end(tournament)
    standings = reverse("standings", args=[tournament.slug])
    play = f"{sitting.get_absolute_url()}play/"
    assert standings not in client.get(play).content.decode()
    Tournament.objects.update(showing=Tournament.Showing.LIVE)
    assert standings in client.get(play).content.decode()
    assert client.get(standings).status_code == 200


@ENDINGS
def test_programs_and_phones_are_told_that_the_event_is_over(
    client: Client, sitting: Sitting, over: Callable[[Tournament], None]
) -> None:
    program = api.phone(sitting)
    client.get(reverse("join-table", args=[sitting.token]))
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


def test_a_phone_whose_link_alone_is_closed_is_told_that(client: Client, sitting: Sitting) -> None:
    client.get(reverse("join-table", args=[sitting.token]))
    links.revoke(sitting, by=cast.SOMEBODY)
    answer: Any = client.get(f"/api/sittings/{sitting.pk}")
    assert api.code(answer) == (401, "phone_ended")
    page = cast.in_english(client).get(f"{sitting.get_absolute_url()}play/")
    assert (page.status_code, "This link is closed" in page.content.decode()) == (404, True)


def test_nothing_new_begins_in_a_closed_event(sitting: Sitting) -> None:
    tournament = sitting.session.tournament
    end(tournament)
    everybody = list(tournament.entries.all())
    before = Act.objects.count()
    for begin in (
        lambda: links.make_link(sitting, by=cast.SOMEBODY),
        lambda: links.make_pin(sitting, by=cast.SOMEBODY),
        lambda: registration.add_entries(tournament, [{"name": "新人"}], by=cast.SOMEBODY),
        lambda: registration.open_session(tournament, [everybody], by=cast.SOMEBODY),
    ):
        with pytest.raises(EventClosed):
            begin()
    assert Act.objects.count() == before


def test_what_was_typed_for_a_closed_event_is_not_lost(
    director: Client, sitting: Sitting, tournament: Tournament
) -> None:
    end(tournament)
    pasted = director.post(reverse("entries", args=[tournament.slug]), {"people": "成田 イト"})
    assert (pasted.status_code, "成田 イト" in pasted.content.decode()) == (409, True)
    seating = reverse("seat-session", args=[tournament.slug])
    typed = {"number": "2", "tables": " ".join(cast.keys(sitting))}
    assert director.post(seating, typed).status_code == 422
    assert director.get(seating)["Location"] == reverse("close", args=[tournament.slug])
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
    assert publications.publish(tournament, by=by).number == 1


# Closing and opening again


def test_closing_leaves_one_act_however_many_tables(tournament: Tournament) -> None:
    entries = cast.make_entries(tournament, 30)
    for _ in range(2):
        seated = [entries[i : i + 6] for i in range(0, 30, 6)]
        registration.open_session(tournament, seated, by=cast.SOMEBODY)
    for sitting in Sitting.objects.all():
        joining.join(sitting.token)
    before = Act.objects.count()
    with CaptureQueriesContext(connection) as queries:
        end(tournament)
    assert len(queries) < 15
    assert Act.objects.count() == before + 1
    tournament.refresh_from_db()
    act = Act.objects.get(kind=Act.Kind.CLOSED)
    assert act.at == tournament.closed_at
    assert not Sitting.objects.filter(closed_at=None).exists()
    assert not Sitting.objects.exclude(pin="").exists()
    assert not TableSession.objects.filter(ended_at=None).exists()


def test_closing_twice_is_closing_once(sitting: Sitting) -> None:
    tournament = sitting.session.tournament
    for _ in range(2):
        end(tournament)
    for _ in range(2):
        closing.reopen(tournament, by=cast.SOMEBODY)
    kinds = list(Act.objects.order_by("number").values_list("kind", flat=True))
    assert kinds[-2:] == ["closed", "reopened"]
    assert (kinds.count("closed"), kinds.count("reopened")) == (1, 1)


def test_opened_again_the_old_links_stay_closed_and_new_ones_open(sitting: Sitting) -> None:
    tournament = sitting.session.tournament
    old = sitting.token
    end(tournament)
    closing.reopen(tournament, by=cast.SOMEBODY)
    with pytest.raises(joining.NoSuchLink):
        joining.join(old)
    token = links.make_link(sitting, by=cast.SOMEBODY)
    assert joining.join(token).phone.is_writer


def test_a_club_s_table_is_never_over(client: Client, db: None) -> None:
    started = client.post(reverse("start-table", args=["goninkan-association"]))
    sitting = Sitting.objects.get()
    assert started["Location"] == sitting.get_absolute_url()
    tournament = sitting.session.tournament
    forget(tournament, ago=timedelta(days=400))
    end(tournament)
    assert client.get(f"{sitting.get_absolute_url()}play/").status_code == 200
    assert not Act.objects.filter(kind=Act.Kind.CLOSED).exists()


# By itself


@pytest.mark.parametrize(
    ("day", "last_act", "is_over"),
    [(8, 8, True), (8, 6, False), (6, 8, False), (0, 400, False), (-30, 400, False)],
)
def test_it_is_over_a_week_after_its_day_and_its_last_act(
    sitting: Sitting, day: int, last_act: int, *, is_over: bool
) -> None:
    tournament = sitting.session.tournament
    forget(tournament, ago=timedelta(days=last_act))
    Tournament.objects.update(held_on=timezone.localdate() - timedelta(days=day))
    assert closing.is_over(tournament) is is_over


def test_a_new_link_wakes_a_forgotten_event(sitting: Sitting) -> None:
    joined = joining.join(sitting.token)
    forget(sitting.session.tournament)
    assert joining.phone_of(joined.secret) is None
    other = cast.make_sitting()  # another event wakes nothing
    links.make_pin(other, by=cast.SOMEBODY)
    assert joining.phone_of(joined.secret) is None
    links.make_pin(sitting, by=cast.SOMEBODY)
    assert joining.phone_of(joined.secret) is not None


def test_a_phone_is_known_by_one_query(sitting: Sitting) -> None:
    secret = joining.join(sitting.token).secret
    with CaptureQueriesContext(connection) as queries:
        assert joining.phone_of(secret) is not None
    assert len(queries) == 1


# At the same moment


@pytest.mark.usefixtures("shared_database")
def test_a_round_is_stored_before_the_closing_or_refused() -> None:
    tournament = cast.make_tournament(rounds_per_session=None)
    entries = cast.make_entries(tournament, 42)
    seated = [entries[i : i + 6] for i in range(0, 42, 6)]
    tables = registration.open_session(tournament, seated, by=cast.SOMEBODY).sittings.all()
    playing = [(table, api.phone(table), cast.plain_round(table)) for table in tables]

    def write(number: int) -> object:
        if number == len(playing):
            while Round.objects.count() < len(playing):  # in the middle of it
                connection.close()
            return closing.close(tournament, by=cast.SOMEBODY)
        table, phone, facts = playing[number]
        said = []
        for round_ in range(1, 9):
            address = f"/api/sittings/{table.pk}/rounds/{round_}"
            answer = phone.put(address, {"facts": facts, "seen": 0})
            said.append((answer.status_code, api.told(answer).get("code")))
        return said

    *answers, closed = race(len(playing) + 1, write)
    assert closed is None
    for (table, _phone, _facts), said in zip(playing, answers, strict=True):
        assert isinstance(said, list), said
        stored = [status for status, _ in said if status == 201]
        assert table.rounds.count() == len(stored)
        assert said[len(stored) :] == [(401, "event_over")] * (8 - len(stored))
    at = Act.objects.get(kind=Act.Kind.CLOSED).number
    assert not Act.objects.filter(kind=Act.Kind.ROUND_RECORDED, number__gt=at).exists()


@pytest.mark.django_db(transaction=True)
def test_a_backup_is_taken_once_it_is_closed(
    shared_database: None, settings: Settings, tmp_path: Path
) -> None:
    settings.BACKUPS_DIR = tmp_path / "backups"
    closing.close(cast.make_tournament(), by=cast.SOMEBODY)
    backing_up.wait()
    reasons = [each.manifest.reason for each in backups.listed() if each.manifest]
    assert reasons == ["after-closing"]


# The pages


def test_the_page_says_what_is_still_open(
    director: Client, tournament: Tournament, sitting: Sitting, address: str
) -> None:
    Tournament.objects.update(accepting="same")
    tournament.refresh_from_db()
    cast.record(sitting, by=cast.AT_THE_TABLE)
    unfinished = cast.plain_round(sitting) | {
        "deals": [{"kankei": 9, "mukankei": 4}],
    }
    publications.publish(tournament, by=cast.SOMEBODY)
    cast.record(sitting, unfinished, number=2)
    cast.make_call(sitting)
    cast.make_disagreement(sitting)
    found = {end.code: end.number for end in loose_ends(tournament)}
    assert found == dict.fromkeys(
        ("under_way", "missing", "calls", "disagreements", "unaccepted", "unannounced"), 1
    )
    assert len(director.get(address).context["loose_ends"]) == 6


def test_totals_that_are_not_in_are_open_too(tournament: Tournament) -> None:
    tournament.totals_only = True
    tournament.rounds_per_session = None
    tournament.save()
    cast.make_sitting(tournament)
    assert [(end.code, end.number) for end in loose_ends(tournament)] == [("missing", 1)]


def test_the_director_closes_and_opens_again(
    director: Client, tournament: Tournament, sitting: Sitting, address: str
) -> None:
    overview = reverse("tournament", args=[tournament.slug])
    refused = director.post(address, {"do": "close"})  # a table has not played yet
    assert (refused.status_code, refused.context["is_refused"]) == (422, True)
    assert not closing.is_over(tournament)
    director.post(address, {"do": "close", "despite": "yes"})
    assert closing.is_over(tournament)
    assert director.get(overview).context["next_step"] == "closed"
    assert director.get(address).context["tournament"].closed_at is not None
    director.post(address, {"do": "reopen"})
    assert not closing.is_over(tournament)
    assert director.get(overview).context["next_step"] != "closed"


def test_everybody_sees_that_it_is_closed(director: Client, tournament: Tournament) -> None:
    cast.make_sitting(tournament)
    publications.publish(tournament, by=cast.SOMEBODY)
    end(tournament)
    for browser in (Client(), director):
        for page in (reverse("home"), reverse("tournament", args=[tournament.slug])):
            shown = browser.get(page)
            assert "_partials/closed.html" in [each.name for each in shown.templates]


def test_closing_changes_nothing_of_what_was_announced(sitting: Sitting) -> None:
    """That play has ended is no result: else an event would go on for ever in everybody's list."""
    tournament = sitting.session.tournament
    cast.record(sitting)
    publications.publish(tournament, by=cast.SOMEBODY)
    told, *results = (
        reverse(name, args=[tournament.slug])
        for name in ("api-tournament", "api-standings", "standings-workbook")
    )
    before, shown = Client().get(told).json(), [Client().get(each).content for each in results]
    end(tournament)
    after = Client().get(told).json()
    assert after | {"closed_at": None} == before
    assert after["closed_at"] is not None
    assert [Client().get(each).content for each in results] == shown


def test_programs_close_and_open_it_too(tournament: Tournament) -> None:
    program = api.staff(cast.make_staff(tournament, "api-director", "director"))
    at = f"/api/tournaments/{tournament.slug}"
    assert program.get(at)["closed_at"] is None
    closed = api.told(program.post(f"{at}/close"))["closed_at"]
    assert closed is not None
    assert api.told(program.post(f"{at}/close"))["closed_at"] == closed
    assert api.told(program.post(f"{at}/reopen"))["closed_at"] is None


def test_it_verifies_afterwards(sitting: Sitting) -> None:
    from tournaments.verifying import verify  # noqa: PLC0415

    tournament = sitting.session.tournament
    end(tournament)
    assert verify(tournament) == []
