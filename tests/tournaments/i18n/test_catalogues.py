"""Every message of the app is translated in every catalogue, with its placeholders."""

import ast
import contextlib
import gettext
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po
from django.conf import settings

from tests.programs import find_program
from tournaments.i18n import catalogues

TREE = ("manage.py", "scoring", "templates", "tournaments")
LOCALES = Path("tournaments", "locale")
LANGUAGES = ("ja", "zh_Hans")
PLACEHOLDER = re.compile(r"%\(\w+\)[a-z]|%[a-z]|\{\w+\}")
KANA_OR_KANJI = re.compile("[぀-ヿ㐀-鿿]")
# A count with its noun, in English: "%(count)s players".
COUNTED = re.compile(
    r"(?:%(?:\(\w+\))?s|\{\w+\}) (?:players|tables|rounds|sessions|points|deals|rows|lines|places"
    r"|seats|cards|results|tournaments|seconds|minutes|times|pairs|teams|groups|takers|applications)\b"
)
# Messages about counts that are never one: a limit, a length, the cards of a game; or "1 of 2".
NEVER_ONE = (
    *("{loser} has {points}", "{first} and {second} have", "Enter points for", "%(times)s times"),
    *("No pair meets more", "%(counts)s players", "%(seconds)s s", "With %(", "All %("),
    *("%(elapsed)s of", "%(count)s cards", "Each of the", "{count} players", "%s seconds"),
    *(
        "%(done)s of",
        "We suggest",
        "A session of",
        "The number of takers",
        "At most %(most)s",
        "This declines all",
        "Not sent: %(most)s",
    ),
    *(
        "{dealer} deals next",
        "This phone has started",
        "%(count)s players added",
        "Players with fewer than",
    ),
)
TRANSLATES = re.compile("_|u?n?p?gettext(_lazy|_noop)?")


def catalogue_of(language: str) -> Path:
    return LOCALES / language / "LC_MESSAGES" / "django.po"


def read(file: Path, *, strict: bool = True) -> Catalog:
    with file.open("rb") as lines:
        return read_po(lines, abort_invalid=strict)


def messages(catalogue: Catalog) -> Iterator[Message]:
    """Leaves out the header."""
    return (message for message in catalogue if message.id)


def forms(texts: str | list[str] | tuple[str, ...] | None) -> tuple[str, ...]:
    """Return the only form, or the singular and plural forms."""
    return (texts,) if isinstance(texts, str) else tuple(texts or ("",))


def placeholders(text: str) -> set[str]:
    return set(PLACEHOLDER.findall(text))


