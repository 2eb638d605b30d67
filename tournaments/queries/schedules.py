"""Planned seats (予定の席): seats of sessions to come that were drawn together and kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from tournaments import draws
from tournaments.models import AuditEntry, Entry, Schedule, Tournament
from tournaments.queries import seat_lists
from tournaments.queries.presence import RollCall
from tournaments.queries.seat_draws import earlier_tables

KINDS = (
    AuditEntry.Kind.SCHEDULE_KEPT,
    AuditEntry.Kind.SCHEDULE_CHANGED,
    AuditEntry.Kind.SCHEDULE_DROPPED,
)

SHOWING_KINDS = (AuditEntry.Kind.SCHEDULE_SHOWN, AuditEntry.Kind.SCHEDULE_HIDDEN)
LAST = 1000  # more than any session's number
Seats = Sequence[Sequence[str]]  # tables of keys, in seat order


class PlannedSession(NamedTuple):
    """The planned seats of a session, the `nth` of its schedule from 1.

    `changed` counts the players who sit elsewhere than drawn, as `draw_records.changed`.
    """

    number: int
    nth: int
    seats: Seats
    sits_out: Sequence[str]
    changed: int

    @property
    def players(self) -> list[str]:
        """Return the keys of all who have a seat."""
        return [key for table in self.seats for key in table]


def schedule_of(tournament: Tournament) -> Schedule | None:
    """Return the planned seats of a tournament, None if there are none."""
    return Schedule.objects.filter(tournament=tournament).first()


def last_change(tournament: Tournament) -> AuditEntry | None:
    """Return the audit entry that last changed the planned seats, or None."""
    return tournament.audit_entries.filter(kind__in=KINDS).last()


def version_of(tournament: Tournament) -> int:
    """Return the version of the planned seats: the number of the last entry about them, or 0."""
    entry = last_change(tournament)
    return entry.number if entry else 0


def count_versions(tournament: Tournament) -> int:
    """Return how often seats were planned, changed or dropped: the number on printed lists."""
    return tournament.audit_entries.filter(kind__in=KINDS).count()


def planned_sessions(schedule: Schedule) -> list[PlannedSession]:
    """Return the sessions of a schedule; without those that belong to a stage confirmed since.

    A play-off that was opened since takes a number, and the sessions after it the next ones.
    """
    first, tournament = schedule.first_session, schedule.tournament
    later_stages = tournament.stages.filter(first_session__gt=first)
    until = min((each.first_session or LAST for each in later_stages), default=LAST)
    play_offs = tournament.sessions.filter(number__gte=first, tied__isnull=False)
    taken = set(play_offs.values_list("number", flat=True))
    until_taken = first + len(schedule.seats) + len(taken)
    numbers = [number for number in range(first, until_taken) if number not in taken]
    return [
        PlannedSession(
            number,
            nth,
            seats,
            drawn["sits_out"],
            changed=draws.places_changed(drawn["tables"], seats),
        )
        for nth, (number, seats, drawn) in enumerate(
            zip(numbers, schedule.seats, schedule.answer["sessions"], strict=False), 1
        )
        if number < until
    ]


def planned_session(schedule: Schedule | None, number: int) -> PlannedSession | None:
    """Return the planned seats of a session, None if none are planned."""
    if schedule is None:
        return None
    return next((each for each in planned_sessions(schedule) if each.number == number), None)


class PlannedPlace(NamedTuple):
    """A player's table and seat, from 1, in a session to come; None for who sits out."""

    session: int
    table: int | None
    seat: int | None


def shown_sessions(tournament: Tournament) -> list[PlannedSession]:
    """Return the planned sessions to come, if the director shows them; one query if not.

    None comes any more in a closed tournament.
    """
    if tournament.closed_at is not None:
        return []
    schedule = Schedule.objects.filter(tournament=tournament, is_shown=True).first()
    if schedule is None:
        return []
    opened = tournament.sessions.count()
    return [each for each in planned_sessions(schedule) if each.number > opened]


def places_in(planned: Sequence[PlannedSession]) -> dict[str, list[PlannedPlace]]:
    """Return the places of each player in planned sessions, by key."""
    places: dict[str, list[PlannedPlace]] = {}
    for session in planned:
        seated = {
            key: PlannedPlace(session.number, table, seat)
            for table, keys in enumerate(session.seats, 1)
            for seat, key in enumerate(keys, 1)
        }
        out = {key: PlannedPlace(session.number, None, None) for key in session.sits_out}
        for key, place in (out | seated).items():
            places.setdefault(key, []).append(place)
    return places


