"""Planned seats (予定の席): the stored seats of sessions to come that were drawn together."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple

from tournaments import audit, draws
from tournaments.models import AuditEntry, Draw, Entry, Schedule, Tournament
from tournaments.queries import seat_lists, stages
from tournaments.queries.name_order import reading_order
from tournaments.queries.presence import RollCall
from tournaments.queries.progress import current_plan
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
    """Return the sessions of a schedule that belong to the stage in which it was drawn.

    Play-offs that were opened since take numbers; the planned sessions have the other numbers.
    """
    first, tournament = schedule.first_session, schedule.tournament
    stage_end = _end_of_stage(schedule)
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
        if number < stage_end
    ]


def _end_of_stage(schedule: Schedule) -> int:
    """Return the number of the first session that is not of the stage in which seats were drawn.

    Before the next stage is confirmed, it is the number after the planned sessions of this one.
    """
    tournament = schedule.tournament
    stage_rows = {each.number: each for each in tournament.stages.all()}
    drawn_in = _stage_drawn_in(schedule)
    if drawn_in > 1 and (drawn_in not in stage_rows or not stage_rows[drawn_in].is_confirmed):
        return 0
    following = stage_rows.get(drawn_in + 1)
    if following is None:
        return NO_LIMIT
    if following.first_session is not None:
        return following.first_session
    last = tournament.sessions.order_by("number").last()
    return (last.number if last else 0) + 1 + current_plan(tournament).current.left


def _stage_drawn_in(schedule: Schedule) -> int:
    """Return the number of the stage that was the current one when the seats were planned."""
    tournament, confirmed = schedule.tournament, {1}
    kept = audit.last_number(tournament, (AuditEntry.Kind.SCHEDULE_KEPT,))
    changes = tournament.audit_entries.filter(
        kind__in=(AuditEntry.Kind.STAGE_CONFIRMED, AuditEntry.Kind.STAGE_TAKEN_BACK),
        number__lt=kept,
    ).order_by("number")
    for kind, stage in changes.values_list("kind", "subject__stage"):
        if kind == AuditEntry.Kind.STAGE_CONFIRMED:
            confirmed.add(stage)
        else:
            confirmed.discard(stage)
    return max(confirmed)


def has_unused_sessions(
    schedule: Schedule, planned: Sequence[PlannedSession] | None = None
) -> bool:
    """Return whether seats were drawn for sessions that are not of the schedule's stage.

    With `planned`, all planned sessions, these are not read.
    """
    known = planned_sessions(schedule) if planned is None else planned
    return len(known) < len(schedule.seats)


def planned_session(schedule: Schedule | None, number: int) -> PlannedSession | None:
    if schedule is None:
        return None
    return next((each for each in planned_sessions(schedule) if each.number == number), None)


def sessions_as_drawn(schedule: Schedule, planned: Iterable[PlannedSession]) -> list[int]:
    """Return the numbers of the sessions whose seats, perhaps changed by hand, are of this draw.

    Of all `planned` sessions, those to come are, and those that were seated as planned.
    """
    stored = Draw.objects.filter(session__tournament=schedule.tournament_id)
    seated = {each.session.number: each for each in stored.select_related("session")}
    opened = schedule.tournament.sessions.count()
    return [
        each.number
        for each in planned
        if each.number > opened
        or (
            (draw := seated.get(each.number)) is not None
            and (draw.request, draw.answer) == (schedule.request, schedule.answer)
        )
    ]


class LineUp(NamedTuple):
    """Who plays in a planned session, by its roll call, and how they differ from those drawn.

    - `playing`: the keys of the players who play
    - `away`: players with a planned seat who do not play
    - `not_in_stage`: such players who do not play in the session's stage any more
    - `removed`: the keys of such players who were removed from the tournament
    - `newcomers`: players who play but were not drawn
    - `replacements`: pairs of a replaced player and the substitute
    """

    playing: Collection[str]
    away: list[Entry]
    not_in_stage: list[Entry]
    removed: list[str]
    newcomers: list[Entry]
    replacements: list[tuple[Entry, Entry]]

    @property
    def is_stale(self) -> bool:
        """Return whether the players differ from those who were drawn."""
        return any((self.away, self.not_in_stage, self.removed, self.newcomers, self.replacements))


def line_up(
    schedule: Schedule, planned: PlannedSession, roll: RollCall, playing: Sequence[Entry]
) -> LineUp:
    """Compare the players who are `playing` with those who were drawn."""
    by_key = {entry.key: entry for entry in roll.statuses}
    seated, present = planned.players, {entry.key for entry in playing}
    substitutes = {str(number): entry for number, entry in roll.substitutes.items()}
    replacements = {
        key: substitutes[key]
        for key in seated
        if key in substitutes and key in by_key
        if key not in present and substitutes[key].key in present
    }
    drawn = {each["id"] for each in schedule.request["players"]}.union(
        seated, (substitute.key for substitute in replacements.values())
    )
    away = [key for key in seated if key not in present and key not in replacements]
    others = stages.others_of(schedule.tournament, {*away} - by_key.keys())
    known = by_key.keys() | {entry.key for entry in others}
    return LineUp(
        present,
        away=[by_key[key] for key in away if key in by_key],
        not_in_stage=others,
        removed=[key for key in away if key not in known],
        newcomers=[entry for entry in playing if entry.key not in drawn],
        replacements=[(by_key[key], substitute) for key, substitute in replacements.items()],
    )


class SessionToCome(NamedTuple):
    """A planned session that is not seated yet, and who plays in it as far as is known now."""

    planned: PlannedSession
    line_up: LineUp

    @property
    def number(self) -> int:
        return self.planned.number

    @property
    def not_playing(self) -> list[str]:
        """Return the keys of the players with a planned seat who do not play."""
        return [key for key in self.planned.players if key not in self.line_up.playing]


def sessions_to_come(
    schedule: Schedule,
    entries: Sequence[Entry] | None = None,
    planned: Iterable[PlannedSession] | None = None,
) -> list[SessionToCome]:
    """With `entries`, all of the tournament's, or `planned`, all sessions, these are not read."""
    tournament = schedule.tournament
    opened = tournament.sessions.count()
    if planned is None:
        planned = planned_sessions(schedule)
    to_come = [each for each in planned if each.number > opened]
    if entries is None:
        entries = list(tournament.entries.all())
    rolls = stages.roll_calls_of(tournament, [each.number for each in to_come], entries)
    return [
        SessionToCome(each, line_up(schedule, each, roll, roll.to_be_seated()))
        for each, roll in zip(to_come, rolls, strict=True)
    ]


