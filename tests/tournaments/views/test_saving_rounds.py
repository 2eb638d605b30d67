"""A round that comes second, twice, or from a phone that is no longer the writer."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests import cast
from tests.races import race, run_before
from tests.tournaments.views.test_rounds import THIRTEEN, address, only_first_deal
from tournaments.models import AuditEntry, Disagreement, Phone, Round, Sitting, Tournament
from tournaments.services import acceptances, submissions, table_links

OTHERWISE = THIRTEEN | {"kankei": ["3", "5"]}


def phone(sitting: Sitting) -> Client:
    browser = cast.in_english(Client())
    browser.get(reverse("join-table", args=[sitting.token]))
    return browser


def what_was_typed(answer: Any) -> tuple[Any, ...]:
    form = answer.context["form"]
    return tuple(form[name].value() for name in ("kankei", "deal_1_kankei", "deal_3_mukankei"))


TYPED = (["3", "5"], "9", "7")


def test_second_version_is_shown_beside_the_first_and_disputed(sitting: Sitting) -> None:
    table = phone(sitting)
    stored = cast.record(sitting)
    answer = table.post(address(sitting), OTHERWISE)
    assert answer.status_code == 409
    assert answer.context["stored"].row == stored
    assert what_was_typed(answer) == TYPED
    assert "The desk decides which of the two is right." in answer.text
    kept = Disagreement.objects.get()
    assert (kept.facts["kankei"], kept.phone) == (["3", "5"], Phone.objects.get())
    assert AuditEntry.objects.last().kind == AuditEntry.Kind.ROUND_DISPUTED  # type: ignore[union-attr]
    assert Round.objects.get() == stored


def test_repeated_second_version_is_disputed_once(sitting: Sitting) -> None:
    table = phone(sitting)
    cast.record(sitting)
    for _ in range(2):
        assert table.post(address(sitting), OTHERWISE).status_code == 409
    assert Disagreement.objects.count() == 1


def test_a_table_that_may_correct_can_save_over_what_it_was_shown(sitting: Sitting) -> None:
    table = phone(sitting)
    cast.record(sitting, by=cast.AT_THE_TABLE)
    answer = table.post(address(sitting), OTHERWISE)
    assert answer.status_code == 409
    again = OTHERWISE | {"seen": answer.context["form"]["seen"].value(), "reason": "counted anew"}
    assert table.post(address(sitting), again).status_code == 302
    assert Round.objects.get(version=2).facts["kankei"] == ["3", "5"]


def test_second_version_that_does_not_fit_is_stored_for_the_desk(sitting: Sitting) -> None:
    table = phone(sitting)
    cast.record(sitting)
    answer = table.post(address(sitting), OTHERWISE | {"deal_1_kankei": "99"})
    assert answer.status_code == 422
    assert what_was_typed(answer) == (["3", "5"], "99", "7")


def test_same_form_twice_gets_the_same_answer(sitting: Sitting) -> None:
    table = phone(sitting)
    first, second = (table.post(address(sitting), THIRTEEN) for _ in range(2))
    assert (first.status_code, first["Location"]) == (302, sitting.get_absolute_url())
    assert (second.status_code, second["Location"]) == (302, sitting.get_absolute_url())
    assert Round.objects.get().version == 1


def test_same_form_twice_gets_the_same_answer_for_the_desk(
    scorekeeper: Client, sitting: Sitting
) -> None:
    for typed in (only_first_deal(), THIRTEEN | {"seen": "1"}, OTHERWISE | {"seen": "2"}):
        told = [scorekeeper.post(address(sitting), typed | {"reason": "!"}) for _ in range(2)]
        assert told[0].status_code == told[1].status_code == 302
        assert told[0]["Location"] == told[1]["Location"]
    assert [row.version for row in Round.objects.all()] == [1, 2, 3]


def test_former_writer_keeps_input_and_may_take_over(
    sitting: Sitting,
) -> None:
    first, second = phone(sitting), phone(sitting)
    place = [sitting.session.tournament.slug, 1, sitting.number]
    second.post(reverse("take-over", args=place))
    answer = first.post(address(sitting), OTHERWISE)
    assert answer.status_code == 403
    assert what_was_typed(answer) == TYPED
    assert 'name="take_over"' in answer.text
    assert not Round.objects.exists()
    assert first.post(address(sitting), OTHERWISE | {"take_over": "1"}).status_code == 302
    assert Round.objects.get().facts["kankei"] == ["3", "5"]
    assert second.post(address(sitting, 2), THIRTEEN).status_code == 403


def test_phone_with_a_closed_link_cannot_take_over(scorekeeper: Client, sitting: Sitting) -> None:
    table = phone(sitting)
    table_links.revoke_link(sitting, by=cast.SOMEBODY)
    answer = table.post(address(sitting), OTHERWISE | {"take_over": "1"})
    assert answer.status_code == 404
    assert not Round.objects.exists()


def test_correction_for_the_desk_comes_back_as_typed(sitting: Sitting) -> None:
    Tournament.objects.update(accepting=Tournament.Accepting.SAME)
    table = phone(sitting)
    row = cast.record(sitting)
    acceptances.accept_round(sitting, 1, 1, by=cast.SOMEBODY)
    answer = table.post(address(sitting), OTHERWISE | {"seen": "1", "reason": "!"})
    assert answer.status_code == 403
    assert "The other side has accepted this round" in answer.text
    assert what_was_typed(answer) == TYPED
    assert "Save" not in answer.text
    assert Round.objects.get() == row


# What comes too late


def test_desks_with_the_same_old_form_store_one_version(
    scorekeeper: Client, sitting: Sitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second desk posts after the sheet of the first was read, and gets the lock earlier."""
    second_desk = cast.browser_of(cast.make_staff(sitting.session.tournament, "second"))
    for seen, (early, late) in enumerate([(OTHERWISE, THIRTEEN), (THIRTEEN, only_first_deal())]):
        shown = {"seen": str(seen), "reason": "counted anew"}
        post_early = partial(second_desk.post, address(sitting), early | shown)
        run_before(monkeypatch, submissions, "lock_tournament", post_early)
        answer = scorekeeper.post(address(sitting), late | shown)
        assert answer.status_code == 409
        assert answer.context["stored"].row == Round.objects.get(version=seen + 1)
    assert [row.facts["kankei"] for row in Round.objects.all()] == [["3", "5"], ["2", "4"]]


