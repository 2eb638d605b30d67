"""A search in a process of its own: ``python -m tournaments.draws.searching FOLDER SECONDS``.

Reads `FOLDER/request.json`. During the search, writes `repeats` and `meetings` of the best schedule
to `progress.json`; a file `stop` ends the search. Then writes `answer.json` with the `answer` and
the `request`, whose `steps` are those taken, so that `draw` repeats it. The process runs at a low
priority.
"""

from __future__ import annotations

import json
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from tournaments.draws.bounds import repeats
from tournaments.draws.drawing import Draw, draw
from tournaments.draws.reading import read_request
from tournaments.draws.requests import MOST_SECONDS, MOST_STEPS, Request
from tournaments.draws.search import CountMeetings, Progress
from tournaments.draws.writing import as_document
from tournaments.system import files, processes

INTERVAL = 0.5  # seconds between two looks at the clock and the folder
NICE = 15  # niceness; 19 is the lowest priority


def main(folder: Path, seconds: float) -> None:
    """Search for at most `seconds` seconds, but at least for the steps of the request."""
    processes.lower_priority(NICE)
    request = read_request(json.loads((folder / "request.json").read_text(encoding="utf-8")))
    drawn = search(request, _Watch(folder, seconds, least=request.steps or 0))
    answer = {"request": as_document(drawn.request), "answer": drawn.as_json()}
    write(folder / "answer.json", answer)


def search(request: Request, progress: Progress) -> Draw:
    """Draw until the search ends by itself or `progress` stops it.

    The request of the draw has the steps taken, or `MOST_STEPS` if the search ended by itself.
    """
    drawn = draw(replace(request, steps=None, seconds=MOST_SECONDS), time.monotonic, progress)
    steps = MOST_STEPS if drawn.steps is None else drawn.steps
    return replace(drawn, request=replace(request, steps=steps))


def write(path: Path, document: dict[str, Any]) -> None:
    """Write a JSON file atomically, so that nobody reads half of it."""
    draft = path.with_suffix(".new")
    draft.write_text(json.dumps(document), encoding="utf-8")
    files.replace(draft, path)


class _Watch:
    """The `progress` of the search: writes `progress.json`, and returns whether to go on.

    The search goes on for at least `least` steps: those of the draw that is to be improved. Then it
    ends after `seconds`, or when the file `stop` exists, or when the folder was removed.
    """

    def __init__(self, folder: Path, seconds: float, least: int) -> None:
        self.folder = folder
        self.least = least
        self.end = time.monotonic() + seconds
        self.next = 0.0

    def __call__(self, steps: int, count_meetings: CountMeetings) -> bool:
        """Return whether to go on. Looks at clock and folder once per `INTERVAL`."""
        now = time.monotonic()
        if now < self.next or steps < self.least:
            return True
        self.next = now + INTERVAL
        if now >= self.end or not self.folder.is_dir() or (self.folder / "stop").exists():
            return False
        meetings = count_meetings()
        write(self.folder / "progress.json", {"repeats": repeats(meetings), "meetings": meetings})
        return True


if __name__ == "__main__":  # pragma: no cover (in a process of its own)
    main(Path(sys.argv[1]), float(sys.argv[2]))
