"""Planned seats (予定の席): the stored seats of sessions to come that were drawn together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from tournaments import audit, draws
from tournaments.models import AuditEntry, Entry, Schedule, Tournament
from tournaments.queries import seat_lists
from tournaments.queries.name_order import reading_order
from tournaments.queries.presence import RollCall
from tournaments.queries.seat_draws import EarlierSeats, earlier_seats

KINDS = (
    AuditEntry.Kind.SCHEDULE_KEPT,
    AuditEntry.Kind.SCHEDULE_CHANGED,
    AuditEntry.Kind.SCHEDULE_DROPPED,
)

NO_LIMIT = 1000  # more than any session's number
Seats = Sequence[Sequence[str]]  # the tables: keys of players in seat order


class PlannedSession(NamedTuple):
    """The planned seats of session number `number`, the `nth` of its schedule, from 1.

    `sits_out` has the keys of the drawn players without a seat. `changed` is the number of players
    who do not sit where they were drawn.
    """

    number: int
    nth: int
    seats: Seats
    sits_out: Sequence[str]
    changed: int

    @property
    def players(self) -> list[str]:
        return [key for table in self.seats for key in table]


def schedule_of(tournament: Tournament) -> Schedule | None:
    return Schedule.objects.filter(tournament=tournament).first()


def last_change(tournament: Tournament) -> AuditEntry | None:
    return tournament.audit_entries.filter(kind__in=KINDS).last()


def schedule_version(tournament: Tournament) -> int:
    return audit.last_number(tournament, KINDS)


def count_versions(tournament: Tournament) -> int:
    """Return how often seats were planned, changed or dropped; printed lists show this number."""
    return tournament.audit_entries.filter(kind__in=KINDS).count()


def planned_sessions(schedule: Schedule) -> list[PlannedSession]:
    """Return the sessions of a schedule, without those of a stage that was confirmed since.

    Play-offs that were opened since take numbers; the planned sessions have the other numbers.
    """
    first, tournament = schedule.first_session, schedule.tournament
    later_stages = tournament.stages.filter(first_session__gt=first)
    stage_start = min((each.first_session or NO_LIMIT for each in later_stages), default=NO_LIMIT)
    rows = tournament.sessions.filter(number__gte=first, tied__isnull=False)
    play_offs = set(rows.values_list("number", flat=True))
    end = first + len(schedule.seats) + len(play_offs)
    numbers = [number for number in range(first, end) if number not in play_offs]
    return [
        PlannedSession(
            number,
            nth,
            seats,
            drawn["sits_out"],
            changed=draws.count_seat_changes(drawn["tables"], seats),
        )
        for nth, (number, seats, drawn) in enumerate(
            zip(numbers, schedule.seats, schedule.answer["sessions"], strict=False), 1
        )
        if number < stage_start
    ]


def planned_session(schedule: Schedule | None, number: int) -> PlannedSession | None:
    if schedule is None:
        return None
    return next((each for each in planned_sessions(schedule) if each.number == number), None)


class PlannedPlace(NamedTuple):
    """A player's table and seat, from 1, in a session to come; both None if the player sits out."""

    session: int
    table: int | None
    seat: int | None


def shown_sessions(tournament: Tournament) -> list[PlannedSession]:
    """Return the planned sessions to come if the director shows them to the public, else [].

    Empty for a closed tournament. Makes one query if they are not shown.
    """
    if tournament.closed_at is not None:
        return []
    schedule = Schedule.objects.filter(tournament=tournament, is_shown=True).first()
    if schedule is None:
        return []
    opened = tournament.sessions.count()
    return [each for each in planned_sessions(schedule) if each.number > opened]


def places_in(planned: Sequence[PlannedSession]) -> dict[str, list[PlannedPlace]]:
    """By key of the player; sitting out included."""
    places: dict[str, list[PlannedPlace]] = {}
    for session in planned:
        seated = {
            key: PlannedPlace(session.number, table, seat)
            for table, keys in enumerate(session.seats, 1)
            for seat, key in enumerate(keys, 1)
        }
        without_seat = {key: PlannedPlace(session.number, None, None) for key in session.sits_out}
        for key, place in (without_seat | seated).items():  # seats may be changed by hand
            places.setdefault(key, []).append(place)
    return places


