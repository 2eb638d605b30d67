"""Types that several JSON objects share."""

from __future__ import annotations

from typing import Annotated, Any

from django.db import models
from ninja import Field
from pydantic import JsonValue

from tournaments.models import Membership

Next = Annotated[
    str | None, Field(description="The URL of the next page of the list; null on the last page.")
]


def one_of(choices: type[models.TextChoices]) -> Any:
    """Return the pydantic field of a string that is one of a model's choices.

    The field lists the values. pydantic would describe enums by their class names, which several
    models share.
    """
    return Field(json_schema_extra={"enum": [str(value) for value in choices.values]})


def default(value: JsonValue) -> Any:
    """Return the pydantic field that states the default of a key that may be missing."""
    return Field(json_schema_extra={"default": value})


StateVersion = Annotated[
    int,
    Field(description="Of the event's state: the `seen_version` of the next change of it."),
]
Role = Annotated[str, one_of(Membership.Role)]
