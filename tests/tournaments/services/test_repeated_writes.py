"""A write whose docstring says that it is idempotent writes nothing when it is repeated."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest
from django.contrib.auth.models import User
from django_otp.plugins.otp_totp.models import TOTPDevice

from tests import cast, events
from tests.tournaments.audit.examples import EXAMPLES
from tournaments.models import Series, SeriesChange, SeriesOwner


def is_idempotent(name: str) -> bool:
    module, function = name.partition(":")[0].rsplit(".", 1)
    documented = getattr(import_module(f"tournaments.{module}"), function).__doc__ or ""
    return "Idempotent" in documented


REPEATABLE = sorted(filter(is_idempotent, EXAMPLES))


def everything() -> dict[str, list[Any]]:
    others = (User, Series, SeriesChange, SeriesOwner, TOTPDevice)
    return events.rows() | {
        model.__name__: list(model._default_manager.order_by("pk").values()) for model in others
    }


@pytest.mark.django_db
@pytest.mark.parametrize("name", REPEATABLE)
def test_repeated_write_changes_nothing(name: str) -> None:
    write = EXAMPLES[name](cast.make_sitting())
    write()
    stored = everything()
    write()
    assert everything() == stored
