"""What only the staff may see of a player, and where it is found."""

from __future__ import annotations

import re
from collections.abc import Mapping

# Unlike any example in our own documents.
PRIVATE = {"contact": "090-4711-0815", "birth_year": 1903, "notes": "車いすの席を希望"}


def private_in(text: str, private: Mapping[str, object] = PRIVATE) -> set[str]:
    """Return the names of the private values that a text tells.

    A year amid other digits or letters is none: pages are full of digests and of moments.

    >>> private_in('{"birth_year": 1903, "digest": "a17b"}'), private_in("a1903b 0.190312")
    ({'birth_year'}, set())
    """
    return {
        name
        for name, value in private.items()
        if re.search(rf"(?<![0-9A-Za-z.]){re.escape(str(value))}(?![0-9A-Za-z])", text)
    }
