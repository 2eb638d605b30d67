"""The audit trail of a tournament over HTTP."""

from __future__ import annotations

from typing import Annotated

from django.http import HttpRequest, HttpResponse
from ninja import Query, Router

from tournaments.api import documents
from tournaments.api.answers.refusals import RefusalOut
from tournaments.api.answers.trail import TrailOut
from tournaments.api.asking import Requires
from tournaments.api.paging import page_of
from tournaments.permissions import door
from tournaments.permissions.levels import Level
from tournaments.web.json_responses import reply
from tournaments.web.numbers import HIGHEST

router = Router(tags=["tournaments"])

MOST_ACTS = 10_000  # in one answer: what an event of four hundred players leaves in a day


@router.get(
    "/tournaments/{slug:slug}/audit",
    url_name="api-audit",
    auth=Requires(Level.STAFF),
    response={200: TrailOut, 422: RefusalOut},
)
def audit_trail(
    request: HttpRequest,
    slug: str,
    after: Annotated[int, Query(ge=0, le=HIGHEST)] = 0,
    limit: Annotated[int, Query(ge=1, le=MOST_ACTS)] = MOST_ACTS,
) -> HttpResponse:
    """Tell the acts in order: who, when, what, before and after, and why."""
    acts = door.tournament_of(request).audit_entries.filter(number__gt=after).order_by("number")
    some, following = page_of(request, acts, limit, lambda act: act.number)
    return reply({"acts": [documents.act_as_json(act) for act in some], "next": following})
