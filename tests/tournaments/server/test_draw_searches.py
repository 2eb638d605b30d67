"""What a longer search for a draw tells while it goes on; its pages are tested with the views."""

from __future__ import annotations

import json
from pathlib import Path

from tournaments import draws
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
