"""A search that is ended from outside: its draw can be repeated."""

from __future__ import annotations

import json
import time
from itertools import count
from pathlib import Path

import pytest

from tournaments import draws
from tournaments.draws import searching
from tournaments.system import processes


def test_stopped_search_can_be_repeated() -> None:
    people = [draws.Player(str(number)) for number in range(36)]
    request = draws.Request(people, sizes=[6], sessions=4, seed=3, steps=1000)
    calls = iter([True] * 20)
    found = searching.search(request, lambda _steps, _meetings: next(calls, False))
    assert found.request.steps == found.steps
    again = draws.read_request(draws.as_document(found.request))
    assert draws.draw(again, lambda: 0.0).as_json() == found.as_json()
    assert draws.read_answer(again, found.as_json()).quality == found.quality


@pytest.mark.parametrize("is_stopped", [False, True])
def test_search_tells_its_progress_until_it_is_stopped_or_time_is_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_stopped: bool
) -> None:
    people = [draws.Player(str(number)) for number in range(36)]
    request = draws.Request(people, sizes=[6], sessions=4, seed=3, steps=1000)
    (tmp_path / "request.json").write_text(json.dumps(draws.as_document(request)), encoding="utf-8")
    if is_stopped:
        (tmp_path / "stop").touch()
    monkeypatch.setattr(processes, "lower_priority", lambda _niceness: None)
    ticks = count(step=searching.INTERVAL / 2)
    monkeypatch.setattr(time, "monotonic", lambda: next(ticks))
    searching.main(tmp_path, 60)
    assert (tmp_path / "progress.json").exists() == (not is_stopped)
    answer = json.loads((tmp_path / "answer.json").read_text(encoding="utf-8"))
    again = draws.read_request(answer["request"])
    assert again.steps == answer["answer"]["steps"] > 1000
    if not is_stopped:
        told = json.loads((tmp_path / "progress.json").read_text(encoding="utf-8"))
        assert told["repeats"] >= answer["answer"]["quality"]["repeats"]
