"""Who is there in a session, from the marks of its roll call and of earlier ones."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from tournaments.models import AuditEntry, Entry, Presence, Seat, Substitution, Tournament

Status = Presence.Status

KINDS = (AuditEntry.Kind.PRESENCE_MARKED, AuditEntry.Kind.ROLL_CALL_RESTARTED)
# Players who get no seat in a draw.
AWAY = frozenset({Status.ABSENT, Status.LATE, Status.WITHDRAWN})


def status_in(
    session: int, marks: Mapping[int, str], *, unmarked: Status = Status.EXPECTED
) -> Status:
    """Return a player's status in a session (its number); `marks` are by session number.

    The newest mark of this session or an earlier one counts; without one it is `unmarked`. Who was
    late in an earlier session is expected again.

    >>> status_in(3, {1: "present", 2: "absent", 4: "present"}).value
    'absent'
    >>> status_in(1, {1: "late"}).value, status_in(2, {1: "late"}).value
    ('late', 'expected')
    """
    newest = max((number for number in marks if number <= session), default=None)
    if newest is None:
        return unmarked
    status = Status(marks[newest])
    return Status.EXPECTED if status == Status.LATE and newest < session else status


def unmarked_status(entry: Entry, *, plays_for_somebody: bool) -> Status:
    """Return a player's status without a mark: a substitute is there only to replace somebody."""
    if not entry.is_substitute:
        return Status.EXPECTED
    return Status.PRESENT if plays_for_somebody else Status.ABSENT


def status_of(entry: Entry, session: int) -> Status:
    """Return one player's status in a session, in one or two queries."""
    is_substituting = (
        entry.is_substitute and entry.substituting.filter(session_number=session).exists()
    )
    marks = dict(entry.presence.values_list("session_number", "status"))
    unmarked = unmarked_status(entry, plays_for_somebody=is_substituting)
    return status_in(session, marks, unmarked=unmarked)


class RollCall(NamedTuple):
    """The players of a tournament, by number, and the status of each in one session.

    `substitutes` has who plays in whose stead, by the number of the absent player.
    `is_carried_over` tells that all marks are of earlier sessions.
    """

    session: int
    statuses: dict[Entry, Status]
    substitutes: Mapping[int, Entry] = {}
    is_carried_over: bool = False

    @property
    def counts(self) -> dict[Status, int]:
        """Return the number of players by status, in the order of `Status`."""
        found = list(self.statuses.values())
        return {status: found.count(status) for status in Status}

    @property
    def has_begun(self) -> bool:
        """Return whether anybody is marked as present."""
        return Status.PRESENT in self.statuses.values()

    @property
    def unchecked(self) -> list[Entry]:
        """Return the players whom the roll call has not reached."""
        return self.having({Status.EXPECTED})

    def having(self, statuses: Collection[Status]) -> list[Entry]:
        """Return the players with one of these statuses."""
        return [entry for entry, status in self.statuses.items() if status in statuses]

    def to_be_seated(self, *, only_present: bool = False) -> list[Entry]:
        """Return the players that a draw seats: present or expected ones, or only the present.

        Substitutes are among them, and nobody who is replaced.
        """
        found = self.having({Status.PRESENT} if only_present else set(Status) - AWAY)
        return [entry for entry in found if entry.number not in self.substitutes]

    def not_away(self, players: Iterable[Entry]) -> list[Entry]:
        """Return those of these players who are not away: without a seat they sit out."""
        return [each for each in players if self.statuses.get(each) not in AWAY]

    @property
    def present_and_replaced(self) -> list[Entry]:
        """Return the players who are present though somebody plays in their stead."""
        return [each for each in self.having({Status.PRESENT}) if each.number in self.substitutes]

    @property
    def away(self) -> dict[Status, list[Entry]]:
        """Return the players who are away, by status."""
        return {each: found for each in Status if each in AWAY and (found := self.having({each}))}


