"""Expected properties and worked examples of each rule set, from `examples/<slug>.json`."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from scoring import RULE_SETS, InvalidRecord, Record, Rules, RuleSet, read_record

FOLDER = Path(__file__).parent / "examples"


class Expected(NamedTuple):
    """The contents of one file.

    `records` are worked examples: a record, what it is worth, and the passage of the text that says
    so. `chart_examples` are the totals of the examples on its chart, if it has any.
    """

    fingerprint: str
    usual_rounds: int | None
    trump_cycle: int | None  # rounds in a cycle of trumps, if sessions play whole cycles
    derived_items: list[str]  # points follow from other items; no house rule sets them
    later_options: list[str]  # added after events were played under these rules
    our_readings: list[str]  # options whose default no text states
    chart_examples: list[int]
    records: list[dict[str, Any]]


def load(path: Path) -> Mapping[str, Any]:
    document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return document


FILES = {path.stem: load(path) for path in sorted(FOLDER.glob("*.json"))}
EXAMPLES: dict[str, list[dict[str, Any]]] = {
    slug: file.get("records", []) for slug, file in FILES.items()
}
every_rule_set = pytest.mark.parametrize("rule_set", RULE_SETS, ids=lambda each: each.slug)


def expected_of(rule_set: RuleSet) -> Expected:
    """The contents of a rule set's file. Fails the test if the file or a key is missing."""
    place = f"tests/scoring/examples/{rule_set.slug}.json"
    if rule_set.slug not in FILES:
        pytest.fail(f"Add {place} with these keys: {', '.join(Expected._fields)}.", pytrace=False)
    if missing := [key for key in Expected._fields if key not in FILES[rule_set.slug]]:
        pytest.fail(f"Add {', '.join(missing)} to {place}.", pytrace=False)
    return Expected(**FILES[rule_set.slug])


def record_of(example: dict[str, Any], rules: Rules | None = None) -> Record:
    """The record of an example, or the same rounds under `rules`.

    Fails the test, naming the file and what the example says, if it cannot be scored.
    """
    document = example["record"] | ({"options": {}} if rules else {})
    try:
        return read_record(document, rules)
    except InvalidRecord as invalid:
        place = f"tests/scoring/examples/{example['record'].get('ruleset')}.json"
        pytest.fail(f"Mend in {place} the record “{example['says']}”: {invalid}", pytrace=False)
