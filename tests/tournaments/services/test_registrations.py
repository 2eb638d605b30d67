"""Applications to play: the waiting list, places, repeats, and what directors decide."""

from __future__ import annotations

from contextlib import nullcontext
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from tests import cast
from tests.cast import SOMEBODY
from tournaments import verification
from tournaments.models import Registration, Tournament
from tournaments.models.registration_settings import RegistrationSettings
from tournaments.queries.registrations import (
    applicant_of,
    applicants_of,
    code_of,
    open_applications,
    vacancies_of,
)
from tournaments.services import closing, contacts, entries, registrations, versions
from tournaments.services.idempotency import KeyReused
from tournaments.services.registrations import Decision

pytestmark = pytest.mark.django_db


def decide(tournament: Tournament, state: str, *numbers: int, seen: str = "pending") -> int:
    wanted = [Decision(number, seen) for number in numbers]
    return len(registrations.decide(tournament, wanted, state, by=SOMEBODY))


def states(tournament: Tournament) -> list[str]:
    return [each.state.value for each in applicants_of(tournament)]


def test_same_application_under_the_same_key_is_stored_once(tournament: Tournament) -> None:
    cast.open_registration(tournament)
    first = cast.register(tournament, "a", name="山田", contact="x")
    assert cast.register(tournament, "a", name="山田", contact="x") == first
    with pytest.raises(KeyReused):
        cast.register(tournament, "a", name="木村", contact="x")
    assert Registration.objects.count() == 1
    closing.close(tournament, by=SOMEBODY)
    assert cast.register(tournament, "a", name="山田", contact="x") == first
    assert verification.verify(tournament) == []


def test_nobody_registers_before_it_opens_or_after_it_ends(tournament: Tournament) -> None:
    ended = timezone.now() - timedelta(minutes=1)
    for settings in (None, {"is_open": False}, {"closes_at": ended}):
        if settings is not None:
            cast.open_registration(tournament, **settings)
        with pytest.raises(registrations.RegistrationClosed):
            cast.register(Tournament.objects.get(pk=tournament.pk))
    cast.open_registration(tournament)
    Tournament.objects.filter(pk=tournament.pk).update(held_on=ended.date() - timedelta(days=2))
    with pytest.raises(registrations.RegistrationClosed):
        cast.register(tournament)
    closing.close(tournament, by=SOMEBODY)
    with pytest.raises(closing.EventClosed):
        cast.open_registration(tournament, is_open=False)


def test_automatic_approval_fills_the_places_and_then_the_waiting_list(
    tournament: Tournament,
) -> None:
    cast.make_entries(tournament, 1)
    cast.open_registration(tournament, is_automatic=True, capacity=2)
    rows = [cast.register(tournament, key, name=f"申込 {key}", contact=key) for key in "abcd"]
    assert states(tournament) == ["approved", "waiting", "waiting", "waiting"]
    entry = tournament.entries.get(number=2)
    assert (entry.name, entry.contact) == ("申込 a", "a")
    registrations.withdraw_application(rows[1], by=SOMEBODY)
    assert applicant_of(Registration.objects.get(number=3)).position == 1
    removed = registrations.remove_entries(tournament, [entry], by=SOMEBODY)
    assert [row.number for row in removed] == [3]
    assert states(tournament) == ["declined", "withdrawn", "approved", "waiting"]
    cast.open_registration(tournament, is_automatic=True, capacity=3)
    assert applicants_of(tournament)[3].player == tournament.entries.get(number=4)
    assert verification.verify(tournament) == []


def test_only_applications_with_the_code_are_approved_at_once(tournament: Tournament) -> None:
    cast.open_registration(tournament, is_automatic=True, capacity=2)
    person = cast.applicant()
    sent: list[dict[str, Any]] = [{}, {"code": "no code"}, {"is_at_venue": True}]
    for number, chosen in enumerate(sent):
        with nullcontext() if number != 1 else pytest.raises(registrations.WrongCode):
            key = str(number) * 24
            registrations.register(tournament, person, key=key, by=SOMEBODY, **chosen)
    assert states(tournament) == ["pending", "approved"]
    spaced = f" {code_of(tournament)[:4].upper()} {code_of(tournament)[4:]}"
    registrations.register(tournament, person, key="s" * 24, by=SOMEBODY, code=spaced)
    assert states(tournament) == ["pending", "approved", "approved"]
    old_code = code_of(tournament)
    cast.open_registration(tournament, is_automatic=True, code_number=1)
    with pytest.raises(registrations.WrongCode):
        registrations.register(tournament, person, key="o" * 24, by=SOMEBODY, code=old_code)
    decide(tournament, "approved", 1)
    assert verification.verify(tournament) == []