def roll_call(
    tournament: Tournament, session: int, entries: Iterable[Entry] | None = None
) -> RollCall:
    """Return the roll call of a session, by its number, in two queries or three.

    `entries` are the players of the tournament, if they are read already.
    """
    everybody = tournament.entries.all() if entries is None else entries
    marks, substitutes = dict(marks_of(tournament, session)), _substitutes_in(tournament, session)
    playing = {each.pk for each in substitutes.values()}
    statuses = {}
    for each in everybody:
        unmarked = unmarked_status(each, plays_for_somebody=each.pk in playing)
        statuses[each] = status_in(session, marks.get(each.pk, {}), unmarked=unmarked)
    is_carried_over = bool(marks) and not any(session in own for own in marks.values())
    return RollCall(session, statuses, substitutes, is_carried_over=is_carried_over)


def _substitutes_in(tournament: Tournament, session: int) -> dict[int, Entry]:
    """Return the substitutes of a session by the number of the player whom each replaces."""
    rows = Substitution.objects.filter(entry__tournament=tournament, session_number=session)
    return {row.entry.number: row.substitute for row in rows.select_related("entry", "substitute")}


class SeatsToChange(NamedTuple):
    """Players of a seated session whose seats do not follow from the roll call, by number."""

    away: list[Entry]  # with a seat
    unseated: list[Entry]  # present without one


def seats_to_change(roll: RollCall, tournament: Tournament) -> SeatsToChange:
    """Compare a roll call with the seats of its session, in one query; all empty before them."""
    seats = Seat.objects.filter(
        sitting__session__tournament=tournament,
        sitting__session__number=roll.session,
        sitting__continued_by=None,
    )
    seated = set(seats.values_list("entry_id", flat=True))
    return SeatsToChange(
        away=[entry for entry in roll.having(AWAY) if entry.pk in seated],
        unseated=[
            each
            for each in roll.having({Status.PRESENT})
            if seated and each.pk not in seated and each.number not in roll.substitutes
        ],
    )


def without_seat(roll: RollCall, seated: Collection[Entry]) -> list[Entry]:
    """Return who is to play but has no seat now, by number; also those who are late.

    Not those who are absent or withdrawn, nor whoever is replaced.
    """
    gone = {Status.ABSENT, Status.WITHDRAWN}
    return [
        entry
        for entry, status in roll.statuses.items()
        if entry not in seated and status not in gone and entry.number not in roll.substitutes
    ]


def marks_of(tournament: Tournament, session: int) -> defaultdict[int, dict[int, str]]:
    """Return the marks up to a session: by primary key of the player, then by session number."""
    rows = Presence.objects.filter(entry__tournament=tournament, session_number__lte=session)
    marks: defaultdict[int, dict[int, str]] = defaultdict(dict)
    for entry, number, status in rows.values_list("entry_id", "session_number", "status"):
        marks[entry][number] = status
    return marks


def marked_since(tournament: Tournament, version: int) -> set[int]:
    """Return the numbers of the players who were marked after this version of all marks."""
    marked = AuditEntry.Kind.PRESENCE_MARKED
    entries = tournament.audit_entries.filter(kind=marked, number__gt=version)
    return {new["number"] for new in entries.values_list("new", flat=True) if new}


def withdrawn_from(tournament: Tournament) -> dict[str, int]:
    """Return the session since which a player is withdrawn, by the number as text, in one query."""
    rows = Presence.objects.filter(entry__tournament=tournament).order_by("session_number")
    columns = ("entry__number", "session_number", "status")
    newest = {
        str(number): (session, status) for number, session, status in rows.values_list(*columns)
    }
    return {
        player: session
        for player, (session, status) in newest.items()
        if status == Status.WITHDRAWN
    }


def version_of(tournament: Tournament) -> int:
    """Return the version of all marks: the number of the last audit entry about them, 0 if none."""
    last = tournament.audit_entries.filter(kind__in=KINDS).order_by("-number")
    return last.values_list("number", flat=True).first() or 0
