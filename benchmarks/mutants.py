"""Mutation tests of the rules: changes them in small ways, and lists those that no test notices.

    python benchmarks/mutants.py [--sample 60 | --all] [--seed 1] [FOLDER ...]

A mutant is one changed operator, number, condition, slice or statement of a module of `scoring`. It
is killed if a test of its folder fails or does not end: the doctests of `scoring/FOLDER`, and the
tests of `tests/scoring/FOLDER`. Modules that are in no folder have the tests that are in none.
Mutants are drawn by the seed, the same for everybody. Exits with 1 if fewer than 95 % of those of a
folder are killed.
"""

from __future__ import annotations

import argparse
import ast
import importlib.machinery
import importlib.util
import math
import os
import random
import resource
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from types import CodeType, ModuleType
from typing import NamedTuple

import hypothesis
import hypothesis.strategies  # loaded once for all mutants
import pytest

ROOT = Path(__file__).resolve().parent.parent
RULES = ROOT / "scoring"
LEAST = 95  # per cent that are killed
MOST_MEMORY = 4 << 30  # bytes; a mutant that needs more is killed
OPTIONS = [
    *("-x", "-q", "--assert=plain", "--doctest-modules", "--import-mode=importlib", "--noconftest"),
    *("-c", os.devnull, f"--rootdir={ROOT}", "-p", "no:cacheprovider"),
    *("-o", "doctest_optionflags=NORMALIZE_WHITESPACE"),
]
COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
OPERATIONS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
FUNCTIONS = {"min": "max", "max": "min", "any": "all", "all": "any"}
Place = tuple[int, int]  # of a node among those of its tree, and which of its changes


class Mutant(NamedTuple):
    """One change: the file, the line, the place in the tree, and the line as changed."""

    path: str
    line: int
    place: Place
    code: str


def changes(node: ast.AST) -> Iterator[ast.AST]:
    yield from _changed_operations(node)
    yield from _changed_conditions(node)
    match node:
        case ast.Constant(bool() as value):
            yield ast.Constant(not value)
        case ast.Constant(int() as value):
            yield ast.Constant(value + 1)
        case ast.Slice(lower, upper, step):
            if lower:
                yield ast.Slice(None, upper, step)
            if upper:
                yield ast.Slice(lower, None, step)
        case ast.Expr(ast.Call()) | ast.AugAssign():
            yield ast.Pass()


