"""A stopped clock for tests."""

from __future__ import annotations

from datetime import datetime, tzinfo
from typing import Any

import pytest
from django.utils import timezone


def stop(patch: pytest.MonkeyPatch, moment: datetime | None = None) -> None:
    """Stop `timezone.now()` at this moment, by default the present one."""
    still = moment or timezone.now()

    class Stopped(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Any:
            return still.astimezone(tz)

    patch.setattr(timezone, "datetime", Stopped)
