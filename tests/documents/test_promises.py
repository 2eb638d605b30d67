"""docs/promises.md names existing tests, and each promise has one or says "not yet"."""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).parent.parent
DOCUMENT = TESTS.parent / "docs" / "promises.md"
NAMED = re.compile(r"`([\w/]+\.py)::(\w+)`")
ROW = re.compile(r"^\| (?!promise|---)(.+) \| (.+) \|$", re.MULTILINE)


def test_every_named_test_exists() -> None:
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


def test_every_promise_names_what_shows_it() -> None:
    rows = ROW.findall(DOCUMENT.read_text(encoding="utf-8"))
    assert len(rows) > 40
    unshown = [
        promise
        for promise, shown in rows
        if not NAMED.search(shown) and "not yet" not in shown and ".py`" not in shown
    ]
    assert unshown == []
