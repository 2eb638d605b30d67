"""What users may rely on (`promises.toml`), and when the tests that show it last passed.

python -m tests.promises            writes the table, docs/promises.md
python -m tests.promises R1 P20     runs what shows these promises, and enters which hold
python -m tests.promises FILE.xml   enters them from the results of `pytest --junit-xml`
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import NotRequired, TypedDict
from xml.etree import ElementTree as ET

ROOT = Path(__file__).parents[1]
DATA, DOCUMENT = ROOT / "tests" / "promises.toml", ROOT / "docs" / "promises.md"
SECTIONS = {"R": "Records", "P": "Phones", "O": "People out", "A": "The API"}
ROW = re.compile(r"^\| ([A-Z]\d+) \|.*\| ([^|]*) \|$", re.MULTILINE)
HEAD = """# Promises

What users may rely on. `.venv/bin/python -m tests.promises ID` runs what shows a promise: the
tests that `tests/promises.toml` names, some of them on SQLite and on PostgreSQL, or a benchmark.
`make test promises` runs all tests and renews this table, which that program makes. The last
column says when all tests of a promise passed last, at which commit; “not yet”: no run is entered.
"""


class Promise(TypedDict):
    """`tests` are those under `tests/`, `command` a benchmark, `more` what else is to be said."""

    promise: str
    tests: NotRequired[list[str]]
    command: NotRequired[str]
    more: NotRequired[str]


def read() -> dict[str, Promise]:
    promises: dict[str, Promise] = tomllib.loads(DATA.read_text(encoding="utf-8"))
    return promises


def passes_entered() -> dict[str, str]:
    """Return the last column of the present table by id."""
    return dict(ROW.findall(DOCUMENT.read_text(encoding="utf-8")))


def table(promises: Mapping[str, Promise], passes: Mapping[str, str]) -> str:
    """Return the text of the document."""
    text = HEAD
    for letter, title in SECTIONS.items():
        text += f"\n## {title}\n\n| id | promise | last pass |\n| --- | --- | --- |\n"
        for key, each in promises.items():
            if key.startswith(letter):
                said = "; ".join(filter(None, (each["promise"], each.get("more"))))
                text += f"| {key} | {said} | {passes.get(key, 'not yet')} |\n"
    return text


def outcomes(files: Iterable[Path]) -> dict[str, bool]:
    """Return by test, as it is named in `promises.toml`, whether each of its cases passed."""
    found: dict[str, bool] = {}
    for file in files:
        for case in ET.parse(file).iter("testcase"):  # noqa: S314  pytest wrote it
            path = case.attrib["classname"].removeprefix("tests.").replace(".", "/")
            test = f"{path}.py::{case.attrib['name'].partition('[')[0]}"
            if case.find("skipped") is None:
                has_passed = case.find("failure") is None and case.find("error") is None
                found[test] = found.get(test, True) and has_passed
    return found


def entry(time: datetime) -> str:
    """Return the day, and the commit that is checked out."""
    return f"{time.date()}, {git('rev-parse', '--short', 'HEAD')}"


def time_of(file: Path) -> datetime:
    """Return when results were made. Raises `SystemExit` if the last commit is newer."""
    suite = next(ET.parse(file).iter("testsuite"))  # noqa: S314  pytest wrote it
    made = datetime.fromisoformat(suite.attrib["timestamp"]).astimezone()
    if made.timestamp() < int(git("log", "-1", "--format=%ct")):
        raise SystemExit(f"{file}: the last commit is newer. Run the tests again.")
    return made


def git(*arguments: str) -> str:
    command = ["git", *arguments]
    done = subprocess.run(command, check=True, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    return done.stdout.strip()


def passed_in(files: list[Path], promises: Mapping[str, Promise]) -> dict[str, str]:
    """Return day and commit by the ids of promises whose tests have all passed in these results."""
    when = entry(min(map(time_of, files)))
    passed = outcomes(files)
    return {
        key: when
        for key, each in promises.items()
        if each.get("tests") and all(passed.get(test) for test in each.get("tests", []))
    }


def run(promises: Mapping[str, Promise]) -> dict[str, str]:
    """Run tests and benchmarks; return day and commit by the ids of those that passed."""
    python = [sys.executable, "-m", "pytest", "-q"]
    tests = {f"tests/{test}" for each in promises.values() for test in each.get("tests", [])}
    passed: dict[str, str] = {}
    if tests:
        with tempfile.TemporaryDirectory() as folder:
            results = Path(folder, "results.xml")
            subprocess.run([*python, f"--junit-xml={results}", *tests], check=False, cwd=ROOT)
            passed = passed_in([results], promises)
    for key, each in promises.items():
        if "command" in each:
            subprocess.run([sys.executable, *each["command"].split()], check=True, cwd=ROOT)
            passed[key] = entry(datetime.now().astimezone())
    return passed


def main(arguments: list[str]) -> None:
    promises, passes = read(), passes_entered()
    files = [Path(each) for each in arguments if each.endswith(".xml")]
    asked = {} if files else {key: promises[key] for key in arguments}
    passed = passed_in(files, promises) if files else run(asked)
    DOCUMENT.write_text(table(promises, passes | passed), encoding="utf-8")
    if failed := asked.keys() - passed:
        sys.exit(f"not shown: {', '.join(failed)}")


if __name__ == "__main__":
    main(sys.argv[1:])
