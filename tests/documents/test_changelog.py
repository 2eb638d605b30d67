"""CHANGELOG.md has a section for the current version, and one change in each line."""

import re
from pathlib import Path

from tournaments import __version__

LINES = (Path(__file__).parents[2] / "CHANGELOG.md").read_text(encoding="utf-8").splitlines()


def test_newest_release_is_the_version_of_the_app() -> None:
    releases = [line.removeprefix("## ") for line in LINES if re.match(r"## \d", line)]
    assert re.fullmatch(rf"{re.escape(__version__)} \(\d{{4}}-\d\d-\d\d\)", releases[0])


def test_each_line_is_one_change() -> None:
    in_sections = LINES[LINES.index("## Unreleased") :]
    wrapped = [line for line in in_sections if line.startswith(" ")]
    assert wrapped == [], "Write each change in one line."
