"""The JSON schema of an archive, as pydantic models. Export and import both use it.

Entries, sessions, tables, rounds and audit entries are named by the numbers that people see, never
by primary keys. `docs/archive.md` explains each field.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from django.db.models import Model
from pydantic import AfterValidator, Field, model_validator

from tournaments import draws, models
from tournaments.archives.applications import Application, check_settings
from tournaments.draws.requests import METHODS
from tournaments.models.adjustments import FOR_ONE, AdjustmentRecord, DecisionRecord
from tournaments.models.entry_fields import MAX_LENGTHS
from tournaments.models.field_types import (
    AS_TEXT,
    AT_A_TABLE,
    IN_AN_EVENT,
    Count,
    Day,
    Digest,
    Facts,
    Moment,
    Number,
    Points,
    Reason,
    Short,
    Slug,
    StrictModel,
)
from tournaments.models.tournament import MOST_ROUNDS, MOST_SESSIONS, SettingsFacts
from tournaments.queries.publications import schema as published

FORMAT, VERSION = "makiyaku-archive", 2
EARLIER_VERSIONS = (1,)  # its audit entries hold no digests of private facts


class LastAuditEntry(StrictModel):
    number: Count
    at: Moment
    who: Short


class Counts(StrictModel):
    entries: Count
    sessions: Count
    rounds: Count  # all versions of all rounds
    acts: Count
    publications: Count


class Manifest(StrictModel):
    """The summary at the beginning of the file; `length` and `sha256` are those of `event.json`."""

    format: Literal["makiyaku-archive"] = "makiyaku-archive"
    version: Literal[1, 2] = 2
    made_with: Short = ""  # the version of Makiyaku; empty before 1.0
    slug: Slug
    name: Short
    rule_set: Annotated[str, Field(max_length=40)]
    fingerprint: Annotated[str, Field(max_length=64)]
    private: bool  # whether contacts, years of birth and notes are included
    last_act: LastAuditEntry | None
    counts: Counts
    standings: Digest
    length: Count
    sha256: Digest


class Settings(SettingsFacts):
    """The row of the tournament. Fields with a default are missing in earlier archives."""

    kind: Annotated[models.Tournament.Kind, AS_TEXT]
    slug: Slug
    ranking: Facts = {}
    registration: Annotated[Facts, AfterValidator(check_settings)] = {}
    showing: Annotated[models.Tournament.Showing, AS_TEXT]
    shows_seats: bool = False
    private_until: Day | None = None
    closed_at: Moment | None
    created_at: Moment


class Private(StrictModel):
    contact: Short
    birth_year: Annotated[int, Field(ge=0, le=32_767)] | None
    notes: Annotated[str, Field(max_length=MAX_LENGTHS["notes"])]
    salt: Annotated[str, Field(pattern=r"^([0-9a-f]{32})?$")] = ""  # of the audit entries' digest


class Player(published.Player):
    private: Private | None


class Mark(StrictModel):
    session: Number
    player: Number
    status: Annotated[models.Presence.Status, AS_TEXT]


class Version(StrictModel):
    """The fields that versions of rounds and of typed totals have in common."""

    version: Number
    who: Short
    reason: Reason
    recorded_at: Moment


class RecordedRound(Version):
    """One version of a round; `accepted_at` is None until the other side agrees to it."""

    number: Number
    facts: Facts
    accepted_at: Moment | None


class TypedTotals(Version):
    points: dict[str, Points]  # by player


class TableCall(StrictModel):
    kind: Annotated[models.Call.Kind, AS_TEXT]
    words: Annotated[str, Field(max_length=300)]
    at: Moment
    answered_at: Moment | None


class Dispute(StrictModel):
    """Facts of a round that a second phone sent, and that differed from the stored facts."""

    number: Number
    facts: Facts
    at: Moment
    settled_at: Moment | None


def _check_drawable(request: Facts) -> Facts:
    """Return the request. Raises `draws.InvalidRequest` if it cannot be drawn."""
    draws.read_request(request)
    return request


DrawnTables = Annotated[list[Annotated[list[Short], AT_A_TABLE]], IN_AN_EVENT]


class DrawnSession(StrictModel):
    """The tables of a drawn session, each with its players in seat order, and who sits out."""

    tables: DrawnTables
    sits_out: Annotated[list[Short], IN_AN_EVENT]


class DrawQuality(StrictModel):
    repeats: Count
    meetings: dict[Annotated[str, Field(pattern=r"^[0-9]{1,9}$")], Count]
    bound: Count
    optimal: bool
    clubmates: Count
    apart_broken: Count
    small_table_spread: Count
    first_seat_spread: Count


class DrawAnswer(StrictModel):
    """The answer of a draw, as `manage.py draw` prints it."""

    ok: Literal[True]
    seed: int
    method: Literal[METHODS]  # type: ignore[valid-type]
    sessions: Annotated[list[DrawnSession], Field(min_length=1, max_length=MOST_SESSIONS)]
    quality: DrawQuality
    how: Short
    steps: int | None = None


class Draw(StrictModel):
    """How seats were drawn: the request and the answer of `manage.py draw`."""

    request: Annotated[Facts, AfterValidator(_check_drawable)]
    answer: DrawAnswer


class DrawOfSession(Draw):
    """The draw of a session, which is number `nth` of the sessions drawn together."""

    nth: Annotated[int, Field(ge=1, le=MOST_SESSIONS)] = 1  # missing in older archives


class Schedule(Draw):
    """Planned seats of sessions from `first_session` on, and how they were drawn."""

    first_session: Number
    is_shown: bool = False  # missing in older archives
    seats: Annotated[list[DrawnTables], Field(max_length=MOST_SESSIONS)]


class Sitting(StrictModel):
    number: Number
    closed_at: Moment | None
    players: Annotated[list[Number], AT_A_TABLE]  # numbers of entries, in seat order
    continues: Number | None = None  # the number of the table that this sitting continues
    rounds_planned: Count | None = None
    rounds: Annotated[list[RecordedRound], IN_AN_EVENT]
    totals: Annotated[list[TypedTotals], IN_AN_EVENT]
    calls: Annotated[list[TableCall], IN_AN_EVENT]
    disagreements: Annotated[list[Dispute], IN_AN_EVENT]


class Clock(StrictModel):
    """The clock of a session; times are seconds, `extra` by table number."""

    seconds: Annotated[int, Field(ge=1, le=models.clocks.MAX_SECONDS)]
    last_round: Annotated[int, Field(ge=1, le=models.clocks.MAX_SECONDS)] | None
    extra: dict[
        Short, Annotated[int, Field(ge=-models.clocks.MAX_SECONDS, le=models.clocks.MAX_SECONDS)]
    ]
    started_at: Moment | None
    paused_at: Moment | None
    paused_seconds: Count


class Session(StrictModel):
    number: Number
    totals_only: bool
    ended_at: Moment | None = None  # set if the desk ended it before all rounds were recorded
    draw: DrawOfSession | None = None  # missing in archives of earlier versions
    clock: Clock | None = None  # missing in archives of earlier versions
    tied: list[Number] | None = None  # the tied players of a play-off
    rounds_planned: Annotated[int, Field(ge=1, le=MOST_ROUNDS)] | None = None
    tables: Annotated[list[Sitting], IN_AN_EVENT]


class AuditEntry(StrictModel):
    number: Count
    at: Moment
    who: Short
    kind: Annotated[models.AuditEntry.Kind, AS_TEXT]
    subject: Facts
    old: Any
    new: Any
    reason: Reason
    previous: Digest
    digest: Digest


class Answer(StrictModel):
    """The stored answer to a request, which a repetition of the request gets again."""

    status: Literal[200, 201, 409]
    body: Facts

    @model_validator(mode="after")
    def _check_conflict_repeats_facts(self) -> Answer:
        """Raise `ValueError` for a conflict (409) without the submitted facts in its answer."""
        yours = self.body.get("yours")
        if self.status == 409 and not (
            isinstance(yours, dict) and isinstance(yours.get("facts"), dict)
        ):
            raise ValueError(self.status)
        return self


class Receipt(StrictModel):
    """An idempotency key and the answer given under it."""

    key: Short
    request: Digest
    answer: Answer
    at: Moment
    digest: Digest


class Publication(StrictModel):
    number: Number
    at: Moment
    who: Short
    digest: Digest
    content: Facts


class EventDocument(StrictModel):
    """All data of one event. Fields with a default are missing in archives of earlier versions."""

    tournament: Settings
    entries: Annotated[list[Player], IN_AN_EVENT]
    sessions: Annotated[list[Session], IN_AN_EVENT]
    presence: Annotated[list[Mark], IN_AN_EVENT] = []
    substitutions: Annotated[list[published.PlayedFor], IN_AN_EVENT] = []
    adjustments: Annotated[list[Annotated[AdjustmentRecord, FOR_ONE]], IN_AN_EVENT] = []
    decisions: Annotated[list[DecisionRecord], IN_AN_EVENT] = []
    stages: Annotated[list[published.StageFacts], Field(max_length=9)] = []
    schedule: Schedule | None = None
    registrations: Annotated[list[Application], IN_AN_EVENT] = []
    publications: Annotated[list[Publication], IN_AN_EVENT]
    acts: Annotated[list[AuditEntry], IN_AN_EVENT]
    receipts: Annotated[list[Receipt], IN_AN_EVENT]  # in the order in which they were stored


# Numbered rows whose columns are the fields of their documents, by field of `EventDocument`.
NUMBERED: dict[str, tuple[type[Model], type[StrictModel]]] = {
    "decisions": (models.TieDecision, DecisionRecord),
    "publications": (models.Publication, Publication),
    "acts": (models.AuditEntry, AuditEntry),
}