def shown_sessions(tournament: Tournament) -> list[SessionToCome]:
    """Return the planned sessions to come if the director shows them to the public, else [].

    Empty for a closed tournament. Makes one query if they are not shown.
    """
    if tournament.closed_at is not None:
        return []
    schedule = Schedule.objects.filter(tournament=tournament, is_shown=True).first()
    return sessions_to_come(schedule) if schedule else []


class PlannedPlace(NamedTuple):
    """A player's table and seat, from 1, in a session to come; both None without a seat.

    The player then sits out, or `is_new`: plays in the session, but was not drawn.
    """

    session: int
    table: int | None = None
    seat: int | None = None
    is_new: bool = False


def places_in(sessions: Iterable[SessionToCome]) -> dict[str, list[PlannedPlace]]:
    """By key of the player, for those who play in a session.

    A substitute has the place of the replaced player.
    """
    places: dict[str, list[PlannedPlace]] = {}
    for each in sessions:
        for key, place in _places_of(each).items():
            places.setdefault(key, []).append(place)
    return places


def _places_of(session: SessionToCome) -> dict[str, PlannedPlace]:
    number, planned, playing = session.number, session.planned, session.line_up.playing
    places = {key: PlannedPlace(number) for key in planned.sits_out}
    places |= {  # seats may be changed by hand
        key: PlannedPlace(number, table, seat)
        for table, keys in enumerate(planned.seats, 1)
        for seat, key in enumerate(keys, 1)
    }
    places |= {
        substitute.key: places[entry.key] for entry, substitute in session.line_up.replacements
    }
    places |= {entry.key: PlannedPlace(number, is_new=True) for entry in session.line_up.newcomers}
    return {key: place for key, place in places.items() if key in playing}


def draw_facts_of(schedule: Schedule, planned: PlannedSession) -> dict[str, Any]:
    """Return the draw of a planned session as `models.Draw` stores it: request, answer, nth.

    `nth` is left out if it is 1.
    """
    facts = {"request": schedule.request, "answer": schedule.answer}
    return facts if planned.nth == 1 else facts | {"nth": planned.nth}


