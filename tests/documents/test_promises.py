"""What docs/promises.md says is shown by a test, is shown by a test that is there."""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).parent.parent
DOCUMENT = TESTS.parent / "docs" / "promises.md"
NAMED = re.compile(r"`([\w/]+\.py)::(\w+)`")
ROW = re.compile(r"^\| (?!promise|---)(.+) \| (.+) \|$", re.MULTILINE)


def test_every_test_that_is_named_is_there() -> None:
    named = NAMED.findall(DOCUMENT.read_text(encoding="utf-8"))
    assert named
    missing = [
        f"{file}::{name}"
        for file, name in named
        if not re.search(
            rf"^def {name}\(", (TESTS / file).read_text(encoding="utf-8"), re.MULTILINE
        )
    ]
    assert missing == []


def test_every_promise_says_what_shows_it_or_that_nothing_does_yet() -> None:
    rows = ROW.findall(DOCUMENT.read_text(encoding="utf-8"))
    assert len(rows) > 40
    silent = [
        promise
        for promise, shown in rows
        if not NAMED.search(shown) and "not yet" not in shown and ".py`" not in shown
    ]
    assert silent == []
