"""The status of players in a session, from the marks of its roll call and of earlier ones."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from itertools import chain
from typing import NamedTuple

from django.db.models import Exists, OuterRef, Q, Subquery

from scoring.ranking.absence import Absence
from tournaments import audit
from tournaments.models import (
    AuditEntry,
    Entry,
    Presence,
    Round,
    Seat,
    SittingTotals,
    Substitution,
    Tournament,
)
from tournaments.queries.progress import sessions_of
from tournaments.queries.sheets import Sheet

Status = Presence.Status

KINDS = (AuditEntry.Kind.PRESENCE_MARKED, AuditEntry.Kind.ROLL_CALL_RESTARTED)
# Players who get no seat in a draw.
AWAY = frozenset({Status.ABSENT, Status.LATE, Status.WITHDRAWN})


def status_in(
    session: int, marks: Mapping[int, str], *, unmarked: Status = Status.EXPECTED
) -> Status:
    """Return a player's status in session number `session`; `marks` are by session number.

    The mark of the latest session up to this one counts; without a mark the status is `unmarked`. A
    player who was late in an earlier session is expected again.

    >>> status_in(3, {1: "present", 2: "absent", 4: "present"}).value
    'absent'
    >>> status_in(1, {1: "late"}).value, status_in(2, {1: "late"}).value
    ('late', 'expected')
    """
    latest = max((number for number in marks if number <= session), default=None)
    if latest is None:
        return unmarked
    status = Status(marks[latest])
    return Status.EXPECTED if status == Status.LATE and latest < session else status


def competing(entries: Iterable[Entry]) -> list[Entry]:
    """Return the players of an event: substitutes are counted apart, as they have no place."""
    return [each for each in entries if not each.is_substitute]


def unmarked_status(entry: Entry, *, is_substituting: bool) -> Status:
    """Return the status of a player without a mark: expected.

    A substitute is present if replacing somebody in the session, else absent.
    """
    if not entry.is_substitute:
        return Status.EXPECTED
    return Status.PRESENT if is_substituting else Status.ABSENT


def status_of(entry: Entry, session: int) -> Status:
    """Return one player's status in a session, by its number, in at most three queries."""
    status = marked_status(entry, session)
    if status != Status.EXPECTED:
        return status
    playing = _who_plays(entry.tournament, [session]).get(session, set())
    return Status.PRESENT if entry.pk in playing else status


def marked_status(entry: Entry, session: int) -> Status:
    """Return a player's status by the marks alone, whatever is recorded."""
    is_substituting = (
        entry.is_substitute and entry.substituting.filter(session_number=session).exists()
    )
    marks = dict(entry.presence.values_list("session_number", "status"))
    unmarked = unmarked_status(entry, is_substituting=is_substituting)
    return status_in(session, marks, unmarked=unmarked)


class RollCall(NamedTuple):
    """The status of each player in one session, ordered by number.

    `substitutes` are the session's substitutes by the number of the player each replaces.
    `is_carried_over`: there are marks, but only from earlier sessions. `playing` are those who are
    present because they play, though nobody has marked them.
    """

    session: int
    statuses: dict[Entry, Status]
    substitutes: Mapping[int, Entry] = {}
    is_carried_over: bool = False
    playing: Collection[Entry] = frozenset()

    @property
    def counts(self) -> dict[Status, int]:
        """In the order of `Status`; without substitutes."""
        statuses = [self.statuses[each] for each in competing(self.statuses)]
        return {status: statuses.count(status) for status in Status}

    @property
    def substitute_players(self) -> list[Entry]:
        """Return who was added as a substitute, replacing somebody in the session or not."""
        return [each for each in self.statuses if each.is_substitute]

    @property
    def substitutes_there(self) -> list[Entry]:
        """Return the substitutes who are not away: those who replace somebody, or came anyway."""
        return self.not_away(self.substitute_players)

    @property
    def substitutes_away(self) -> list[Entry]:
        """Return the other substitutes, such as those of an earlier session."""
        return [each for each in self.substitute_players if self.statuses[each] in AWAY]

    @property
    def substitutes_to_seat(self) -> list[Entry]:
        """Return the substitutes whom a draw seats, who are in none of `counts`."""
        return [each for each in self.to_be_seated() if each.is_substitute]

    @property
    def has_begun(self) -> bool:
        """Return whether anybody is marked as present."""
        return any(each not in self.playing for each in self.with_status({Status.PRESENT}))

    @property
    def unchecked(self) -> list[Entry]:
        return self.with_status({Status.EXPECTED})

    def with_status(self, statuses: Collection[Status]) -> list[Entry]:
        return [entry for entry, status in self.statuses.items() if status in statuses]

    def to_be_seated(self, *, only_present: bool = False) -> list[Entry]:
        """Return the players whom a draw seats: those present or expected, or only those present.

        Players whom a substitute replaces are left out.
        """
        to_seat = self.with_status({Status.PRESENT} if only_present else set(Status) - AWAY)
        return [entry for entry in to_seat if entry.number not in self.substitutes]

    def not_away(self, players: Iterable[Entry]) -> list[Entry]:
        return [each for each in players if self.statuses.get(each) not in AWAY]

    @property
    def present_and_replaced(self) -> list[Entry]:
        return [
            each for each in self.with_status({Status.PRESENT}) if each.number in self.substitutes
        ]

    @property
    def away(self) -> dict[Status, list[Entry]]:
        """Return the players who are away, by status; without the statuses that nobody has.

        Substitutes are left out.
        """
        by_status = {each: competing(self.with_status({each})) for each in Status if each in AWAY}
        return {status: entries for status, entries in by_status.items() if entries}


