"""Change the players of a table: players join and leave."""

from __future__ import annotations

from typing import Annotated

from django.db import transaction
from django.http import HttpRequest
from ninja import Field
from pydantic import StrictBool, StrictInt

from tournaments.api.authentication import Requires
from tournaments.api.refusals import Refused, placed
from tournaments.api.request_bodies import Reason, RequestBody, example
from tournaments.api.responses import Ok, Router
from tournaments.api.schemas.sessions import SeatedOut, link_as_json, seated_as_json
from tournaments.exceptions import ConflictError
from tournaments.models import Entry, Sitting
from tournaments.permissions import door, rights
from tournaments.permissions.levels import Level
from tournaments.queries.seated_tables import tables_of
from tournaments.services import seating, table_players

router = Router(tags=["tournaments"])

Numbers = Annotated[list[StrictInt], Field(max_length=16)]


class TablePlayersIn(RequestBody):
    """The numbers of the new players in seat order, and those of the players who were `seen`.

    With `withdraw`, those who leave are marked as withdrawn.
    """

    players: Numbers
    seen: Numbers
    withdraw: StrictBool = False
    reason: Reason = ""


@router.put(
    "/sittings/{int:sitting}/players",
    url_name="api-table-players",
    auth=Requires(Level.STAFF),
    openapi_extra=example(
        {"players": [1, 2, 3, 4, 5, 7], "seen": [1, 2, 3, 4, 5, 6], "reason": "早退"}
    ),
)
def change_players(request: HttpRequest, sitting: int, payload: TablePlayersIn) -> Ok[SeatedOut]:
    """Change the players of a table, and answer with the sitting in which they play on.

    If rounds are recorded, that is a new sitting at the same table, with a number of its own in
    addresses: the rounds stay with the players who played them. In a session of a later stage, the
    points of a player who is no member of the stage count for nobody.
    """
    current = door.sitting_of(request)
    by_number = {entry.number: entry for entry in current.session.tournament.entries.all()}
    for index, number in enumerate(payload.players):
        if number not in by_number:
            raise Refused("no_entry", at=f"players[{index}]")
    try:
        with placed("players", seating.PlayersAway, seating.TiedLeave), transaction.atomic():
            next_sitting = table_players.change_players(
                current,
                [by_number[number] for number in payload.players],
                seen_players=[str(number) for number in payload.seen],
                by=rights.actor(request, current),
                withdraw=payload.withdraw,
                reason=payload.reason,
            )
            [table] = tables_of(Sitting.objects.filter(pk=next_sitting.pk))
            document = seated_as_json(table, link=link_as_json(request, table.sitting))
    except ConflictError:
        raise Refused("players_changed", at="seen") from None
    except Entry.DoesNotExist:
        raise Refused("no_entry", at="players") from None
    return Ok(document)
