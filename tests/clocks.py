"""Moments that a test depends on, whatever the time is and however long the test takes."""

from __future__ import annotations

from datetime import datetime, tzinfo
from typing import Any

import pytest
from django.utils import timezone


def stop(patch: pytest.MonkeyPatch, moment: datetime | None = None) -> None:
    """Let it be this moment, or the present one, from now on."""
    still = moment or timezone.now()

    class Stopped(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Any:
            return still.astimezone(tz)

    patch.setattr(timezone, "datetime", Stopped)
