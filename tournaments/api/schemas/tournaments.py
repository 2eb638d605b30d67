"""Tournaments and their publications."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired, cast

from django.http import HttpRequest
from ninja import Field
from typing_extensions import TypedDict

from tournaments.api.schemas.fields import Next, Role, StateVersion, default, one_of
from tournaments.audit import state_version
from tournaments.models import Publication, Tournament
from tournaments.models.field_types import HousePoints, Options
from tournaments.permissions import rights
from tournaments.queries.round_documents import Moment, no_other_keys


@no_other_keys
class WarningOut(TypedDict):
    """Something unusual in the request, which was carried out all the same."""

    at: str
    code: Literal["broken_turn"]
    message: str


@no_other_keys
class PublicationOut(TypedDict):
    """A publication: its number and time, and the digest of its content."""

    number: int
    at: Moment
    who: Annotated[str | None, Field(description="The account; null unless the client is staff.")]
    digest: str


def publication_as_json(request: HttpRequest, publication: Publication) -> PublicationOut:
    """Return a publication without its content; `who`, an account's name, only for the staff."""
    is_staff = rights.role_in(request, publication.tournament) is not None
    return {
        "number": publication.number,
        "at": publication.at.isoformat(),
        "who": publication.who if is_staff else None,
        "digest": publication.digest,
    }


@no_other_keys
class PublicationWithContentOut(PublicationOut):
    """A publication with its content. `digest` is the SHA-256 of `content`, its keys in order."""

    content: dict[str, Any]


@no_other_keys
class PublicationsOut(TypedDict):
    """All publications of a tournament."""

    publications: list[PublicationOut]


@no_other_keys
class TournamentOut(TypedDict):
    """A tournament and its rules."""

    slug: str
    name: str
    held_on: Annotated[str, Field(json_schema_extra={"format": "date"})]
    venue: str
    kind: Annotated[str, one_of(Tournament.Kind)]
    rule_set: str
    options: Annotated[Options, Field(description="Only what differs from the text.")]
    points: Annotated[HousePoints, Field(description="Only what differs from the text.")]
    partners: bool
    rounds_per_session: int | None
    sessions_planned: NotRequired[Annotated[int | None, default(None)]]
    accepting: Annotated[str, one_of(Tournament.Accepting)]
    totals_only: NotRequired[Annotated[bool, default(False)]]
    game: Annotated[str, Field(json_schema_extra={"enum": ["kankei", "captures", "finish"]})]
    fingerprint: Annotated[str, Field(description="Of the rules; it stands on every print.")]
    published: Annotated[bool, Field(description="Whether everybody may see it.")]
    showing: NotRequired[
        Annotated[
            str,
            Field(
                description="What everybody sees: the last publication, the live event, or nothing."
            ),
            default(""),
        ]
    ]
    closed_at: NotRequired[
        Annotated[
            Moment | None,
            Field(description="When its director closed it; null while it is open."),
        ]
    ]


def tournament_as_json(tournament: Tournament) -> TournamentOut:
    rules = tournament.rules
    return {
        "slug": tournament.slug,
        "name": tournament.name,
        "held_on": str(tournament.held_on),
        "venue": tournament.venue,
        "kind": tournament.kind,
        "rule_set": tournament.rule_set,
        "options": tournament.options,
        "points": tournament.points,
        "partners": tournament.partners,
        "rounds_per_session": tournament.rounds_per_session,
        "sessions_planned": tournament.sessions_planned,
        "accepting": tournament.accepting,
        "totals_only": tournament.totals_only,
        "game": rules.game.kind,
        "fingerprint": rules.fingerprint,
        "published": tournament.is_public,
        "showing": tournament.showing,
        "closed_at": tournament.closed_at.isoformat() if tournament.closed_at else None,
    }


@no_other_keys
class PublishedOut(TournamentOut):
    """A tournament, and the publication that was just made, if any."""

    publication: NotRequired[PublicationOut | None]
    state_version: NotRequired[StateVersion]


@no_other_keys
class OwnTournamentOut(TournamentOut):
    """A tournament, and the client's role in it."""

    role: Role | None


@no_other_keys
class CurrentTournamentOut(OwnTournamentOut):
    """A tournament and the client's role in it; for the staff also the version of its state."""

    state_version: NotRequired[StateVersion]


def current_tournament_as_json(
    request: HttpRequest, tournament: Tournament
) -> CurrentTournamentOut:
    role = rights.role_in(request, tournament)
    of_state = {} if role is None else {"state_version": state_version(tournament)}
    document = {**tournament_as_json(tournament), "role": role, **of_state}
    return cast("CurrentTournamentOut", document)


@no_other_keys
class NewTournamentOut(OwnTournamentOut):
    """A tournament just created, and the account that created it."""

    by: str
    warnings: Annotated[
        list[WarningOut], Field(description="Unusual settings, which were stored all the same.")
    ]


@no_other_keys
class TournamentsOut(TypedDict):
    """The published tournaments and the client's own tournaments."""

    tournaments: list[TournamentOut]
    next: Next
