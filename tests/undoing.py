"""Undoing what a part of a test has written, so that its next part starts from the same rows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction

from tournaments.queries import live_events


@contextmanager
def undone() -> Iterator[None]:
    """Roll back what is written within."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
    live_events.events.forget()
