"""Why something is not done, and what stands instead."""

from __future__ import annotations

from typing import Annotated, Literal

from ninja import Field

from scoring.problems import MOST_LISTED
from tournaments.api.answers.entries import EntrySentOut, PrivateEntryOut
from tournaments.api.answers.parts import Answer, Facts, Moment
from tournaments.api.answers.rounds import RoundOut


class ProblemOut(Answer):
    """One thing wrong: where in the request or the record, a code for programs, and a sentence."""

    at: str
    code: str
    message: str


class RefusalOut(Answer):
    """Why not: the first problem's code and sentence, and the first 50 problems.

    `more` tells how many are left out, where there are more than that.
    """

    ok: Literal[False]
    code: str
    message: str
    errors: Annotated[list[ProblemOut], Field(min_length=1, max_length=MOST_LISTED)]
    more: Annotated[int, Field(ge=1)] | None = None


class ThrottledOut(RefusalOut):
    """How many seconds to wait, as the header Retry-After says."""

    seconds: int


class YoursOut(Answer):
    """What was sent, and the version it saw."""

    number: int
    seen: int
    facts: Facts


class ConflictOut(RefusalOut):
    """With `stale`, `settled`, `entry_changed` both versions: what is stored (null: nothing), sent.

    With `settled` also when the desk has decided, or, with `scores_alike`, that both came to the
    same and the first stands; with `unfinished` the tables still playing.
    """

    stored: RoundOut | PrivateEntryOut | None = None
    yours: YoursOut | EntrySentOut | None = None
    settled_at: Moment | None = None
    unfinished: list[int] = []
    scores_alike: bool | None = None
