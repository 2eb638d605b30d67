"""Arrows point one way: every package stands on those below it, pages and the API on top.

What is below knows neither requests nor answers, and all writes are there.
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import tournaments

TOP = Path(tournaments.__file__).parent
# Each imports from itself and from what stands below it: to put a package elsewhere is to say why.
ORDER = (
    *("__main__", "wsgi", "urls", "middleware", "management", "templatetags"),
    *("views", "api", "demo", "games", "forms", "tables", "printing"),
    *("archives", "verification"),
    *("permissions", "playbook", "services", "paper_entry"),
    *("web", "i18n", "game_kinds", "queries", "standby", "backups", "apps", "audit"),
    *("spreadsheets", "sealed_files", "models"),
    *("gunicorn", "settings", "server"),
    *("exceptions", "draws", "system"),
)
# What pages share with the API: the JSON of a table, and a workbook that is read with a token.
SHARED = {"tournaments.api.schemas.tables", "tournaments.api.authentication"}
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
    if path.relative_to(TOP).parts[0]
    not in {*ABOVE, "games", "management", "migrations", "templatetags"}
]


@cache
def tree_of(path: Path) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


@cache
def imported(path: Path) -> frozenset[str]:
    """Return the modules that a module imports, and the names that it imports from them."""
    found: set[str] = set()
    for node in tree_of(path):
        if isinstance(node, ast.Import):
            found |= {each.name for each in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{each.name}" for each in node.names)}
    return frozenset(found)


def modules_of(package: str) -> set[str]:
    """Return the full names of the modules of a package of ours."""
    paths = (TOP / package).rglob("*.py")
    return {".".join(each.relative_to(TOP.parent).with_suffix("").parts) for each in paths}


def packages(path: Path) -> set[str]:
    """Return our packages and single modules that a module imports."""
    found = {each.split(".")[1] for each in imported(path) if each.startswith("tournaments.")}
    return found & set(ORDER)


def writes_called(path: Path) -> set[str]:
    called = {
        node.func.attr
        for node in tree_of(path)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        if ast.unparse(node.func.value) != "router"  # which says what DELETE is answered by
    }
    return called & WRITES


def test_every_package_has_its_place() -> None:
    places = {each.stem for each in TOP.iterdir() if each.suffix == ".py" or any(each.glob("*.py"))}
    assert places - {"__init__", "migrations"} == set(ORDER)
    assert len(ORDER) == len(set(ORDER))


def test_every_package_stands_on_those_below_it() -> None:
    for index, package in enumerate(ORDER):
        for path in [TOP / f"{package}.py", *(TOP / package).rglob("*.py")]:
            if path.is_file():
                assert packages(path) <= set(ORDER[index:]), path.relative_to(TOP)


def test_the_api_knows_no_pages() -> None:
    pages = modules_of("views")
    for path in (TOP / "api").glob("*.py"):
        assert not imported(path) & pages, path.name


def test_pages_write_nothing_by_way_of_the_api() -> None:
    operations = modules_of("api") - SHARED
    for path in (TOP / "views").glob("*.py"):
        assert not imported(path) & operations, path.name


def test_what_is_below_knows_neither_pages_nor_answers() -> None:
    above = tuple(f"tournaments.{package}" for package in ABOVE)
    for path in BELOW:
        place, found = path.relative_to(TOP).as_posix(), imported(path)
        if place not in EDGE:
            answers = ("django.http", "django.shortcuts")
            assert not {each for each in found if each.startswith(answers)}, place
        if place not in MOUNTED:
            assert not {each for each in found if each.startswith(above)}, place


def test_pages_and_the_api_write_nothing_of_their_own() -> None:
    # Whether the database can be written is found out by writing, and taking that back.
    for path in [*(TOP / "api").glob("*.py"), *(TOP / "views").glob("*.py")]:
        assert writes_called(path) == ({"create"} if path.stem == "health" else set()), path.name
