"""The examples by name, and how a function becomes one."""

from __future__ import annotations

from collections.abc import Callable

from tournaments.models import Sitting

Write = Callable[[], object]

EXAMPLES: dict[str, Callable[[Sitting], Write]] = {}


def example(*names: str) -> Callable[[Callable[[Sitting], Write]], Callable[[Sitting], Write]]:
    """Register a function that prepares these writes and returns one that carries them out."""

    def register(prepare: Callable[[Sitting], Write]) -> Callable[[Sitting], Write]:
        EXAMPLES.update(dict.fromkeys(names, prepare))
        return prepare

    return register
