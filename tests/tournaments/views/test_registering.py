"""The public pages of registration: applying, the applicant's own page, withdrawing."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests import cast
from tests.api import Program, base, code
from tests.cast import SOMEBODY
from tournaments.models import Registration, Tournament
from tournaments.permissions.daily_limits import REGISTRATIONS
from tournaments.queries.registrations import code_of, path_for_applicants
from tournaments.services import closing
from tournaments.services import registrations as service
from tournaments.spreadsheets.headings import Row
from tournaments.spreadsheets.people import read_person
from tournaments.views import home

pytestmark = pytest.mark.django_db

TYPED = {
    "name": "山田 太郎",
    "reading": "やまだ たろう",
    "contact": "090-4711-0815",
    "consent": "on",
}


@pytest.fixture
def tournament() -> Tournament:
    """An event of which only the registration is public."""
    tournament = cast.make_tournament(venue="立佞武多の館")
    cast.make_entries(tournament, 2, division="初心者")
    chosen = {"divisions": ("一般", "初心者"), "capacities": {"初心者": 1}, "capacity": 3}
    cast.open_registration(tournament, **chosen, text="参加費 千円")
    return tournament


@pytest.fixture
def phone() -> Client:
    return cast.in_english(Client())


def url(tournament: Tournament) -> str:
    return reverse("register", args=[tournament.slug])


def typed_form(phone: Client, tournament: Tournament, **others: str) -> dict[str, str]:
    """Return the data that the form of the page sends."""
    found = re.search(r'name="key" value="([^"]+)"', phone.get(url(tournament)).text)
    assert found
    return {**TYPED, "division": "一般", "key": found[1], **others}


def test_free_place_that_somebody_waits_for_is_told_as_such(
    phone: Client, director: Client
) -> None:
    """Without automatic approval, who waits gets a free place from the desk."""
    tournament = cast.make_tournament()
    chosen = {"divisions": ("一般", "初心者"), "capacities": {"初心者": 1}}
    cast.open_registration(tournament, **chosen, is_automatic=False)
    first = cast.register(tournament, "a", division="初心者")
    seen = [service.Decision(first.number, "pending")]
    service.decide(tournament, seen, "approved", by=SOMEBODY)
    cast.register(tournament, "b", name="木村", division="初心者")
    own = reverse("registration", args=[tournament.slug, "b" * 24])
    told = f"{base(tournament)}/register"
    assert "All places are taken" in phone.get(own).text
    assert "初心者 (full: waiting list)" in phone.get(url(tournament)).text
    first.refresh_from_db()
    service.withdraw_application(first, by=SOMEBODY)
    service.remove_player(first, by=SOMEBODY)
    waiting = phone.get(own).text
    assert "All places are taken" not in waiting
    assert "A place is free" in waiting
    page = phone.get(url(tournament)).text
    assert "full" not in page
    assert "others wait already: if you apply now, you go on the waiting list" in page
    assert "初心者 (waiting list)" in page
    assert phone.get(told).json()["full_divisions"] == ["初心者"]
    assert cast.register(tournament, "c", name="成田", division="初心者").state == "waiting"
    assert cast.register(tournament, "d", name="三上", division="一般").state == "pending"


@pytest.mark.both  # the query of the front page
def test_page_shows_name_date_and_classes_only(phone: Client, tournament: Tournament) -> None:
    text = phone.get(url(tournament)).text
    words = ("新春大会", "立佞武多の館", "一般", "参加費 千円", "There are 3 places")
    assert all(word in text for word in words)
    assert "初心者 (full: waiting list)" in text
    assert cast.NAMES[0] not in text
    assert phone.get(tournament.get_absolute_url()).status_code == 404
    assert url(tournament) in phone.get(reverse("home")).text


def test_front_page_shows_who_takes_applications_below_those_that_have_ended(
    phone: Client, tournament: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(home, "NEWEST_SHOWN", 1)
    now = timezone.now()
    later = cast.make_tournament(held_on=(now + timedelta(days=2)).date())
    cast.open_registration(later, closes_at=now - timedelta(minutes=1))
    page = phone.get(reverse("home")).text
    assert url(tournament) in page
    assert url(later) not in page


def test_form_sent_twice_is_one_application_with_a_page_of_its_own(
    phone: Client, tournament: Tournament
) -> None:
    form = typed_form(phone, tournament)
    first, second = (phone.post(url(tournament), form) for _ in range(2))
    assert first.headers["Location"] == second.headers["Location"]
    row = Registration.objects.get()
    assert row.division == "一般"
    own = cast.in_english(Client()).get(first.headers["Location"]).text
    assert "Please wait for approval" in own
    assert "data:image" in own
    (entry,) = tournament.audit_entries.filter(kind="registered")
    assert entry.who == "applicant"
    assert TYPED["contact"] not in str(entry.new)
    changed = phone.post(url(tournament), {**form, "name": "木村 勇"})
    assert changed.status_code == 409
    assert "木村 勇" in changed.text
    assert form["key"] not in changed.text


@pytest.mark.parametrize(
    "wrong",
    [{"name": ""}, {"consent": ""}, {"contact": ""}, {"division": "九段"}, {"key": "short"}],
)
def test_wrong_form_is_shown_again(
    phone: Client, tournament: Tournament, wrong: dict[str, str]
) -> None:
    answer = phone.post(url(tournament), typed_form(phone, tournament, **wrong))
    assert answer.status_code == 422
    assert "やまだ たろう" in answer.text
    assert not Registration.objects.exists()


def test_applicant_withdraws(phone: Client, tournament: Tournament) -> None:
    own = phone.post(url(tournament), typed_form(phone, tournament)).headers["Location"]
    for _ in range(2):
        assert "Withdrawn" in phone.post(own, follow=True).text
    assert Registration.objects.get().state == "withdrawn"
    assert phone.get(own.replace("register/", "register/x")).status_code == 404


def test_closed_registration_says_so_and_keeps_the_applicants_page(
    phone: Client, tournament: Tournament
) -> None:
    form = typed_form(phone, tournament)
    own = phone.post(url(tournament), form).headers["Location"]
    cast.open_registration(tournament, is_open=False)
    assert "not taking applications at the moment" in phone.get(url(tournament)).text
    late = phone.post(url(tournament), {**form, "key": "n" * 24})
    assert late.status_code == 409
    assert "やまだ たろう" in late.text
    assert phone.get(own).status_code == 200
    assert url(tournament) not in phone.get(reverse("home")).text
    closing.close(tournament, by=SOMEBODY)
    assert ["is over" in phone.get(page).text for page in (url(tournament), own)] == [True] * 2


@pytest.mark.parametrize("name", ["\u200b", "\u3164\u2060", "\u202eabc"], ids=ascii)
def test_name_that_cannot_be_read_is_refused(
    phone: Client, tournament: Tournament, name: str
) -> None:
    page = phone.post(url(tournament), typed_form(phone, tournament, name=name))
    assert (page.status_code, "invisible characters" in page.text) == (422, True)
    sent = {"key": "k" * 24, "name": name, "contact": "090", "consent": True, "division": "一般"}
    assert code(Program().post(f"/api/tournaments/{tournament.slug}/register", sent))[0] == 422
    problems = read_person(["name"], Row(1, [name]))[1]
    assert [problem.code for problem in problems] == ["missing"]


def test_code_of_the_poster_is_passed_on_and_approved_at_once(
    phone: Client, tournament: Tournament
) -> None:
    cast.open_registration(tournament, is_automatic=True)
    address = path_for_applicants(tournament)
    code = code_of(tournament)
    assert f'value="{code}"' in phone.get(address).text
    form = {**TYPED, "key": "k" * 24}
    wrong = phone.post(url(tournament), {**form, "invitation": "poster"})
    assert (wrong.status_code, "not the organiser’s code" in wrong.text) == (422, True)
    own = phone.post(url(tournament), {**form, "invitation": code}, follow=True)
    assert "You have a place" in own.text
    assert address in own.text
    late = phone.post(url(tournament), {**form, "key": "l" * 24}, follow=True)
    assert "Please wait for approval" in late.text


def test_one_phone_sends_so_many_applications_a_day(
    phone: Client, tournament: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(REGISTRATIONS, "limit", 1)
    first = typed_form(phone, tournament)
    for _ in range(2):  # a second click
        assert phone.post(url(tournament), first).status_code == 302
    second = phone.post(url(tournament), typed_form(phone, tournament))
    assert second.status_code == 429
    assert int(second.headers["Retry-After"]) > 0