def test_open_applications_are_limited_with_more_room_for_those_with_the_code(
    tournament: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registrations, "MOST_OPEN_WITHOUT_CODE", 2)
    monkeypatch.setattr(registrations, "MOST_OPEN", 3)
    cast.open_registration(tournament)

    def stranger(key: str) -> Registration:
        return registrations.register(tournament, cast.applicant(), key=key * 24, by=SOMEBODY)

    for key in "ab":
        stranger(key)
    with pytest.raises(registrations.TooManyRegistrations):
        stranger("c")
    assert cast.register(tournament, "d").number == 3
    with pytest.raises(registrations.TooManyRegistrations):
        cast.register(tournament, "e")
    declined = registrations.decline_all(tournament, "pending", last=2, by=SOMEBODY)
    assert [row.number for row in declined] == [1, 2]
    assert states(tournament) == ["declined", "declined", "pending"]
    assert stranger("f").number == 4
    assert verification.verify(tournament) == []


def test_division_has_places_and_a_waiting_list_of_its_own(tournament: Tournament) -> None:
    chosen = {"is_automatic": True, "capacity": 3, "capacities": {"一般": 1}}
    chosen["divisions"] = ("一般", "初心者")
    cast.open_registration(tournament, **chosen)
    for key, division in zip("abcdef", ("一般",) * 3 + ("初心者",) * 3, strict=True):
        cast.register(tournament, key, name=key, division=division)
    assert states(tournament) == [
        "approved",
        "waiting",
        "waiting",
        "approved",
        "approved",
        "waiting",
    ]
    assert [each.position for each in applicants_of(tournament)] == [None, 1, 2, None, None, 1]
    last = Registration.objects.get(number=6)
    assert (applicant_of(last).position, applicant_of(last).waiting_list) == (1, "")
    cast.open_registration(tournament, **chosen, is_open=False)  # still filled
    for number, next_in_line in ((1, [2]), (2, [6])):
        player = tournament.entries.get(number=number)
        removed = registrations.remove_entries(tournament, [player], by=SOMEBODY)
        assert [row.number for row in removed] == next_in_line
    Tournament.objects.update(held_on=timezone.localdate() - timedelta(days=1))
    player = tournament.entries.get(number=4)
    assert registrations.remove_entries(tournament, [player], by=SOMEBODY) == []
    assert verification.verify(tournament) == []


def test_director_approves_no_more_of_a_division_than_its_places(tournament: Tournament) -> None:
    divisions = ("一般", "初心者")
    cast.open_registration(tournament, capacities={"初心者": 9, "一般": 1}, divisions=divisions)
    assert list(vacancies_of(tournament).divisions) == [*divisions]
    for key in "ab":
        cast.register(tournament, key, name=key, division="一般")
    with pytest.raises(registrations.NoVacancy):
        decide(tournament, "approved", 1, 2)
    decide(tournament, "approved", 1)
    assert cast.register(tournament, "c", name="c", division="一般").state == "waiting"
    assert cast.register(tournament, "d", name="d", division="初心者").state == "pending"
    decide(tournament, "waiting", 2)
    assert open_applications(tournament) == (1, 0, 0)
    registrations.remove_entries(tournament, [tournament.entries.get()], by=SOMEBODY)
    assert open_applications(tournament) == (1, 0, 1)  # one of the two
    found = [
        cast.register(tournament, key, division=own)
        for key, own in zip("ef", divisions, strict=True)
    ]
    assert [row.state for row in found] == ["waiting", "pending"]  # the place free is another's


def test_director_approves_by_hand_up_to_the_places(tournament: Tournament) -> None:
    cast.open_registration(tournament, capacity=2)
    for key in "abc":
        cast.register(tournament, key, name=key)
    assert states(tournament) == ["pending"] * 3
    with pytest.raises(registrations.NoVacancy):
        decide(tournament, "approved", 1, 2, 3)
    assert decide(tournament, "approved", 1, 2) == 2
    assert decide(tournament, "approved", 1, 2) == 0  # sent again
    assert cast.register(tournament, "d").state == "waiting"
    assert decide(tournament, "waiting", 3) == 1
    assert [each.position for each in applicants_of(tournament)] == [None, None, 1, 2]
    assert open_applications(tournament) == (0, 0, 0)


def test_decision_about_an_application_withdrawn_meanwhile_stores_nothing(
    tournament: Tournament,
) -> None:
    cast.open_registration(tournament)
    first, second = (cast.register(tournament, key, name=key) for key in "ab")
    registrations.withdraw_application(second, by=SOMEBODY)
    last = tournament.audit_entries.count()
    registrations.withdraw_application(second, by=SOMEBODY)
    with pytest.raises(registrations.RegistrationChanged):
        decide(tournament, "approved", first.number, second.number)
    assert tournament.audit_entries.count() == last
    assert states(tournament) == ["pending", "withdrawn"]


