"""A search in a process of its own: ``python -m tournaments.draws.searching FOLDER SECONDS``.

Reads `FOLDER/request.json`. Meanwhile `progress.json` tells `repeats` and `meetings`, and a file
`stop` ends the search with its best. Writes `answer.json`: `request`, with as many steps as were
taken, so that it can be drawn again, and `answer`. The process gives way to all others.
"""

from __future__ import annotations

import json
import os
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from tournaments.draws.bounds import repeats
from tournaments.draws.drawing import Draw, draw
from tournaments.draws.reading import read_request
from tournaments.draws.requests import MOST_SECONDS, MOST_STEPS, Request
from tournaments.draws.search import Meetings, Progress
from tournaments.draws.writing import as_document

INTERVAL = 0.5  # seconds between two looks at the clock and the folder
NICE = 15  # of 19


def main(folder: Path, seconds: float) -> None:
    """Search for so many seconds at most."""
    os.nice(NICE)
    request = read_request(json.loads((folder / "request.json").read_text(encoding="utf-8")))
    drawn = search(request, _Watch(folder, seconds, least=request.steps or 0))
    answer = {"request": as_document(drawn.request), "answer": drawn.as_json()}
    write(folder / "answer.json", answer)


def search(request: Request, go_on: Progress) -> Draw:
    """Draw until the search ends by itself or is stopped; the request then has its steps."""
    drawn = draw(replace(request, steps=None, seconds=MOST_SECONDS), time.monotonic, go_on)
    steps = MOST_STEPS if drawn.steps is None else drawn.steps
    return replace(drawn, request=replace(request, steps=steps))


def write(path: Path, document: dict[str, Any]) -> None:
    """Write a file at once: nobody reads half of it."""
    draft = path.with_suffix(".new")
    draft.write_text(json.dumps(document), encoding="utf-8")
    draft.replace(path)


class _Watch:
    """Tells the folder how far the search is; ends it after the time, or if it is to stop.

    It takes `least` steps in any case: those of the draw that is to be bettered.
    """

    def __init__(self, folder: Path, seconds: float, least: int) -> None:
        self.folder = folder
        self.least = least
        self.end = time.monotonic() + seconds
        self.next = 0.0

    def __call__(self, steps: int, meetings: Meetings) -> bool:
        """Return whether to go on. A folder that is gone ends the search, too."""
        now = time.monotonic()
        if now < self.next or steps < self.least:
            return True
        self.next = now + INTERVAL
        if now >= self.end or not self.folder.is_dir() or (self.folder / "stop").exists():
            return False
        found = meetings()
        write(self.folder / "progress.json", {"repeats": repeats(found), "meetings": found})
        return True


if __name__ == "__main__":
    main(Path(sys.argv[1]), float(sys.argv[2]))
