"""The desk's board: all tables of a session, their progress, and their requests to the desk.

The number of queries does not depend on the number of tables.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.db.models import Max

from tournaments.audit import SCORE_THE_SAME, is_the_table
from tournaments.models import (
    Acceptance,
    AuditEntry,
    Call,
    Disagreement,
    Round,
    Session,
    Sitting,
    Tournament,
)
from tournaments.queries.seated_tables import tables_in_play
from tournaments.queries.sheets import PlayedRound, Sheet, sheets_of

# A table is slow after this time without a recorded deal, if it is also twice the others' median.
SLOW_AFTER = timedelta(minutes=8)


class Table(NamedTuple):
    """One table on the board.

    `since_last_deal` is the time since something was recorded; None before that, and if it is over.
    """

    sheet: Sheet
    since_last_deal: timedelta | None
    is_slow: bool
    calls: tuple[Call, ...]
    unaccepted: tuple[int, ...]  # numbers of rounds as people see them
    disagreements: tuple[Disagreement, ...]

    @property
    def minutes(self) -> int | None:
        passed = self.since_last_deal
        return None if passed is None else max(0, int(passed.total_seconds() // 60))

    @property
    def needs_desk(self) -> bool:
        return bool(self.calls or self.disagreements)


class DeskRequest(NamedTuple):
    sitting: Sitting
    call: Call | None = None
    disagreement: Disagreement | None = None


class Tab(NamedTuple):
    """A session in the board's navigation, with its number of open calls and disputes."""

    session: Session
    waiting: int


class Board(NamedTuple):
    session: Session
    tables: tuple[Table, ...]
    desk_requests: tuple[DeskRequest, ...]
    tabs: tuple[Tab, ...]

    @property
    def unfinished(self) -> tuple[Table, ...]:
        return tuple(table for table in self.tables if not table.sheet.is_over)

    @property
    def waiting_for_desk(self) -> int:
        """Return the number of open calls and disputes in all sessions."""
        return len(self.desk_requests)

    @property
    def slow(self) -> tuple[Table, ...]:
        """See `slow_flags`."""
        return tuple(table for table in self.tables if table.is_slow)

    @property
    def unaccepted(self) -> int:
        return sum(len(table.unaccepted) for table in self.tables)


def board_of(session: Session, now: datetime, sheets: Sequence[Sheet] | None = None) -> Board:
    """The sheets of the session are read unless given."""
    if sheets is None:
        sheets = sheets_of(session.sittings.all())
    sheets = tables_in_play(sheets)
    last_deals = _last_deals(session)
    times = [
        _time_since(None if sheet.is_over else _last_deal(sheet, last_deals), now)
        for sheet in sheets
    ]
    is_slow = slow_flags(times)
    requests = desk_requests_in(session.tournament)
    calls = _group_by_sitting(each.call for each in requests if each.call)
    disagreements = _group_by_sitting(each.disagreement for each in requests if each.disagreement)
    agreed = _agreed_rounds(session)
    return Board(
        session,
        tables=tuple(
            Table(
                sheet,
                since_last_deal=times[i],
                is_slow=is_slow[i],
                calls=tuple(call for each in sheet.at_table for call in calls[each.sitting.pk]),
                unaccepted=tuple(
                    each.rounds_before + played.row.number
                    for each in sheet.at_table
                    for played in _unaccepted_rounds(each, agreed)
                ),
                disagreements=tuple(
                    dispute for each in sheet.at_table for dispute in disagreements[each.sitting.pk]
                ),
            )
            for i, sheet in enumerate(sheets)
        ),
        desk_requests=requests,
        tabs=_tabs(session.tournament, requests),
    )


class TableMatters(NamedTuple):
    """The open calls and disputes of one table, and the numbers of its unaccepted rounds."""

    calls: tuple[Call, ...]
    disagreements: tuple[Disagreement, ...]
    unaccepted: frozenset[int]

    @property
    def disputed(self) -> frozenset[int]:
        return frozenset(each.number for each in self.disagreements)


def open_matters_at(sheet: Sheet) -> TableMatters:
    sitting = sheet.sitting
    unaccepted = _unaccepted_rounds(sheet, _agreed_rounds(sitting.session))
    return TableMatters(
        calls=tuple(sitting.calls.filter(answered_at=None)),
        disagreements=tuple(sitting.disagreements.filter(settled_at=None)),
        unaccepted=frozenset(played.row.number for played in unaccepted),
    )


def count_disagreements(tournament: Tournament) -> int:
    """Return how many disagreements are not settled in all sessions."""
    of_tournament = {"sitting__session__tournament": tournament}
    return Disagreement.objects.filter(settled_at=None, **of_tournament).count()


