"""What a server does by itself: each job when it is due, whatever became of the others."""

from __future__ import annotations

import logging
from pathlib import Path
from threading import Event

import pytest
from django.conf import settings
from django.db import connections
from django.utils.module_loading import import_string

from tournaments.server import housekeeping

done = Event()


def fail() -> None:
    raise ValueError("the first job")


def end() -> None:
    """Stop the thread of the jobs, which does not end by itself."""
    done.set()
    raise SystemExit


def test_failing_job_is_logged_and_stops_no_other(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "close_all", lambda: None)
    jobs = [(0, f"{__name__}.{job.__name__}") for job in (fail, end)]
    with caplog.at_level(logging.ERROR), pytest.raises(SystemExit):
        housekeeping._run(tmp_path, jobs)
    assert done.is_set()
    assert "test_housekeeping.fail failed" in caplog.text


def test_jobs_of_the_server_exist() -> None:
    for seconds, path in settings.HOUSEKEEPING:
        assert seconds > 0
        assert callable(import_string(path))
