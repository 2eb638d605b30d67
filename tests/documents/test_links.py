"""Links of the documents have a target, and quoted labels exist."""

import re
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

ROOT = Path(__file__).parent.parent.parent
CATALOGUE = ROOT / "tournaments" / "locale" / "ja" / "LC_MESSAGES" / "django.po"
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), ROOT / "scoring" / "README.md"])
COMMAND = re.compile(r"(?:make |DATA_DIR=)[^`#\n]*[^`#\s]")
LINK = re.compile(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_has_a_target(document: Path) -> None:
    links = LINK.findall(document.read_text(encoding="utf-8"))
    assert [link for link in links if not (document.parent / link).exists()] == []


def test_links_are_found() -> None:
    found = [LINK.findall(document.read_text(encoding="utf-8")) for document in DOCUMENTS]
    assert sum(map(len, found)) > 20


@pytest.mark.parametrize(
    ("name", "heading", "quotes"),
    [("README.md", "ten lines", "“(.+?)”"), ("README.ja.md", "10行", "「(.+?)」")],
)
def test_labels_quoted_in_the_readme_exist(name: str, heading: str, quotes: str) -> None:
    with CATALOGUE.open("rb") as lines:
        texts = [form for each in read_po(lines) for form in (each.id, each.string)]
    labels = {re.sub(r"%\(\w+\)s", "1", str(text)) for text in texts}
    quoted = re.findall(quotes, (ROOT / name).read_text("utf-8").split(heading)[1])
    assert len(quoted) >= 9
    assert [label for label in quoted if label not in labels] == []


def test_readme_in_japanese_has_the_commands_of_the_english_one() -> None:
    english, japanese = (
        set(COMMAND.findall((ROOT / name).read_text("utf-8")))
        for name in ("README.md", "README.ja.md")
    )
    assert len(japanese) >= 4
    assert japanese <= english
