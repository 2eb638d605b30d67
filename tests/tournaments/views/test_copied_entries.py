"""Copying players of another tournament, and setting up a tournament like an earlier one."""

import datetime as dt
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests import cast, stages
from tests.cast import SOMEBODY
from tests.races import run_before
from tests.tournaments.views.test_tournaments_created import typed
from tournaments import verification
from tournaments.models import Entry, Membership, Tournament
from tournaments.models.entry_fields import MOST_ENTRIES
from tournaments.models.registration_settings import RegistrationSettings
from tournaments.queries.presence import Status
from tournaments.services import closing, publications, registrations
from tournaments.services.entries import add_entries
from tournaments.services.presence import mark_presence
from tournaments.services.ranking import set_ranking
from tournaments.services.staff import give_role
from tournaments.services.substitutions import add_substitute
from tournaments.services.tournaments import create_tournament
from tournaments.views import copied_entries

PEOPLE: list[dict[str, Any]] = [
    {"name": "成田 キヨ", "reading": "なりた きよ", "club": "なかよし村", "division": "一般"},
    {"name": "工藤 正", "contact": "0173", "birth_year": 1950, "notes": "膝が悪い"},
    {"name": "神 文子", "club": "五所川原"},
]


@pytest.fixture
def last_year(director: Client, tournament: Tournament) -> Tournament:
    """Return another tournament of the same director, with three players."""
    made = Tournament(name="去年の大会", held_on=dt.date(2025, 11, 3), venue="体育館")
    made.rounds_per_session, made.accepting = 7, Tournament.Accepting.SAME
    create_tournament(made, tournament.rules, by=SOMEBODY)
    give_role(made, User.objects.get(username="director"), Membership.Role.SCOREKEEPER, by=SOMEBODY)
    add_entries(made, PEOPLE, by=SOMEBODY)
    return made


def address(tournament: Tournament, source: Tournament) -> str:
    return copied_entries.copy_entries_url(tournament, source)


def values(entry: Entry) -> dict[str, Any]:
    return {**entry.public_values(), **entry.private_values(), "number": 0}


def test_players_are_copied_with_all_their_fields_under_new_numbers(
    director: Client, tournament: Tournament, last_year: Tournament
) -> None:
    add_entries(tournament, [{"name": "先客"}], by=SOMEBODY)
    page = director.get(address(tournament, last_year))
    assert 'name="first_number" value="2"' in page.text
    for _pressed_twice in range(2):
        answer = director.post(address(tournament, last_year), {"last": 3, "first_number": 2})
        assert answer.headers["Location"] == reverse("entries", args=[tournament.slug])
    copied = list(tournament.entries.exclude(name="先客"))
    assert [entry.number for entry in copied] == [2, 3, 4]
    assert [values(entry) for entry in copied] == [
        values(entry) for entry in last_year.entries.all()
    ]


def test_who_is_there_already_is_ticked_and_who_is_ticked_is_left_out(
    director: Client, tournament: Tournament, last_year: Tournament
) -> None:
    add_entries(tournament, [{"name": "成田　キヨ", "club": "なかよし村"}], by=SOMEBODY)
    page = director.get(address(tournament, last_year))
    assert page.context["form"]["leave_out"].initial == ["1"]
    director.post(address(tournament, last_year), {"last": 3, "leave_out": ["1", "3"]})
    assert [entry.name for entry in tournament.entries.all()] == ["成田　キヨ", "工藤 正"]


def test_who_was_there_only_as_a_substitute_is_left_out_unless_chosen(
    director: Client, tournament: Tournament, last_year: Tournament
) -> None:
    """Chosen, they are players like everybody else."""
    away = last_year.entries.get(number=1)
    mark_presence(away, 1, Status.ABSENT, seen_status=Status.EXPECTED, by=SOMEBODY)
    add_substitute(away, 1, {"name": "代理 花子"}, by=SOMEBODY)
    page = director.get(address(tournament, last_year))
    form = page.context["form"]
    assert form["leave_out"].initial == ["4"]
    assert "代理だけで出た人" in page.text
    director.post(
        address(tournament, last_year), {"last": 4, "leave_out": form["leave_out"].initial}
    )
    assert [entry.name for entry in tournament.entries.all()] == [each["name"] for each in PEOPLE]
    director.post(address(tournament, last_year), {"last": 4, "leave_out": ["1", "2", "3"]})
    chosen = tournament.entries.get(name="代理 花子")
    assert not chosen.is_substitute


def test_a_namesake_of_another_club_is_copied_and_asked_about(
    director: Client, tournament: Tournament, last_year: Tournament
) -> None:
    add_entries(tournament, [{"name": "成田 キヨ", "club": "弘前"}], by=SOMEBODY)
    answer = director.post(address(tournament, last_year), {"last": 3})
    assert answer.headers["Location"].endswith("?duplicates=2")


def test_players_added_to_the_other_tournament_meanwhile_are_not_copied_unseen(
    director: Client, tournament: Tournament, last_year: Tournament
) -> None:
    add_entries(last_year, [{"name": "知らない人"}], by=SOMEBODY)
    director.post(address(tournament, last_year), {"last": 3})
    assert not tournament.entries.filter(name="知らない人").exists()