def draw_facts_of(schedule: Schedule, planned: PlannedSession) -> dict[str, Any]:
    """Return the draw of a planned session as `models.Draw` stores it: request, answer, nth.

    `nth` is left out if it is 1.
    """
    facts = {"request": schedule.request, "answer": schedule.answer}
    return facts if planned.nth == 1 else facts | {"nth": planned.nth}


def seats_before(schedule: Schedule, session: int) -> EarlierSeats:
    """Return the seats of the sessions before number `session`: seated ones, then planned ones."""
    opened = schedule.tournament.sessions.count()
    earlier = earlier_seats(schedule.tournament, session)
    planned = [
        tuple(map(tuple, each.seats))
        for each in planned_sessions(schedule)
        if opened < each.number < session
    ]
    return earlier._replace(tables=earlier.tables + planned)


class PlannedSeats(NamedTuple):
    """The planned seats of a session, changed as little as possible for those who play now.

    - `tables`: the changed tables in seat order
    - `away`: players with a planned seat who do not play
    - `removed`: the keys of such players who were removed from the tournament
    - `newcomers`: players who play but were not drawn
    - `replacements`: pairs of a replaced player and the substitute
    - `facts`: the draw as returned by `draw_facts_of`
    """

    planned: PlannedSession
    tables: list[list[Entry]]
    away: list[Entry]
    removed: list[str]
    newcomers: list[Entry]
    replacements: list[tuple[Entry, Entry]]
    facts: dict[str, Any]

    @property
    def is_stale(self) -> bool:
        """Return whether the players differ from those who were drawn."""
        return bool(self.away or self.removed or self.newcomers or self.replacements)


def seats_for(
    schedule: Schedule, planned: PlannedSession, roll: RollCall, playing: Sequence[Entry]
) -> PlannedSeats:
    """The seats are adapted to the players who are `playing`."""
    by_key = {entry.key: entry for entry in roll.statuses}
    seated, present = planned.players, {entry.key for entry in playing}
    substitutes = {str(number): entry.key for number, entry in roll.substitutes.items()}
    replacements = {
        key: substitutes[key]
        for key in seated
        if key in substitutes and key not in present and substitutes[key] in present
    }
    drawn = {each["id"] for each in schedule.request["players"]}.union(
        seated, replacements.values()
    )
    away = [key for key in seated if key not in present and key not in replacements]
    tables: Seats = planned.seats
    if away or replacements or not present <= drawn:
        tables = _adapted_tables(schedule, planned, present, replacements)
    return PlannedSeats(
        planned,
        [[by_key[key] for key in table] for table in tables],
        away=[by_key[key] for key in away if key in by_key],
        removed=[key for key in away if key not in by_key],
        newcomers=[entry for entry in playing if entry.key not in drawn],
        replacements=[
            (by_key[key], by_key[substitute])
            for key, substitute in replacements.items()
            if key in by_key
        ],
        facts=draw_facts_of(schedule, planned),
    )


def _adapted_tables(
    schedule: Schedule,
    planned: PlannedSession,
    present: set[str],
    replacements: Mapping[str, str],
) -> Seats:
    """Return the planned tables, changed as little as possible for the players `present`.

    `replacements` are the substitutes, by key of the replaced player, who take over that seat.
    """
    tournament = schedule.tournament
    earlier = seats_before(schedule, planned.number)
    later = [each.seats for each in planned_sessions(schedule) if each.number > planned.number]
    return draws.mend_tables(
        planned.seats,
        sorted(present, key=int),
        substitutes=replacements,
        sizes=tournament.table_sizes,
        other_sessions=[*earlier.tables, *later],
        met=earlier.met,
    ).tables


class Movement(NamedTuple):
    """A player's (table, seat), from 1, by session number; None for a session without a seat."""

    entry: Entry
    places: dict[int, tuple[int, int] | None]


def movements(schedule: Schedule) -> tuple[list[int], list[Movement]]:
    """Return the numbers of the planned sessions, and the movements of the players in them.

    Sessions that are already seated have their current seats. Players are ordered by reading, those
    without any seat left out.
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
    all_movements = [
        Movement(entry, {number: places.get(entry.key) for number, places in seats.items()})
        for entry in schedule.tournament.entries.all()
    ]
    with_seats = [each for each in all_movements if any(each.places.values())]
    in_order = sorted(with_seats, key=lambda each: reading_order(each.entry))
    return [each.number for each in planned], in_order
