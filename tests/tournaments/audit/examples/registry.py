"""The examples by name, and how a function becomes one."""

from __future__ import annotations

from collections.abc import Callable

from tournaments.models import Sitting

Write = Callable[[], object]

Example = Callable[[Sitting], Write]

EXAMPLES: dict[str, Example] = {}
OF_FULL_EVENTS: list[Example] = []


def example(*names: str, in_full_event: bool = False) -> Callable[[Example], Example]:
    """Register a function that prepares these writes and returns one that carries them out.

    With `in_full_event` it is carried out in `tests.events.full_event`, too.
    """

    def register(prepare: Example) -> Example:
        EXAMPLES.update(dict.fromkeys(names, prepare))
        if in_full_event:
            OF_FULL_EVENTS.append(prepare)
        return prepare

    return register