@pytest.mark.parametrize("sent", [{"last": 3, "leave_out": ["1", "2", "3"]}, {}, {"last": "x"}])
def test_without_anybody_to_copy_the_page_is_shown_again(
    director: Client, tournament: Tournament, last_year: Tournament, sent: dict[str, Any]
) -> None:
    answer = director.post(address(tournament, last_year), sent)
    assert answer.status_code == 422
    assert answer.context["form"].errors
    assert not tournament.entries.exists()


def test_too_many_players_are_refused(
    director: Client, tournament: Tournament, last_year: Tournament
) -> None:
    Entry.objects.create(tournament=tournament, number=MOST_ENTRIES - 2, name="last but two")
    answer = director.post(address(tournament, last_year), {"last": 3})
    assert answer.status_code == 422
    assert tournament.entries.count() == 1


def test_only_the_staff_of_the_other_tournament_copies_from_it(
    director: Client, tournament: Tournament, last_year: Tournament
) -> None:
    last_year.memberships.all().delete()
    assert director.get(address(tournament, last_year)).status_code == 404
    assert director.post(address(tournament, last_year), {"last": 3}).status_code == 404
    page = director.get(reverse("copy-entries", args=[tournament.slug]))
    assert page.status_code == 200
    assert last_year.name not in page.text


def test_tournaments_to_copy_from_are_listed(
    director: Client, tournament: Tournament, last_year: Tournament
) -> None:
    page = director.get(reverse("copy-entries", args=[tournament.slug]))
    assert list(page.context["sources"]) == [last_year]


def test_event_closed_meanwhile_refuses(
    director: Client,
    tournament: Tournament,
    last_year: Tournament,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def close() -> None:
        closing.close(tournament, by=SOMEBODY)

    run_before(monkeypatch, copied_entries, "import_entries", close)
    answer = cast.in_english(director).post(address(tournament, last_year), {"last": 3})
    assert answer.status_code == 409
    assert "The tournament is closed. Reopen it first." in answer.text


def test_a_tournament_like_an_earlier_one_proposes_its_settings_then_its_players(
    creator: Client, last_year: Tournament
) -> None:
    user = User.objects.get(username="creator")
    give_role(last_year, user, Membership.Role.SCOREKEEPER, by=SOMEBODY)
    assert list(creator.get(reverse("choose-rules")).context["earlier"]) == [last_year]
    new = reverse("create-tournament", args=[last_year.rule_set]) + f"?like={last_year.slug}"
    initial = creator.get(new).context["form"].initial
    assert initial["rounds_per_session"] == 7
    assert initial["accepting"] == Tournament.Accepting.SAME
    assert initial["venue"] == "体育館"
    answer = creator.post(new, typed(name="今年の大会"))
    made = Tournament.objects.get(name="今年の大会")
    assert answer.headers["Location"] == address(made, last_year)
    assert made.pk != last_year.pk


def test_a_copy_has_stages_ranking_and_public_seats_but_no_results(
    creator: Client, last_year: Tournament
) -> None:
    user = User.objects.get(username="creator")
    give_role(last_year, user, Membership.Role.DIRECTOR, by=SOMEBODY)
    cast.record(cast.make_sitting(last_year))
    stages.make_confirmed(last_year, stages.plan(stages.WINNERS))
    publications.set_shows_seats(last_year, shows=True, by=SOMEBODY)
    steps = {"tie_breaks": ["points", "lot"], "lot_seed": "0a"}
    set_ranking(last_year, steps, seen_version=0, by=SOMEBODY)
    wanted = RegistrationSettings(is_open=True, closes_at=timezone.now(), capacity=40)
    registrations.set_registration(last_year, wanted, seen_version=0, by=SOMEBODY)
    closing.close(last_year, by=SOMEBODY)
    address_of_new = f"{reverse('create-tournament', args=[last_year.rule_set])}?like="
    closed = creator.get(last_year.get_absolute_url()).text
    assert f'href="{address_of_new}{last_year.slug}"' in closed
    creator.post(address_of_new + last_year.slug, typed(name="今年の大会"))
    made = Tournament.objects.get(name="今年の大会")
    assert made.shows_seats
    assert made.showing == Tournament.Showing.STAFF
    assert made.ranking["tie_breaks"] == ["points", "lot"]
    assert made.ranking["lot_seed"] != "0a"
    final = made.stages.get()
    assert (final.name, final.carry, final.is_confirmed) == ("決勝", "half", False)
    assert made.registration_settings == RegistrationSettings(capacity=40)
    assert not made.sessions.exists()
    assert made.name not in Client().get(reverse("home")).text
    assert verification.verify(made) == []


def test_a_tournament_of_others_is_not_repeated(creator: Client, last_year: Tournament) -> None:
    new = reverse("create-tournament", args=[last_year.rule_set]) + f"?like={last_year.slug}"
    assert creator.get(new).context["form"].initial["rounds_per_session"] != 7
