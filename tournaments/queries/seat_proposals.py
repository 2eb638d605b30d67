"""Proposed seats (席の案) as they stand: their tables, what no longer fits, and their digest.

The `basis` of a proposal has the versions of what it was made from, by name: `roll` (the marks of
the roll call), `seats` (those of the session, if it is seated), `plan` (the planned seats), `stage`
(the number of the session's stage) and `removal` (see `removal_of`). They are read before
everything else, so that they are never newer than the seats.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection
from typing import Any, NamedTuple

from tournaments import audit, draws
from tournaments.models import AuditEntry, Entry, Seat, SeatProposal, Tournament
from tournaments.queries import presence, stages
from tournaments.queries.draw_records import BY_STANDING
from tournaments.queries.presence import RollCall, Status
from tournaments.queries.seat_draws import earlier_seats, points_by_key

Purpose = SeatProposal.Purpose
DIGITS = 16  # of the part of a digest that stands for the seats
MARK_DIGITS = 8


class Misfits(NamedTuple):
    """What no longer fits in proposed seats.

    - `away`: players with a seat who are away, each with the status
    - `replaced`: players with a seat, each with the substitute who plays instead
    - `unseated`: players without a seat who play, each with the status, and whom the proposal could
      not consider: they have come, or been added, since
    - `not_in_stage`: players with a seat who do not play in this stage, or no longer
    - `gone`: keys of players with a seat who were removed from the tournament
    - `has_new_points`: points have changed since the seats were drawn by the standings
    """

    away: list[tuple[Entry, Status]]
    replaced: list[tuple[Entry, Entry]]
    unseated: list[tuple[Entry, Status]]
    not_in_stage: list[Entry]
    gone: list[str]
    has_new_points: bool

    @property
    def exist(self) -> bool:
        return any(self)

    @property
    def marks(self) -> frozenset[str]:
        """Return a short digest of each thing that does not fit."""
        return frozenset(
            _digest_of(each)[:MARK_DIGITS]
            for each in (
                *(["away", entry.key, status.value] for entry, status in self.away),
                *(["replaced", entry.key, other.key] for entry, other in self.replaced),
                *(["unseated", entry.key] for entry, _status in self.unseated),
                *(["not in stage", entry.key] for entry in self.not_in_stage),
                *(["gone", key] for key in self.gone),
                *([["points"]] if self.has_new_points else []),
            )
        )


class Proposal(NamedTuple):
    """Proposed seats of one session, with the players as they are now."""

    row: SeatProposal
    roll: RollCall
    misfits: Misfits

    @property
    def tables(self) -> list[list[Entry]]:
        """Return the players of each table in seat order, without those who are gone."""
        by_key = self._by_key
        return [[by_key[key] for key in table if key in by_key] for table in self.row.seats]

    @property
    def without_seat(self) -> list[Entry]:
        """Ordered by number."""
        seated = keys_in(self.row.seats)
        return [entry for entry in self.roll.statuses if entry.key not in seated]

    @property
    def digest(self) -> str:
        """Return the digest of what a page shows: of the seats, and of each misfit."""
        row = self.row
        seats = _digest_of([row.number, row.purpose, row.seats])[:DIGITS]
        return f"{seats}-{'.'.join(sorted(self.misfits.marks))}"

    def has_seats_of(self, digest: str) -> bool:
        """Return whether the seats are those of the page that showed this digest."""
        return self.digest.partition("-")[0] == digest.partition("-")[0]

    def was_shown(self, digest: str) -> bool:
        """Return whether the page with this digest showed these seats, and all that does not fit.

        What it showed and fits by now, such as a player who was moved away, is no difference.
        """
        shown = frozenset(digest.partition("-")[2].split("."))
        return self.has_seats_of(digest) and self.misfits.marks <= shown

    def mended(self) -> list[list[str]]:
        """Return the tables, changed as little as possible for the players who play now."""
        seated = keys_in(self.row.seats)
        playing = {entry.key for entry in self.roll.to_be_seated()}
        came = {entry.key for entry, _status in self.misfits.unseated}
        substitutes = {
            entry.key: substitute.key
            for entry, substitute in self.misfits.replaced
            if substitute.key in playing - seated
        }
        wanted = playing & (seated | came | {*substitutes.values()})
        tournament = self.row.tournament
        earlier = earlier_seats(tournament, self.row.session)
        played = Counter(key for session in earlier.tables for table in session for key in table)
        # Who sat out fills a table up, before its other players sit out, too.
        spare = sorted(playing - wanted, key=lambda key: (played[key], int(key)))
        sizes = tournament.table_sizes
        while spare and sum(draws.best_mix(len(wanted), sizes)) < len(wanted) < len(seated):
            wanted.add(spare.pop(0))
        return draws.mend_tables(
            self.row.seats,
            sorted(wanted, key=int),
            substitutes=substitutes,
            sizes=sizes,
            other_sessions=earlier.tables,
            met=earlier.met,
        ).tables

    @property
    def _by_key(self) -> dict[str, Entry]:
        return {entry.key: entry for entry in self.roll.statuses}


def read(row: SeatProposal) -> Proposal:
    tournament = row.tournament
    roll = roll_call_to_seat(tournament, row.session)
    by_key = {entry.key: entry for entry in roll.statuses}
    seated = keys_in(row.seats)
    others = {each.key: each for each in stages.others_of(tournament, seated - by_key.keys())}
    newly_marked = presence.marked_since(tournament, row.basis["roll"])
    too_many = row.choices.get("too_many", "").split()
    came = [
        (entry, roll.statuses[entry])
        for entry in roll.to_be_seated()
        if entry.key not in seated
        and (
            entry.key not in row.left_out
            or (
                entry.number in newly_marked
                and roll.statuses[entry] == Status.PRESENT
                and entry.key not in too_many
            )
        )
    ]
    in_order = [entry for entry in roll.statuses if entry.key in seated]
    misfits = Misfits(
        away=[
            (entry, roll.statuses[entry])
            for entry in in_order
            if roll.statuses[entry] in presence.AWAY and entry.number not in roll.substitutes
        ],
        replaced=[
            (entry, roll.substitutes[entry.number])
            for entry in in_order
            if entry.number in roll.substitutes
        ],
        unseated=came,
        not_in_stage=list(others.values()),
        gone=sorted(seated - by_key.keys() - others.keys(), key=int),
        has_new_points=_has_new_points(row),
    )
    return Proposal(row, roll, misfits)


def count_moved(row: SeatProposal) -> int:
    """Return how many players do not sit where they were drawn; 0 for seats not drawn."""
    if not row.draw:
        return 0
    drawn = row.draw["answer"]["sessions"][row.draw.get("nth", 1) - 1]
    return draws.count_seat_changes(drawn["tables"], row.seats)


def digest_of_seats(seats: Collection[Any]) -> str:
    return _digest_of(seats)[:DIGITS]


def has_moves(row: SeatProposal) -> bool:
    """Return whether players were moved by hand, in it or before it was mended, and not back."""
    now = digest_of_seats(row.seats)
    return bool(row.choices.get("proposed", now) != now)  # older proposals have no such digest


def removal_of(tournament: Tournament, session: int) -> int:
    """Return the number of the audit entry of the last removal of this session, or 0."""
    return audit.last_number(tournament, (AuditEntry.Kind.SESSION_REMOVED,), session=session)


def former_with_moves(row: SeatProposal) -> SeatProposal | None:
    """Return the proposal before this one if players were moved by hand in it, and not in this."""
    same = row.tournament.seat_proposals.filter(purpose=row.purpose, session=row.session)
    former = same.filter(number__lt=row.number).last()
    if former is None or former.basis.get("removal", 0) != row.basis.get("removal", 0):
        return None
    keeps_moves = row.choices.get("proposed") == ""
    return former if has_moves(former) and not keeps_moves else None


def roll_call_to_seat(tournament: Tournament, session: int) -> RollCall:
    """Return the roll call of a session's players, and of others who have a seat in it.

    By the marks alone: seats are proposed for sessions in which nobody has played.
    """
    players = stages.players_of_session(tournament, session)
    seats = Seat.objects.filter(
        sitting__session__tournament=tournament, sitting__session__number=session
    )
    seated = {seat.entry for seat in seats.select_related("entry")}
    everybody = sorted(seated.union(players), key=lambda entry: entry.number)
    return presence.marked_roll_call(tournament, session, everybody)


def keys_in(seats: Collection[Collection[str]]) -> set[str]:
    return {key for table in seats for key in table}


def _has_new_points(row: SeatProposal) -> bool:
    if not row.draw or row.draw["request"]["method"] not in BY_STANDING:
        return False
    points, drawn = points_by_key(row.tournament), row.draw["request"]["players"]
    return any(points.get(each["id"], 0) != each.get("points", 0) for each in drawn)


def _digest_of(content: Any) -> str:
    return hashlib.sha256(audit.canonical_json(content)).hexdigest()
