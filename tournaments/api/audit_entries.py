"""The audit trail of a tournament."""

from __future__ import annotations

from typing import Annotated

from django.http import HttpRequest
from ninja import Query

from tournaments.api.authentication import Requires
from tournaments.api.paging import page_of
from tournaments.api.responses import Ok, Router
from tournaments.api.schemas.audit_entries import TrailOut, audit_entry_as_json
from tournaments.permissions import door
from tournaments.permissions.levels import Level
from tournaments.web.numbers import MAX_NUMBER

router = Router(tags=["tournaments"])

MOST_ENTRIES = 10_000  # in one answer; an event of 400 players adds about as many in a day


@router.get(
    "/tournaments/{slug:slug}/audit",
    url_name="api-audit",
    auth=Requires(Level.STAFF),
)
def audit_trail(
    request: HttpRequest,
    slug: str,
    after: Annotated[int, Query(ge=0, le=MAX_NUMBER)] = 0,
    limit: Annotated[int, Query(ge=1, le=MOST_ENTRIES)] = MOST_ENTRIES,
) -> Ok[TrailOut]:
    """List the audit entries by number: who did what, when and why, with old and new values."""
    entries = door.tournament_of(request).audit_entries.filter(number__gt=after).order_by("number")
    page, next_page = page_of(request, entries, limit, after_value=lambda entry: entry.number)
    return Ok({"acts": [audit_entry_as_json(entry) for entry in page], "next": next_page})
