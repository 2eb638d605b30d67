"""Series and their season tables."""

from __future__ import annotations

from typing import Annotated

from ninja import Field
from typing_extensions import TypedDict

from scoring.season.rules import COUNTING, TIE_BREAKS, SeasonRules
from tournaments.models import SamePlayer, Series
from tournaments.queries.round_documents import no_other_keys
from tournaments.queries.same_players import Proposal, SeriesPlayer
from tournaments.queries.season import Person, Season, SeasonEvent, State

Codes = Annotated[str, Field(json_schema_extra={"enum": list(TIE_BREAKS)})]


@no_other_keys
class SeasonRulesOut(TypedDict):
    """How a season is counted: the `best` results of each player; 0 counts all.

    Players ranked in fewer than `least` events have no rank.
    """

    counting: Annotated[str, Field(json_schema_extra={"enum": list(COUNTING)})]
    place_points: list[int]
    best: int
    least: int
    tie_breaks: list[Codes]


@no_other_keys
class SeriesOut(TypedDict):
    """A series; `version` is the `seen` of the next change."""

    slug: str
    name: str
    season: str
    rules: SeasonRulesOut
    version: int


@no_other_keys
class AllSeriesOut(TypedDict):
    """The series with a public tournament, and the client's own series, the newest first."""

    series: list[SeriesOut]


@no_other_keys
class SeasonEventOut(TypedDict):
    """A tournament of a series; `state` says whether it counts."""

    slug: str
    name: str
    held_on: Annotated[str, Field(json_schema_extra={"format": "date"})]
    state: Annotated[str, Field(json_schema_extra={"enum": [each.value for each in State]})]


@no_other_keys
class SeasonResultOut(TypedDict):
    """The result of a player in one tournament, and whether it counts for the total."""

    tournament: str
    player: int
    points: float
    rank: int | None
    counts: bool


@no_other_keys
class SeasonRowOut(TypedDict):
    """A row of the season table. `rank` is null while the player needs `lacking` more events.

    Points are rounded to two decimals. `decided_by` are the tie-breaks between equal totals.
    """

    rank: int | None
    name: str
    club: str
    division: str
    rank_in_class: int | None
    total: float
    tied: bool
    lacking: int
    decided_by: list[Codes]
    results: list[SeasonResultOut]


@no_other_keys
class SeasonOut(SeriesOut):
    """A series with its tournaments and its season table, as this client may see them."""

    tournaments: list[SeasonEventOut]
    rows: list[SeasonRowOut]


@no_other_keys
class SeriesPlayerOut(TypedDict):
    """A player of a tournament in a series."""

    tournament: str
    player: int
    name: str


@no_other_keys
class ProposalOut(TypedDict):
    """Two players of the same name; `is_sure` if no other player of the series has this name."""

    first: SeriesPlayerOut
    second: SeriesPlayerOut
    is_sure: bool


@no_other_keys
class SamePlayerOut(TypedDict):
    """A link between two players who are the same person, with its `id`."""

    id: int
    first: SeriesPlayerOut
    second: SeriesPlayerOut


@no_other_keys
class SamePlayersOut(TypedDict):
    """The pairs of players linked as the same person, and proposed pairs."""

    links: list[SamePlayerOut]
    proposals: list[ProposalOut]


@no_other_keys
class LinkedOut(TypedDict):
    """The number of links that a request has added."""

    linked: int


@no_other_keys
class PartedOut(TypedDict):
    """The `id` of the link that was deleted."""

    parted: int


@no_other_keys
class SeriesOwnersOut(TypedDict):
    """The names of the accounts that may edit a series, sorted."""

    owners: list[str]


@no_other_keys
class InSeriesOut(TypedDict):
    """Whether a tournament is part of a series now."""

    series: str
    tournament: str
    is_in: bool


def series_as_json(series: Series) -> SeriesOut:
    return {
        "slug": series.slug,
        "name": series.name,
        "season": series.season,
        "rules": rules_as_json(series.season_rules),
        "version": series.version,
    }


def rules_as_json(rules: SeasonRules) -> SeasonRulesOut:
    return {
        "counting": rules.counting,
        "place_points": list(rules.place_points),
        "best": rules.best,
        "least": rules.least,
        "tie_breaks": list(rules.tie_breaks),
    }


def season_as_json(series: Series, season: Season) -> SeasonOut:
    return {
        **series_as_json(series),
        "tournaments": [
            {
                "slug": event.slug,
                "name": event.name,
                "held_on": str(event.held_on),
                "state": event.state.value,
            }
            for event in season.events
        ],
        "rows": [_row_as_json(person, season.counted) for person in season.people],
    }


def _row_as_json(person: Person, events: list[SeasonEvent]) -> SeasonRowOut:
    """Return a person's row; `events` are those of `person.results` and `row.cells`, in order."""
    row = person.row
    return {
        "rank": row.rank,
        "name": person.name,
        "club": person.club,
        "division": person.division,
        "rank_in_class": person.rank_in_class,
        "total": round(float(row.total), 2),
        "tied": row.tied,
        "lacking": row.lacking,
        "decided_by": list(row.deciding_steps),
        "results": [
            {
                "tournament": event.slug,
                "player": result.number,
                "points": round(float(cell.points), 2),
                "rank": cell.rank,
                "counts": cell.counts,
            }
            for event, result, cell in zip(events, person.results, row.cells, strict=True)
            if result and cell
        ],
    }


def proposal_as_json(proposal: Proposal) -> ProposalOut:
    first, second = _played_as_json(proposal.first), _played_as_json(proposal.second)
    return {"first": first, "second": second, "is_sure": proposal.is_sure}


def _played_as_json(played: SeriesPlayer) -> SeriesPlayerOut:
    result = played.result
    return {"tournament": played.event.slug, "player": result.number, "name": result.name}


def link_as_json(link: SamePlayer) -> SamePlayerOut:
    first, second = (
        SeriesPlayerOut(tournament=each.tournament.slug, player=each.number, name=each.name)
        for each in (link.first, link.second)
    )
    return {"id": link.pk, "first": first, "second": second}
