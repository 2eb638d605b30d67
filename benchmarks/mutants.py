"""Changes the rules in small ways, and tells which changes no test of theirs notices: mutants.

    python benchmarks/mutants.py [--sample 60] [--seed 1] [FOLDER ...]

Each folder has tests of its own (`TESTS`). A mutant is one changed operator, number, condition,
slice or statement; it is killed if a test fails or does not end. Mutants are drawn by the seed, the
same for everybody. Exits with 1 if fewer than 95 % of a folder's are killed.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import hypothesis  # noqa: F401  loaded once for all mutants
import pytest

ROOT = Path(__file__).resolve().parent.parent
LEAST = 95  # per cent that are killed
PATIENCE = 60  # seconds until a mutant that does not end is killed
TESTS = {
    "scoring/ranking": ["test_contest.py", "test_ranking.py", "test_ranking_rules.py"],
    "scoring/season": ["test_season.py"],
    "scoring/stages": ["test_stages.py", "test_stage_places.py"],
    "scoring/teams.py": ["test_teams.py"],
}

OPTIONS = [
    *("-x", "-q", "--doctest-modules", "--import-mode=importlib", "--noconftest", "--rootdir=."),
    *("-p", "no:django", "-p", "no:xdist", "-p", "no:cacheprovider"),
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
    """Yield the changed copies of one node."""
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
    """Yield the node with another operator or function."""
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
    """Yield the node with another condition."""
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
    """Yield the nodes that decide what happens: without annotations, messages and raised errors."""
    for child in ast.iter_child_nodes(tree):
        match child:
            case ast.FunctionDef(args=arguments, body=body, decorator_list=decorators):
                defaults = [each for each in (*arguments.defaults, *arguments.kw_defaults) if each]
                yield from of_behaviour(ast.Tuple([*decorators, *defaults]))
                yield from of_behaviour(ast.Module(body, []))
            case ast.AnnAssign(value=value):
                yield from of_behaviour(ast.Tuple([value] if value else []))
            case ast.Raise() | ast.Expr(ast.Constant()) | ast.Call(ast.Name("_")):
                pass
            case _:
                yield child
                yield from of_behaviour(child)


def mutants_of(path: str) -> list[Mutant]:
    """Return all mutants of a file."""
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
    """Replaces one node of a tree."""

    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        """Return the new node for the old one."""
        return self.new if node is self.old else self.generic_visit(node)


def mutated(mutant: Mutant) -> str:
    """Return the source of the file with the change."""
    tree = ast.parse((ROOT / mutant.path).read_text(encoding="utf-8"))
    index, which = mutant.place
    old = [*of_behaviour(tree)][index]
    changed = Replacement(old, [*changes(old)][which]).visit(tree)
    return ast.unparse(ast.fix_missing_locations(changed))


def is_killed(mutant: Mutant, tests: list[str]) -> bool:
    """Return whether a test fails, or does not end, in a copy of the rules with this change."""
    with tempfile.TemporaryDirectory() as name:
        copy = Path(name)
        for folder in ("scoring", "tests/scoring"):
            without_cache = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / folder, copy / folder, ignore=without_cache)
        shutil.copy(ROOT / "tests/__init__.py", copy / "tests")
        (copy / mutant.path).write_text(mutated(mutant), encoding="utf-8")
        child = os.fork()
        if not child:
            _run(copy, tests)
        _pid, status = os.waitpid(child, 0)
        return status != 0


def _run(copy: Path, tests: list[str]) -> None:
    """Run the tests in this process, which ends with their result."""
    signal.alarm(PATIENCE)
    os.chdir(copy)
    sys.path.insert(0, str(copy))
    sys.dont_write_bytecode = True
    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, 1)
    os.dup2(silent, 2)
    without = [f"-p no:{each}" for each in ("django", "xdist", "cacheprovider", "randomly")]
    options = ["-x", "-q", "--doctest-modules", "--import-mode=importlib", "--noconftest"]
    os._exit(
        pytest.main([*options, "-c", os.devnull, "--rootdir=.", *" ".join(without).split(), *tests])
    )


def drawn(folder: str, sample: int, seed: int) -> list[Mutant]:
    """Return the mutants of a folder, or of a file: as many as the sample, drawn by the seed."""
    files = sorted((ROOT / folder).rglob("*.py")) or [ROOT / folder]
    everything = [each for path in files for each in mutants_of(str(path.relative_to(ROOT)))]
    if sample and len(everything) > sample:
        everything = random.Random(seed).sample(everything, sample)  # noqa: S311  no secret
    return sorted(everything)


def main() -> int:
    """Test mutants; print those that survive, and the share that was killed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folders", nargs="*", metavar="FOLDER", choices=[[], *TESTS])
    parser.add_argument("--sample", type=int, default=60, help="mutants of a folder; 0: all")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    is_enough = True
    for folder in arguments.folders or TESTS:
        mutants = drawn(folder, arguments.sample, arguments.seed)
        with ProcessPoolExecutor(mp_context=get_context("fork")) as pool:
            tests = [folder, *(f"tests/scoring/{each}" for each in TESTS[folder])]
            killed = [*pool.map(is_killed, mutants, [tests] * len(mutants))]
        for mutant in (each for each, dead in zip(mutants, killed, strict=True) if not dead):
            print(f"survives: {mutant.path}:{mutant.line}: {mutant.code}")
        print(f"{folder}: {sum(killed)} of {len(mutants)} killed (seed {arguments.seed})")
        is_enough &= 100 * sum(killed) >= LEAST * len(mutants)
    return 0 if is_enough else 1


if __name__ == "__main__":
    sys.exit(main())