def seats_before(
    schedule: Schedule, session: int, planned: Iterable[PlannedSession] | None = None
) -> EarlierSeats:
    """Return the seats of the sessions before number `session`: seated ones, then planned ones.

    With `planned`, all planned sessions, these are not read.
    """
    opened = schedule.tournament.sessions.count()
    earlier = earlier_seats(schedule.tournament, session)
    between = [
        tuple(map(tuple, each.seats))
        for each in (planned_sessions(schedule) if planned is None else planned)
        if opened < each.number < session
    ]
    return earlier._replace(tables=earlier.tables + between)


class PlannedSeats(NamedTuple):
    """The planned seats of a session, changed as little as possible for those who play now.

    - `tables`: the changed tables in seat order
    - `line_up`: who plays now
    - `facts`: the draw as returned by `draw_facts_of`
    """

    tables: list[list[Entry]]
    line_up: LineUp
    facts: dict[str, Any]


def seats_for(
    schedule: Schedule, planned: PlannedSession, roll: RollCall, playing: Sequence[Entry]
) -> PlannedSeats:
    """The seats are adapted to the players who are `playing`."""
    by_key = {entry.key: entry for entry in roll.statuses}
    players = line_up(schedule, planned, roll, playing)
    tables = _adapted_tables(schedule, planned, players) if players.is_stale else planned.seats
    return PlannedSeats(
        [[by_key[key] for key in table] for table in tables],
        players,
        draw_facts_of(schedule, planned),
    )


def _adapted_tables(schedule: Schedule, planned: PlannedSession, players: LineUp) -> Seats:
    """Return the planned tables, changed as little as possible for these players.

    Substitutes take over the seats of the players whom they replace.
    """
    tournament = schedule.tournament
    sessions = planned_sessions(schedule)
    earlier = seats_before(schedule, planned.number, sessions)
    later = [each.seats for each in sessions if each.number > planned.number]
    return draws.mend_tables(
        planned.seats,
        sorted(players.playing, key=int),
        substitutes={entry.key: substitute.key for entry, substitute in players.replacements},
        sizes=tournament.table_sizes,
        other_sessions=[*earlier.tables, *later],
        met=earlier.met,
    ).tables


class Movement(NamedTuple):
    """A player's (table, seat), from 1, by session number; None for a session without a seat."""

    entry: Entry
    places: dict[int, tuple[int, int] | None]


class Movements(NamedTuple):
    """The movements of all players with a seat in the stage of the plan, ordered by reading.

    `sessions` has the numbers of all sessions, seated or planned, without play-offs; `to_come`
    those not seated yet.
    """

    sessions: list[int]
    to_come: list[int]
    players: list[Movement]


def movements(schedule: Schedule) -> Movements:
    """Sessions that are already seated have the seats of `seat_lists.last_places`.

    Those to come have the planned seats of the players who play in them.
    """
    tournament = schedule.tournament
    entries = list(tournament.entries.all())
    to_come = sessions_to_come(schedule, entries)
    seats: dict[int, dict[str, tuple[int, int] | None]] = {
        session.number: {**seat_lists.last_places(session)}
        for session in tournament.sessions.filter(tied__isnull=True).order_by("number")
    }
    for each in to_come:
        seats[each.number] = {
            key: (place.table, place.seat) if place.table and place.seat else None
            for key, place in _places_of(each).items()
        }
    of_stage = [number for number in seats if number >= _start_of_stage(schedule)]
    everybody = [
        Movement(entry, {number: places.get(entry.key) for number, places in seats.items()})
        for entry in entries
    ]
    with_seats = [each for each in everybody if any(each.places[number] for number in of_stage)]
    return Movements(
        list(seats),
        [each.number for each in to_come],
        sorted(with_seats, key=lambda each: reading_order(each.entry)),
    )


def _start_of_stage(schedule: Schedule) -> int:
    """Return the number of the first session of the stage in which the seats were planned."""
    tournament = schedule.tournament
    stage = tournament.stages.filter(number=_stage_drawn_in(schedule)).first()
    return stage.opening_session(tournament.play_off_numbers) if stage else 1