def test_form_of_a_round_that_another_desk_has_just_stored_is_answered_as_stored(
    scorekeeper: Client, sitting: Sitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    second_desk = cast.browser_of(cast.make_staff(sitting.session.tournament, "second"))
    post_early = partial(second_desk.post, address(sitting), THIRTEEN)
    run_before(monkeypatch, submissions, "lock_tournament", post_early)
    assert scorekeeper.post(address(sitting), THIRTEEN).status_code == 302
    assert Round.objects.get().version == 1


@pytest.mark.usefixtures("shared_database")
def test_one_of_8_desks_with_the_same_old_form_wins() -> None:
    sitting = cast.make_sitting()
    names = [f"desk {number}" for number in range(8)]
    desks = [cast.browser_of(cast.make_staff(sitting.session.tournament, name)) for name in names]

    def post(number: int) -> int:
        typed = THIRTEEN | {"deal_3_mukankei": str(number)}
        return desks[number].post(address(sitting), typed).status_code

    assert sorted(race(8, post)) == [302] + [409] * 7  # type: ignore[type-var]
    assert Round.objects.get().version == 1


def test_form_and_posted_round_take_few_statements(
    scorekeeper: Client, sitting: Sitting, django_assert_max_num_queries: Any
) -> None:
    table, corrected = phone(sitting), OTHERWISE | {"seen": "1", "reason": "counted anew"}
    table.get(address(sitting))  # stores the phone
    with django_assert_max_num_queries(4):
        table.get(address(sitting))
    with django_assert_max_num_queries(11):
        assert table.post(address(sitting), THIRTEEN).status_code == 302
    with django_assert_max_num_queries(6):
        scorekeeper.get(address(sitting, 2))
    with django_assert_max_num_queries(14):
        assert scorekeeper.post(address(sitting, 2), THIRTEEN).status_code == 302
    with django_assert_max_num_queries(15):  # one for the disputes that a correction settles
        assert scorekeeper.post(address(sitting, 2), corrected).status_code == 302
