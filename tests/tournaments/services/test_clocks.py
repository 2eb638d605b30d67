"""The clock of a session: what its end is after every act, conflicts, archive and verification."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import cast
from tests import clocks as stopped_time
from tests.cast import SOMEBODY
from tournaments import verification
from tournaments.models import AuditEntry, Clock, Session, Tournament
from tournaments.queries import clocks as clock_queries
from tournaments.queries.clocks import ClockSettings, ends_at, is_time_up, seconds_left, state_of
from tournaments.services import clocks, closing, sessions
from tournaments.services.clocks import ClockAction

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
HOUR = ClockSettings(3600, 300, {})


@pytest.fixture
def session(tournament: Tournament) -> Session:
    return cast.make_sitting(tournament).session


def run(
    session: Session, act: ClockAction, *, at: datetime, monkeypatch: pytest.MonkeyPatch
) -> Clock:
    stopped_time.stop(monkeypatch, at)
    seen = clock_queries.clock_version(session)
    return clocks.run_clock(session, act, seen_version=seen, by=SOMEBODY)


def set_hour(session: Session) -> Clock:
    return clocks.set_clock(session, HOUR, seen_version=0, by=SOMEBODY)


@pytest.mark.django_db
def test_pauses_move_the_end(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    assert state_of(set_hour(session)) == "ready"
    clock = run(session, ClockAction.START, at=NOON, monkeypatch=monkeypatch)
    assert ends_at(clock) == NOON + timedelta(hours=1)
    paused = run(
        session, ClockAction.PAUSE, at=NOON + timedelta(minutes=10), monkeypatch=monkeypatch
    )
    assert (state_of(paused), ends_at(paused)) == ("paused", None)
    assert seconds_left(paused, NOON + timedelta(minutes=30)) == 3000
    goes_on = run(
        session, ClockAction.RESUME, at=NOON + timedelta(minutes=25), monkeypatch=monkeypatch
    )
    assert ends_at(goes_on) == NOON + timedelta(minutes=75)
    assert not is_time_up(goes_on, NOON + timedelta(minutes=75, seconds=-1))
    assert is_time_up(goes_on, NOON + timedelta(minutes=75))
    assert verification.verify(session.tournament) == []


@pytest.mark.django_db
def test_extra_time_of_a_table_is_its_own(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_hour(session)
    clock = run(session, ClockAction.START, at=NOON, monkeypatch=monkeypatch)
    seen = clock_queries.clock_version(session)
    wanted = HOUR._replace(extra={"1": 120, "2": 0})
    clock = clocks.set_clock(session, wanted, seen_version=seen, by=SOMEBODY)
    assert clock.extra == {"1": 120}  # nothing more is nothing
    assert ends_at(clock) == NOON + timedelta(hours=1)
    assert not is_time_up(clock, NOON + timedelta(minutes=61))
    assert is_time_up(clock, NOON + timedelta(minutes=62))


@pytest.mark.django_db
def test_what_is_so_already_changes_nothing(session: Session) -> None:
    set_hour(session)
    set_hour(session)  # with the same, older version: sent again
    seen = clock_queries.clock_version(session)
    clocks.run_clock(session, ClockAction.RESET, seen_version=0, by=SOMEBODY)
    for _ in range(2):
        clocks.run_clock(session, ClockAction.START, seen_version=seen, by=SOMEBODY)
    kinds = list(session.tournament.audit_entries.values_list("kind", flat=True))[-2:]
    assert kinds == [AuditEntry.Kind.CLOCK_SET, AuditEntry.Kind.CLOCK_STARTED]


@pytest.mark.django_db
def test_change_that_was_not_seen_is_not_overwritten(session: Session) -> None:
    set_hour(session)
    for act in (ClockAction.PAUSE, ClockAction.RESUME):
        with pytest.raises(clocks.ClockNotStarted):
            clocks.run_clock(session, act, seen_version=0, by=SOMEBODY)
    seen = clock_queries.clock_version(session)
    clocks.set_clock(session, HOUR._replace(seconds=3900), seen_version=seen, by=SOMEBODY)
    with pytest.raises(clocks.ClockChanged):
        clocks.set_clock(session, HOUR._replace(seconds=3300), seen_version=seen, by=SOMEBODY)
    with pytest.raises(clocks.ClockChanged):
        clocks.run_clock(session, ClockAction.START, seen_version=seen, by=SOMEBODY)
    assert Clock.objects.get().seconds == 3900


@pytest.mark.django_db
def test_no_clock_runs_without_minutes_or_in_a_closed_event(session: Session) -> None:
    with pytest.raises(clocks.ClockNotSet):
        clocks.run_clock(session, ClockAction.START, seen_version=0, by=SOMEBODY)
    closing.close(session.tournament, by=SOMEBODY)
    with pytest.raises(closing.EventClosed):
        set_hour(session)


@pytest.mark.django_db
def test_clock_of_a_removed_session_is_gone(session: Session) -> None:
    set_hour(session)
    sessions.remove_session(session, by=SOMEBODY)
    assert not Clock.objects.exists()
    assert verification.verify(session.tournament) == []


FIELDS = {
    "seconds": 1,
    "last_round": None,
    "extra": {"1": 1},
    "started_at": None,
    "paused_at": None,
    "paused_seconds": 9,
}


@pytest.mark.django_db
@pytest.mark.parametrize("field", FIELDS)
def test_changed_row_is_a_fault(
    session: Session, field: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_hour(session)
    for minutes, act in enumerate(
        (ClockAction.START, ClockAction.PAUSE, ClockAction.RESUME, ClockAction.PAUSE)
    ):
        at = NOON + timedelta(minutes=minutes)
        run(session, act, at=at, monkeypatch=monkeypatch)
    assert verification.verify(session.tournament) == []
    Clock.objects.update(**{field: FIELDS[field]})
    assert [each.what for each in verification.verify(session.tournament)] == ["session 1 clock"]


@settings(max_examples=200)
@given(st.lists(st.tuples(st.booleans(), st.integers(1, 5000)), max_size=20))
def test_time_left_is_what_was_not_played(steps: list[tuple[bool, int]]) -> None:
    """Seconds left and seconds played sum to the session's time, whatever the pauses."""
    clock, now, played = Clock(seconds=3600, extra={}, started_at=NOON), NOON, 0
    for is_play, seconds in steps:
        if is_play == (clock.paused_at is not None):
            clocks.apply_action(clock, ClockAction.RESUME if is_play else ClockAction.PAUSE, now)
        now += timedelta(seconds=seconds)
        played += seconds if is_play else 0
        assert seconds_left(clock, now) == 3600 - played
