"""Parsing JSON from requests, and refusing texts and numbers that a database cannot store."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from scoring import answers


class NotStorable(ValueError):
    """The JSON contains a text or number that a database cannot store.

    `path` is the path to the first such value in `document`, as keys and indexes; if an object's
    key is not storable, the path to the object.
    """

    def __init__(self, document: Any) -> None:
        """Keep the parsed document, so that other problems in it can be reported, too."""
        super().__init__("A text with a NUL or half a surrogate pair in it, or an endless number.")
        self.document = document
        self.path = _path_to_problem(document)


def parse(text: bytes) -> Any:
    r"""Parse JSON as strictly as `scoring` parses records.

    Raises `UnreadableText` and `NotStorable`, both `ValueError`.

    >>> parse(rb'["\\u0000"]')
    ['\\u0000']
    """
    document = answers.parse(text)
    if not is_storable(document):
        raise NotStorable(document)
    return document


def is_storable(document: Any) -> bool:
    r"""Return whether a database can store a JSON document.

    Not storable are lone surrogates, NUL characters (PostgreSQL), and infinite numbers such as
    1e999.

    >>> is_storable(["\ud800"]), is_storable({"\0": 1}), is_storable([1e999]), is_storable([1])
    (False, False, False, True)
    """
    try:
        json.dumps(document, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError):  # the former also for text that cannot be encoded
        return False
    return not any("\0" in part for part in _texts(document))


def _texts(document: Any) -> Iterator[str]:
    """Yield all strings in a document, keys included."""
    pending = [document]
    while pending:
        part = pending.pop()
        if isinstance(part, str):
            yield part
        elif isinstance(part, dict):
            pending += [*part, *part.values()]
        elif isinstance(part, list):
            pending += part


def _path_to_problem(document: Any) -> tuple[str | int, ...]:
    r"""Return the path to the first part of a document that is not storable, () if there is none.

    >>> _path_to_problem({"a": [{"b": "c"}, {"b": "\0"}]}), _path_to_problem({"a": {"\0": "\0"}})
    (('a', 1, 'b'), ('a',))
    >>> _path_to_problem([[]])
    ()
    """
    pending: list[tuple[Any, Any]] = [(document, None)]  # a part, and its path as a linked list
    while pending:
        part, path = pending.pop()
        if isinstance(part, dict) and all(is_storable(name) for name in part):
            pending += [(value, (name, path)) for name, value in reversed(part.items())]
        elif isinstance(part, list):
            pending += [(value, (i, path)) for i, value in reversed(list(enumerate(part)))]
        elif isinstance(part, dict) or not is_storable(part):  # such a dict has a bad key
            return tuple(reversed(list(_names_in_path(path))))
    return ()


def _names_in_path(path: Any) -> Iterator[str | int]:
    """Yield the names in a linked list of (name, rest of the list), the innermost first."""
    while path is not None:
        name, path = path
        yield name
