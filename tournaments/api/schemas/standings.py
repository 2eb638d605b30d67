"""Standings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, NotRequired

from django.http import HttpRequest
from ninja import Field
from typing_extensions import TypedDict

import scoring
from scoring.ranking.absence import Absence
from scoring.ranking.results import MISSED
from tournaments.api.schemas.entries import EntryOut, entry_as_json
from tournaments.api.schemas.tournaments import PublicationOut, publication_as_json
from tournaments.queries.events import Event
from tournaments.queries.round_documents import no_other_keys
from tournaments.queries.round_points import sessions_played
from tournaments.queries.stages import StageStandings
from tournaments.queries.standings import Standing, tally_of

Reason = Annotated[str, Field(json_schema_extra={"enum": [each.value for each in Absence]})]


@no_other_keys
class SumLineOut(TypedDict):
    """Points that are not from rounds.

    They are for a missed `session` or of an `adjustment`, both by number, or carried over to a
    stage. `reason` says why the session was missed.
    """

    item: Literal["missed", "adjustment", "carried"]
    points: int
    session: int | None
    adjustment: int | None
    reason: Reason | None


@no_other_keys
class AbsenceOut(TypedDict):
    """A session, by number, that a player did not play, and why."""

    session: int
    reason: Reason


def _line_as_json(line: scoring.SumLine) -> SumLineOut:
    return {
        "item": "missed" if line.item == MISSED else "adjustment",
        "points": line.points,
        "session": line.session,
        "adjustment": line.adjustment,
        "reason": line.reason and line.reason.value,
    }


def _lines_as_json(standing: Standing) -> list[SumLineOut]:
    """Return the lines that are not from rounds. Carried points come first."""
    lines = [_line_as_json(line) for line in standing.place.lines] if standing.place else []
    if standing.carried is None:
        return lines
    points = standing.carried
    return [
        {"item": "carried", "points": points, "session": None, "adjustment": None, "reason": None},
        *lines,
    ]


@no_other_keys
class StandingOut(EntryOut):
    """A player's standing; `place` is the rank.

    `place`, `place_in_class` and `points` are null for a player without a result: no complete
    round, typed totals or points carried over. A withdrawn player who is only listed has points,
    but no place.
    """

    place: int | None
    place_in_class: int | None
    points: int | None
    rounds_played: int
    sessions_played: int
    separated_by: Annotated[
        str | None,
        Field(description="The tie-break that puts this player below the one above."),
    ]
    separates: Annotated[
        str | None,
        Field(description="The tie-break that puts the next player below this one."),
    ]
    withdrawn: bool
    lines: Annotated[list[SumLineOut], Field(description="The points that are not from rounds.")]
    absences: Annotated[list[AbsenceOut], Field(description="The sessions not played.")]


def _standing_as_json(
    standing: Standing, sessions_played: int, absences: Mapping[int, Absence]
) -> StandingOut:
    """Return a player's standing, without place and points if the player has no result.

    `separated_by` is the tie-break that puts the player below the one above, `separates` the one
    that puts the next player below.
    """
    place = standing.place
    return {
        **entry_as_json(standing.entry),
        "place": place.rank if place else None,
        "place_in_class": standing.rank_in_class,
        "points": place.points if place else None,
        "rounds_played": standing.rounds_played or 0,
        "sessions_played": sessions_played,
        "separated_by": place.separated_by if place else None,
        "separates": place.separates if place else None,
        "withdrawn": standing.is_withdrawn,
        "lines": _lines_as_json(standing),
        "absences": [
            {"session": session, "reason": reason.value} for session, reason in absences.items()
        ],
    }


@no_other_keys
class StandingsOut(TypedDict):
    """All players, sorted by place."""

    tournament: str
    fingerprint: str
    publication: NotRequired[
        Annotated[
            PublicationOut | None,
            Field(description="The publication that is shown; null for live standings."),
        ]
    ]
    rounds_counted: int
    rounds_under_way: int
    standings: list[StandingOut]


def standings_as_json(
    request: HttpRequest, event: Event, stage: StageStandings | None
) -> StandingsOut:
    """With `stage` the standings of that stage, with its sessions only."""
    publication = event.publication
    rows, tally, played, absences = (
        event.standings,
        event.tally,
        event.sessions_played,
        event.absences,
    )
    if stage is not None:
        own = stage.sessions
        rows = stage.rows
        tally = tally_of(each for each in event.sheets if each.sitting.session.number in own)
        played = sessions_played(event.ranking_facts, own)
        absences = {
            key: {session: reason for session, reason in reasons.items() if session in own}
            for key, reasons in absences.items()
        }
    return {
        "tournament": event.tournament.slug,
        "fingerprint": event.tournament.rules.fingerprint,
        "publication": publication_as_json(request, publication) if publication else None,
        "rounds_counted": tally.counted,
        "rounds_under_way": tally.under_way,
        "standings": [
            _standing_as_json(row, played.get(row.entry.key, 0), absences.get(row.entry.key, {}))
            for row in rows
        ],
    }
