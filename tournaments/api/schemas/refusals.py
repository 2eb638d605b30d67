"""Refusals and conflicts. `api.refusals` and `web.json_responses` make the documents."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired

from ninja import Field
from typing_extensions import TypedDict

from scoring.problems import MOST_LISTED
from tournaments.api.schemas.entries import EntrySentOut, PrivateEntryOut
from tournaments.api.schemas.fields import StateVersion, default, one_of
from tournaments.api.schemas.presence import MarkOut
from tournaments.api.schemas.totals import TotalsSentOut
from tournaments.models import AuditEntry
from tournaments.queries.round_documents import Facts, Moment, RoundOut, TotalsOut, no_other_keys


@no_other_keys
class ProblemOut(TypedDict):
    """A problem: its path in the request or record, a code for programs, and a sentence."""

    at: str
    code: str
    message: str


@no_other_keys
class RefusalOut(TypedDict):
    """A refusal: code and sentence of the first problem, and a list of the first 50 problems.

    `more` is the number of problems that are left out, if any.
    """

    ok: Literal[False]
    code: str
    message: str
    errors: Annotated[list[ProblemOut], Field(min_length=1, max_length=MOST_LISTED)]
    more: NotRequired[Annotated[Annotated[int, Field(ge=1)] | None, default(None)]]


@no_other_keys
class ThrottledOut(RefusalOut):
    """A refusal with the number of seconds to wait, as in the header Retry-After."""

    seconds: int


@no_other_keys
class YoursOut(TypedDict):
    """The submitted round, and the version that its writer had seen."""

    number: int
    seen: int
    facts: Facts


@no_other_keys
class StateChangeOut(TypedDict):
    """A change of the event's state: who did what, when, and to which session or stage."""

    number: int
    at: Moment
    who: str
    kind: Annotated[str, one_of(AuditEntry.Kind)]
    subject: dict[str, Any]


def state_change_as_json(entry: AuditEntry) -> StateChangeOut:
    subject = {name: entry.subject[name] for name in ("session", "stage") if name in entry.subject}
    return {
        "number": entry.number,
        "at": entry.at.isoformat(),
        "who": entry.who,
        "kind": entry.kind,
        "subject": subject,
    }


@no_other_keys
class ConflictOut(RefusalOut):
    """A refusal because something else is stored.

    With `stale`, `settled`, `totals_changed` and `entry_changed` it has both versions: `stored`
    (null if nothing is) and `yours`, the submitted one. With `marked_otherwise` it has `stored`.
    With `settled` it has `settled_at`, when the dispute was settled, and `scores_alike` if both
    versions score the same, so that the first one stands. With `unfinished` it has the tables that
    are still playing. With `state_changed` it has the current `state_version`, and the last changes
    `since` the version that was seen.
    """

    stored: NotRequired[
        Annotated[RoundOut | TotalsOut | PrivateEntryOut | MarkOut | None, default(None)]
    ]
    yours: NotRequired[Annotated[YoursOut | TotalsSentOut | EntrySentOut | None, default(None)]]
    settled_at: NotRequired[Annotated[Moment | None, default(None)]]
    unfinished: NotRequired[Annotated[list[int], default([])]]
    scores_alike: NotRequired[Annotated[bool | None, default(None)]]
    state_version: NotRequired[StateVersion]
    since: NotRequired[list[StateChangeOut]]
