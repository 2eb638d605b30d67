"""How a session's seats were drawn, as a file that anybody can draw again."""

from __future__ import annotations

import json

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache

from tournaments.models import Tournament
from tournaments.permissions import door, rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.queries.draw_records import DrawRecord, draw_record
from tournaments.web import downloads

JSON = "application/json"


@never_cache
@requires(GET=Level.SEE)
def draw_file(request: HttpRequest, slug: str, session: int) -> HttpResponse:
    """Return the request of a session's draw, which `manage.py draw` reads."""
    event = door.event_of(request)
    _session, sheets = event.session(session)
    record = draw_record(event.tournament, session, [sheet.players for sheet in sheets])
    if record is None or not may_repeat(request, event.tournament, record):
        raise Http404
    content = json.dumps(record.request, ensure_ascii=False, sort_keys=True).encode()
    return downloads.download(content, f"{slug}-{session}-draw.json", JSON)


def may_repeat(request: HttpRequest, tournament: Tournament, record: DrawRecord) -> bool:
    """Return whether the reader may see what a draw was asked: it may tell unannounced points."""
    is_live = tournament.showing == Tournament.Showing.LIVE
    return not record.tells_points or is_live or rights.role_in(request, tournament) is not None
