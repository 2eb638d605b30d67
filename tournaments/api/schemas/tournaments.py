"""Tournaments and their publications."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from django.http import HttpRequest
from ninja import Field
from typing_extensions import TypedDict

from scoring.game import Kind
from tournaments.api.schemas.fields import Next, Role, StateVersion, one_of
from tournaments.audit import state_version
from tournaments.models import Publication, Tournament
from tournaments.models.tournament import SettingsFacts
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
    """`who`, an account's name, is only for the staff."""
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


class TournamentOut(SettingsFacts):
    """A tournament and its rules."""

    slug: str
    kind: Annotated[str, one_of(Tournament.Kind)]
    game: Kind
    fingerprint: Annotated[str, Field(description="Of the rules; it stands on every print.")]
    published: Annotated[bool, Field(description="Whether everybody may see it.")]
    showing: Annotated[
        str,
        Field(description="What everybody sees: the last publication, the live event, or nothing."),
    ] = ""
    closed_at: Annotated[
        Moment | None, Field(description="When its director closed it; null while it is open.")
    ] = None


def tournament_as_json(tournament: Tournament, **others: Any) -> Any:
    """`others` are fields of subclasses of `TournamentOut`."""
    rules = tournament.rules
    derived = {"game": rules.game.kind, "fingerprint": rules.fingerprint}
    return TournamentOut.json_of(tournament, published=tournament.is_public, **derived, **others)


class PublishedOut(TournamentOut):
    """A tournament, and the publication that was just made, if any."""

    publication: PublicationOut | None = None
    state_version: StateVersion = 0


class OwnTournamentOut(TournamentOut):
    """A tournament, and the client's role in it."""

    role: Role | None


class CurrentTournamentOut(OwnTournamentOut):
    """A tournament and the client's role in it; for the staff also the version of its state."""

    state_version: StateVersion = 0


def current_tournament_as_json(
    request: HttpRequest, tournament: Tournament
) -> CurrentTournamentOut:
    role = rights.role_in(request, tournament)
    of_state = {} if role is None else {"state_version": state_version(tournament)}
    document: CurrentTournamentOut = tournament_as_json(tournament, role=role, **of_state)
    return document


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