def roll_call(
    tournament: Tournament, session: int, entries: Iterable[Entry] | None = None
) -> RollCall:
    """Return the roll call of session number `session`, in four queries at most.

    With `entries`, only these players are listed, and players are not read.
    """
    everybody = tournament.entries.all() if entries is None else entries
    return roll_calls(tournament, {session: everybody})[0]


def marked_roll_call(
    tournament: Tournament, session: int, entries: Iterable[Entry] | None = None
) -> RollCall:
    """Return the roll call without looking at what is recorded, which saves a query.

    It has the same players away and replaced as `roll_call`, but nobody is `playing`.
    """
    everybody = tournament.entries.all() if entries is None else entries
    marks, substitutes = marks_of(tournament, session), _substitutes_in(tournament, [session])
    return _roll_call(session, everybody, marks, substitutes[session], at_tables=())


def roll_calls(tournament: Tournament, players: Mapping[int, Iterable[Entry]]) -> list[RollCall]:
    """Return the roll calls of several sessions, in three queries; `players` by session number.

    Who plays is present: a player whom the marks still expect, and who has a round or total in the
    session, is present there.
    """
    marks = marks_of(tournament, max(players, default=0))
    substitutes = _substitutes_in(tournament, players)
    playing = _who_plays(tournament, players)
    return [
        _roll_call(session, each, marks, substitutes[session], playing.get(session, set()))
        for session, each in players.items()
    ]


def _roll_call(
    session: int,
    players: Iterable[Entry],
    marks: Mapping[int, Mapping[int, str]],
    substitutes: Mapping[int, Entry],
    at_tables: Collection[int],
) -> RollCall:
    """`marks` may hold those of later sessions; `at_tables` are primary keys of who plays."""
    substituting = {each.pk for each in substitutes.values()}
    statuses = {}
    for each in players:
        unmarked = unmarked_status(each, is_substituting=each.pk in substituting)
        statuses[each] = status_in(session, marks.get(each.pk, {}), unmarked=unmarked)
    marked = {number for by_session in marks.values() for number in by_session if number <= session}
    expected = (each for each in statuses if statuses[each] == Status.EXPECTED)
    playing = frozenset(each for each in expected if each.pk in at_tables)
    statuses |= dict.fromkeys(playing, Status.PRESENT)
    is_carried_over = bool(marked) and session not in marked
    return RollCall(
        session, statuses, substitutes, is_carried_over=is_carried_over, playing=playing
    )


def _who_plays(tournament: Tournament, sessions: Iterable[int]) -> dict[int, set[int]]:
    """Return the primary keys of the players at a table who have a round or total in a session.

    By number of the session. Who has left the table is none of them.
    """
    rounds, totals = (
        Exists(model.objects.filter(sitting=OuterRef("sitting")))
        for model in (Round, SittingTotals)
    )
    seats = Seat.objects.filter(
        sitting__session__tournament=tournament, sitting__session__number__in=sessions
    ).annotate(has_record=rounds | totals)
    # In one pass: PostgreSQL compares each seat with each where a subquery names the players.
    columns = ("sitting__session__number", "entry_id", "has_record", "sitting__continued_by")
    at_table: defaultdict[int, set[int]] = defaultdict(set)
    has_played: defaultdict[int, set[int]] = defaultdict(set)
    for session, entry, has_record, continued_by in seats.order_by().values_list(*columns):
        if continued_by is None:
            at_table[session].add(entry)
        if has_record:
            has_played[session].add(entry)
    return {session: players & has_played[session] for session, players in at_table.items()}


