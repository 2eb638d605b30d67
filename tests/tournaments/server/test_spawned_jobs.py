"""Jobs where processes cannot be forked: each is an interpreter of its own."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from multiprocessing import Pipe
from pathlib import Path

import pytest
from pytest_django import Settings

from tests import live
from tests.tournaments.server import job_functions
from tests.tournaments.server.test_jobs import process_in, start_waiting
from tournaments.exceptions import JobEnded
from tournaments.server import jobs, kept_jobs, spawned_jobs
from tournaments.server.jobs import Lane


@pytest.fixture
def _spawning(
    monkeypatch: pytest.MonkeyPatch, settings: Settings, tmp_path: Path
) -> Iterator[None]:
    """Let this process start jobs so. They have the settings of tests, but none of a test."""
    settings.DATA_DIR = tmp_path
    monkeypatch.setattr(jobs._Process, "starter", None)
    spawned_jobs.start()
    yield
    kept_jobs.remove_all()


@pytest.mark.usefixtures("_spawning")
def test_job_answers_waits_for_its_lane_and_ends_when_cancelled_but_not_by_ctrl_c(
    tmp_path: Path,
) -> None:
    waiting, started = start_waiting(tmp_path)
    counting = jobs.start(Lane.SHORT, job_functions.count, 3)
    (tmp_path / "next").mkdir()
    next_one, next_started = start_waiting(tmp_path / "next")
    assert counting.result() == 3
    assert counting.progress == (2, 3)
    process = process_in(started)
    assert not next_started.exists()
    waiting.cancel()
    live.wait_until(lambda: not Path(f"/proc/{process}").exists())
    next_process = process_in(next_started)
    assert next_process not in {os.getpid(), process}
    os.kill(next_process, signal.SIGINT)
    (tmp_path / "next" / "end").touch()
    assert next_one.result() == "done"


def test_pipe_that_breaks_ends_both_sides(monkeypatch: pytest.MonkeyPatch) -> None:
    """Polling it raises an `OSError`: on Windows once the other side is gone, as here our own."""
    ours, theirs = Pipe()
    ours.close()
    theirs.close()
    with pytest.raises(JobEnded):
        jobs.Job(ours).result()
    ended: list[int] = []
    monkeypatch.setattr(os, "_exit", ended.append)
    spawned_jobs._end_with(theirs)
    assert ended == [0]
