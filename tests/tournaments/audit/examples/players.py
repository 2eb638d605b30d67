"""Writes about players: entries, applications, the roll call, substitutes, exchanges."""

from __future__ import annotations

from datetime import timedelta

from tests import cast
from tests.cast import SOMEBODY
from tests.private_data import PRIVATE
from tests.tournaments.audit.examples.registry import Write, example
from tournaments.models import Entry, Registration, Sitting
from tournaments.queries import exchanges
from tournaments.queries import presence as presence_queries
from tournaments.queries.presence import Status
from tournaments.services import (
    contacts,
    presence,
    private_data,
    registrations,
    substitutions,
    table_players,
)
from tournaments.services.entries import (
    correct_entry,
    import_entries,
    remove_entry,
    remove_removable,
)
from tournaments.services.exchanges import exchange


@example("services.entries.add_entries")
def entries(sitting: Sitting) -> Write:
    return lambda: cast.make_entries(sitting.session.tournament, 3)


@example("services.entries.import_entries")
def imported_entries(sitting: Sitting) -> Write:
    tournament = sitting.session.tournament
    return lambda: import_entries(tournament, [{"name": "髙﨑"}], by=SOMEBODY)


@example("services.entries.remove_entry")
def removed_entry(sitting: Sitting) -> Write:
    pk = cast.make_entries(sitting.session.tournament, 1)[0].pk
    found = sitting.session.tournament.entries
    return lambda: remove_entry(found.get(pk=pk), by=SOMEBODY)


@example("services.entries.remove_removable")
def removed_entries(sitting: Sitting) -> Write:
    tournament = sitting.session.tournament
    entries = cast.make_entries(tournament, 2)
    return lambda: remove_removable(tournament, entries, by=SOMEBODY)


@example("services.entries.correct_entry")
def corrected_entry(sitting: Sitting) -> Write:
    (entry,) = cast.make_entries(sitting.session.tournament, 1)
    person = {"name": "髙﨑", "club": "", "division": ""}
    return lambda: correct_entry(entry, person, seen_version=0, by=SOMEBODY)


@example("services.entries.correct_entry: private")
def corrected_private_data(sitting: Sitting) -> Write:
    (entry,) = cast.make_entries(sitting.session.tournament, 1, **PRIVATE)
    person = {"contact": "017-000-0000", "birth_year": None, "notes": ""}
    return lambda: correct_entry(entry, person, seen_version=0, by=SOMEBODY)


def mark(sitting: Sitting, status: Status, session: int = 1) -> None:
    entry = sitting.session.tournament.entries.get(number=1)
    expected = Status.EXPECTED
    presence.mark_presence(entry, session, status, seen_status=expected, by=SOMEBODY)


@example("services.presence.mark_presence")
def marked(sitting: Sitting) -> Write:
    return lambda: mark(sitting, Status.PRESENT)


@example("services.presence.mark_presence: withdrawn")
def marked_withdrawn(sitting: Sitting) -> Write:
    mark(sitting, Status.PRESENT, session=2)
    return lambda: mark(sitting, Status.WITHDRAWN)


@example("services.presence.restart_roll_call")
def restarted_roll_call(sitting: Sitting) -> Write:
    mark(sitting, Status.PRESENT)
    tournament = sitting.session.tournament
    seen = presence_queries.marks_version(tournament)
    return lambda: presence.restart_roll_call(tournament, 2, seen_version=seen, by=SOMEBODY)


def absent(sitting: Sitting) -> Entry:
    mark(sitting, Status.ABSENT)
    return Entry.objects.get(tournament=sitting.session.tournament, number=1)


@example("services.substitutions.add_substitute")
def substituted(sitting: Sitting) -> Write:
    entry = absent(sitting)
    return lambda: substitutions.add_substitute(entry, 1, {"name": "山田"}, by=SOMEBODY)


@example("services.substitutions.remove_substitute")
def substitute_taken_back(sitting: Sitting) -> Write:
    entry = absent(sitting)
    row = substitutions.add_substitute(entry, 1, {"name": "山田"}, by=SOMEBODY)
    seen = row.substitute.number
    return lambda: substitutions.remove_substitute(entry, 1, seen_substitute=seen, by=SOMEBODY)


