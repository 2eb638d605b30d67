"""Phones at a table: joining by its link, taking over, and being closed."""

from __future__ import annotations

import hashlib

import pytest
from django.test import Client
from django.urls import reverse

from tests import cast
from tests.cast import acts
from tests.races import race
from tournaments import verification
from tournaments.models import AuditEntry, Phone, Round, Sitting
from tournaments.services import phones, table_links
from tournaments.services.phones import NoSuchLink, NotTheWriter, WrongPin


def test_a_link_is_exchanged_for_a_secret_of_which_only_a_digest_is_kept(sitting: Sitting) -> None:
    joined = phones.join(sitting.token)
    stored = Phone.objects.get()
    assert stored.digest == hashlib.sha256(joined.secret.encode()).hexdigest()
    assert len(joined.secret) >= 128 // 6
    assert phones.phone_of(joined.secret) == stored
    assert acts(sitting)[-1] == AuditEntry.Kind.PHONE_JOINED


def test_the_first_phone_writes_and_the_others_may_take_over(sitting: Sitting) -> None:
    first, second = (phones.join(sitting.token).phone for _ in range(2))
    assert (first.is_writer, second.is_writer) == (True, False)
    phones.check_writer(first)
    with pytest.raises(NotTheWriter):
        phones.check_writer(second)
    phones.take_over(second)
    for phone in (first, second):
        phone.refresh_from_db()
    phones.check_writer(second)
    with pytest.raises(NotTheWriter):
        phones.check_writer(first)
    assert acts(sitting)[-1] == AuditEntry.Kind.PHONE_TOOK_OVER


def test_a_phone_that_comes_twice_with_its_secret_is_one(sitting: Sitting) -> None:
    """Two requests of a browser that has just opened the link may come at once."""
    secret = phones.new_secret()
    first, second = (phones.admit_phone(sitting, secret) for _ in range(2))
    assert first == second
    assert Phone.objects.count() == 1


def test_taking_over_from_oneself_is_nothing(sitting: Sitting) -> None:
    phone = phones.join(sitting.token).phone
    before = acts(sitting)
    assert phones.take_over(phone).is_writer
    assert acts(sitting) == before


def test_the_first_phone_that_does_not_write_ends_where_there_are_too_many(
    sitting: Sitting,
) -> None:
    writer, first, second, *_others = [
        phones.join(sitting.token).phone for _ in range(phones.MOST_PHONES + 1)
    ]
    assert phones.active_phones(sitting).count() == phones.MOST_PHONES
    first.refresh_from_db()
    assert first.ended_at is not None
    phones.take_over(second)
    phones.join(sitting.token)
    assert not phones.active_phones(sitting).filter(pk=writer.pk).exists()
    assert phones.active_phones(sitting).filter(pk=second.pk).exists()
    assert verification.verify(sitting.session.tournament) == []
    Phone.objects.filter(pk=first.pk).update(ended_at=None)
    [fault] = verification.verify(sitting.session.tournament)
    assert str(first.pk) in str(fault)


@pytest.mark.usefixtures("shared_database")
def test_of_20_phones_at_once_one_writes() -> None:
    sitting = cast.make_sitting()
    joined = race(20, lambda _number: phones.join(sitting.token))
    assert all(isinstance(each, phones.Joined) for each in joined), joined
    assert Phone.objects.filter(is_writer=True).count() == 1
    everyone = list(Phone.objects.all())
    race(20, lambda number: phones.take_over(everyone[number]))
    assert Phone.objects.filter(is_writer=True).count() == 1


def test_no_link_opens_nothing(sitting: Sitting) -> None:
    for token in ("", "guessed", sitting.token[:-1]):
        with pytest.raises(NoSuchLink):
            phones.join(token)


def test_a_revoked_table_is_closed_to_everything(sitting: Sitting) -> None:
    pin = table_links.make_pin(sitting, by=cast.SOMEBODY)
    joined = phones.join(sitting.token)
    table_links.revoke_link(sitting, by=cast.SOMEBODY)
    assert phones.phone_of(joined.secret) is None
    with pytest.raises(NoSuchLink):
        phones.join(sitting.token)
    with pytest.raises(NoSuchLink):
        phones.take_over(joined.phone)
    with pytest.raises(WrongPin):
        phones.join_with_pin(Sitting.objects.get(), pin)
    with pytest.raises(NotTheWriter):
        phones.current_phone(sitting, joined.phone)


def test_a_new_link_opens_the_table_again_and_the_old_one_nothing(sitting: Sitting) -> None:
    old, phone = sitting.token, phones.join(sitting.token)
    new = table_links.make_link(sitting, by=cast.SOMEBODY)
    assert new != old
    with pytest.raises(NoSuchLink):
        phones.join(old)
    assert phones.join(new).phone.is_writer
    assert phones.phone_of(phone.secret) is None
    assert acts(sitting)[-3:-1] == [AuditEntry.Kind.LINK_REVOKED, AuditEntry.Kind.LINK_MADE]


def test_a_second_browser_is_asked_whether_it_takes_over(sitting: Sitting) -> None:
    link = reverse("join-table", args=[sitting.token])
    first, second = Client(), Client()
    play = f"{sitting.get_absolute_url()}play/"
    assert first.get(link, follow=True).redirect_chain == [(play, 302)]
    question = second.get(link).headers["Location"]
    assert question == f"{sitting.get_absolute_url()}take-over/"
    assert second.post(question).headers["Location"] == play
    assert second.get(question).status_code == 200
    form = {"seen": "0", "dealer": "6", "trump": "clubs", "kankei": ["1", "3"]}
    form |= {"deal_1_kankei": "5", "deal_1_mukankei": "8"}
    round_form = f"{sitting.get_absolute_url()}rounds/1/"
    assert first.post(round_form, form).status_code == 403
    assert not Round.objects.exists()
    assert second.post(round_form, form).status_code == 302
    assert Round.objects.count() == 1
