"""Types that several JSON objects share."""

from __future__ import annotations

from typing import Annotated, Any

from django.db import models
from ninja import Field
from pydantic import JsonValue

from tournaments.models import Membership

Next = Annotated[
    str | None, Field(description="The address of what follows in the list; null at its end.")
]


def one_of(choices: type[models.TextChoices]) -> Any:
    """Return the pydantic field of a text that is one of a model's choices.

    Written out, as several models name their choices alike.
    """
    return Field(json_schema_extra={"enum": [str(value) for value in choices.values]})


def default(value: JsonValue) -> Any:
    """Return the pydantic field that describes what a missing key stands for."""
    return Field(json_schema_extra={"default": value})


Role = Annotated[str, one_of(Membership.Role)]
