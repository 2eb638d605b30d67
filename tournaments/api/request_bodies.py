"""The base class and the field types of request bodies."""

from __future__ import annotations

from typing import Annotated, Any

from ninja import Field, Query
from pydantic import AfterValidator, StrictInt
from pydantic_core import PydanticCustomError

from tournaments.models import field_types
from tournaments.models.readable_names import is_readable
from tournaments.services import json_texts
from tournaments.web.numbers import MAX_NUMBER


def _check_not_blank(name: str) -> str:
    """Return the name unchanged, including spaces around it. Raises unless it can be read."""
    if not is_readable(name):
        raise PydanticCustomError("missing", "There is no name in this.")
    return name


def check_storable(text: str) -> str:
    """Return the text unchanged. Raises (`not_kept`) if PostgreSQL or SQLite cannot store it."""
    if not json_texts.is_storable(text):
        raise PydanticCustomError("not_kept", "This cannot be stored.")
    return text


Name = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_check_not_blank)]
ShortText = Annotated[str, Field(max_length=200)]
Reason = field_types.Reason
NeededReason = Annotated[Reason, Field(min_length=1), AfterValidator(_check_not_blank)]
ReasonInQuery = Annotated[str, Query(max_length=field_types.LONGEST_REASON)]  # of DELETE
Version = Annotated[StrictInt, Field(ge=0, le=MAX_NUMBER)]
SeenVersion = Annotated[int, Query(ge=0, le=MAX_NUMBER)]  # of DELETE, which has no body


class RequestBody(field_types.StrictModel):
    """A request's JSON body; unknown keys and values of another type are refused."""


class StateChangeIn(RequestBody):
    """A change of the event's state; `seen_version` is the `state_version` that was read."""

    seen_version: Version


class StateChangeWithReasonIn(StateChangeIn):
    """A change of the event's state as of `seen_version`, and optionally a reason."""

    reason: Reason = ""


def example(body: dict[str, Any]) -> dict[str, Any]:
    """Return the `openapi_extra` that shows an example of an operation's request body."""
    return {"requestBody": {"content": {"application/json": {"example": body}}}}
