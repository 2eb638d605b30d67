"""What the copier reports, in a file that the server's pages read."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tournaments.standby.targets import HERE
from tournaments.system import files

SECONDS_LATE = 60  # behind the database, from which on the desk is warned
SECONDS_SILENT = 30  # after which the copier counts as gone


class TargetStatus(NamedTuple):
    """How a target is, as `writers.Writer.report` says, and its age in seconds; None: no copy."""

    id: str
    name: str
    state: str
    made_at: float | None
    current_until: float | None
    digest: str
    bytes: int
    seconds: float

    @property
    def age(self) -> int | None:
        """Return for how many seconds the copy may lack what was recorded."""
        return None if self.current_until is None else max(0, int(time.time() - self.current_until))

    @property
    def is_late(self) -> bool:
        return self.age is None or self.age > SECONDS_LATE

    @property
    def is_fine(self) -> bool:
        return self.state in {"copied", "slow"} and not self.is_late


class Status(NamedTuple):
    """The report: when the copier last looked, how the database was, and its targets.

    `verified_at` is when `manage.py verify` last checked a copy, with its `fault`, empty if it
    found none.
    """

    checked_at: float
    database: str
    targets: tuple[TargetStatus, ...]
    verified_at: float | None
    fault: str

    @property
    def is_running(self) -> bool:
        return time.time() - self.checked_at < SECONDS_SILENT

    def elsewhere(self) -> tuple[TargetStatus, ...]:
        """Return the targets on other disks."""
        return tuple(each for each in self.targets if each.id != HERE)


NONE = Status(0.0, "", (), None, "")


def status_path(folder: Path) -> Path:
    return folder / "status.json"


def write(
    folder: Path,
    *,
    checked_at: float,
    database: str,
    targets: Sequence[dict[str, Any]],
    verified_at: float | None,
    fault: str,
) -> None:
    """Replace the report. It is not synced: it matters only while the copier runs."""
    document = {"checked_at": checked_at, "database": database, "targets": targets}
    document |= {"verified_at": verified_at, "fault": fault}
    path = status_path(folder)
    temporary = path.with_name("status.json.new")
    temporary.touch(0o600)
    temporary.write_text(json.dumps(document), encoding="utf-8")
    files.replace(temporary, path)


def read(folder: Path) -> Status:
    """Return the report, or `NONE`."""
    try:
        document = json.loads(status_path(folder).read_bytes())
        targets = tuple(TargetStatus(**each) for each in document.pop("targets"))
        return Status(targets=targets, **document)
    except (OSError, TypeError, ValueError, KeyError):
        return NONE
