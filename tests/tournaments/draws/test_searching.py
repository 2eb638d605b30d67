"""A search that is ended from outside: its draw can be repeated."""

from __future__ import annotations

from tournaments import draws
from tournaments.draws import searching


def test_stopped_search_can_be_repeated() -> None:
    people = [draws.Player(str(number)) for number in range(36)]
    request = draws.Request(people, sizes=[6], sessions=4, seed=3, steps=1000)
    calls = iter([True] * 20)
    found = searching.search(request, lambda _steps, _meetings: next(calls, False))
    assert found.request.steps == found.steps
    again = draws.read_request(draws.as_document(found.request))
    assert draws.draw(again, lambda: 0.0).as_json() == found.as_json()
    assert draws.read_answer(again, found.as_json()).quality == found.quality
