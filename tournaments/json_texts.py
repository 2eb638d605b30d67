"""JSON that is sent to us, read as records are read, if a database can keep its texts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from scoring import answers


def read(text: bytes) -> Any:
    r"""Return the JSON document in these bytes.

    Raises `ValueError` where it is none, where it is nested too deeply, and for text that no
    database can keep: half a surrogate pair is no text at all, and a NUL is none to PostgreSQL.

    >>> read(rb'["\\u0000"]')
    ['\\u0000']
    """
    try:
        document = answers.parse(text)
        json.dumps(document, ensure_ascii=False).encode()
    except RecursionError as error:
        raise ValueError("Nested too deeply.") from error
    if any("\0" in each for each in _texts(document)):
        raise ValueError("A text with a NUL in it.")
    return document


def _texts(document: Any) -> Iterator[str]:
    """Return every text in a document, names included."""
    rest = [document]
    while rest:
        each = rest.pop()
        if isinstance(each, str):
            yield each
        elif isinstance(each, dict):
            rest += [*each, *each.values()]
        elif isinstance(each, list):
            rest += each
