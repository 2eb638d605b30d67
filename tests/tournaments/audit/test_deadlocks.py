"""Concurrent writes of every kind to one event do not deadlock.

PostgreSQL breaks a deadlock by failing one transaction; SQLite by a timeout.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from random import Random

import pytest
from django.contrib.auth.models import User
from django.db import transaction

import scoring
from tests import cast
from tests.cast import SOMEBODY
from tests.races import race
from tournaments import verification
from tournaments.exceptions import ConflictError
from tournaments.models import (
    Call,
    Disagreement,
    Round,
    Session,
    Sitting,
    Tournament,
)
from tournaments.queries import exchanges, round_validation
from tournaments.services import (
    acceptances,
    calls,
    closing,
    disputes,
    phones,
    rounds,
    seating,
    staff,
    table_cards,
    table_links,
    tournaments,
    versions,
)
from tournaments.services.entries import correct_entry, remove_entry
from tournaments.services.exchanges import exchange
from tournaments.services.publications import publish, show_live, unpublish

WRITERS = 12
WRITES_EACH = int(os.environ.get("WRITES", "10"))  # of each writer; docs/faults.md

REFUSALS = (
    *(
        closing.EventClosed,
        closing.EventOver,
        disputes.SettledAlready,
        ConflictError,
        exchanges.Undecided,
    ),
    *(phones.NoSuchLink, phones.NotTheWriter, rounds.NeedsDesk, round_validation.NotNext),
    *(rounds.ReasonNeeded, rounds.RoundConflict, seating.AlreadySeated),
    *(staff.LastDirector, tournaments.RulesFrozen, versions.VersionConflict),
    *(
        table_cards.CardOutdated,
        calls.CallsWaiting,
        acceptances.NothingToAccept,
        scoring.InvalidRecord,
    ),
)


class Writer:
    def __init__(self, tournament: Tournament, number: int) -> None:
        self.dice = Random(number)  # noqa: S311  repeatable
        self.number = number
        self.tournament = Tournament.objects.get(pk=tournament.pk)

    def session(self) -> Session:
        return self.tournament.sessions.order_by("?")[0]

    def sitting(self) -> Sitting:
        return self.session().sittings.order_by("?")[0]

    def record(self) -> None:
        sitting = self.sitting()
        last = sitting.rounds.order_by("number", "version").last()
        goes_on = last is None or self.dice.random() < 0.6
        number = (last.number if last else 0) + goes_on
        seen = 0 if goes_on or last is None else last.version
        facts = cast.plain_round(sitting) | {"deals": [{"kankei": self.dice.randrange(8)}]}
        facts["deals"][0]["mukankei"] = 9
        rounds.record_round(
            sitting, number, facts, seen_version=seen, by=SOMEBODY, reason="数え直し"
        )

    def dispute(self) -> None:
        row = Round.objects.filter(sitting__session__tournament=self.tournament).order_by("?")[0]
        with transaction.atomic():
            disputes.open_dispute(row.sitting, row.number, row.facts, row, by=SOMEBODY)

    def settle(self) -> None:
        one = Disagreement.objects.filter(settled_at=None).order_by("?")[0]
        seen = Round.objects.filter(sitting=one.sitting, number=one.number).latest("version")
        choices: list[Callable[..., object]] = [
            disputes.keep_stored_facts,
            disputes.take_disputed_facts,
        ]
        settle = self.dice.choice(choices)
        settle(one, seen_version=seen.version, by=SOMEBODY, reason="両方に聞いた")

    def accept(self) -> None:
        row = Round.objects.filter(sitting__session__tournament=self.tournament).order_by("?")[0]
        acceptances.accept_round(row.sitting, row.number, row.version, by=SOMEBODY)

    def join(self) -> None:
        phones.take_over(phones.admit_phone(self.sitting()).phone)

    def call(self) -> None:
        calls.call_desk(self.sitting(), "director", str(self.dice.random()), by=SOMEBODY)

    def answer(self) -> None:
        calls.answer_call(Call.objects.filter(answered_at=None).order_by("?")[0], by=SOMEBODY)

    def open_or_close(self) -> None:
        self.dice.choice([closing.close, closing.reopen])(self.tournament, by=SOMEBODY)

    def seat(self) -> None:
        entries = list(self.tournament.entries.order_by("number")[:12])
        seating.open_session(self.tournament, [entries[:6], entries[6:]], by=SOMEBODY)

    def exchange(self) -> None:
        session = self.session()
        tables = [list(each.seats.all()) for each in session.sittings.all()]
        one, other = tables[0][0].entry, tables[-1][-1].entry
        seen = exchanges.plan_exchange(session, one, other).stamp
        exchange(session, one, other, seen_stamp=seen, by=SOMEBODY, reason="席の取り違え")

    def link(self) -> None:
        write = self.dice.choice(
            [table_links.make_link, table_links.revoke_link, table_links.make_pin]
        )
        write(self.sitting(), by=SOMEBODY)

    def cards(self) -> None:
        session = self.session()
        drawn = table_cards.prepare_cards(list(session.sittings.all()), new_links=True)
        table_cards.issue_cards(session, drawn, by=SOMEBODY)

    def announce(self) -> None:
        choices = [publish, show_live, unpublish]
        self.dice.choice(choices)(self.tournament, by=SOMEBODY)

    def settings(self) -> None:
        mine = Tournament.objects.get(pk=self.tournament.pk)
        mine.venue = str(self.dice.random())
        seen = versions.version_of(mine)
        tournaments.change_rules(mine, mine.rules, seen_version=seen, by=SOMEBODY)

    def people(self) -> None:
        (entry,) = cast.make_entries(self.tournament, 1)
        person = {"name": "髙﨑", "club": "", "division": ""}
        correct_entry(entry, person, seen_version=0, by=SOMEBODY)
        remove_entry(entry, by=SOMEBODY)

    def staff(self) -> None:
        name = f"{self.number}-{User.objects.count()}"
        user = staff.open_account(self.tournament, name, "x", "director", by=SOMEBODY)
        staff.remove_role(user.memberships.get(), by=SOMEBODY)

    def every_write(self) -> list[Callable[[], None]]:
        return [
            *(self.record, self.dispute, self.settle, self.accept, self.join, self.call),
            *(self.answer, self.open_or_close, self.seat, self.exchange, self.link, self.cards),
            *(self.announce, self.settings, self.people, self.staff),
        ]

    def write(self) -> None:
        """Refusals are expected."""
        try:
            self.dice.choice(self.every_write())()
        except (*REFUSALS, IndexError):
            pass


@pytest.mark.usefixtures("shared_database")
def test_concurrent_writers_do_not_deadlock() -> None:
    tournament = cast.make_tournament(rounds_per_session=None, accepting="same")
    staff.give_role(tournament, cast.make_user("director"), "director", by=SOMEBODY)
    cast.make_sitting(tournament)
    cast.make_entries(tournament, 6)
    cast.record(cast.make_sitting(tournament))

    def write(number: int) -> None:
        writer = Writer(tournament, number)
        for _ in range(WRITES_EACH):
            writer.write()

    assert race(WRITERS, write) == [None] * WRITERS
    assert (
        len(set(tournament.audit_entries.values_list("kind", flat=True))) > 15
    )  # most were not refused
    assert verification.verify(Tournament.objects.get(pk=tournament.pk)) == []
