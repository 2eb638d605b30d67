"""Concurrent calls in tests."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Lock
from types import ModuleType
from typing import Any

import pytest
from django.db import connections


def race(writers: int, write: Callable[[int], object]) -> list[object]:
    """Call a function in this number of threads at once; return results or exceptions."""
    start = Barrier(writers)

    def writer(number: int) -> object:
        start.wait()
        try:
            return write(number)
        except Exception as refusal:  # noqa: BLE001  the test checks it
            return refusal
        finally:
            connections.close_all()

    with ThreadPoolExecutor(writers) as pool:
        return list(pool.map(writer, range(writers)))


def run_before(
    patch: pytest.MonkeyPatch, of: ModuleType, name: str, act: Callable[[], object]
) -> None:
    """Call `act` once, just before the next call of a module's function, to simulate a race."""
    original = getattr(of, name)

    def replacement(*args: Any, **kwargs: Any) -> Any:
        patch.setattr(of, name, original)
        act()
        return original(*args, **kwargs)

    patch.setattr(of, name, replacement)


class ConcurrencyCounter:
    """Replaces a function, and counts concurrent calls: `most` is the maximum."""

    def __init__(self, patch: pytest.MonkeyPatch, of: ModuleType, name: str) -> None:
        self.through: Callable[..., Any] = getattr(of, name)
        self.under_way = self.most = 0
        self.lock = Lock()
        patch.setattr(of, name, self)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        with self.lock:
            self.under_way += 1
            self.most = max(self.most, self.under_way)
        try:
            return self.through(*args, **kwargs)
        finally:
            with self.lock:
                self.under_way -= 1