def _changed_operations(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.Compare(left, [operator], [right]) if type(operator) in COMPARISONS:
            yield ast.Compare(left, [COMPARISONS[type(operator)]()], [right])
        case ast.BinOp(left, operator, right) if type(operator) in OPERATIONS:
            yield ast.BinOp(left, OPERATIONS[type(operator)](), right)
        case ast.UnaryOp(ast.Not() | ast.USub(), operand):
            yield operand
        case ast.Call(ast.Name(name), arguments, keywords) if name in FUNCTIONS:
            yield ast.Call(ast.Name(FUNCTIONS[name]), arguments, keywords)


def _changed_conditions(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.BoolOp(operator, values):
            yield ast.BoolOp(ast.Or() if isinstance(operator, ast.And) else ast.And(), values)
        case ast.IfExp(test, body, orelse):
            yield ast.IfExp(test, orelse, body)
        case ast.If(test, body, orelse):
            yield ast.If(ast.UnaryOp(ast.Not(), test), body, orelse)
        case ast.comprehension(target, source, [_, *_]):
            yield ast.comprehension(target, source, [], 0)


def of_behaviour(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes that decide what happens.

    These are all but annotations, messages, raised errors, and keywords that only assert or save
    time and memory.
    """
    for child in ast.iter_child_nodes(tree):
        match child:
            case ast.FunctionDef(args=arguments, body=body, decorator_list=decorators):
                defaults = [each for each in (*arguments.defaults, *arguments.kw_defaults) if each]
                yield from of_behaviour(ast.Tuple([*decorators, *defaults]))
                yield from of_behaviour(ast.Module(body, []))
            case ast.AnnAssign(value=value):
                yield from of_behaviour(ast.Tuple([value] if value else []))
            case (
                ast.Raise()
                | ast.Expr(ast.Constant())
                | ast.Call(ast.Name("_"))
                | ast.keyword("strict" | "frozen" | "slots" | "maxsize")
            ):
                pass
            case _:
                yield child
                yield from of_behaviour(child)


def mutants_of(path: str) -> list[Mutant]:
    found: list[Mutant] = []
    line = 0
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    for index, node in enumerate(of_behaviour(tree)):
        line = getattr(node, "lineno", line)
        for which, changed in enumerate(changes(node)):
            code = ast.unparse(ast.fix_missing_locations(changed)).splitlines()
            found.append(Mutant(path, line, (index, which), code[0]))
    return found


class Replacement(ast.NodeTransformer):
    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        return self.new if node is self.old else self.generic_visit(node)


def mutated(mutant: Mutant) -> ast.Module:
    tree = ast.parse((ROOT / mutant.path).read_text(encoding="utf-8"))
    index, which = mutant.place
    old = [*of_behaviour(tree)][index]
    Replacement(old, [*changes(old)][which]).visit(tree)
    return ast.fix_missing_locations(tree)


class Loader(importlib.machinery.SourceFileLoader):
    """Loads the file of a mutant with its change. Also finds it, first in `sys.meta_path`."""

    def __init__(self, mutant: Mutant) -> None:
        name = mutant.path.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
        super().__init__(name, str(ROOT / mutant.path))
        self.tree = mutated(mutant)

    def find_spec(
        self, name: str, _path: Sequence[str] | None = None, _target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name != self.name:
            return None
        return importlib.util.spec_from_file_location(name, self.path, loader=self)

    def get_code(self, fullname: str) -> CodeType:
        """Return the code with the change, which is never cached."""
        return compile(self.tree, self.path, "exec")


def modules_of(folder: str) -> list[Path]:
    """Return the modules of a folder; of `scoring` itself, those that are in no folder."""
    return sorted(RULES.glob("*.py") if folder == RULES.name else (RULES / folder).rglob("*.py"))


def tests_of(folder: str) -> list[str]:
    """Return the files with the tests of a folder, its modules first. Exits if there are none.

    Tests that start programs are left out: these would load the files without the change.
    """
    tests = ROOT / "tests" / "scoring"
    own = tests.glob("test_*.py") if folder == RULES.name else (tests / folder).rglob("test_*.py")
    found = sorted(path for path in own if "subprocess" not in path.read_text(encoding="utf-8"))
    if not found:
        sys.exit(f"No tests in {tests / folder}: write them, or `make mutants` cannot judge it.")
    return [str(path) for path in (*modules_of(folder), *found)]


def seconds_until_end(tests: list[str], limit: float, mutant: Mutant | None = None) -> float | None:
    """Return how much CPU time the tests take; None if one fails, or needs more than the limit."""
    loader = Loader(mutant) if mutant else None
    child = os.fork()
    if not child:
        try:
            os._exit(_run(tests, limit, loader))
        finally:
            os._exit(1)
    _pid, status, used = os.wait4(child, 0)
    return None if status else used.ru_utime + used.ru_stime


def _run(tests: list[str], limit: float, loader: Loader | None) -> int:
    """Run the tests in this process, and return pytest's exit status. It is to end then."""
    resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(limit), math.ceil(limit)))
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT))
    if loader:
        sys.meta_path.insert(0, loader)
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, 1)
    os.dup2(silent, 2)
    hypothesis.settings.register_profile("alike", database=None, deadline=None, derandomize=True)
    hypothesis.settings.load_profile("alike")
    return pytest.main([*OPTIONS, *tests])


def drawn(folder: str, sample: int | None, seed: int) -> list[Mutant]:
    """Return the mutants of a folder: as many as the sample, drawn by the seed."""
    paths = [str(path.relative_to(ROOT)) for path in modules_of(folder)]
    everything = [each for path in paths for each in mutants_of(path)]
    if sample and len(everything) > sample:
        everything = random.Random(seed).sample(everything, sample)  # noqa: S311  no secret
    return sorted(everything)


def survivors(folder: str, mutants: list[Mutant]) -> list[Mutant]:
    tests = tests_of(folder)
    usual = seconds_until_end(tests, limit=600)
    if usual is None:
        sys.exit(f"The tests of {folder} fail without any change.")
    with ProcessPoolExecutor(mp_context=get_context("fork")) as pool:
        limits = [10 + 5 * usual] * len(mutants)
        taken = pool.map(seconds_until_end, [tests] * len(mutants), limits, mutants)
        return [mutant for mutant, each in zip(mutants, taken, strict=True) if each is not None]


def main() -> int:
    """Test mutants; print those that survive, and for each folder the share that was killed."""
    folders = sorted(path.parent.name for path in RULES.glob("*/__init__.py"))
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folders", nargs="*", metavar="FOLDER", help=", ".join(folders))
    parser.add_argument("--sample", type=int, default=60, help="mutants of a folder (60)")
    parser.add_argument("--all", action="store_const", const=None, dest="sample")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rows = []
    for folder in arguments.folders or [RULES.name, *folders]:
        mutants = drawn(folder, arguments.sample, arguments.seed)
        alive = survivors(folder, mutants)
        for mutant in alive:
            print(f"survives: {mutant.path}:{mutant.line}: {mutant.code}", flush=True)
        rows.append((folder, len(mutants), len(mutants) - len(alive)))
    print("\n| folder | mutants | killed | share |\n| --- | ---: | ---: | ---: |")
    for folder, count, killed in rows:
        print(f"| {folder} | {count} | {killed} | {100 * killed / count:.0f} % |")
    return 0 if all(100 * killed >= LEAST * count for _, count, killed in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
