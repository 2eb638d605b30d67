"""The plain form of a table that comes second, twice, or from a phone that writes no more."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests import cast
from tests.tournaments.services.test_record_round import THIRTEEN, address, only_first_deal
from tournaments.audit import Actor
from tournaments.models import AuditEntry, Disagreement, Phone, Round, Sitting, Tournament
from tournaments.services import acceptances, closing, table_links

OTHERWISE = THIRTEEN | {"kankei": ["3", "5"]}


def phone(sitting: Sitting) -> Client:
    """Return a browser that has opened the table's link."""
    browser = cast.in_english(Client())
    browser.get(reverse("join-table", args=[sitting.token]))
    return browser


def close_event(sitting: Sitting, *, by: Actor) -> None:
    closing.close(sitting.session.tournament, by=by)


def what_was_typed(answer: Any) -> tuple[Any, ...]:
    form = answer.context["form"]
    return tuple(form[name].value() for name in ("kankei", "deal_1_kankei", "deal_3_mukankei"))


TYPED = (["3", "5"], "9", "7")


def test_a_table_that_comes_second_is_shown_both_and_the_desk_is_told(sitting: Sitting) -> None:
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


def test_it_says_so_once_however_often_it_is_sent(sitting: Sitting) -> None:
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


def test_what_does_not_fit_beside_a_round_come_first_is_kept_too(sitting: Sitting) -> None:
    table = phone(sitting)
    cast.record(sitting)
    answer = table.post(address(sitting), OTHERWISE | {"deal_1_kankei": "99"})
    assert answer.status_code == 422
    assert what_was_typed(answer) == (["3", "5"], "99", "7")


def test_the_same_form_twice_is_answered_as_the_first_time(sitting: Sitting) -> None:
    table = phone(sitting)
    first, second = (table.post(address(sitting), THIRTEEN) for _ in range(2))
    assert (first.status_code, first["Location"]) == (302, sitting.get_absolute_url())
    assert (second.status_code, second["Location"]) == (302, sitting.get_absolute_url())
    assert Round.objects.get().version == 1


def test_and_so_it_is_for_the_desk_and_in_the_middle_of_a_round(
    scorekeeper: Client, sitting: Sitting
) -> None:
    for typed in (only_first_deal(), THIRTEEN | {"seen": "1"}, OTHERWISE | {"seen": "2"}):
        told = [scorekeeper.post(address(sitting), typed | {"reason": "!"}) for _ in range(2)]
        assert told[0].status_code == told[1].status_code == 302
        assert told[0]["Location"] == told[1]["Location"]
    assert [row.version for row in Round.objects.all()] == [1, 2, 3]


def test_a_phone_that_writes_no_more_keeps_what_was_typed_and_may_take_over(
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


def test_a_phone_whose_link_was_closed_takes_nothing_over(
    scorekeeper: Client, sitting: Sitting
) -> None:
    table = phone(sitting)
    table_links.revoke_link(sitting, by=cast.SOMEBODY)
    answer = table.post(address(sitting), OTHERWISE | {"take_over": "1"})
    assert answer.status_code == 404
    assert not Round.objects.exists()


def test_what_only_the_desk_may_change_comes_back_as_typed(sitting: Sitting) -> None:
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


@pytest.mark.parametrize(("end", "names"), [(close_event, True), (table_links.revoke_link, False)])
def test_what_came_too_late_is_told_on_the_page_that_says_so(
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


def test_nobody_else_is_shown_anything_on_what_came_too_late(sitting: Sitting) -> None:
    close_event(sitting, by=cast.SOMEBODY)
    answer = Client().post(address(sitting), OTHERWISE)
    assert (answer.status_code, "typed" in (answer.context or {})) == (404, False)


def test_a_round_that_there_is_not_yet_is_not_shown(sitting: Sitting) -> None:
    table = phone(sitting)
    assert table.get(address(sitting)).status_code == 200
    close_event(sitting, by=cast.SOMEBODY)
    answer = table.post(address(sitting, 9), OTHERWISE)
    assert (answer.status_code, answer.context["typed"]) == (404, None)