def desk_requests_in(tournament: Tournament) -> tuple[DeskRequest, ...]:
    """Ordered by session and table."""
    of_tournament = {"sitting__session__tournament": tournament}
    with_table = "sitting__session__tournament"
    calls = Call.objects.filter(answered_at=None, **of_tournament)
    disagreements = Disagreement.objects.filter(settled_at=None, **of_tournament)
    requests = [
        *(DeskRequest(each.sitting, call=each) for each in calls.select_related(with_table)),
        *(
            DeskRequest(each.sitting, disagreement=each)
            for each in disagreements.select_related(with_table)
        ),
    ]
    return tuple(
        sorted(requests, key=lambda each: (each.sitting.session.number, each.sitting.number))
    )


def _tabs(tournament: Tournament, requests: Iterable[DeskRequest]) -> tuple[Tab, ...]:
    """Ordered by session number; `requests` are those of all sessions."""
    by_session = Counter(each.sitting.session_id for each in requests)
    sessions = tournament.sessions.order_by("number")
    return tuple(Tab(session, waiting=by_session[session.pk]) for session in sessions)


def slow_flags(times: Sequence[timedelta | None]) -> list[bool]:
    """Return for each table, given by the time since its last deal, whether it is slow.

    A table is slow after more than 8 minutes and more than twice the median of the other tables.
    Tables with None are neither slow nor counted in the median.

    >>> minutes = [timedelta(minutes=each) for each in (3, 4, 5, 12)]
    >>> slow_flags(minutes)
    [False, False, False, True]
    >>> slow_flags([timedelta(minutes=30)]), slow_flags([None, timedelta(minutes=30)])
    ([True], [False, True])
    >>> slow_flags([timedelta(minutes=30)] * 3)
    [False, False, False]
    """
    ordered = sorted(each for each in times if each is not None)
    return [
        time is not None and time > max(SLOW_AFTER, 2 * _median_without(time, ordered))
        for time in times
    ]


def _median_without(time: timedelta, ordered: Sequence[timedelta]) -> timedelta:
    """Return the median of sorted times without one of them, `time`; 0 if no others remain."""
    count = len(ordered) - 1
    own_index = bisect_left(ordered, time)

    def other(index: int) -> timedelta:
        return ordered[index if index < own_index else index + 1]

    return (other((count - 1) // 2) + other(count // 2)) / 2 if count else timedelta(0)


def board_version(tournament: Tournament) -> int:
    """Return the version of the board: the number of the tournament's last audit entry, or 0."""
    return int(tournament.audit_entries.aggregate(last=Max("number"))["last"] or 0)


def _last_deals(session: Session) -> dict[int, datetime]:
    """By primary key of the sitting; without corrections."""
    recorded = Round.objects.filter(sitting__session=session, reason="")
    return dict(recorded.order_by().values_list("sitting").annotate(Max("recorded_at")))


def _last_deal(sheet: Sheet, last_deals: Mapping[int, datetime]) -> datetime | None:
    times = (last_deals.get(each.sitting.pk) for each in sheet.at_table)
    return max((time for time in times if time is not None), default=None)


def _time_since(last: datetime | None, now: datetime) -> timedelta | None:
    return None if last is None else now - last


def _group_by_sitting(calls_or_disputes: Iterable[Any]) -> dict[int, list[Any]]:
    """By primary key of the sitting; a missing key gives a new list."""
    by_table: dict[int, list[Any]] = defaultdict(list)
    for each in calls_or_disputes:
        by_table[each.sitting_id].append(each)
    return by_table


class AgreedRounds(NamedTuple):
    """The rounds of a session that the other side or the desk has agreed to."""

    accepted: frozenset[int]  # primary keys
    decided_at: Mapping[tuple[int, int], datetime]  # the last decision by table and round

    def has(self, sheet: Sheet, row: Round) -> bool:
        """Return whether this version is accepted, or was in force when the desk decided."""
        decided = self.decided_at.get((sheet.sitting.number, row.number))
        return row.pk in self.accepted or (decided is not None and row.recorded_at <= decided)


def _agreed_rounds(session: Session) -> AgreedRounds | None:
    """Return None if nobody has to accept rounds."""
    if session.tournament.accepting == Tournament.Accepting.OFF:
        return None
    accepted = Acceptance.objects.filter(round__sitting__session=session)
    decisions = session.tournament.audit_entries.filter(
        kind=AuditEntry.Kind.DISPUTE_SETTLED, subject__session=session.number
    ).exclude(reason=SCORE_THE_SAME)
    return AgreedRounds(
        frozenset(accepted.values_list("round_id", flat=True)),
        {
            (each.subject["table"], each.subject["round"]): each.at
            for each in decisions.order_by("number")
            if not is_the_table(each.who)
        },
    )


def _unaccepted_rounds(sheet: Sheet, agreed: AgreedRounds | None) -> tuple[PlayedRound, ...]:
    """Return the complete rounds, as the table recorded them, that nobody has agreed to yet.

    Each is judged by itself: the desk may correct one without looking at the others. `agreed` is
    what `_agreed_rounds` returns; empty if it is None.
    """
    if agreed is None:
        return ()
    return tuple(
        played
        for played in sheet.rounds
        if played.score.complete
        and is_the_table(played.row.who)
        and not agreed.has(sheet, played.row)
    )
