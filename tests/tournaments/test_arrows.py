"""Arrows point one way: every package stands on those below it, pages and the API on top.

What is below knows neither requests nor answers, and all writes are there.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import tournaments

TOP = Path(tournaments.__file__).parent
# Each imports from itself and from what stands below it: to put a package elsewhere is to say why.
ORDER = (
    *("wsgi", "urls", "middleware", "management", "templatetags"),
    *("views", "api", "forms", "tables", "printing"),
    *("demo", "archives", "verification"),
    *("permissions", "playbook", "services", "paper_entry"),
    *("web", "i18n", "queries", "backups", "apps", "audit"),
    *("spreadsheets", "sealed_files", "models", "exceptions"),
    *("gunicorn", "settings", "server"),
    "draws",
)
# The JSON of a table, which the pages share with the API.
JSON = {"tournaments.api.schemas.tables"}
ABOVE = ("views", "api", "forms")
# What stands between requests and all the rest: who asks, what is answered by whatever was asked.
EDGE = {
    "middleware.py",
    *(f"permissions/{each.name}" for each in TOP.glob("permissions/*")),
    *(f"web/{each.name}" for each in TOP.glob("web/*")),
}
MOUNTED = {"urls.py"}
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
    modules = (TOP / package).rglob("*.py")
    return found & {
        ".".join(each.relative_to(TOP.parent).with_suffix("").parts) for each in modules
    }


def packages(path: Path) -> set[str]:
    """Return the packages, or modules that stand alone, of ours that this one imports."""
    found = {each.split(".")[1] for each in imported(path) if each.startswith("tournaments.")}
    return found & set(ORDER)


def test_every_package_has_its_place() -> None:
    places = {each.stem for each in TOP.iterdir() if each.suffix == ".py" or any(each.glob("*.py"))}
    assert places - {"__init__", "migrations"} == set(ORDER)
    assert len(ORDER) == len(set(ORDER))


@pytest.mark.parametrize("package", ORDER)
def test_it_stands_on_what_is_below_it(package: str) -> None:
    below = set(ORDER[ORDER.index(package) :])
    for path in [TOP / f"{package}.py", *(TOP / package).rglob("*.py")]:
        if path.is_file():
            assert packages(path) <= below, path.relative_to(TOP)


@pytest.mark.parametrize("path", sorted((TOP / "api").glob("*.py")), ids=lambda path: path.stem)
def test_the_api_knows_no_pages(path: Path) -> None:
    assert of("views", path) == set()


@pytest.mark.parametrize("path", sorted((TOP / "views").glob("*.py")), ids=lambda path: path.stem)
def test_pages_write_nothing_by_way_of_the_api(path: Path) -> None:
    assert of("api", path) <= JSON


@pytest.mark.parametrize("path", BELOW, ids=lambda path: str(path.relative_to(TOP)))
def test_what_is_below_knows_neither_pages_nor_answers(path: Path) -> None:
    found = set(imported(path))
    place = path.relative_to(TOP).as_posix()
    if place not in EDGE:
        assert not {each for each in found if each.startswith(("django.http", "django.shortcuts"))}
    if place not in MOUNTED:
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
