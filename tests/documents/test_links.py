"""Links of the documents have a target, and quoted labels exist."""

import re
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

ROOT = Path(__file__).parent.parent.parent
CATALOGUE = ROOT / "tournaments" / "locale" / "ja" / "LC_MESSAGES" / "django.po"
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), ROOT / "scoring" / "README.md"])
LINK = re.compile(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)")
# What two languages of one text share: headings, commands, targets of links, rows of tables.
PART = re.compile(r"^#+ |^    .+|(?<=\]\()[^)]+|^\|(?=.*\|$)", re.MULTILINE)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_has_a_target(document: Path) -> None:
    links = LINK.findall(document.read_text(encoding="utf-8"))
    assert [link for link in links if not (document.parent / link).exists()] == []


def test_links_are_found() -> None:
    found = [LINK.findall(document.read_text(encoding="utf-8")) for document in DOCUMENTS]
    assert sum(map(len, found)) > 20


@pytest.mark.parametrize(
    ("name", "quotes"), [("README.md", "“(.+?)”"), ("README.ja.md", "「(.+?)」")]
)
def test_labels_quoted_in_the_readme_exist(name: str, quotes: str) -> None:
    with CATALOGUE.open("rb") as lines:
        labels = {str(text) for each in read_po(lines) for text in (each.id, each.string)}
    quoted = re.findall(quotes, (ROOT / name).read_text("utf-8"))
    assert len(quoted) >= 2
    assert [label for label in quoted if label not in labels] == []


def test_readmes_have_the_same_parts() -> None:
    english, japanese = (
        PART.findall((ROOT / name).read_text("utf-8").replace(other, "other README"))
        for name, other in (("README.md", "README.ja.md"), ("README.ja.md", "README.md"))
    )
    assert len(english) >= 20
    assert japanese == [part.replace("/guides/en/", "/guides/ja/") for part in english]
