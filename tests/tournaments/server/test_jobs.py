"""Jobs: each in a process of its own, of low priority, limited, and gone afterwards."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest
from django.conf import settings
from django.db import OperationalError
from django.utils import translation

from tests import live
from tests.tournaments.server import job_functions
from tournaments.exceptions import JobEnded
from tournaments.server import job_server, jobs, kept_jobs
from tournaments.server.jobs import NICE, Lane
from tournaments.spreadsheets.problems import EncodingNeeded
from tournaments.spreadsheets.sheets import sheets_of_file
from tournaments.web.storage_errors import AWAY, FULL, status_of

pytestmark = pytest.mark.posix("the job server forks; `test_spawned_jobs` is about the others")
PROGRAM = """
import socket, sys, django
django.setup()
from tournaments.server.job_server import JobServer
JobServer(socket.socket(fileno=int(sys.argv[1]))).serve(sys.argv[2])
"""


@contextmanager
def job_server_running(fault: str = "") -> Iterator[int]:
    """Run a job server and yield its process number. It first runs `fault`, Python code."""
    ours, theirs = socket.socketpair()
    prepare = f"{job_functions.__name__}.{job_functions.prepare.__name__}"
    with (
        theirs,
        subprocess.Popen(
            [sys.executable, "-c", fault + PROGRAM, str(theirs.fileno()), prepare],
            cwd=settings.BASE_DIR,
            env={**os.environ, "DJANGO_SETTINGS_MODULE": "tournaments.settings"},
            pass_fds=[theirs.fileno()],
        ) as process,
    ):
        theirs.close()
        before = jobs._Process.starter
        jobs.connect(partial(job_server.hand_over, ours))
        try:
            yield process.pid
        finally:
            jobs.connect(before)
            ours.close()
    assert process.returncode == 0  # it ends with the last process that may send jobs


@pytest.fixture(scope="module")
def server() -> Iterator[int]:
    with job_server_running() as process:
        yield process


def children_of(process: int) -> set[int]:
    text = Path(f"/proc/{process}/task/{process}/children").read_text()
    return {int(each) for each in text.split()}


def test_without_a_job_server_the_function_is_called() -> None:
    assert not jobs.is_served()
    assert jobs.run(os.getpid) == os.getpid()
    jobs.report(1, 2)
    jobs.lower_priority()
    before = os.getpriority(os.PRIO_PROCESS, 0)
    assert job_functions.priorities() == [before] * 3


def test_job_has_a_limited_process_of_low_priority_and_returns_its_result(server: int) -> None:
    with translation.override("zh-hans"):
        about = jobs.run(job_functions.process)
    assert about.pop("number") not in {os.getpid(), server}
    assert about == {
        "nice": NICE[Lane.LONG],
        "policy": os.SCHED_IDLE,
        "memory": job_server.MOST_MEMORY,
        "seconds": job_server.MOST_PROCESSOR_SECONDS,
        "oom": "1000",
        "threads": 1,
        "language": "zh-hans",
        "is_served": False,  # a job starts no other one
    }
    short = jobs.run_short(job_functions.process)
    assert (short["nice"], short["policy"]) == (NICE[Lane.SHORT], os.SCHED_IDLE)
    assert jobs.run(job_functions.describe, "卓", upper=True) == "卓"
    live.wait_until(lambda: not children_of(server))


@pytest.mark.skipif(sys.platform != "linux", reason="threads have no priority elsewhere")
@pytest.mark.usefixtures("server")
def test_part_of_a_job_may_have_a_low_priority() -> None:
    usual = os.getpriority(os.PRIO_PROCESS, 0)
    assert jobs.run(job_functions.priorities) == [usual, NICE[Lane.LONG], usual]


@pytest.mark.usefixtures("server")
def test_errors_cross_the_border() -> None:
    with pytest.raises(OSError, match="No space") as full:
        jobs.run(job_functions.fill_the_disk)
    assert status_of(full.value) == FULL
    assert "fill_the_disk" in full.value.__notes__[0]  # where it was raised
    with pytest.raises(OperationalError) as locked:
        jobs.run(job_functions.lock_the_database)
    assert status_of(locked.value) == AWAY  # by the cause
    with pytest.raises(EncodingNeeded) as unread:
        jobs.run(sheets_of_file, "氏名\n成田".encode("cp932"))
    assert unread.value.previews
    assert str(unread.value)
    with pytest.raises(RuntimeError, match="odd failure"):
        jobs.run(job_functions.fail_oddly)
    with pytest.raises(JobEnded):
        jobs.run(job_functions.allocate, job_server.MOST_MEMORY)


def start_waiting(folder: Path, lane: Lane = Lane.LONG) -> tuple[jobs.Job, Path]:
    """Start a job that waits for a file `end`, and return it with the file of its process."""
    started = folder / f"started-{len(list(folder.iterdir()))}"
    return jobs.start(lane, job_functions.wait_for, folder / "end", started), started


def process_in(file: Path) -> int:
    live.wait_until(file.exists)
    return int(file.read_text())


def test_killed_job_raises_and_the_next_one_runs(server: int, tmp_path: Path) -> None:
    job, started = start_waiting(tmp_path)
    assert not job.wait(0)
    os.kill(process_in(started), signal.SIGKILL)
    with pytest.raises(JobEnded):
        job.result()
    assert jobs.run(job_functions.describe, "a") == "a"
    live.wait_until(lambda: not children_of(server))


def test_cancelled_job_is_killed(server: int, tmp_path: Path) -> None:
    job, started = start_waiting(tmp_path)
    assert process_in(started) in children_of(server)
    job.cancel()
    live.wait_until(lambda: not children_of(server))


def test_job_that_takes_long_to_end_keeps_its_server_waiting(tmp_path: Path) -> None:
    killed = tmp_path / "killed"
    without_effect = (
        f"import os; os.kill = lambda each, _: print(each, file=open({str(killed)!r}, 'a'))"
    )
    with job_server_running(without_effect):
        job, started = start_waiting(tmp_path)
        process = str(process_in(started))
        job.cancel()
        live.wait_until(lambda: killed.exists() and process in killed.read_text().split())
        assert jobs.run_short(job_functions.describe, "short") == "short"
        processes = killed.read_text().split()
        (tmp_path / "end").touch()
    assert processes.count(process) == 1


def test_one_long_job_runs_at_once_and_short_ones_beside_it(server: int, tmp_path: Path) -> None:
    first, started = start_waiting(tmp_path)
    process_in(started)
    second = jobs.start(Lane.LONG, job_functions.describe, "second")
    abandoned, never_started = start_waiting(tmp_path)
    assert jobs.run_short(job_functions.describe, "short") == "short"
    assert not second.wait(0)
    abandoned.cancel()
    (tmp_path / "end").touch()
    assert [first.result(), second.result()] == ["done", "second"]
    assert jobs.run(job_functions.describe, "next") == "next"
    assert not never_started.exists()
    live.wait_until(lambda: not children_of(server))


@pytest.mark.usefixtures("server")
def test_progress_is_reported() -> None:
    job = jobs.start(Lane.LONG, job_functions.count, 3)
    seen = [job.progress]
    while not job.wait():
        seen.append(job.progress)
    assert seen == [(0, 0), (0, 3), (1, 3), (2, 3)]
    assert job.result() == 3


def test_jobs_end_with_their_server(tmp_path: Path) -> None:
    with job_server_running():
        job, started = start_waiting(tmp_path)
        process = process_in(started)
    live.wait_until(lambda: not Path(f"/proc/{process}").exists())
    with pytest.raises(JobEnded):
        job.result()


def test_without_its_job_server_the_next_job_runs_here(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = socket.socketpair()
    theirs.close()
    with ours:
        monkeypatch.setattr(jobs._Process, "starter", partial(job_server.hand_over, ours))
        with pytest.raises(JobEnded):
            jobs.run(os.getpid)
        assert jobs.run(os.getpid) == os.getpid()


@pytest.mark.usefixtures("server")
def test_kept_job_shows_its_progress_and_keeps_its_answer(tmp_path: Path) -> None:
    job, started = start_waiting(tmp_path)
    key = kept_jobs.keep(job, {"for": "a test"})
    kept = kept_jobs.find(key)
    assert kept is not None
    assert (kept.about, kept.progress, kept.has_ended) == ({"for": "a test"}, (0, 0), False)
    process_in(started)
    (tmp_path / "end").touch()
    live.wait_until(lambda: kept.has_ended)
    assert kept.result() == "done"
    kept.cancel()
    assert kept_jobs.find(key) is None
    assert kept_jobs.find("../jobs") is None


@pytest.mark.parametrize("way", ["cancelled", "forgotten"])
def test_kept_job_ends_if_nobody_waits_for_it(
    server: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    job, started = start_waiting(tmp_path)
    kept = kept_jobs.find(kept_jobs.keep(job, {}))
    assert kept is not None
    process_in(started)
    if way == "cancelled":
        kept.cancel()
    else:
        monkeypatch.setattr(kept_jobs, "SECONDS_UNTIL_CANCELLED", 0)
    live.wait_until(lambda: not children_of(server))
    live.wait_until(lambda: not kept.folder.exists())
    with pytest.raises(JobEnded):
        kept.result()
    with pytest.raises(JobEnded):
        assert kept.progress


@pytest.mark.usefixtures("server")
def test_kept_failure_is_raised_where_it_is_asked_for() -> None:
    job = jobs.start(Lane.LONG, job_functions.fill_the_disk)
    kept = kept_jobs.find(kept_jobs.keep(job, {}))
    assert kept is not None
    live.wait_until(lambda: kept.has_ended)
    with pytest.raises(OSError, match="No space"):
        kept.result()
    kept_jobs.remove_all()
    assert not kept.folder.exists()
