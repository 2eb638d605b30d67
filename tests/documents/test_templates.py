"""Templates have no long lines; `make check` checks their indentation with djhtml.

The texts of the guides may have: a line that is broken in Japanese or Chinese shows a space.
"""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LONGEST = 120  # characters


def test_template_lines_have_at_most_120_characters() -> None:
    templates = sorted((ROOT / "templates").rglob("*.html"))
    assert len(templates) > 100
    long = [
        f"{template.relative_to(ROOT)}:{number}"
        for template in templates
        if not {"guide", "guides"} & {*template.parts}
        for number, line in enumerate(template.read_text("utf-8").splitlines(), 1)
        if len(line) > LONGEST
    ]
    assert long == []