def _substitutes_in(
    tournament: Tournament, sessions: Iterable[int]
) -> Mapping[int, Mapping[int, Entry]]:
    """Return the substitutes by session number, then by number of the replaced player."""
    rows = Substitution.objects.filter(entry__tournament=tournament, session_number__in=sessions)
    found: defaultdict[int, dict[int, Entry]] = defaultdict(dict)
    for row in rows.select_related("entry", "substitute"):
        found[row.session_number][row.entry.number] = row.substitute
    return found


def away_at_tables(
    tournament: Tournament, session: int, sheets: Iterable[Sheet]
) -> dict[str, Status]:
    """Return by key who of the players at these tables is away, unless play there is over.

    Makes one query.
    """
    marks = marks_of(tournament, session)
    statuses = {
        each.key: status_in(
            session, marks.get(each.pk, {}), unmarked=unmarked_status(each, is_substituting=True)
        )
        for sheet in sheets
        if not sheet.is_over
        for each in sheet.entries
    }
    return {key: status for key, status in statuses.items() if status in AWAY}


class SeatsToChange(NamedTuple):
    """Players of a seated session whose seats contradict the roll call, ordered by number."""

    away: list[Entry]  # away, but with a seat
    unseated: list[Entry]  # present, but without a seat and not replaced
    released: list[Entry]  # added as substitutes, replacing nobody any more, but with a seat


def seats_to_change(roll: RollCall, tournament: Tournament) -> SeatsToChange:
    """Compare a roll call with the seats of its session, in one query if they agree.

    All lists are empty unless the session is at hand: seated, not over, and the last one seated.
    In a play-off nobody else needs a seat, and a substitute may fill one.
    """
    seats = Seat.objects.filter(
        sitting__session__tournament=tournament,
        sitting__session__number=roll.session,
        sitting__continued_by=None,
    )
    tied_by_seated = dict(seats.values_list("entry_id", "sitting__session__tied"))
    seated, is_play_off = set(tied_by_seated), any(tied_by_seated.values())
    replacing = roll.substitutes.values()
    away = [entry for entry in roll.with_status(AWAY) if entry.pk in seated]
    released = [each for each in away if each.is_substitute and each not in replacing]
    found = SeatsToChange(
        away=[each for each in away if each not in released],
        released=[] if is_play_off else released,
        unseated=[
            each
            for each in roll.with_status({Status.PRESENT})
            if seated and not is_play_off
            if each.pk not in seated and each.number not in roll.substitutes
        ],
    )
    return (
        found if any(found) and _is_at_hand(tournament, roll.session) else SeatsToChange([], [], [])
    )


def _is_at_hand(tournament: Tournament, session: int) -> bool:
    """Return whether a seated session is the last one, and not over."""
    last = sessions_of(tournament)[-1]
    return last.session.number == session and not last.is_over


class FreePlayers(NamedTuple):
    """The players without a seat in a session who can take one, each list ordered by number."""

    to_play: list[Entry]  # present or expected
    substitutes: list[Entry]  # added as such, and replacing nobody
    away: list[Entry]  # late, absent or withdrawn


def free_players(roll: RollCall, seated: Collection[Entry]) -> FreePlayers:
    """Return who can take a seat; players whom a substitute replaces are left out."""
    free = FreePlayers([], [], [])
    for entry, status in roll.statuses.items():
        if entry in seated or entry.number in roll.substitutes:
            continue
        if status not in AWAY:
            free.to_play.append(entry)
        elif entry.is_substitute and status == Status.ABSENT:
            free.substitutes.append(entry)
        else:
            free.away.append(entry)
    return free


def marks_of(tournament: Tournament, session: int) -> defaultdict[int, dict[int, str]]:
    """Return the marks up to a session, by the player's primary key, then by session number."""
    rows = Presence.objects.filter(entry__tournament=tournament, session_number__lte=session)
    marks: defaultdict[int, dict[int, str]] = defaultdict(dict)
    for entry, number, status in rows.values_list("entry_id", "session_number", "status"):
        marks[entry][number] = status
    return marks


def marked_since(tournament: Tournament, version: int) -> set[int]:
    """Return the numbers of players; `version` as in `version_of`."""
    marked = AuditEntry.Kind.PRESENCE_MARKED
    audit_entries = tournament.audit_entries.filter(kind=marked, number__gt=version)
    return {new["number"] for new in audit_entries.values_list("new", flat=True) if new}


class Away(NamedTuple):
    """Who did not take part, and why.

    - `withdrawn`: the session from which each player who withdrew does not play, by key
    - `by_session`: by session number and key, why other players were not there
    """

    withdrawn: dict[str, int]
    by_session: dict[int, dict[str, Absence]]


ABSENCES = {
    Status.ABSENT: Absence.ABSENT,
    Status.LATE: Absence.LATE,
    Status.WITHDRAWN: Absence.WITHDRAWN,
}