@example("services.table_players.change_players")
def changed_players(sitting: Sitting) -> Write:
    cast.record(sitting)
    entries = [seat.entry for seat in sitting.seats.all()]
    players = [*entries[:-1], *cast.make_entries(sitting.session.tournament, 1)]
    seen = [entry.key for entry in entries]
    return lambda: table_players.change_players(
        sitting, players, seen_players=seen, by=SOMEBODY, reason="早退"
    )


@example("services.registrations.set_registration")
def opened_registration(sitting: Sitting) -> Write:
    return lambda: cast.open_registration(sitting.session.tournament, is_automatic=True)


@example("services.registrations.register")
def application(sitting: Sitting) -> Write:
    opened_registration(sitting)()
    return lambda: cast.register(sitting.session.tournament)


@example("services.registrations.decide")
def approved_application(sitting: Sitting) -> Write:
    tournament = sitting.session.tournament
    cast.open_registration(tournament)
    row = cast.register(tournament)
    wanted = [registrations.Decision(row.number, row.state)]
    return lambda: registrations.decide(tournament, wanted, "approved", by=SOMEBODY)


@example("services.registrations.decline_all")
def declined_applications(sitting: Sitting) -> Write:
    tournament = sitting.session.tournament
    cast.open_registration(tournament)
    row = cast.register(tournament)
    return lambda: registrations.decline_all(tournament, row.state, last=row.number, by=SOMEBODY)


@example("services.registrations.withdraw_application")
def withdrawn_application(sitting: Sitting) -> Write:
    application(sitting)()
    row = Registration.objects.get()
    return lambda: registrations.withdraw_application(row, by=SOMEBODY)


@example("services.contacts.erase_contacts")
def erased_contacts(sitting: Sitting) -> Write:
    withdrawn_application(sitting)()
    return lambda: contacts.erase_contacts(sitting.session.tournament, by=SOMEBODY)


@example("services.private_data.set_end")
def private_end_set(sitting: Sitting) -> Write:
    tournament = sitting.session.tournament
    end = tournament.held_on + timedelta(days=30)
    return lambda: private_data.set_end(tournament, end, seen_version=0, by=SOMEBODY)


@example("services.private_data.erase")
def private_data_erased(sitting: Sitting) -> Write:
    application(sitting)()
    cast.make_entries(sitting.session.tournament, 1, **PRIVATE)
    return lambda: private_data.erase(sitting.session.tournament, by=SOMEBODY)


@example("services.registrations.remove_player")
def applicants_player_removed(sitting: Sitting) -> Write:
    application(sitting)()
    row = Registration.objects.get()
    return lambda: registrations.remove_player(row, by=SOMEBODY)


@example("services.registrations.remove_entries")
def place_made_free(sitting: Sitting) -> Write:
    tournament = sitting.session.tournament
    players = cast.make_entries(tournament, 1)
    cast.open_registration(tournament, is_automatic=True, capacity=1)
    cast.register(tournament)
    return lambda: registrations.remove_entries(tournament, players, by=SOMEBODY)


@example("services.registrations.approve_waiting")
def waiting_application_approved(sitting: Sitting) -> Write:
    tournament = sitting.session.tournament
    (player,) = cast.make_entries(tournament, 1)
    cast.open_registration(tournament, is_automatic=True, capacity=tournament.entries.count())
    cast.register(tournament)
    remove_entry(player, by=SOMEBODY)
    return lambda: registrations.approve_waiting(tournament, by=SOMEBODY)


@example("services.exchanges.exchange")
def exchanged_entries(sitting: Sitting) -> Write:
    cast.record(sitting)
    one, other = (seat.entry for seat in sitting.seats.all()[:2])
    seen = exchanges.plan_exchange(sitting.session, one, other).stamp
    return lambda: exchange(
        sitting.session, one, other, seen_stamp=seen, by=SOMEBODY, reason="席の取り違え"
    )
