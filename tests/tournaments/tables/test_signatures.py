"""django-tables2 inspects a method once, not for every cell."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from tests import cast
from tournaments.models import Tournament
from tournaments.queries.events import Event
from tournaments.tables import StandingsTable, signatures


class Renderer:
    def render(self, value: int, record: Any = None) -> tuple[int, Any]:
        return value, record

    @classmethod
    def of_class(cls, **everything: Any) -> Any:
        return everything


@pytest.mark.parametrize("function", [Renderer().render, Renderer.of_class, len])
def test_signature_is_that_of_django_tables2(function: Any) -> None:
    for _ in range(2):
        assert signatures.signature(function) == signatures._inspect(function)


@pytest.mark.django_db
def test_rows_inspect_no_further_methods(
    tournament: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    cast.make_entries(tournament, 12)
    event = Event(tournament)
    rows = event.standings
    _html(StandingsTable(rows, tournament, event.names))
    inspected: list[Any] = []
    inspect_again = signatures._inspect

    def counting(function: Any) -> Any:
        inspected.append(function)
        return inspect_again(function)

    monkeypatch.setattr(signatures, "_inspect", counting)
    _html(StandingsTable(rows, tournament, event.names))
    assert not [each for each in inspected if inspect.ismethod(each)]


def _html(table: StandingsTable) -> list[list[Any]]:
    return [list(row) for row in table.rows]
