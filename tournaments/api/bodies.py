"""What the bodies of requests have in common: each says what is listed, and nothing else."""

from __future__ import annotations

from typing import Annotated

from ninja import Field, Schema
from pydantic import ConfigDict, StrictInt

from tournaments.edge.numbers import HIGHEST

Name = Annotated[str, Field(min_length=1, max_length=200)]
Short = Annotated[str, Field(max_length=200)]
Version = Annotated[StrictInt, Field(ge=0, le=HIGHEST)]


class Strict(Schema):
    """What a request says, and nothing else."""

    model_config = ConfigDict(extra="forbid")
