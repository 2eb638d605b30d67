"""Room for the frames of what tests call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def with_room(do: Callable[..., Any], *given: Any) -> Any:
    """Call a function with room for the frames of all that it calls.

    Python keeps the frames of a thread in chunks of 16 kB, and maps and unmaps one in each call
    that happens to cross the end of a chunk: up to a fifth of the CPU time of a request, whose
    frames are many. A function that claims a large frame gets a chunk of 1 MB, half of which
    remains for others.
    """
    return do(*given)


with_room.__code__ = with_room.__code__.replace(co_stacksize=70_000)