def facts_of(schedule: Schedule, planned: PlannedSession) -> dict[str, Any]:
    """Return the draw of a planned session, as `models.Draw` stores it."""
    facts = {"request": schedule.request, "answer": schedule.answer}
    return facts if planned.nth == 1 else facts | {"nth": planned.nth}


def tables_before(schedule: Schedule | None, tournament: Tournament, session: int) -> list[Any]:
    """Return the tables of the sessions before this one: those played, then those planned."""
    played = earlier_tables(tournament, session)
    if schedule is None:
        return played
    opened = tournament.sessions.count()
    return [
        *played,
        *(each.seats for each in planned_sessions(schedule) if opened < each.number < session),
    ]


class PlannedSeats(NamedTuple):
    """The planned seats of a session, changed as little as possible for those who play.

    `away` were to play and do not, `removed` are the numbers of players who are gone altogether,
    `came` play and were not drawn, `instead` has the players who are replaced, and by whom.
    `facts` are those of the draw.
    """

    planned: PlannedSession
    tables: list[list[Entry]]
    away: list[Entry]
    removed: list[str]
    came: list[Entry]
    instead: list[tuple[Entry, Entry]]
    facts: dict[str, Any]

    @property
    def is_stale(self) -> bool:
        """Return whether others play than were drawn."""
        return bool(self.away or self.removed or self.came or self.instead)


def seats_for(
    schedule: Schedule, planned: PlannedSession, roll: RollCall, playing: Sequence[Entry]
) -> PlannedSeats:
    """Return the planned seats of a session with seats for those playing."""
    tournament = schedule.tournament
    by_key = {entry.key: entry for entry in roll.statuses}
    seated, present = planned.players, {entry.key for entry in playing}
    substitutes = {str(number): entry.key for number, entry in roll.substitutes.items()}
    instead = {
        key: substitutes[key]
        for key in seated
        if key in substitutes and key not in present and substitutes[key] in present
    }
    drawn = {each["id"] for each in schedule.request["players"]}.union(seated, instead.values())
    away = [key for key in seated if key not in present and key not in instead]
    tables: Seats = planned.seats
    if away or instead or not present <= drawn:
        tables = _mended(schedule, planned, present, instead, tournament)
    return PlannedSeats(
        planned,
        [[by_key[key] for key in table] for table in tables],
        away=[by_key[key] for key in away if key in by_key],
        removed=[key for key in away if key not in by_key],
        came=[entry for entry in playing if entry.key not in drawn],
        instead=[(by_key[one], by_key[other]) for one, other in instead.items() if one in by_key],
        facts=facts_of(schedule, planned),
    )


def _mended(
    schedule: Schedule,
    planned: PlannedSession,
    present: set[str],
    instead: Mapping[str, str],
    tournament: Tournament,
) -> Seats:
    """Return the tables of a session with seats for these players."""
    others = tables_before(schedule, tournament, planned.number)
    later = [each.seats for each in planned_sessions(schedule) if each.number > planned.number]
    return draws.mend_tables(
        planned.seats,
        sorted(present, key=int),
        instead=instead,
        sizes=tournament.table_sizes,
        others=[*others, *later],
    ).tables


class Movement(NamedTuple):
    """Where a player sits in each session, by number: table and seat from 1, None for no seat."""

    entry: Entry
    places: dict[int, tuple[int, int] | None]


def movements(schedule: Schedule) -> tuple[list[int], list[Movement]]:
    """Return the numbers of the sessions, and each player's places in them, ordered by reading.

    Sessions that are seated are shown as they are now.
    """
    planned = planned_sessions(schedule)
    seated = {each.number: each for each in schedule.tournament.sessions.all()}
    seats = {
        each.number: {
            place.entry.key: (place.table, place.seat)
            for place in seat_lists.places_by_name(seat_lists.tables_of(seated[each.number]))
        }
        if each.number in seated
        else {
            key: (table, seat)
            for table, keys in enumerate(each.seats, 1)
            for seat, key in enumerate(keys, 1)
        }
        for each in planned
    }
    entries = [
        Movement(entry, {number: places.get(entry.key) for number, places in seats.items()})
        for entry in schedule.tournament.entries.all()
    ]
    with_seats = [each for each in entries if any(each.places.values())]
    in_order = sorted(with_seats, key=lambda each: seat_lists.reading_order(each.entry))
    return [each.number for each in planned], in_order
