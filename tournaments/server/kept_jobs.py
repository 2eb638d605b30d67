"""Jobs that take longer than a request: their progress and answers, in files for all processes.

The process that started a job watches it in a thread. The folder of a job has the files
`about.json`, `progress.json`, written each second while the job is watched, `answer`, and `looked`,
whose time says when somebody last asked. A removed folder cancels the job.
"""

from __future__ import annotations

import json
import pickle
import secrets
import shutil
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from threading import BoundedSemaphore, Thread
from typing import Any, NamedTuple

from django.conf import settings

from tournaments.exceptions import Busy, JobEnded
from tournaments.server.jobs import Job
from tournaments.system.files import replace

SECONDS_UNTIL_CANCELLED = 120  # after somebody last asked
SECONDS_KEPT = 600  # an answer
SECONDS_UNTIL_LOST = 15  # without news: the process that watched it has ended
MOST_WATCHED = 8  # in a process

_watched = BoundedSemaphore(MOST_WATCHED)


class KeptJob(NamedTuple):
    """The folder of a job, and what `keep` was told about it."""

    folder: Path
    about: Mapping[str, Any]

    @property
    def progress(self) -> tuple[int, int]:
        """Return (parts done, parts in all). Raises `JobEnded` if nobody watches the job."""
        with suppress(OSError, ValueError):
            file = self.folder / "progress.json"
            if time.time() - file.stat().st_mtime < SECONDS_UNTIL_LOST:
                done, total = json.loads(file.read_text(encoding="ascii"))
                return done, total
        raise JobEnded

    @property
    def has_ended(self) -> bool:
        return (self.folder / "answer").exists()

    def result(self) -> Any:
        """Return what the job returned, once it has ended. Raises what it raised."""
        try:
            is_raised, value = pickle.loads((self.folder / "answer").read_bytes())  # noqa: S301  ours
        except FileNotFoundError:
            raise JobEnded from None
        if is_raised:
            raise value
        return value

    def look(self) -> None:
        """Note that somebody still waits for the job."""
        with suppress(OSError):
            (self.folder / "looked").touch()

    def cancel(self) -> None:
        """Remove the folder, which ends a job that runs."""
        shutil.rmtree(self.folder, ignore_errors=True)


def keep(job: Job, about: Mapping[str, Any]) -> str:
    """Watch a job until it ends, and return the key by which any process finds it.

    `about` can be written as JSON. Raises `Busy` if this process watches too many.
    """
    if not _watched.acquire(blocking=False):
        raise Busy
    key = secrets.token_hex(16)
    folder = _base_folder() / key
    try:
        folder.mkdir(mode=0o700)
        (folder / "about.json").write_text(json.dumps(about), encoding="utf-8")
        kept = KeptJob(folder, about)
        kept.look()
        _write_progress(kept, job)
        Thread(target=_watch, args=(job, kept), daemon=True).start()
    except BaseException:
        _watched.release()
        raise
    return key


def find(key: str) -> KeptJob | None:
    """Return the job with this key, or None if it was cancelled or removed."""
    folder = _base_folder() / key
    if not (key.isascii() and key.isalnum()):
        return None
    try:
        return KeptJob(folder, json.loads((folder / "about.json").read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return None


def remove_all() -> None:
    """Remove what an earlier server has left."""
    shutil.rmtree(_base_folder(), ignore_errors=True)


def _base_folder() -> Path:
    base = Path(settings.DATA_DIR) / "jobs"
    with suppress(OSError):
        base.mkdir(mode=0o700, parents=True, exist_ok=True)
    return base


def _watch(job: Job, kept: KeptJob) -> None:
    """Write the progress and the answer of a job; cancel it if nobody waits for it any more."""
    try:
        while not job.wait(1):
            if not _is_wanted(kept):
                kept.cancel()
                return
            _write_progress(kept, job)
        _write(kept.folder / "answer", _pickled_outcome(job))
    except OSError:  # the folder was removed, or the disk is full
        kept.cancel()
        return
    finally:
        job.cancel()
        _watched.release()
    time.sleep(SECONDS_KEPT)
    kept.cancel()


def _is_wanted(kept: KeptJob) -> bool:
    """Return whether somebody has lately asked for the job, and nobody has cancelled it."""
    try:
        looked_at = (kept.folder / "looked").stat().st_mtime
    except OSError:  # cancelled: the folder was removed
        return False
    return time.time() - looked_at < SECONDS_UNTIL_CANCELLED


def _pickled_outcome(job: Job) -> bytes:
    try:
        return pickle.dumps((False, job.result()))
    except Exception as error:  # noqa: BLE001  raised where it is asked for
        return pickle.dumps((True, error))


def _write_progress(kept: KeptJob, job: Job) -> None:
    _write(kept.folder / "progress.json", json.dumps(job.progress).encode("ascii"))


def _write(file: Path, content: bytes) -> None:
    draft = file.with_suffix(".new")
    draft.write_bytes(content)
    replace(draft, file)
