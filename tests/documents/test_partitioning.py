"""The table of keys in docs/scaling.md is that of the models."""

from __future__ import annotations

from pathlib import Path

from django.apps import apps
from django.db.models import Model, UniqueConstraint

from tests.events import foreign_keys, path_to_tournament
from tournaments.models import Tournament

SCALING = Path(__file__).parent.parent.parent / "docs" / "scaling.md"
COLUMN = "tournament"


def keys(model: type[Model]) -> list[list[str]]:
    """Return the fields of each primary key and unique constraint."""
    alone = [[each.name] for each in model._meta.fields if each.unique]
    declared = [each for each in model._meta.constraints if isinstance(each, UniqueConstraint)]
    return [*alone, *(list(each.fields) for each in declared)]


def row(model: type[Model]) -> str:
    """Return the row of a model's table; empty if only the primary key lacks the column."""
    path = path_to_tournament(model)
    if not path:
        return f"| {model._meta.label} | none |  |  |"
    has_column = COLUMN if path != ["id"] else "id"
    without = [" + ".join(each) for each in keys(model) if has_column not in each]
    references = [
        each.name
        for each in foreign_keys(model)
        if path_to_tournament(each.related_model) and each.related_model is not Tournament
    ]
    if path == [COLUMN] and without == ["id"] and not references:
        return ""
    cells = model._meta.label, ".".join(path), ", ".join(without), ", ".join(references)
    return f"| {' | '.join(cells)} |"


def test_table_of_keys_is_that_of_the_models() -> None:
    lines = SCALING.read_text(encoding="utf-8").splitlines()
    expected = [line for model in apps.get_models() if (line := row(model))]
    described = [
        line
        for line in lines
        if line.startswith(("| tournaments.", "| auth.", "| con", "| ses", "| otp"))
    ]
    assert described == expected, "\n".join(expected)
