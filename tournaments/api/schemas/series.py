"""Series and their season tables."""

from __future__ import annotations

from typing import Annotated

from ninja import Field
from typing_extensions import TypedDict

from scoring.season.rules import COUNTING, TIE_BREAKS, SeasonRules
from tournaments.models import SamePlayer, Series
from tournaments.queries.round_documents import no_other_keys
from tournaments.queries.same_players import Played, Proposal
from tournaments.queries.season import Person, Season, SeasonEvent, State

Codes = Annotated[str, Field(json_schema_extra={"enum": list(TIE_BREAKS)})]


@no_other_keys
class SeasonRulesOut(TypedDict):
    """How a season is counted; `best` 0: all results count."""

    counting: Annotated[str, Field(json_schema_extra={"enum": list(COUNTING)})]
    place_points: list[int]
    best: int
    least: int
    tie_breaks: list[Codes]


@no_other_keys
class SeriesOut(TypedDict):
    """A series; `version` is what `seen` names in the next change."""

    slug: str
    name: str
    season: str
    rules: SeasonRulesOut
    version: int


@no_other_keys
class AllSeriesOut(TypedDict):
    """Series with a public tournament, and the client's own, the newest first."""

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
    """What a tournament brings a player, and whether that is among the results that count."""

    tournament: str
    player: int
    points: float
    rank: int | None
    counts: bool


@no_other_keys
class SeasonRowOut(TypedDict):
    """A row of the season table. `rank` is null while the player needs `lacking` more events.

    Points are rounded to two decimals. `decided_by` are the steps that decided beside the total.
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
    """A series with its tournaments and its season table, as this client sees it."""

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
    """Two players of the same name; `is_sure` if nobody else has it."""

    first: SeriesPlayerOut
    second: SeriesPlayerOut
    is_sure: bool


@no_other_keys
class SamePlayerOut(TypedDict):
    """Two players who are the same person, until the link is deleted by its `id`."""

    id: int
    first: SeriesPlayerOut
    second: SeriesPlayerOut


@no_other_keys
class SamePlayersOut(TypedDict):
    """Who is linked as the same person, and who may be."""

    links: list[SamePlayerOut]
    proposals: list[ProposalOut]


@no_other_keys
class LinkedOut(TypedDict):
    """How many players a request has linked."""

    linked: int


@no_other_keys
class PartedOut(TypedDict):
    """The link that is gone."""

    parted: int


@no_other_keys
class SeriesOwnersOut(TypedDict):
    """The names of the accounts that may edit a series."""

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
    row = person.row
    decided = dict.fromkeys(code for code in (row.separated_by, row.separates) if code)
    return {
        "rank": row.rank,
        "name": person.name,
        "club": person.club,
        "division": person.division,
        "rank_in_class": person.rank_in_class,
        "total": round(float(row.total), 2),
        "tied": row.tied,
        "lacking": row.lacking,
        "decided_by": list(decided),
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


def _played_as_json(played: Played) -> SeriesPlayerOut:
    result = played.result
    return {"tournament": played.event.slug, "player": result.number, "name": result.name}


def link_as_json(link: SamePlayer) -> SamePlayerOut:
    first, second = (
        SeriesPlayerOut(tournament=each.tournament.slug, player=each.number, name=each.name)
        for each in (link.first, link.second)
    )
    return {"id": link.pk, "first": first, "second": second}