def away_from(
    tournament: Tournament, sessions: Collection[int], players: Collection[Entry]
) -> Away:
    """Return who of these players was away from sessions by the roll call, or joined later.

    Players added only as substitutes are left out of `by_session`.

    Whoever was marked as late, came after a session was seated, and found no seat, was late; who
    got up from a seat before anything was recorded there did not sit out. Makes one query, with
    sessions one more, and another if somebody came late or got up.
    """
    rows = Presence.objects.filter(entry__tournament=tournament).order_by("session_number")
    columns = ("entry__number", "session_number", "status")
    marks: defaultdict[str, dict[int, str]] = defaultdict(dict)
    for number, session, status in rows.values_list(*columns):
        marks[str(number)][session] = status
    withdrawn = {
        player: last
        for player, of_player in marks.items()
        if of_player[last := max(of_player)] == Status.WITHDRAWN
    }
    joined, arrived, got_up = _arrivals(tournament) if sessions else _Arrivals({}, {}, {})
    players_of_event = {each.key for each in competing(players)}
    by_session: dict[int, dict[str, Absence]] = {}
    for session in sorted(sessions):
        away = {player: Absence.JOINED_LATER for player, last in joined.items() if session <= last}
        away |= dict.fromkeys(got_up.get(session, ()), Absence.TABLE_NOT_PLAYED)
        for player, of_player in marks.items():
            if (absence := ABSENCES.get(status_in(session, of_player))) is not None:
                away[player] = absence
        for player in arrived.get(session, ()):  # late, though present by now
            away.setdefault(player, Absence.LATE)
        by_session[session] = {
            player: reason
            for player, reason in away.items()
            if player in players_of_event
            and (player not in withdrawn or session < withdrawn[player])
        }
    return Away(withdrawn, {session: away for session, away in by_session.items() if away})


def joined_later(tournament: Tournament, session: int) -> set[str]:
    """Return the keys of the players added after session number `session` was seated."""
    return {player for player, last in _arrivals(tournament).joined.items() if session <= last}


class _Arrivals(NamedTuple):
    """Who came, or got up, after a session was seated, by the audit trail.

    - `joined`: players added since, by key, with the last session seated before
    - `arrived`: by session, keys of the players who were late when it was seated, are marked as
      present by now and have had no seat in it
    - `got_up`: by session, keys of the players who were given a seat when it was seated, have left
      it before anything was recorded there, and have taken no other
    """

    joined: dict[str, int]
    arrived: dict[int, set[str]]
    got_up: dict[int, set[str]]


def _arrivals(tournament: Tournament) -> _Arrivals:
    audit_entries = tournament.audit_entries
    opened, added = AuditEntry.Kind.SESSION_OPENED, AuditEntry.Kind.ENTRIES_ADDED
    reseated, changed = AuditEntry.Kind.SESSION_RESEATED, AuditEntry.Kind.PLAYERS_CHANGED
    # Other marks that no longer hold were mistakes, as far as is recorded.
    came = Q(
        kind=AuditEntry.Kind.PRESENCE_MARKED, old__status=Status.LATE, new__status=Status.PRESENT
    )
    later = audit_entries.filter(
        came | Q(kind__in=(opened, added, reseated, changed)),
        number__gte=Subquery(
            audit_entries.filter(kind=opened).order_by("number").values("number")[:1]
        ),
    )
    joined: dict[str, int] = {}
    arrived: dict[int, set[str]] = {}
    got_up: defaultdict[int, set[str]] = defaultdict(set)
    seated: defaultdict[int, set[str]] = defaultdict(set)  # by session, when it was seated
    last_session = 0
    for each in later.order_by("number"):
        if each.kind in {opened, reseated}:
            session = each.subject["session"]
            seated[session], got_up[session] = set(chain(*(each.new or ()))), set()
            if each.kind == opened:
                last_session, arrived[session] = session, set()
        elif each.kind == changed:
            session = each.subject["session"]
            before, after = (chain(*(seats or {}).values()) for seats in (each.old, each.new))
            got_up[session] |= seated[session] & {*before} - {*after}
        elif each.kind == added:
            joined |= {str(player["number"]): last_session for player in each.new or ()}
        elif each.new and each.subject["session"] in arrived:
            arrived[each.subject["session"]].add(str(each.new["number"]))
    found = (arrived, got_up)
    for seat in Seat.objects.filter(
        sitting__session__tournament=tournament,
        sitting__session__number__in={
            number for by_session in found for number, keys in by_session.items() if keys
        },
    ).select_related("entry", "sitting__session"):
        for by_session in found:
            by_session.get(seat.sitting.session.number, set()).discard(seat.entry.key)
    return _Arrivals(joined, arrived, got_up)


def marks_version(tournament: Tournament) -> int:
    return audit.last_number(tournament, KINDS)
