"""Writers who start at the same moment."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from types import ModuleType
from typing import Any

import pytest
from django.db import connections


def race(writers: int, write: Callable[[int], object]) -> list[object]:
    """Return what each writer got, an answer or an exception, when all start at once."""
    start = Barrier(writers)

    def writer(number: int) -> object:
        start.wait()
        try:
            return write(number)
        except Exception as refusal:  # noqa: BLE001  whatever it is, the test looks at it
            return refusal
        finally:
            connections.close_all()

    with ThreadPoolExecutor(writers) as pool:
        return list(pool.map(writer, range(writers)))


def just_before(
    patch: pytest.MonkeyPatch, of: ModuleType, name: str, act: Callable[[], object]
) -> None:
    """Let somebody else act once whoever is about to write has looked, and before they write."""
    write = getattr(of, name)

    def later(*args: Any, **kwargs: Any) -> Any:
        patch.setattr(of, name, write)
        act()
        return write(*args, **kwargs)

    patch.setattr(of, name, later)


class AtOnce:
    """Counts how many go through a function at the same moment; `most` is the most there were."""

    def __init__(self, patch: pytest.MonkeyPatch, of: ModuleType, name: str) -> None:
        self.through: Callable[..., Any] = getattr(of, name)
        self.under_way = self.most = 0
        patch.setattr(of, name, self)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        answer = self.through(*args, **kwargs)
        self.under_way -= 1
        return answer
