"""Writers who start at the same moment."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

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
