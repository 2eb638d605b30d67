"""What the API answers, as the OpenAPI document describes it.

Descriptions only: answers are made in `documents` and are not validated while somebody waits. The
tests hold every answer they get against these.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from django.db import models
from ninja import Field, Schema
from pydantic import ConfigDict

from tournaments.models import Act, Call, Membership, Tournament

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


# Refusals


class ProblemOut(Answer):
    """One thing wrong: where in the request or the record, a code for programs, and a sentence."""

    at: str
    code: str
    message: str


class RefusalOut(Answer):
    """Why not: the first problem's code and sentence, and every problem."""

    ok: Literal[False]
    code: str
    message: str
    errors: Annotated[list[ProblemOut], Field(min_length=1)]


class ThrottledOut(RefusalOut):
    """How many seconds to wait, as the header Retry-After says."""

    seconds: int


class YoursOut(Answer):
    """What was sent, and the version it saw."""

    number: int
    seen: int
    facts: Facts


class LineOut(Answer):
    """One item of a score: its points, and whose: a player's, a team's, or the kankei's."""

    deal: int = 0
    player: Player = ""
    team: int = 0
    item: str
    points: int


class RoundOut(Answer):
    """A round in force. `lines` explain the points."""

    number: int
    version: int
    facts: Facts
    reason: str
    recorded_at: Moment
    complete: Annotated[bool, Field(description="Whether it is over, and counts.")]
    points: Annotated[dict[str, int], Field(description="By player.")]
    lines: list[LineOut]
    accepted: Annotated[bool, Field(description="Whether the other side has agreed to it.")]


class ConflictOut(RefusalOut):
    """With `stale` both versions: what is stored (null: nothing), and what was sent."""

    stored: RoundOut | None = None
    yours: YoursOut | None = None


# Tournaments


class PublicationOut(Answer):
    """What was announced: its number, when, by whom, and the digest of all of it."""

    number: int
    at: Moment
    who: str
    digest: str


class PublicationWithContentOut(PublicationOut):
    """What was announced, whole. `digest` is the SHA-256 of `content`, its keys in order."""

    content: dict[str, Any]


class PublicationsOut(Answer):
    """Every announcement of a tournament."""

    publications: list[PublicationOut]


class TournamentOut(Answer):
    """A tournament and the rules it is played by."""

    slug: str
    name: str
    held_on: Annotated[str, Field(json_schema_extra={"format": "date"})]
    venue: str
    kind: Annotated[str, one_of(Tournament.Kind)]
    rule_set: str
    options: Annotated[dict[str, bool], Field(description="Only what differs from the text.")]
    points: Annotated[dict[str, int], Field(description="Only what differs from the text.")]
    partners: bool
    rounds_per_session: int | None
    accepting: Annotated[str, one_of(Tournament.Accepting)]
    game: Literal["kankei", "captures", "finish"]
    fingerprint: Annotated[str, Field(description="Of the rules; it stands on every print.")]
    published: Annotated[bool, Field(description="Whether everybody may see it.")]
    showing: Annotated[
        str, Field(description="What everybody sees: as last announced, as it is played, nothing.")
    ] = ""
    closed_at: Annotated[
        Moment | None, Field(description="When its director closed it; null while it is open.")
    ] = None


class PublishedOut(TournamentOut):
    """A tournament, and what has just been announced of it."""

    publication: PublicationOut | None = None


class OwnTournamentOut(TournamentOut):
    """A tournament, and what who asks does in it."""

    role: Role | None


class NewTournamentOut(OwnTournamentOut):
    """A tournament just created, and by whom."""

    by: str


class TournamentsOut(Answer):
    """The tournaments that are published, and one's own."""

    tournaments: list[TournamentOut]
    next: Next


class StaffOut(Answer):
    """An account just made, and what it does in which tournament."""

    username: str
    role: Role
    tournament: str


class EntryOut(Answer):
    """What anybody may know of a player of a tournament."""

    number: int
    name: str
    club: str
    division: str


class PrivateEntryOut(EntryOut):
    """The same with its private fields, which only the tournament's staff is told."""

    contact: str
    birth_year: int | None
    notes: str


class EntriesOut(Answer):
    """Players by number."""

    entries: list[PrivateEntryOut | EntryOut]


class AddedOut(Answer):
    """The players just added."""

    entries: list[PrivateEntryOut]


class SeatOut(Answer):
    """Who sits on a seat."""

    position: int
    player: Player
    number: int
    name: str


