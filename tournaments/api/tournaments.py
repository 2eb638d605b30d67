"""Tournaments: list, create, read and remove them."""

from __future__ import annotations

from typing import Annotated

from django.db import transaction
from django.db.models import Q
from django.http import HttpRequest
from django.utils import timezone
from ninja import Field, File, Query
from ninja.files import UploadedFile
from pydantic import StrictBool

import scoring
from tournaments import archives
from tournaments.api import authentication
from tournaments.api.authentication import Requires
from tournaments.api.paging import page_of
from tournaments.api.refusals import Invalid, Refused
from tournaments.api.request_bodies import Name, RequestBody, ShortText, example
from tournaments.api.responses import Created, Ok, Router
from tournaments.api.schemas.sessions import RemovedOut
from tournaments.api.schemas.tournaments import (
    CurrentTournamentOut,
    NewTournamentOut,
    TournamentsOut,
    WarningOut,
    current_tournament_as_json,
    tournament_as_json,
)
from tournaments.api.stages import StagePlanIn
from tournaments.i18n.units import broken_cycle_warning
from tournaments.models import Tournament
from tournaments.models.field_types import Day
from tournaments.models.stages import MOST_STAGES
from tournaments.models.tournament import SETTINGS, SettingsFacts
from tournaments.permissions import door, rights, tournament_lists
from tournaments.permissions.levels import Level
from tournaments.queries.publications.events import with_readable_rules
from tournaments.services import clones
from tournaments.services import stages as stages_service
from tournaments.services import tournaments as tournaments_service
from tournaments.services.publications import show_live

router = Router(tags=["tournaments"])

MOST_TOURNAMENTS = 1000  # listed in one answer


class TournamentIn(RequestBody, SettingsFacts):
    """A tournament. `options` and `points` are only those that differ from the rules' text."""

    name: Name
    held_on: Day | None = None  # type: ignore[assignment]  # null is today
    like: Annotated[
        ShortText,
        Field(
            description="The slug of a tournament in whose staff the client is, with the same rule"
            " set: settings that are not sent are copied from there."
        ),
    ] = ""
    stages: Annotated[
        list[StagePlanIn],
        Field(
            max_length=MOST_STAGES - 1,
            description="Those after the first, in order; `sessions_planned` is of the first.",
        ),
    ] = Field(default_factory=list)
    published: StrictBool = False


@router.get(
    "/tournaments",
    url_name="api-tournaments",
    auth=Requires(Level.ANYBODY),
)
def tournaments(
    request: HttpRequest,
    after: Annotated[str, Query(max_length=40, pattern=r"^[-\w]*$")] = "",
    limit: Annotated[int, Query(ge=1, le=MOST_TOURNAMENTS)] = MOST_TOURNAMENTS,
) -> Ok[TournamentsOut]:
    """List the published tournaments and the client's own tournaments, the newest first.

    Published tournaments are listed with the settings that they had when they were published; their
    staff get the present settings. Tournaments whose rules this version cannot read are left out.
    """
    visible = tournament_lists.tournaments_of(request)
    if after:
        last = visible.filter(slug=after).first()
        if last is None:
            raise Refused("not_found", at="after")
        same_day = Q(held_on=last.held_on, pk__lt=last.pk)
        visible = visible.filter(Q(held_on__lt=last.held_on) | same_day)
    page, next_page = page_of(
        request, visible, limit, after_value=lambda tournament: tournament.slug
    )
    published, live = tournament_lists.split_for_listing(request, page)
    shown = {event.pk: event for event in live}
    shown |= {pk: listed.tournament for pk, listed in published.items()}
    documents = [tournament_as_json(shown[event.pk]) for event in page if event.pk in shown]
    return Ok({"tournaments": documents, "next": next_page})


