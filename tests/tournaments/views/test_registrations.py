"""The staff's pages of registration: deciding applications, and the settings."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests import cast
from tests.cast import SOMEBODY
from tournaments.models import Registration, Tournament
from tournaments.queries.registrations import MOST_IN_A_LINK, Mailing
from tournaments.services import closing, registrations
from tournaments.views import registrations as views

pytestmark = pytest.mark.django_db


@pytest.fixture
def director(director: Client) -> Client:
    return cast.in_english(director)


def url(tournament: Tournament, name: str = "registrations") -> str:
    return reverse(name, args=[tournament.slug])


def test_director_opens_registration_and_approves_several(
    tournament: Tournament, director: Client
) -> None:
    settings = url(tournament, "registration-settings")
    typed = {"seen": "0", "is_open": "on", "capacity": "2", "approval": "by_hand"}
    typed |= {"closes_at": "2031-01-31T18:00", "text": "会費"}
    typed |= {"division-TOTAL_FORMS": "3", "division-INITIAL_FORMS": "0"}
    typed |= {"division-0-name": "一般", "division-0-places": "2", "division-2-name": "一般"}
    assert "appears twice" in director.post(settings, typed).text
    typed["division-2-name"] = "初心者"
    assert director.post(settings, typed).status_code == 302
    assert director.post(settings, {**typed, "capacity": "3"}).status_code == 409
    tournament.refresh_from_db()
    assert tournament.registration_settings.divisions == ("一般", "初心者")
    assert tournament.registration_settings.capacities == {"一般": 2}
    for key in "abc":
        contact = f"090-4711-0815 <{key}@example.org>" if key != "c" else "090-4711-0815"
        cast.register(tournament, key, name=f"申込 {key}", division="一般", contact=contact)
    page = director.get(url(tournament)).text
    assert "a@example.org, b@example.org</textarea>" in page
    assert "mailto:?bcc=a@example.org,b@example.org" in page
    many = [f"{number}@example.org" for number in range(MOST_IN_A_LINK + 1)]
    assert Mailing(Registration.State.APPROVED, many, []).link == ""
    helper = cast.browser_of(cast.make_staff(tournament, "scorekeeper"))
    assert "mailto:" not in helper.get(url(tournament)).text
    assert reverse("register", args=[tournament.slug]) in page
    assert "090-4711-0815" in page
    assert "3 applications wait for approval" in director.get(url(tournament, "entries")).text
    wanted = {"state": "approved", "ticked": ["1.pending", "2.pending"]}
    for _ in range(2):
        assert director.post(url(tournament), wanted).status_code == 302
    assert [entry.name for entry in tournament.entries.all()] == ["申込 a", "申込 b"]
    more = director.post(url(tournament), {"state": "approved", "ticked": ["3.pending"]})
    assert more.status_code == 409
    assert "not enough free places" in more.text
    assert 'value="3.pending" checked' in more.text
    assert "Application 3" in director.get(url(tournament, "history")).text
    assert "1 application waits" in director.get(tournament.get_absolute_url()).text


def test_earlier_player_is_proposed_and_fills_in_what_is_lacking(
    tournament: Tournament, director: Client
) -> None:
    earlier = cast.make_tournament(name="去年の大会")
    cast.make_entries(earlier, 1, name="山田 太郎", reading="やまだ たろう")
    earlier.memberships.create(user=User.objects.get(username="director"), role="director")
    cast.open_registration(tournament)
    cast.register(tournament, name="山田太郎", reading="ヤマダタロウ")
    page = director.get(url(tournament)).text
    assert "去年の大会" in page
    pk = earlier.entries.get().pk
    taken = {"state": "approved", "ticked": "1.pending", "take_over": f"1.{pk}"}
    assert director.post(url(tournament), taken).status_code == 302
    assert tournament.entries.get().club == "なかよし村"


def test_player_who_withdrew_is_removed_by_the_director(
    tournament: Tournament, director: Client
) -> None:
    cast.open_registration(tournament, is_automatic=True, capacity=1)
    row = cast.register(tournament, "a", name="申込 a")
    cast.register(tournament, "b", name="申込 b")
    registrations.withdraw_application(row, by=SOMEBODY)
    assert "1 player has withdrawn" in director.get(tournament.get_absolute_url()).text
    assert "still among the players" in director.get(url(tournament)).text
    closing.close(tournament, by=SOMEBODY)
    assert director.post(url(tournament), {"remove": "1"}).status_code == 302
    assert not tournament.entries.exists()
    director.post(url(tournament, "close"), {"do": "reopen"})
    assert [entry.name for entry in tournament.entries.all()] == ["申込 b"]


def test_deleting_a_player_tells_who_is_next(tournament: Tournament, director: Client) -> None:
    cast.open_registration(tournament, is_automatic=True, capacity=1)
    for key in "ab":
        cast.register(tournament, key, name=f"申込 {key}")
    edit = reverse("edit-entry", args=[tournament.slug, 1])
    assert "2 申込 b" in director.post(edit, {"delete": ""}, follow=True).text


def test_many_applications_are_listed_in_pages_and_declined_at_once(
    tournament: Tournament, director: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(views, "FIRST_ROWS", 2)
    monkeypatch.setattr(views, "ROWS_A_PAGE", 3)
    cast.open_registration(tournament)
    for key in "abcde":
        cast.register(tournament, key, name=f"申込 {key}")
    first = director.get(url(tournament)).text
    assert first.count('name="ticked"') == 2
    assert "?state=pending" in first
    one_state = {"state": "pending"}
    pages = [director.get(url(tournament), {**one_state, "page": page}).text for page in "12"]
    assert [page.count('name="ticked"') for page in pages] == [3, 2]
    ticked = {"state": "approved", "ticked": ["5.pending"]}
    answer = director.post(f"{url(tournament)}?state=pending&page=2", ticked)
    assert answer.headers["Location"].endswith("?state=pending&page=2")
    assert 'value="pending.4"' in director.get(url(tournament)).text
    cast.register(tournament, "f", name="申込 f")  # after the page was opened
    told = director.post(url(tournament), {"decline_all": "pending.4"}, follow=True).text
    assert "4 applications declined" in told
    states = tournament.registrations.values_list("state", flat=True)
    assert list(states) == ["declined"] * 4 + ["approved", "pending"]
    assert director.post(url(tournament), {"decline_all": "approved.9"}).status_code == 404


def test_application_withdrawn_meanwhile_is_not_approved(
    tournament: Tournament, director: Client
) -> None:
    cast.open_registration(tournament)
    registrations.withdraw_application(cast.register(tournament, contact="090-1"), by=SOMEBODY)
    for ticked in ("1.pending", "9.pending"):
        answer = director.post(url(tournament), {"state": "approved", "ticked": ticked})
        assert answer.status_code == 409
        assert "changed since you opened" in answer.text
    row = Registration.objects.get()
    assert (row.state, row.contact) == ("withdrawn", "090-1")
    assert "1 contact erased" in director.post(url(tournament), {"erase": ""}, follow=True).text
    row.refresh_from_db()
    assert row.contact == ""
