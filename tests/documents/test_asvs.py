"""docs/asvs.md has a line for each requirement of three chapters, and names what exists."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
ASVS = (ROOT / "docs" / "asvs.md").read_text(encoding="utf-8")
# How many requirements each section of ASVS 5.0.0 has.
SECTIONS = {
    "2": (3, 3, 5, 2),
    "6": (3, 12, 8, 6, 8, 4, 2, 4),
    "14": (2, 8, 3),
}
ROW = re.compile(r"^\| (\d+\.\d+\.\d+) \| ([123]) \| (.+) \| (.+) \| (.+) \|$", re.MULTILINE)


def test_every_requirement_has_its_line() -> None:
    expected = [
        f"{chapter}.{section}.{number}"
        for chapter, counts in SECTIONS.items()
        for section, count in enumerate(counts, 1)
        for number in range(1, count + 1)
    ]
    rows = ROW.findall(ASVS)
    assert [row[0] for row in rows] == expected
    assert {row[3] for row in rows} == {"met", "partly", "not met", "–"}


def test_what_is_named_exists() -> None:
    named = re.findall(r"`((?:tournaments|tests|docs|static|scoring|SECURITY)[\w/.-]+)`", ASVS)
    assert len(named) > 50
    assert [path for path in named if not (ROOT / path).exists()] == []
