"""What people read uses no word that `docs/terms.md` rules out.

Read are the catalogues, translated quotations, programs, guides, and pages of errors.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Message
from babel.messages.pofile import read_po
from django.conf import settings
from django.utils.html import strip_tags

from tournaments.i18n import quotations
from tournaments.server import connections

TERMS = Path(settings.BASE_DIR, "docs", "terms.md")
CATALOGUES = {"ja": "ja", "zh": "zh_Hans"}
ROW = re.compile(
    r"^\| (?P<language>en|ja|zh) \| (?P<word>.+?) \| (?P<instead>.+?) \|$", re.MULTILINE
)
KANA = re.compile("[ぁ-ゖァ-ヺ]")
PLACEHOLDER = re.compile(r"%\(\w+\)s|\{\w+\}")
OTHER_WORDS = re.compile("ただいま|いま(?=[すせしま])")  # with いま in them: 使います, ないまま
TEMPLATES = Path(settings.BASE_DIR, "templates")
PAGES_IN = {"en": "en", "ja": "ja", "zh": "zh-hans"}
PARAGRAPH = re.compile(r'<(?:p|h1)(?: lang="(en|zh)[^"]*")?>(.*?)</', re.DOTALL)


def messages(language: str) -> list[Message]:
    path = Path(
        settings.BASE_DIR, "tournaments/locale", CATALOGUES[language], "LC_MESSAGES/django.po"
    )
    with path.open("rb") as lines:
        return [message for message in read_po(lines) if message.id]


def said_by_programs() -> Iterator[str]:
    """The sentences of the commands, docstrings left out."""
    for file in Path(settings.BASE_DIR, "tournaments", "management").rglob("*.py"):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            for part in ast.iter_child_nodes(node):
                if isinstance(part, ast.Constant) and not isinstance(node, ast.Expr):
                    yield str(part.value)


def written_out(language: str) -> Iterator[str]:
    """The guides, and the page of an error at which no translation is at hand."""
    name = PAGES_IN[language]
    for file in (
        *TEMPLATES.glob(f"guides/{name}/*"),
        *TEMPLATES.glob(f"games/*/guide/{name}.html"),
    ):
        yield strip_tags(re.sub(r"\{%.*?%\}", "", file.read_text(encoding="utf-8")))
    page = (TEMPLATES / "500.html").read_text(encoding="utf-8")
    yield from (text for lang, text in PARAGRAPH.findall(page) if (lang or "ja") == language)


def texts(language: str) -> list[str]:
    """Every translation; in English, every message id and what programs say."""
    if language == "en":
        found = [message.id for message in messages("ja")]
        found += [*(english for english, _chinese in quotations.TRANSLATIONS.values())]
        found += [text for text in said_by_programs() if " " in text]
    else:
        found = [message.string or "" for message in messages(language)]
    if language == "zh":
        found += [chinese for _english, chinese in quotations.TRANSLATIONS.values()]
    found += written_out(language)
    found.append(connections.TOO_MANY.splitlines()[("ja", "en", "zh").index(language)])
    forms = [text for each in found for text in ([each] if isinstance(each, str) else each)]
    return [OTHER_WORDS.sub("", PLACEHOLDER.sub("", text)) for text in forms]


def ruled_out(language: str) -> list[tuple[str, str]]:
    rows = ROW.finditer(TERMS.read_text(encoding="utf-8"))
    return [(row["word"], row["instead"]) for row in rows if row["language"] == language]


@pytest.mark.parametrize("language", ["en", "ja", "zh"])
def test_ruled_out_words_are_not_used(language: str) -> None:
    words = ruled_out(language)
    assert len(words) > 5
    used = [
        f"{word} (use {instead}): {text}"
        for text in texts(language)
        for word, instead in words
        if word in text
    ]
    assert not used


def test_chinese_has_no_kana() -> None:
    assert not [text for text in texts("zh") if KANA.search(text)]


def test_recommended_words_are_not_ruled_out() -> None:
    for language in ("en", "ja", "zh"):
        words = [word for word, _instead in ruled_out(language)]
        assert not [
            instead
            for _word, instead in ruled_out(language)
            if any(word in instead for word in words)
        ]
