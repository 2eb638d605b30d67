"""Tournaments, and what was announced of them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from ninja import Field

from tournaments.api.answers.parts import Answer, Moment, Next, Role, one_of
from tournaments.models import Tournament


class WarningOut(Answer):
    """Something unusual in what was sent. Nothing was refused."""

    at: str
    code: Literal["broken_turn"]
    message: str


class PublicationOut(Answer):
    """What was announced: its number, when, and the digest of all of it."""

    number: int
    at: Moment
    who: Annotated[str | None, Field(description="By whom; null for all but the staff.")]
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
    options: Annotated[dict[str, bool | str], Field(description="Only what differs from the text.")]
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
    warnings: Annotated[
        list[WarningOut], Field(description="What stands as asked for, though it is unusual.")
    ]


class TournamentsOut(Answer):
    """The tournaments that are published, and one's own."""

    tournaments: list[TournamentOut]
    next: Next
