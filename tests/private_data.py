"""Private data of a player, and finding them in a text or a response."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Mapping
from functools import cache
from typing import Any

from pypdf import PdfReader

from tests import cast
from tests.visiting import World, make_world
from tournaments.audit import Actor
from tournaments.services import entries, versions
from tournaments.services.publications import publish

# Different from the examples in the documents.
PRIVATE = {"contact": "090-4711-0815", "birth_year": 1903, "notes": "車いすの席を希望"}

PUBLISHER = "tsugaru-no-kanji"  # the name of an account, which is half of a log-in


def make_private_world() -> World:
    """Create two tournaments; one has players with private data, a round and two publications."""
    world = make_world()
    tournament = world.tournament
    for entry in tournament.entries.all():
        seen = versions.version_of(entry)
        entries.correct_entry(entry, PRIVATE, seen_version=seen, by=cast.SOMEBODY)
    cast.record(world.sitting)
    publish(tournament, by=Actor(cast.make_staff(tournament, PUBLISHER), PUBLISHER))
    publish(tournament, by=Actor(None, PUBLISHER))
    return world


def private_in(text: str, private: Mapping[str, object] = PRIVATE) -> set[str]:
    """Return the names of the private values in a text.

    A year within other digits or letters does not count: pages contain digests and times.

    >>> private_in('{"birth_year": 1903, "digest": "a17b"}'), private_in("a1903b 0.190312")
    ({'birth_year'}, set())
    """
    return {
        name
        for name, value in private.items()
        if re.search(rf"(?<![0-9A-Za-z.]){re.escape(str(value))}(?![0-9A-Za-z])", text)
    }


@cache
def text_of_pdf(content: bytes) -> str:
    return "".join(page.extract_text() for page in PdfReader(io.BytesIO(content)).pages)


def text_of(response: Any) -> str:
    """Return all readable text of a response, also of PDF documents, workbooks and archives."""
    content = b"".join(response) if response.streaming else response.content
    kind = response.headers.get("Content-Type", "")
    if kind == "application/pdf" and content:
        return text_of_pdf(content)
    if content and ("spreadsheet" in kind or kind == "application/zip"):
        with zipfile.ZipFile(io.BytesIO(content)) as book:
            return "".join(book.read(name).decode("utf-8", "replace") for name in book.namelist())
    return str(content.decode())
