"""What the bodies of requests have in common: each says what is listed, and nothing else."""

from __future__ import annotations

from typing import Annotated

from ninja import Field, Schema
from pydantic import AfterValidator, ConfigDict, StrictInt
from pydantic_core import PydanticCustomError

from tournaments.web.numbers import HIGHEST


def _with_something_in_it(name: str) -> str:
    """Refuse what the forms call empty. What stands around a name is kept as it is sent."""
    if not name.strip():
        raise PydanticCustomError("missing", "There is no name in this.")
    return name


Name = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_with_something_in_it)]
Short = Annotated[str, Field(max_length=200)]
Version = Annotated[StrictInt, Field(ge=0, le=HIGHEST)]


class Strict(Schema):
    """What a request says, and nothing else."""

    model_config = ConfigDict(extra="forbid")