def test_who_waited_for_the_director_is_not_approved_by_the_switch_to_automatic(
    tournament: Tournament,
) -> None:
    cast.open_registration(tournament, capacity=1)
    cast.register(tournament, "a", name="a")
    decide(tournament, "approved", 1)
    for key in "bc":
        cast.register(tournament, key, name=key)
    decide(tournament, "declined", 3, seen="waiting")
    assert states(tournament) == ["approved", "waiting", "declined"]
    cast.open_registration(tournament, is_automatic=True, capacity=3)
    assert states(tournament) == ["approved", "pending", "declined"]
    assert verification.verify(tournament) == []


def test_player_who_withdraws_stays_until_the_director_removes_them(
    tournament: Tournament,
) -> None:
    cast.open_registration(tournament, is_automatic=True)
    row = cast.register(tournament)
    registrations.withdraw_application(row, by=SOMEBODY)
    assert open_applications(tournament) == (0, 1, 0)
    assert vacancies_of(tournament).players == 1
    for _ in range(2):
        registrations.remove_player(Registration.objects.get(), by=SOMEBODY)
    assert open_applications(tournament) == (0, 0, 0)
    assert verification.verify(tournament) == []


def test_contacts_of_those_who_do_not_play_are_erased(tournament: Tournament) -> None:
    cast.open_registration(tournament)
    rows = [cast.register(tournament, key, name=key, contact=f"090-{key}") for key in "abcde"]
    registrations.withdraw_application(rows[0], by=SOMEBODY)
    decide(tournament, "declined", 2)
    decide(tournament, "approved", 3, 4)
    rows[3].refresh_from_db()
    registrations.remove_player(rows[3], by=SOMEBODY)
    assert [contacts.erase_contacts(tournament, by=SOMEBODY) for _ in range(2)] == [3, 0]
    kept = tournament.registrations.exclude(contact="").values_list("number", flat=True)
    assert list(kept) == [3, 5]
    assert cast.register(tournament, "a", name="a", contact="090-a").number == 1  # sent again
    decide(tournament, "waiting", 5)
    entries.correct_entry(tournament.entries.get(), {"contact": ""}, seen_version=0, by=SOMEBODY)
    closing.close(tournament, by=SOMEBODY)
    assert not tournament.registrations.exclude(contact="").exists()
    assert verification.verify(tournament) == []


@pytest.mark.parametrize(
    ("second", "is_double"),
    [
        ({"name": "山田太郎", "reading": "ヤマダタロウ"}, True),
        ({"name": "山田 太郎", "reading": ""}, True),
        ({"name": "山田 太郎", "reading": "やまだ たお"}, False),
        ({"name": "山田 次郎", "reading": "やまだ たろう"}, False),
    ],
)
def test_same_name_and_reading_is_marked_and_never_refused(
    tournament: Tournament, second: dict[str, str], *, is_double: bool
) -> None:
    cast.open_registration(tournament, is_automatic=True)
    cast.register(tournament, "a", name="山田 太郎", reading="やまだ たろう")
    assert cast.register(tournament, "b", **second).state == "approved"
    assert [each.is_double for each in applicants_of(tournament)] == [False, is_double]


def test_what_the_application_lacks_is_filled_in(tournament: Tournament) -> None:
    cast.open_registration(tournament)
    cast.register(tournament)
    wanted = [Decision(1, "pending", {"club": "なかよし村"})]
    registrations.decide(tournament, wanted, "approved", by=SOMEBODY)
    assert tournament.entries.get().club == "なかよし村"
    assert Registration.objects.get().club == ""


def test_settings_that_others_changed_are_not_overwritten(tournament: Tournament) -> None:
    cast.open_registration(tournament)
    wanted = tournament.registration_settings._replace(capacity=30)
    with pytest.raises(versions.VersionConflict):
        registrations.set_registration(tournament, wanted, seen_version=0, by=SOMEBODY)


def test_settings_with_the_same_end_in_another_time_zone_are_the_same(
    tournament: Tournament,
) -> None:
    ends = datetime(2031, 1, 31, 18, 0, tzinfo=UTC)
    cast.open_registration(tournament, closes_at=ends)
    same = RegistrationSettings(is_open=True, closes_at=timezone.localtime(ends))
    assert same.as_json() != tournament.registration
    registrations.set_registration(tournament, same, seen_version=0, by=SOMEBODY)
    assert tournament.audit_entries.filter(kind="registration_set").count() == 1
