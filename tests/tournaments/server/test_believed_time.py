"""The time that is believed while the system's clock is not plausible."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.utils import timezone

from tournaments.server import believed_time
from tournaments.server.believed_time import A_DAY, A_MONTH, Readings, Watch

NOON = 1_795_262_400.0  # 21 November 2026


class Machine:
    """A machine with a clock that can be set, and a counter that cannot."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.wall, self.counted, self.boot = NOON, 1000.0, "first"
        monkeypatch.setattr(
            believed_time, "read_clocks", lambda: Readings(self.wall, self.counted, self.boot)
        )

    def pass_time(self, seconds: float) -> None:
        self.wall += seconds
        self.counted += seconds

    def restart(self, seconds: float = 60.0) -> None:
        self.wall += seconds
        self.counted, self.boot = 10.0, f"{self.boot}, again"


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(monkeypatch)


def test_clock_counts_while_it_goes_with_the_counter(machine: Machine, tmp_path: Path) -> None:
    watch = Watch(tmp_path)
    for seconds in (5.0, A_DAY, 3 * A_MONTH):  # the machine may sleep that long
        machine.pass_time(seconds)
        assert (watch.now(), watch.take_jump()) == (machine.wall, 0.0)


@pytest.mark.parametrize("jump", [400 * A_DAY, -400 * A_DAY])
def test_day_that_nobody_has_confirmed_is_not_believed(
    machine: Machine, tmp_path: Path, jump: float
) -> None:
    watch, other = Watch(tmp_path), Watch(tmp_path)
    machine.wall += jump
    assert watch.now() == other.now() == NOON  # before anything was stored
    assert (watch.take_jump(), watch.take_jump()) == (jump, 0.0)
    machine.pass_time(60)
    assert watch.now() == other.now() == Watch(tmp_path).now() == NOON + 60
    other.believe_the_clock()
    assert watch.take_jump() == 0.0
    assert watch.now() == other.now() == Watch(tmp_path).now() == machine.wall


def test_clock_that_is_put_right_is_believed_again(machine: Machine, tmp_path: Path) -> None:
    watch = Watch(tmp_path)
    machine.wall += 400 * A_DAY
    watch.take_jump()
    machine.wall -= 400 * A_DAY - 120
    assert watch.now() == machine.wall
    assert watch.take_jump() == -400 * A_DAY + 120


@pytest.mark.parametrize(
    ("gap", "is_believed"),
    [(60.0, True), (29 * A_DAY, True), (31 * A_DAY, False), (-2 * A_DAY, False)],
)
def test_time_between_two_starts_is_believed_up_to_a_month(
    machine: Machine, tmp_path: Path, gap: float, is_believed: bool
) -> None:
    Watch(tmp_path).take_jump()
    machine.restart(gap)
    assert Watch(tmp_path).now() == (machine.wall if is_believed else NOON)


def test_jump_while_the_server_was_stopped_is_found(machine: Machine, tmp_path: Path) -> None:
    Watch(tmp_path).take_jump()
    machine.pass_time(600)
    machine.wall -= 3600
    assert Watch(tmp_path).take_jump() == -3600.0


def test_desk_is_told_for_two_hours(
    machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(believed_time, "_watches", [watch := Watch(tmp_path)])
    monkeypatch.setattr(timezone, "now", believed_time.now)
    assert believed_time.notice() is None
    machine.wall += 1500
    watch.take_jump()
    assert believed_time.notice() == (None, 1500.0)
    machine.pass_time(3 * 3600)
    assert believed_time.notice() is None


@pytest.mark.parametrize("content", ["", "{", "[]", '{"boot": "first"}'])
def test_file_that_cannot_be_read_is_no_obstacle(
    machine: Machine, tmp_path: Path, content: str
) -> None:
    (tmp_path / believed_time.FILE).write_text(content)
    assert Watch(tmp_path).now() == NOON
