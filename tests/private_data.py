"""Private data of a player, and finding them in a text."""

from __future__ import annotations

import re
from collections.abc import Mapping

# Different from the examples in the documents.
PRIVATE = {"contact": "090-4711-0815", "birth_year": 1903, "notes": "車いすの席を希望"}


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
