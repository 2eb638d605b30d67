"""Arrows point one way: pages and the API stand side by side on what is below them.

What is below knows neither requests nor answers, and all writes are there.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import tournaments

TOP = Path(tournaments.__file__).parent
# How things are spelled and refused, which the pages share with the API.
SPELLING = {"tournaments.api.documents", "tournaments.api.refusals"}
ABOVE = ("views", "api", "forms")
# What stands between requests and all the rest: who asks, what is answered by whatever was asked.
EDGE = {"access", "downloads", "middleware", "reaching", "storage_errors", "typed_again"}
# These hand on the request of who writes, to ask who that is.
WHO_ASKS = {"guesses", "writing_once"}
MOUNTED = {"urls", "middleware"}
WRITES = {"bulk_create", "bulk_update", "create", "delete", "get_or_create", "save"}
BELOW = [
    path
    for path in sorted(TOP.rglob("*.py"))
    if path.relative_to(TOP).parts[0] not in {*ABOVE, "management", "migrations", "templatetags"}
]


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


@pytest.mark.parametrize("path", BELOW, ids=lambda path: str(path.relative_to(TOP)))
def test_what_is_below_knows_neither_pages_nor_answers(path: Path) -> None:
    found = set(imported(path))
    if path.stem not in EDGE | WHO_ASKS:
        assert not {each for each in found if each.startswith(("django.http", "django.shortcuts"))}
    if path.stem not in MOUNTED:
        above = tuple(f"tournaments.{package}" for package in ABOVE)
        assert not {each for each in found if each.startswith(above)}


@pytest.mark.parametrize(
    "path",
    [path for package in ("api", "views") for path in sorted((TOP / package).glob("*.py"))],
    ids=lambda path: f"{path.parent.stem}/{path.stem}",
)
def test_pages_and_the_api_write_nothing_of_their_own(path: Path) -> None:
    tree = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    called = {
        node.func.attr
        for node in tree
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        if ast.unparse(node.func.value) != "router"  # which says what DELETE is answered by
    }
    # Whether the database can be written is found out by writing, and taking that back.
    assert called & WRITES == ({"create"} if path.stem == "health" else set())
