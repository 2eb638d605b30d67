"""Arrows point one way: pages and the API stand side by side on what is below them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import tournaments

TOP = Path(tournaments.__file__).parent
# How things are spelled and refused, which the pages share with the API.
SPELLING = {"tournaments.api.documents", "tournaments.api.refusals"}


def imported(path: Path) -> Iterator[str]:
    """Return the modules that one imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{each.name}" for each in node.names)


def of(package: str, path: Path) -> set[str]:
    """Return the modules of a package that this one imports."""
    found = set(imported(path))
    stems = {f"tournaments.{package}.{each.stem}" for each in (TOP / package).glob("*.py")}
    return found & stems


@pytest.mark.parametrize("path", sorted((TOP / "api").glob("*.py")), ids=lambda path: path.stem)
def test_the_api_knows_no_pages(path: Path) -> None:
    assert of("views", path) == set()


@pytest.mark.parametrize("path", sorted((TOP / "views").glob("*.py")), ids=lambda path: path.stem)
def test_pages_write_nothing_by_way_of_the_api(path: Path) -> None:
    assert of("api", path) <= SPELLING
