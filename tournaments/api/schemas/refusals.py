"""Refusals and conflicts. They are made in `api.refusals` and `web.json_responses`."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from ninja import Field
from typing_extensions import TypedDict

from scoring.problems import MOST_LISTED
from tournaments.api.schemas.entries import EntrySentOut, PrivateEntryOut
from tournaments.api.schemas.fields import default
from tournaments.api.schemas.presence import MarkOut
from tournaments.queries.round_documents import Facts, Moment, RoundOut, no_other_keys


@no_other_keys
class ProblemOut(TypedDict):
    """One thing wrong: where in the request or the record, a code for programs, and a sentence."""

    at: str
    code: str
    message: str


@no_other_keys
class RefusalOut(TypedDict):
    """Why not: the first problem's code and sentence, and the first 50 problems.

    `more` tells how many are left out, where there are more than that.
    """

    ok: Literal[False]
    code: str
    message: str
    errors: Annotated[list[ProblemOut], Field(min_length=1, max_length=MOST_LISTED)]
    more: NotRequired[Annotated[Annotated[int, Field(ge=1)] | None, default(None)]]


@no_other_keys
class ThrottledOut(RefusalOut):
    """How many seconds to wait, as the header Retry-After says."""

    seconds: int


@no_other_keys
class YoursOut(TypedDict):
    """What was sent, and the version it saw."""

    number: int
    seen: int
    facts: Facts


@no_other_keys
class ConflictOut(RefusalOut):
    """With `stale`, `settled`, `entry_changed` both versions: what is stored (null: nothing), sent.

    With `marked_otherwise` what is stored. With `settled` also when the desk has decided, or, with
    `scores_alike`, that both came to the same and the first stands; with `unfinished` the tables
    still playing.
    """

    stored: NotRequired[Annotated[RoundOut | PrivateEntryOut | MarkOut | None, default(None)]]
    yours: NotRequired[Annotated[YoursOut | EntrySentOut | None, default(None)]]
    settled_at: NotRequired[Annotated[Moment | None, default(None)]]
    unfinished: NotRequired[Annotated[list[int], default([])]]
    scores_alike: NotRequired[Annotated[bool | None, default(None)]]
