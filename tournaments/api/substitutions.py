"""The substitutes of a session: list, name and take them back."""

from __future__ import annotations

from typing import Annotated

from django.db import transaction
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from ninja import Field

from tournaments.api.authentication import Requires
from tournaments.api.presence import tournament_with_roll_call
from tournaments.api.refusals import Refused, placed
from tournaments.api.request_bodies import Name, Reason, RequestBody, ShortText, example
from tournaments.api.responses import Ok, Router
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

TABLE_STAYS = (table_players.RoundUnderWay, table_players.TableIsOver, seating.TiedLeave)


class NewSubstituteIn(RequestBody):
    """A new person, who gets the next player number and plays only as a substitute."""

    name: Name
    reading: ShortText = ""
    club: ShortText = ""


class SubstituteIn(RequestBody):
    """Either `substitute`, the number of a player, or a new `person`; and optionally a reason."""

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
    if not 1 <= session <= len(event.sessions) + 1:  # the next session may have substitutes already
        raise NotThere
    return Ok(substitutes_as_json(session, event.substitutions))


@router.put(
    "/tournaments/{slug:slug}/sessions/{int:session}/substitutes/{int:entry}",
    url_name="api-substitute",
    auth=Requires(Level.STAFF),
    openapi_extra=example(
        {"person": {"name": "山田 太郎", "reading": "やまだ たろう"}, "reason": ""}
    ),
)
def put_substitute(
    request: HttpRequest, slug: str, session: int, entry: int, payload: SubstituteIn
) -> Ok[SubstitutionOut]:
    """Let a substitute play for an absent player. Idempotent."""
    tournament = tournament_with_roll_call(request, session)
    absent = _find_entry(tournament, entry)
    if (payload.substitute is None) == (payload.person is None):
        raise Refused("missing", at="substitute")
    new_person = payload.person.model_dump() if payload.person else None
    with placed("substitute", *TABLE_STAYS), placed("person", entries.TooManyEntries):
        row = substitutions.add_substitute(
            absent,
            session,
            new_person or _find_entry(tournament, payload.substitute or 0),
            by=rights.actor(request),
            reason=payload.reason,
        )
    return Ok(substitution_as_json(row))


@router.delete(
    "/tournaments/{slug:slug}/sessions/{int:session}/substitutes/{int:entry}",
    url_name="api-substitute",
    auth=Requires(Level.STAFF),
)
def delete_substitute(
    request: HttpRequest, slug: str, session: int, entry: int, substitute: str = ""
) -> Ok[SubstitutesOut]:
    """Take back a substitute; the absent player gets the seat back.

    If something is recorded at the table, its seats do not change. 409 if the player has another
    substitute than `substitute`, the number that was read.
    """
    tournament = tournament_with_roll_call(request, session)
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
        raise substitutions.AlreadyReplaced from None
    return Ok(document)


def _find_entry(tournament: Tournament, number: int) -> Entry:
    """Raises `Http404`. The player shares this `tournament` object."""
    entry: Entry = get_object_or_404(tournament.entries, number=number)
    entry.tournament = tournament
    return entry