class LinkOut(Answer):
    """What opens a table to a phone, and whether it still does."""

    token: str
    link: Annotated[str, Field(json_schema_extra={"format": "uri"})]
    closed: bool


class SeatedOut(Answer):
    """A table and who sits there; to the staff with its link, and with its PIN when it is new."""

    id: int
    table: int
    seats: list[SeatOut]
    token: str = ""
    link: str = ""
    closed: bool = False
    pin: str = ""


class SessionOut(Answer):
    """One seating of everybody."""

    number: int
    sittings: list[SeatedOut]


class SessionsOut(Answer):
    """Every seating of a tournament."""

    sessions: list[SessionOut]


class StandingOut(EntryOut):
    """A player's place; null until a round of theirs counts."""

    place: int | None
    place_in_class: int | None
    points: int | None
    rounds_played: int
    separated_by: Annotated[str | None, Field(description="The step that broke a tie above.")]


class StandingsOut(Answer):
    """Everybody in the order of their places."""

    tournament: str
    fingerprint: str
    publication: Annotated[
        PublicationOut | None, Field(description="The announcement shown; null where it is live.")
    ] = None
    rounds_counted: int
    rounds_under_way: int
    standings: list[StandingOut]


class ActOut(Answer):
    """An act of the audit trail; its digest covers all of it and the digest before."""

    number: int
    at: Moment
    who: str
    kind: Annotated[str, one_of(Act.Kind)]
    subject: dict[str, Any]
    old: Any
    new: Any
    reason: str
    previous: str
    digest: str


class TrailOut(Answer):
    """The acts of a tournament in order."""

    acts: list[ActOut]
    next: Next


# Tables


class NextOut(Answer):
    """What comes next at a table; `version` is the `seen` of the next write."""

    round: int
    version: int
    deal: int
    finished: bool
    seats: Annotated[list[Player], Field(description="In order, after changes of places.")]
    dealer: Annotated[str | None, Field(description="Null while it is to be drawn.")]
    trump: str | None


class AdviceOut(Answer):
    """What the table does next: a code and its values, and the sentence."""

    code: str
    sentence: str
    players: dict[str, str]
    values: dict[str, int | str]


class CallOut(Answer):
    """A call that the desk has not answered."""

    id: int
    kind: Annotated[str, one_of(Call.Kind)]
    words: str
    at: Moment


class DisagreementOut(Answer):
    """Facts that differ from the recorded ones and wait for the desk."""

    id: int
    round: int
    facts: Facts
    at: Moment


class YouOut(Answer):
    """Who asks, seen from the table."""

    role: Role | None
    phone: int | None
    is_writer: bool | None
    may_record: bool
    may_correct: bool


class SittingOut(Answer):
    """A table as it stands: everything a phone has to know to take down what follows."""

    id: int
    tournament: TournamentOut
    session: int
    table: int
    totals_only: bool
    seats: list[SeatOut]
    rounds: list[RoundOut]
    totals: dict[str, int]
    team_totals: list[int] | None
    next: NextOut
    advice: list[AdviceOut]
    calls: list[CallOut]
    disagreements: list[DisagreementOut]
    you: YouOut


class RoundsOut(Answer):
    """The rounds in force of a table."""

    rounds: list[RoundOut]


class AcceptedOut(Answer):
    """The round agreed to, in which version."""

    number: int
    version: int
    accepted: Literal[True]


class JoinedOut(Answer):
    """A phone's bearer token, told this once, and its table."""

    token: str
    sitting: int
    is_writer: bool


class PinOut(Answer):
    """A table's new PIN, told this once."""

    pin: Annotated[str, Field(pattern=r"^\d{6}$")]


# Accounts, and what there is


class RoleOut(Answer):
    """What an account does in a tournament."""

    slug: str
    name: str
    role: Role


class AccountOut(Answer):
    """Whose token it is."""

    username: str
    superuser: bool
    tournaments: list[RoleOut]


class TokenOut(AccountOut):
    """A bearer token, told this once."""

    token: str
    expires_at: Moment


class RevokedOut(Answer):
    """How many tokens were revoked."""

    revoked: int


class AddressOut(Answer):
    """An address, and by method who may use it, before and after the tournament is published."""

    name: str
    url: str
    methods: dict[str, list[str]]
    methods_once_published: dict[str, list[str]]


class AddressesOut(Answer):
    """Every address there is."""

    roles: list[str]
    urls: list[AddressOut]
