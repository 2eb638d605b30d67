"""What an archive says, as JSON: the one description of it, for writing and for reading.

Natural keys only: an entry, a session, a table, a round and an act have numbers that people see;
rows have others, which stay behind. `docs/archive.md` explains each field.
"""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, Literal, TypeVar

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    model_validator,
)

from tournaments.models import AuditEntry, Call, Tournament
from tournaments.models.tournament import MOST_ROUNDS

FORMAT, VERSION = "makiyaku-archive", 2
EARLIER = (1,)  # whose acts tell nothing of what is private


Day_ = TypeVar("Day_", bound=date)


def _is_free(slug: str) -> str:
    if slug in {"new", "archive"}:
        raise ValueError(slug)
    return slug


Number = Annotated[int, Field(ge=1, le=32_767)]
Count = Annotated[int, Field(ge=0, le=2_147_483_647)]
Points = Annotated[int, Field(gt=-(10**8), lt=10**8)]
Short = Annotated[str, Field(max_length=200)]
Reason = Annotated[str, Field(max_length=500)]
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
# What has addresses of its own beside those of tournaments is no tournament's name.
Slug = Annotated[str, Field(pattern=r"^[-a-zA-Z0-9_]{1,40}$"), AfterValidator(_is_free)]
Facts = dict[str, Any]


def _is_told(said: object) -> object:
    """Refuse a number for a time: it would be read as one."""
    if not isinstance(said, (str, date)) or (isinstance(said, str) and said.isdigit()):
        raise ValueError(said)
    return said


def _is_of_our_time(said: Day_) -> Day_:
    """Refuse what no calendar page can show: a day later in another time zone, a week after."""
    if not 1900 <= said.year < 3000:
        raise ValueError(said)
    return said


AS_TEXT = Field(strict=False)  # what JSON has no kind of its own for
Moment = Annotated[
    AwareDatetime, AS_TEXT, BeforeValidator(_is_told), AfterValidator(_is_of_our_time)
]
Day = Annotated[date, AS_TEXT, BeforeValidator(_is_told), AfterValidator(_is_of_our_time)]

AT_A_TABLE = Field(max_length=16)
IN_AN_EVENT = Field(max_length=2_000_000)


class Said(BaseModel):
    """Exactly these fields, each of exactly its kind."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class LastAct(Said):
    """Who did the last thing in the event, and when: the state that the archive keeps."""

    number: Count
    at: Moment
    who: Short


class Counts(Said):
    """How much there is."""

    entries: Count
    sessions: Count
    rounds: Count  # with all their versions
    acts: Count
    publications: Count


class Manifest(Said):
    """What an archive says of itself; `length` and `sha256` are those of `event.json`."""

    format: Literal["makiyaku-archive"] = "makiyaku-archive"
    version: Literal[1, 2] = 2
    slug: Slug
    name: Short
    rule_set: Annotated[str, Field(max_length=40)]
    fingerprint: Annotated[str, Field(max_length=64)]
    private: bool  # whether contacts, years of birth and notes are in it
    last_act: LastAct | None
    counts: Counts
    standings: Digest  # of what the facts come to
    length: Count
    sha256: Digest


class Settings(Said):
    """The tournament's own row."""

    kind: Annotated[Tournament.Kind, AS_TEXT]
    slug: Slug
    name: Short
    held_on: Day
    venue: Short
    rule_set: Annotated[str, Field(max_length=40)]
    options: dict[str, bool | Short]
    points: dict[str, int]
    rounds_per_session: Annotated[int, Field(ge=1, le=MOST_ROUNDS)] | None
    partners: bool
    accepting: Annotated[Tournament.Accepting, AS_TEXT]
    totals_only: bool
    showing: Annotated[Tournament.Showing, AS_TEXT]
    closed_at: Moment | None
    created_at: Moment


class Private(Said):
    """What only the staff may know of a player."""

    contact: Short
    birth_year: Annotated[int, Field(ge=0, le=32_767)] | None
    notes: Annotated[str, Field(max_length=2000)]
    salt: Annotated[str, Field(pattern=r"^([0-9a-f]{32})?$")] = ""  # acts have a digest under it


class Player(Said):
    """An entry."""

    number: Number
    name: Short
    club: Short
    division: Annotated[str, Field(max_length=100)]
    reading: Short = ""
    private: Private | None


class Version(Said):
    """What one version of something recorded says of its writing."""

    version: Number
    who: Short
    reason: Reason
    recorded_at: Moment


class RecordedRound(Version):
    """One version of a round; `accepted_at` where the other side has agreed to it."""

    number: Number
    facts: Facts
    accepted_at: Moment | None


class TypedTotals(Version):
    """One version of a table's typed totals, by player."""

    points: dict[str, Points]


class TableCall(Said):
    """A table's call for the desk."""

    kind: Annotated[Call.Kind, AS_TEXT]
    words: Annotated[str, Field(max_length=300)]
    at: Moment
    answered_at: Moment | None


class OtherFacts(Said):
    """What a second phone said of a round."""

    number: Number
    facts: Facts
    at: Moment
    settled_at: Moment | None


class Table(Said):
    """One table in one session; `players` by number, in the order in which they sit."""

    number: Number
    closed_at: Moment | None
    players: Annotated[list[Number], AT_A_TABLE]
    rounds: Annotated[list[RecordedRound], IN_AN_EVENT]
    totals: Annotated[list[TypedTotals], IN_AN_EVENT]
    calls: Annotated[list[TableCall], IN_AN_EVENT]
    disagreements: Annotated[list[OtherFacts], IN_AN_EVENT]


class Seating(Said):
    """A session."""

    number: Number
    totals_only: bool
    ended_at: Moment | None = None  # by the desk, before every round planned was in
    tables: Annotated[list[Table], IN_AN_EVENT]


class Deed(Said):
    """One act of the trail, byte for byte: its digest covers all that stands here."""

    number: Count
    at: Moment
    who: Short
    kind: Annotated[AuditEntry.Kind, AS_TEXT]
    subject: Facts
    old: Any
    new: Any
    reason: Reason
    previous: Digest
    digest: Digest


class Reply(Said):
    """What a request was answered, and is answered when it comes again."""

    status: Literal[200, 201, 409]
    body: Facts

    @model_validator(mode="after")
    def _tells_what_was_sent(self) -> Reply:
        yours = self.body.get("yours")
        if self.status == 409 and not (
            isinstance(yours, dict) and isinstance(yours.get("facts"), dict)
        ):
            raise ValueError(self.status)
        return self


class Answered(Said):
    """That a request was carried out under its key, and what was answered; in their order."""

    key: Short
    request: Digest
    answer: Reply
    at: Moment
    digest: Digest


class Announced(Said):
    """A publication."""

    number: Number
    at: Moment
    who: Short
    digest: Digest
    content: Facts


class EventDocument(Said):
    """Everything recorded of one event."""

    tournament: Settings
    entries: Annotated[list[Player], IN_AN_EVENT]
    sessions: Annotated[list[Seating], IN_AN_EVENT]
    publications: Annotated[list[Announced], IN_AN_EVENT]
    acts: Annotated[list[Deed], IN_AN_EVENT]
    receipts: Annotated[list[Answered], IN_AN_EVENT]
