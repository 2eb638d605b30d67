"""Each promise has what shows it, every named test exists, and docs/promises.md has them all."""

from __future__ import annotations

import ast
from itertools import groupby
from pathlib import Path

import pytest

from tests import promises

PROMISES = promises.read()
RESULTS = """<testsuites><testsuite timestamp="2026-11-28T09:00:00+09:00">
<testcase classname="tests.faults.test_kill" name="test_a[1]" />
<testcase classname="tests.faults.test_kill" name="test_a[2]"><skipped /></testcase>
<testcase classname="tests.faults.test_kill" name="test_b[1]"><failure /></testcase>
<testcase classname="tests.faults.test_kill" name="test_b[2]" />
<testcase classname="tests.faults.test_kill" name="test_c"><skipped /></testcase>
</testsuite></testsuites>"""


def test_every_named_test_exists() -> None:
    named = sorted(test.split("::") for each in PROMISES.values() for test in each.get("tests", []))
    for file, tests in groupby(named, key=lambda each: each[0]):
        module = ast.parse((promises.ROOT / "tests" / file).read_text(encoding="utf-8"))
        functions = {each.name for each in module.body if isinstance(each, ast.FunctionDef)}
        assert {name for _file, name in tests} <= functions, file


def test_every_promise_is_shown_by_tests_or_a_program() -> None:
    for each in PROMISES.values():
        assert each.get("tests") or (promises.ROOT / each["command"]).is_file()


def test_document_is_made_of_the_promises() -> None:
    """`python -m tests.promises` makes it again."""
    made = promises.table(PROMISES, promises.passes_entered())
    assert promises.DOCUMENT.read_text(encoding="utf-8") == made


def test_promise_is_entered_if_all_its_tests_passed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "results.xml").write_text(RESULTS)
    asked: dict[str, promises.Promise] = {
        name: {"promise": "", "tests": [f"faults/test_kill.py::test_{each}" for each in name]}
        for name in ("a", "b", "c", "ab")
    }
    monkeypatch.setattr(promises, "git", lambda *_: "0")
    entered = promises.passed_in([tmp_path / "results.xml"], asked)
    assert entered.keys() == {"a"}
    monkeypatch.setattr(promises, "git", lambda *_: "4000000000")  # when the commit was made
    with pytest.raises(SystemExit, match="newer"):
        promises.passed_in([tmp_path / "results.xml"], asked)
