"""Exchange two players of a session, whose rounds are corrected; and plan such an exchange."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

from django.db import transaction
from django.http import HttpRequest
from ninja import Field, Query
from pydantic import StrictInt

from tournaments.api.authentication import Requires
from tournaments.api.refusals import Refused, placed
from tournaments.api.request_bodies import NeededReason, RequestBody, example
from tournaments.api.responses import Ok, Router
from tournaments.api.schemas.exchanges import ExchangeOut, exchange_as_json
from tournaments.exceptions import ConflictError
from tournaments.models import Entry, Tournament
from tournaments.permissions import door, rights
from tournaments.permissions.levels import Level
from tournaments.services.exchanges import exchange, plan
from tournaments.services.seating import PlayersAway, TiedLeave
from tournaments.web.numbers import MAX_NUMBER

router = Router(tags=["tournaments"])

Number = Annotated[int, Query(ge=0, le=MAX_NUMBER)]


class ExchangeIn(RequestBody):
    """The numbers of two players, the `seen` of the planned exchange, and the reason."""

    one: Annotated[StrictInt, Field(ge=0, le=MAX_NUMBER)]
    other: Annotated[StrictInt, Field(ge=0, le=MAX_NUMBER)]
    seen: Annotated[str, Field(max_length=5_000)]
    reason: NeededReason


@router.get(
    "/tournaments/{slug:slug}/sessions/{int:session}/exchange",
    url_name="api-exchange",
    auth=Requires(Level.STAFF),
)
def planned_exchange(
    request: HttpRequest, slug: str, session: int, one: Number = 0, other: Number = 0
) -> Ok[ExchangeOut]:
    """Return what an exchange of two players would change; nothing is stored."""
    found_session = door.session_in(door.tournament_of(request), session)
    players = _two_players(found_session.tournament, one, other)
    with _errors_as_refusals():
        return Ok(exchange_as_json(plan(found_session, *players)))


@router.post(
    "/tournaments/{slug:slug}/sessions/{int:session}/exchange",
    url_name="api-exchange",
    auth=Requires(Level.STAFF),
    openapi_extra=example({"one": 1, "other": 2, "seen": "", "reason": "席の取り違え"}),
)
def exchange_players(
    request: HttpRequest, slug: str, session: int, payload: ExchangeIn | None = None
) -> Ok[ExchangeOut]:
    """Exchange two players of a session. Their rounds in it are corrected, all or none."""
    found_session = door.session_in(door.tournament_of(request), session)
    if payload is None:  # a missing body is reported at its required key
        raise Refused("missing", at="one")
    players = _two_players(found_session.tournament, payload.one, payload.other)
    by = rights.actor(request)
    with _errors_as_refusals(), transaction.atomic():
        stored_exchange = exchange(
            found_session, *players, seen_stamp=payload.seen, by=by, reason=payload.reason
        )
        return Ok(exchange_as_json(stored_exchange))


def _two_players(tournament: Tournament, one: int, other: int) -> tuple[Entry, Entry]:
    """Raises `Refused` if a number is unknown or both are equal."""
    by_number = {
        entry.number: entry for entry in tournament.entries.filter(number__in=[one, other])
    }
    for name, number in (("one", one), ("other", other)):
        if number not in by_number:
            raise Refused("no_entry", at=name)
    if one == other:
        raise Refused("same_player", at="other")
    return by_number[one], by_number[other]


@contextmanager
def _errors_as_refusals() -> Iterator[None]:
    """Raise `Refused` instead of the exceptions that planning or storing an exchange raises.

    A `ConflictError` says that seats or rounds have changed since the exchange was planned.
    """
    try:
        with placed("one", PlayersAway, TiedLeave):
            yield
    except ConflictError:
        raise Refused("players_changed", at="seen") from None
    except Entry.DoesNotExist:
        raise Refused("no_entry", at="one") from None
