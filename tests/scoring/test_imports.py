"""Imports of `scoring`: standard library only, no cycle, none inside a function."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted((ROOT / "scoring").rglob("*.py"))
}
IMPORT_ALL = """
import importlib, pkgutil, sys
sys.path.insert(0, sys.argv[1])
import scoring
for module in pkgutil.walk_packages(scoring.__path__, "scoring."):
    importlib.import_module(module.name)
print(*sorted({name.split(".")[0] for name in sys.modules} - set(sys.stdlib_module_names)))
"""


def imported(tree: ast.Module) -> Iterator[str]:
    """The imported modules of `scoring`, including those for the type checker only."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names if each.name in MODULES)
        elif isinstance(node, ast.ImportFrom) and node.module in MODULES:
            for name in (f"{node.module}.{each.name}" for each in node.names):
                yield name if name in MODULES else node.module


def test_scoring_imports_nothing_but_itself_and_the_standard_library() -> None:
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", IMPORT_ALL, str(ROOT)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["__main__", "scoring"]


def test_imports_form_no_cycle() -> None:
    trees = {name: ast.parse(path.read_text(encoding="utf-8")) for name, path in MODULES.items()}
    try:
        order = tuple(
            TopologicalSorter(
                {name: set(imported(tree)) for name, tree in trees.items()}
            ).static_order()
        )
    except CycleError as error:
        pytest.fail(f"These modules import each other in a circle: {' → '.join(error.args[1])}")
    assert set(order) == set(MODULES)
    games = {name for name in MODULES if name.startswith(("scoring.kankei", "scoring.variants"))}
    charts = {name for name in MODULES if name.startswith("scoring.charts")}
    assert not {name for name in games if charts & set(imported(trees[name]))}


GAMES = ("scoring.kankei", "scoring.seats", "scoring.variants")
CONTESTS = ("scoring.ranking", "scoring.season", "scoring.stages", "scoring.teams")
COUNTS_SKUNKS = "scoring.ranking.deals"  # for tie-breaks


def test_contests_know_no_game_and_games_no_contest() -> None:
    found = {name: set(imported(ast.parse(path.read_text()))) for name, path in MODULES.items()}
    for name, imports in found.items():
        if name.startswith(CONTESTS) and name != COUNTS_SKUNKS:
            assert not {each for each in imports if each.startswith(GAMES)}, name
        elif not name.startswith(CONTESTS) and name != "scoring":  # which lists the public names
            assert not {each for each in imports if each.startswith(CONTESTS)}, name


def test_readme_names_every_package_and_module_of_its_layer() -> None:
    text = (ROOT / "scoring" / "README.md").read_text(encoding="utf-8")
    layers = text.partition("| layer |")[2].partition("\n\n")[0]
    common = {"errors", "translation"}
    parts = {name.split(".")[1] for name in MODULES if "." in name} - common
    assert {part for part in parts if f"`{part}`" not in layers} == set()


def test_imports_stand_at_the_top_of_their_module() -> None:
    for module, path in MODULES.items():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        everywhere = [n for n in ast.walk(tree) if isinstance(n, ast.Import | ast.ImportFrom)]
        lines = [node.lineno for node in everywhere if node not in tree.body]
        assert not lines, f"{module} imports inside a function or a condition, in lines {lines}"
