"""The examples and tables of scoring/README.md are correct."""

import doctest
import json
import re
from pathlib import Path

import pytest

import scoring
from scoring.answers import answer
from tests.scoring.records import CODES

FILE = Path(scoring.__file__).parent / "README.md"
TEXT = FILE.read_text(encoding="utf-8")
RECORD, SCORE, REFUSAL = map(json.loads, re.findall(r"```json\n(.*?)```", TEXT, re.DOTALL))


def test_first_example_runs() -> None:
    assert doctest.testfile(str(FILE), module_relative=False).failed == 0


def test_record_has_the_score_shown() -> None:
    assert answer(json.dumps(RECORD).encode()) == SCORE


def test_invalid_record_has_the_problem_shown() -> None:
    RECORD["rounds"][0]["deals"][1]["kankei"] = 15
    assert answer(json.dumps(RECORD).encode()) == REFUSAL


def test_every_problem_code_is_listed() -> None:
    table = TEXT.split("## Problems")[1].split("## House rules")[0]
    codes = re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)
    assert len(codes) == len(set(codes))
    assert set(codes) == CODES | {"not_json", "key_twice"}


def test_every_rule_set_is_listed_beside_its_text() -> None:
    table = TEXT.split("## The texts")[1].split("## The record")[0]
    for rule_set in scoring.RULE_SETS:
        number = rule_set.texts[0].number
        found = [line for line in table.splitlines() if f"`{rule_set.slug}`" in line]
        if [line.split("|")[1].strip() for line in found] != [number]:
            remedy = f"Add `{rule_set.slug}` to the row of text {number} in scoring/README.md."
            pytest.fail(remedy, pytrace=False)
