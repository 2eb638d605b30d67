"""The substitutes of a session: listed, named and taken back."""

from __future__ import annotations

from typing import Annotated

from django.db import transaction
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from ninja import Field

from tournaments.api.authentication import Requires
from tournaments.api.presence import Reason, tournament_to_call
from tournaments.api.refusals import Refused
from tournaments.api.request_bodies import Name, RequestBody, ShortText
from tournaments.api.responses import Ok, Router
from tournaments.api.schemas.refusals import ConflictOut
from tournaments.api.schemas.substitutions import (
    SubstitutesOut,
    SubstitutionOut,
    substitutes_as_json,
    substitution_as_json,
)
from tournaments.exceptions import ConflictError
from tournaments.models import Entry, Tournament
from tournaments.permissions import door, rights
from tournaments.permissions.levels import Level
from tournaments.queries.events import NotThere
from tournaments.queries.substitutions import substitutions_of
from tournaments.services import entries, seating, substitutions, table_players
from tournaments.web.numbers import parse_number

router = Router(tags=["tournaments"])

REFUSALS = (
    substitutions.NotAway,
    substitutions.AlreadyReplaced,
    substitutions.NotFree,
    table_players.RoundUnderWay,
    table_players.TableIsOver,
    seating.TiedLeave,
)


class NewSubstituteIn(RequestBody):
    """Somebody new, who gets the next number and is no competitor."""

    name: Name
    reading: ShortText = ""
    club: ShortText = ""


class SubstituteIn(RequestBody):
    """The number of a player of the tournament or somebody new, and why if there is more to say."""

    substitute: Annotated[int, Field(ge=1)] | None = None
    person: NewSubstituteIn | None = None
    reason: Reason = ""


@router.get(
    "/tournaments/{slug:slug}/sessions/{int:session}/substitutes",
    url_name="api-substitutes",
    auth=Requires(Level.SEE),
)
def substitutes(request: HttpRequest, slug: str, session: int) -> Ok[SubstitutesOut]:
    """List who plays in whose stead in a session."""
    event = door.event_of(request)
    if not 1 <= session <= len(event.sessions) + 1:  # a next one may have substitutes already
        raise NotThere
    return Ok(substitutes_as_json(session, event.substitutions))


@router.put(
    "/tournaments/{slug:slug}/sessions/{int:session}/substitutes/{int:entry}",
    url_name="api-substitute",
    auth=Requires(Level.STAFF),
    response={409: ConflictOut},
)
def put_substitute(
    request: HttpRequest, slug: str, session: int, entry: int, payload: SubstituteIn
) -> Ok[SubstitutionOut]:
    """Let somebody play in the stead of an absent player. The same again changes nothing."""
    tournament = tournament_to_call(request, session)
    absent = _find_entry(tournament, entry)
    if (payload.substitute is None) == (payload.person is None):
        raise Refused(422, "missing", at="substitute")
    substitute = payload.person.dict() if payload.person else None
    try:
        row = substitutions.add_substitute(
            absent,
            session,
            substitute or _find_entry(tournament, payload.substitute or 0),
            by=rights.actor(request),
            reason=payload.reason,
        )
    except REFUSALS as refused:
        raise Refused(409, refused.code, at="substitute") from None
    except entries.TooManyEntries as refused:
        raise Refused(422, refused.code, at="person") from None
    except (Entry.DoesNotExist, seating.NotSeatedBefore):
        raise Refused(404, "not_found") from None
    return Ok(substitution_as_json(row))


@router.delete(
    "/tournaments/{slug:slug}/sessions/{int:session}/substitutes/{int:entry}",
    url_name="api-substitute",
    auth=Requires(Level.STAFF),
    response={409: ConflictOut},
)
def delete_substitute(
    request: HttpRequest, slug: str, session: int, entry: int, substitute: str = ""
) -> Ok[SubstitutesOut]:
    """Take back that `substitute` plays in the stead of a player; the player gets the seat back.

    If something is recorded at the table, its seats stay.
    """
    tournament = tournament_to_call(request, session)
    absent = _find_entry(tournament, entry)
    try:
        with transaction.atomic():
            substitutions.remove_substitute(
                absent,
                session,
                seen_substitute=parse_number(substitute) or 0,
                by=rights.actor(request),
            )
            document = substitutes_as_json(session, substitutions_of(tournament))
    except ConflictError:
        raise Refused(409, substitutions.AlreadyReplaced.code, at="substitute") from None
    except seating.NotSeatedBefore:
        raise Refused(404, "not_found") from None
    return Ok(document)


def _find_entry(tournament: Tournament, number: int) -> Entry:
    """Return a player by number; 404 if there is none."""
    found: Entry = get_object_or_404(tournament.entries, number=number)
    found.tournament = tournament
    return found
