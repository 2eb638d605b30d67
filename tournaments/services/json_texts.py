"""JSON that is sent to us, read as records are read, if a database can keep its texts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from scoring import answers


class NotKept(ValueError):
    """Raised for JSON that no database can keep.

    `document` is what it says, and `place` where the first such thing is: names and numbers on the
    way to it, or to the object of which it is a name.
    """

    def __init__(self, document: Any) -> None:
        """Keep the document: something else may be wrong with it, too."""
        super().__init__("A text with a NUL or half a surrogate pair in it, or an endless number.")
        self.document = document
        self.place = _place_in(document)


def read(text: bytes) -> Any:
    r"""Return the JSON document in these bytes.

    Raises `ValueError` where it is none or is nested too deeply, and `NotKept`.

    >>> read(rb'["\\u0000"]')
    ['\\u0000']
    """
    try:
        document = answers.parse(text)
        can_keep = can_be_kept(document)
    except RecursionError as error:
        raise ValueError("Nested too deeply.") from error
    if not can_keep:
        raise NotKept(document)
    return document


def can_be_kept(document: Any) -> bool:
    r"""Return whether a database can keep all of it.

    Half a surrogate pair is no text at all, and a NUL is none to PostgreSQL; 1e999 is read as a
    number without end.

    >>> can_be_kept(["\ud800"]), can_be_kept({"\0": 1}), can_be_kept([1e999]), can_be_kept([1])
    (False, False, False, True)
    """
    try:
        json.dumps(document, ensure_ascii=False, allow_nan=False).encode()
    except (UnicodeEncodeError, ValueError):
        return False
    return not any("\0" in each for each in _texts(document))


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


def _place_in(document: Any) -> tuple[str | int, ...]:
    r"""Return the way to the first thing that cannot be kept.

    >>> _place_in({"a": [{"b": "c"}, {"b": "\0"}]}), _place_in({"a": {"\0": "\0"}})
    (('a', 1, 'b'), ('a',))
    """
    rest: list[tuple[Any, Any]] = [(document, None)]  # what, and the way back from there
    while rest:
        each, way = rest.pop()
        if isinstance(each, dict) and all(can_be_kept(name) for name in each):
            rest += [(value, (name, way)) for name, value in reversed(each.items())]
        elif isinstance(each, list):
            rest += [(value, (i, way)) for i, value in reversed(list(enumerate(each)))]
        elif isinstance(each, dict) or not can_be_kept(each):
            return tuple(reversed(list(_back(way))))
    return ()


def _back(way: Any) -> Iterator[str | int]:
    while way is not None:
        name, way = way
        yield name
