"""What a longer search for a draw tells while it goes on; its pages are tested with the views."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from tests import live
from tournaments import draws
from tournaments.draws import searching
from tournaments.server import draw_searches
from tournaments.server.draw_searches import Search


def by_lot(history: list[draws.Tables], seed: int) -> draws.Draw:
    """Return a session of 17 players drawn by lot."""
    people = [draws.Player(str(number)) for number in range(17)]
    request = draws.Request(people, sizes=[5, 6], history=history, method="lot", seed=seed)
    return draws.draw(request, lambda: 0.0)


def test_progress_counts_pairs_as_the_proposal_does(tmp_path: Path) -> None:
    history: list[draws.Tables] = []
    for seed in range(3):
        history.append(tuple(map(tuple, by_lot(history, seed).sessions[0].tables)))
    drawn = sorted((by_lot(history, seed) for seed in range(20)), key=lambda it: it.quality.repeats)
    better, first = drawn[0], drawn[-1]
    again = [
        draws.count_pairs_meeting_again(history, each.sessions[0].tables)
        for each in (first, better)
    ]
    assert again[0] > again[1]
    meetings, repeats = first.quality.as_json()["meetings"], first.quality.repeats
    search = Search(tmp_path, 10, repeats, meetings, again[0], 1, 0)
    assert search.pairs == again[0]
    (tmp_path / "progress.json").write_text(json.dumps(better.quality.as_json()))
    assert (search.pairs, search.pairs_at_start) == (again[1], again[0])


@pytest.mark.skipif(sys.platform != "linux", reason="sessions have a share of their own on Linux")
def test_search_has_a_low_priority_in_the_session_of_the_server(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.DATA_DIR = tmp_path
    processes: list[subprocess.Popen[bytes]] = []
    popen = subprocess.Popen

    def start(*command: Any, **options: Any) -> subprocess.Popen[bytes]:
        processes.append(popen(*command, **options))
        return processes[-1]

    monkeypatch.setattr(subprocess, "Popen", start)
    people = [draws.Player(str(number)) for number in range(36)]  # for whom a search never ends
    request = draws.Request(people, sizes=[6], sessions=4, method="fewest_repeats", steps=1)
    drawn = draws.draw(request, lambda: 0.0)
    facts = {"request": draws.as_document(drawn.request), "answer": drawn.as_json()}
    key = draw_searches.start("an event", facts, seconds=60, proposal=1)
    [process] = processes
    assert os.getsid(process.pid) == os.getsid(0)
    assert os.getpgid(process.pid) != os.getpgid(0)
    live.wait_until(lambda: os.getpriority(os.PRIO_PROCESS, process.pid) == searching.NICE)
    search = draw_searches.find("an event", key)
    assert search is not None
    search.cancel()
    process.wait(live.PATIENCE)
