"""Constraints of the models: recorded rounds never change, keys are unique."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.db.models import ProtectedError

from tests.cast import (
    SOMEBODY,
    make_entries,
    make_sitting,
    make_staff,
    make_tournament,
    make_user,
    plain_round,
    record,
)
from tournaments import verification
from tournaments.audit import Actor
from tournaments.models import Entry, Membership, Round, Seat, Session, Sitting, Tournament
from tournaments.services import seating
from tournaments.services.entries import add_entries

pytestmark = pytest.mark.django_db


CHANGES: dict[str, Callable[[Round], object]] = {
    "save": lambda row: row.save(),
    "save a field": lambda row: row.save(update_fields=["facts"]),
    "delete": lambda row: row.delete(),
    "update all": lambda row: Round.objects.update(facts={}),
    "delete some": lambda row: Round.objects.filter(pk=row.pk).delete(),
    "update in bulk": lambda row: Round.objects.bulk_update([row], ["facts"]),
    "update a sitting's": lambda row: row.sitting.rounds.update(facts={}),
    "delete a sitting's": lambda row: row.sitting.rounds.all().delete(),
}

# Rows that a recorded round refers to.
REFERENCED_ROWS: dict[str, Callable[[Sitting], Any]] = {
    "sitting": lambda sitting: sitting,
    "session": lambda sitting: sitting.session,
    "tournament": lambda sitting: sitting.session.tournament,
    "player": lambda sitting: sitting.seats.get(position=1).entry,
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_recorded_round_cannot_be_changed(change: Callable[[Round], object]) -> None:
    row = record(make_sitting())
    before = Round.objects.values().get()
    row.facts = {}
    with pytest.raises(TypeError, match="never"), transaction.atomic():
        change(row)
    assert Round.objects.values().get() == before


def test_insert_with_an_existing_key_is_refused() -> None:
    row = record(make_sitting())
    other = Round(pk=row.pk, sitting=row.sitting, number=2, version=1, facts={})
    with pytest.raises(IntegrityError), transaction.atomic():
        other.save()
    assert Round.objects.get().facts == row.facts


@pytest.mark.parametrize("referenced", REFERENCED_ROWS.values(), ids=REFERENCED_ROWS)
def test_rows_that_a_round_needs_cannot_be_deleted(referenced: Callable[[Sitting], Any]) -> None:
    row = record(make_sitting())
    with pytest.raises(ProtectedError):
        referenced(row.sitting).delete()
    assert Round.objects.get() == row


def test_author_of_a_round_outlives_the_account() -> None:
    sitting = make_sitting()
    user = make_user("kiroku")
    record(sitting, by=Actor(user, "kiroku"))
    user.delete()
    assert sitting.rounds.get().who == "kiroku"
    assert verification.verify(sitting.session.tournament) == []


@pytest.mark.parametrize(("number", "version"), [(1, 1), (0, 1), (1, 0), (-1, 1)])
def test_versions_and_numbers_are_positive_and_unique(number: int, version: int) -> None:
    row = record(make_sitting())
    with pytest.raises(IntegrityError), transaction.atomic():
        Round.objects.create(
            sitting=row.sitting, number=number, version=version, facts=plain_round(row.sitting)
        )


def duplicates(sitting: Sitting) -> dict[str, Callable[[], object]]:
    """Return functions that insert a duplicate of a unique row."""
    session, tournament = sitting.session, sitting.session.tournament
    seat = sitting.seats.get(position=1)
    member = Membership.objects.get(user=make_staff(tournament, "hisho"))
    return {
        "entry": lambda: Entry.objects.create(tournament=tournament, number=1, name="誰か"),
        "session": lambda: Session.objects.create(tournament=tournament, number=session.number),
        "table": lambda: Sitting.objects.create(session=session, number=sitting.number),
        "token": lambda: Sitting.objects.create(session=session, number=9, token=sitting.token),
        "seat": lambda: Seat.objects.create(
            sitting=sitting, position=1, entry=make_entries(tournament, 1)[0]
        ),
        "player": lambda: Seat.objects.create(sitting=sitting, position=9, entry=seat.entry),
        "role": lambda: Membership.objects.create(
            tournament=tournament, user=member.user, role="director"
        ),
        "slug": lambda: make_tournament(slug=tournament.slug),
    }


@pytest.mark.parametrize(
    "what", ["entry", "session", "table", "token", "seat", "player", "role", "slug"]
)
def test_duplicate_is_refused(what: str) -> None:
    inserts = duplicates(make_sitting())
    with pytest.raises(IntegrityError), transaction.atomic():
        inserts[what]()


def test_tournaments_may_use_the_same_numbers() -> None:
    one, other = make_sitting(), make_sitting()
    record(one)
    record(other)
    assert one.number == other.number
    assert Tournament.objects.count() == 2


def test_table_link_has_128_random_bits() -> None:
    tournament = make_tournament()
    entries = make_entries(tournament, 54)
    tables = [entries[i : i + 6] for i in range(0, 54, 6)]
    session = seating.open_session(tournament, tables, by=SOMEBODY)
    tokens = {sitting.token for sitting in session.sittings.all()}
    assert len(tokens) == 9
    assert {len(token) for token in tokens} == {22}  # 6 bits a letter


def test_rules_of_a_tournament_have_its_options_and_points() -> None:
    tournament = make_tournament(options={"last_round_spades": True}, points={"skunk": 2})
    assert tournament.rules.options["last_round_spades"]
    assert tournament.rules.points["skunk"] == 2
    assert tournament.rules.fingerprint != make_tournament().rules.fingerprint


def test_tournament_is_frozen_by_its_own_rounds_only() -> None:
    mine, other = make_tournament(), make_tournament()
    record(make_sitting(other))
    assert (mine.is_frozen, other.is_frozen) == (False, True)


def test_names_are_stored_code_point_for_code_point() -> None:
    names = ["髙橋 﨑子", "𠮷野 家", "葛󠄀西", "=1+1", "<script>", "🃏", "\u202eabc", "長" * 200]
    tournament = make_tournament()
    add_entries(tournament, [{"name": name} for name in names], by=SOMEBODY)
    assert [entry.name for entry in tournament.entries.all()] == names