@router.post(
    "/tournaments",
    url_name="api-tournaments",
    auth=Requires(Level.CREATE),
    openapi_extra=example(
        {
            "name": "新春大会",
            "rule_set": "goninkan-association",
            "held_on": "2031-02-11",
            "accepting": "same",
        }
    ),
)
def create_tournament(request: HttpRequest, payload: TournamentIn) -> Created[NewTournamentOut]:
    """Create a tournament. The client becomes its director.

    Settings that are not sent are those of the tournament `like` or, without it, the usual ones.
    """
    user, by = authentication.user_of(request), rights.actor(request)
    source = _source(request, payload) if payload.like else None
    tournament = clones.copy_of_settings(source) if source else Tournament()
    for name in {*SETTINGS} & payload.model_fields_set:
        setattr(tournament, name, getattr(payload, name))
    tournament.held_on = payload.held_on or timezone.localdate()
    rules = _chosen_rules(tournament)
    if tournament.partners and not rules.rule_set.partnership_players:
        raise Refused("table_size", at="partners")
    tournament.rounds_per_session = tournament.rounds_per_session or rules.usual_rounds
    stage_plans = [each.as_plan(f"stages[{index}].") for index, each in enumerate(payload.stages)]
    with transaction.atomic():
        if source:
            clones.create_like(tournament, rules, source, by=by, stage_plans=stage_plans or None)
        else:
            tournaments_service.create_tournament(tournament, rules, by=by)
            stages_service.define_stages(tournament, stage_plans, by=by)
        if payload.published:  # nothing is recorded that a publication could hold
            show_live(tournament, by=by)
        role = rights.role_in(request, tournament)  # read before the commit: a 503 stores nothing
    warning = broken_cycle_warning(rules, tournament.rounds_per_session)
    warnings: list[WarningOut] = []
    if warning:
        warnings.append({"at": "rounds_per_session", "code": "broken_turn", "message": warning})
    return Created(tournament_as_json(tournament, role=role, by=str(user), warnings=warnings))


def _source(request: HttpRequest, payload: TournamentIn) -> Tournament:
    """Return the tournament `payload.like`, whose settings are copied.

    Raises `Refused` (404) unless the client is in its staff, and it has the same rule set with
    settings that this version reads.
    """
    own = tournament_lists.staffed_tournaments(request)
    sources = with_readable_rules(own.filter(slug=payload.like, rule_set=payload.rule_set))
    if not sources:
        raise Refused("not_found", at="like")
    return sources[0]


def _chosen_rules(tournament: Tournament) -> scoring.Rules:
    """Raises `Invalid`."""
    try:
        return tournament.rules
    except scoring.UnknownRuleSet:
        problem = {"at": "rule_set", "code": "unknown_ruleset"}
        known = ", ".join(rule_set.slug for rule_set in scoring.RULE_SETS)
        raise Invalid([{**problem, "message": f"Choose one of {known}."}]) from None


@router.get(
    "/tournaments/{slug:slug}",
    url_name="api-tournament",
    auth=Requires(Level.SEE),
)
def tournament(request: HttpRequest, slug: str) -> Ok[CurrentTournamentOut]:
    """Return a tournament with its rules and the version of its state, and the client's role."""
    return Ok(current_tournament_as_json(request, door.event_of(request).tournament))


@router.delete(
    "/tournaments/{slug:slug}",
    url_name="api-tournament",
    auth=Requires(Level.DIRECT),
)
def remove_tournament(request: HttpRequest, slug: str) -> Ok[RemovedOut]:
    """Remove a tournament in which nothing is recorded. Its directors can restore it on its page.

    409 if anything is recorded.
    """
    tournaments_service.remove_tournament(door.tournament_of(request), by=rights.actor(request))
    return Ok({"removed": slug})


@router.post(
    "/tournaments/{slug:slug}/remove",
    url_name="api-remove-with-archive",
    auth=Requires(Level.DIRECT),
)
def remove_with_archive(
    request: HttpRequest, slug: str, file: Annotated[UploadedFile, File()]
) -> Ok[RemovedOut]:
    """Remove a tournament of whose present state the client has the archive.

    409 for an older archive, or that of another tournament. Its directors can restore it.
    """
    tournament, by = door.tournament_of(request), rights.actor(request)
    archived = archives.last_entry_digest(archives.read_limited(file))
    tournaments_service.remove_tournament(tournament, by=by, archived=archived)
    return Ok({"removed": slug})
