"""What descriptions of answers share: the shape of them all, and values that stand in several."""

from __future__ import annotations

from typing import Annotated, Any

from django.db import models
from ninja import Field, Schema
from pydantic import ConfigDict

from tournaments.models import Membership

Facts = Annotated[dict[str, Any], Field(description="A round's facts, as records hold them.")]
Player = Annotated[str, Field(description="How records name a player: the number, as text.")]
Next = Annotated[
    str | None, Field(description="The address of what follows in the list; null at its end.")
]
Moment = Annotated[str, Field(json_schema_extra={"format": "date-time"})]


def one_of(choices: type[models.TextChoices]) -> Any:
    """Say that a text is one of a model's choices; several models name theirs alike."""
    return Field(json_schema_extra={"enum": [str(value) for value in choices.values]})


Role = Annotated[str, one_of(Membership.Role)]


class Answer(Schema):
    """What is answered, and nothing else."""

    model_config = ConfigDict(extra="forbid")
