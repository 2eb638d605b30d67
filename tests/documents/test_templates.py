"""Templates have no long lines, nor colons and brackets of their own.

`make check` checks their indentation with djhtml. The texts of the guides may have long lines: one
that is broken in Japanese or Chinese shows a space.
"""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LONGEST = 120  # characters
TRANSLATED = re.compile(
    r"{% (blocktranslate|comment)\b.*?{% end\1 %}|{#.*?#}|{{.*?}}|{%.*?%}"
    r"|<(script|style|svg)\b.*?</\2>|&\w+;",
    re.DOTALL,
)
TAG = re.compile(r'<[a-z/!](?:"[^"]*"|[^>"])*>')
READ_OUT = re.compile(r'\b(?:aria-label|alt|title)="([^"]*)"')
NAMES = {"(PDF)", "(JSON)"}


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


def test_tables_are_named_by_the_number_that_people_know() -> None:
    """`Sitting.number` is for addresses: it changes when players leave or join."""
    for template in (ROOT / "templates").rglob("*.html"):
        shown = re.findall(
            r"{{.*?}}|{% blocktranslate.*?%}", template.read_text("utf-8"), re.DOTALL
        )
        assert not [each for each in shown if re.search(r"\bsitting\.number\b", each)], template


def test_colons_and_brackets_come_from_the_catalogue() -> None:
    """Those of Japanese and Chinese are wide: `{% translate ": " %}`, `bracketed`."""
    found = {}
    for template in (ROOT / "templates").rglob("*.html"):
        if {"guide", "guides", "500.html", "pango_missing.html"} & {*template.parts}:
            continue
        text = TRANSLATED.sub("", template.read_text("utf-8"))
        text = TAG.sub(lambda tag: " ".join(READ_OUT.findall(tag[0])), text)
        if words := {word for word in text.split() if re.search("[:;()!?]", word)} - NAMES:
            found[str(template.relative_to(ROOT))] = words
    assert found == {}
