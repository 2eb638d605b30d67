"""Phones at a table: joining by its link, taking over, and being ended."""

from __future__ import annotations

import hashlib

import pytest

from tests import cast
from tests.cast import audit_kinds
from tests.races import race
from tournaments import verification
from tournaments.models import AuditEntry, Phone, Sitting
from tournaments.services import phones, table_links
from tournaments.services.phones import NoSuchLink, NotTheWriter, WrongPin


def test_phone_secret_is_stored_hashed(sitting: Sitting) -> None:
    joined = phones.join(sitting.token)
    stored = Phone.objects.get()
    assert stored.digest == hashlib.sha256(joined.secret.encode()).hexdigest()
    assert len(joined.secret) >= 128 // 6
    assert phones.phone_of(joined.secret) == stored
    assert audit_kinds(sitting)[-1] == AuditEntry.Kind.PHONE_JOINED


def test_first_phone_is_the_writer_and_others_may_take_over(sitting: Sitting) -> None:
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
    assert audit_kinds(sitting)[-1] == AuditEntry.Kind.PHONE_TOOK_OVER


def test_admitting_the_same_secret_twice_creates_one_phone(sitting: Sitting) -> None:
    """A browser that has just opened the link may send two requests at once."""
    secret = phones.new_secret()
    first, second = (phones.admit_phone(sitting, secret) for _ in range(2))
    assert first == second
    assert Phone.objects.count() == 1


def test_take_over_by_the_writer_changes_nothing(sitting: Sitting) -> None:
    phone = phones.join(sitting.token).phone
    before = audit_kinds(sitting)
    assert phones.take_over(phone).is_writer
    assert audit_kinds(sitting) == before


def test_oldest_phone_that_is_not_the_writer_ends_when_there_are_too_many(
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
def test_only_one_of_20_concurrent_phones_is_the_writer() -> None:
    sitting = cast.make_sitting()
    joined = race(20, lambda _number: phones.join(sitting.token))
    assert all(isinstance(each, phones.Joined) for each in joined), joined
    assert Phone.objects.filter(is_writer=True).count() == 1
    everyone = list(Phone.objects.all())
    race(20, lambda number: phones.take_over(everyone[number]))
    assert Phone.objects.filter(is_writer=True).count() == 1


def test_unknown_link_token_is_refused(sitting: Sitting) -> None:
    for token in ("", "guessed", sitting.token[:-1]):
        with pytest.raises(NoSuchLink):
            phones.join(token)


def test_revoked_link_closes_the_table(sitting: Sitting) -> None:
    pin = table_links.make_pin(sitting, by=cast.SOMEBODY)
    joined = phones.join(sitting.token)
    table_links.revoke_link(sitting, by=cast.SOMEBODY)
    assert phones.phone_of(joined.secret) is None
    with pytest.raises(NoSuchLink):
        phones.join(sitting.token)
    with pytest.raises(NoSuchLink):
        phones.take_over(joined.phone)
    with pytest.raises(WrongPin):
        phones.join_by_number_alone(Sitting.objects.get().number, pin)
    with pytest.raises(NotTheWriter):
        phones.refresh_phone(sitting, joined.phone)


def test_new_link_replaces_the_old_one(sitting: Sitting) -> None:
    old, phone = sitting.token, phones.join(sitting.token)
    new = table_links.make_link(sitting, by=cast.SOMEBODY)
    assert new != old
    with pytest.raises(NoSuchLink):
        phones.join(old)
    assert phones.join(new).phone.is_writer
    assert phones.phone_of(phone.secret) is None
    assert audit_kinds(sitting)[-3:-1] == [AuditEntry.Kind.LINK_REVOKED, AuditEntry.Kind.LINK_MADE]