@pytest.fixture(scope="module")
def extracted(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    """The messages that `make messages` finds in the source tree."""
    find_program("xgettext")
    copy = tmp_path_factory.mktemp("tree")
    for name in TREE:
        original = settings.BASE_DIR / name
        if original.is_dir():
            ignored = shutil.ignore_patterns("__pycache__", "*.po", "*.mo")
            shutil.copytree(original, copy / name, ignore=ignored)
        else:
            shutil.copy(original, copy / name)
    command = [sys.executable, "manage.py", "makemessages", "--locale", "ja"]
    done = subprocess.run(
        [*command, "--settings", "tournaments.settings"],
        cwd=copy,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    with contextlib.redirect_stdout(None):  # GNU gettext leaves room for plurals: babel warns
        return read(copy / catalogue_of("ja"), strict=False)


@pytest.fixture(scope="module", params=LANGUAGES)
def catalogue(request: pytest.FixtureRequest) -> Catalog:
    return read(settings.BASE_DIR / catalogue_of(request.param))


def test_every_message_is_translated(extracted: Catalog, catalogue: Catalog) -> None:
    assert len(extracted) > 100  # fewer means that the extraction failed
    missing = [
        message.id
        for message in messages(extracted)
        if (known := catalogue.get(forms(message.id)[0], message.context)) is None
        or forms(known.id) != forms(message.id)
        or not all(forms(known.string))
    ]
    place = catalogue_of(str(catalogue.locale))
    assert not missing, f"Run `make messages` and translate in {place}: {missing}"


def test_every_translation_belongs_to_a_message(extracted: Catalog, catalogue: Catalog) -> None:
    unused = [
        message.id
        for message in messages(catalogue)
        if extracted.get(forms(message.id)[0], message.context) is None
    ]
    assert not unused, f"Run `make messages`, which removes these: {unused}"


def test_no_translation_is_fuzzy_obsolete_or_empty(catalogue: Catalog) -> None:
    place = catalogue_of(str(catalogue.locale))
    fuzzy = [message.id for message in messages(catalogue) if message.fuzzy]
    assert not fuzzy, f"Translate these in {place} and remove `#, fuzzy`: {fuzzy}"
    obsolete = list(catalogue.obsolete)
    assert not obsolete, f"Remove these (`#~`) from {place}: {obsolete}"
    empty = [message.id for message in messages(catalogue) if not all(forms(message.string))]
    assert not empty, f"Translate these in {place}: {empty}"


def test_translations_have_the_placeholders_of_their_message(catalogue: Catalog) -> None:
    wrong = [
        (message.id, message.string)
        for message in messages(catalogue)
        for text in forms(message.string)
        if placeholders(text) != placeholders(forms(message.id)[-1])
    ]
    assert not wrong


def test_no_message_has_several_unnamed_placeholders(catalogue: Catalog) -> None:
    """Translators cannot reorder unnamed placeholders: give them names."""
    unnamed = [
        message.id
        for message in messages(catalogue)
        if len(re.findall("%[a-z]", forms(message.id)[0])) > 1
    ]
    assert not unnamed


def test_languages_have_one_plural_form(catalogue: Catalog) -> None:
    assert (catalogue.num_plurals, catalogue.plural_expr) == (1, "0")
    assert all(len(forms(message.string)) == 1 for message in messages(catalogue))


def test_messages_are_english(extracted: Catalog) -> None:
    not_english = [
        message.id
        for message in messages(extracted)
        if any(KANA_OR_KANJI.search(text) for text in forms(message.id))
    ]
    assert not not_english


@pytest.mark.parametrize("folder", ["scoring", "tournaments"])
def test_no_message_is_in_an_f_string(folder: str) -> None:
    """GNU gettext does not extract messages from f-strings."""
    hidden = [
        f"{file}:{part.lineno}"
        for file in (settings.BASE_DIR / folder).rglob("*.py")
        for string in ast.walk(ast.parse(file.read_text()))
        if isinstance(string, ast.JoinedStr)
        for part in ast.walk(string)
        if isinstance(part, ast.Call)
        and isinstance(part.func, ast.Name)
        and TRANSLATES.fullmatch(part.func.id)
    ]
    assert not hidden


def test_missing_catalogues_are_compiled_once(tmp_path: Path) -> None:
    shutil.copytree(LOCALES, tmp_path / "locale", ignore=shutil.ignore_patterns("*.mo"))
    made = catalogues.compile_missing(tmp_path / "locale")
    assert [path.parts[-3] for path in made] == list(LANGUAGES)
    for path in made:
        with path.open("rb") as file:
            said = gettext.GNUTranslations(file).gettext("Restored.")
        assert said != "Restored."
    assert catalogues.compile_missing(tmp_path / "locale") == []


def test_counts_have_a_singular() -> None:
    """Otherwise a page says “1 players”."""
    counted = [
        each.id
        for each in messages(read(catalogue_of("ja")))
        if isinstance(each.id, str) and COUNTED.search(each.id)
    ]
    assert [text for text in counted if not text.startswith(NEVER_ONE)] == []
    assert [
        start for start in NEVER_ONE if not any(text.startswith(start) for text in counted)
    ] == []
