"""How a session's seats were drawn, as a file that anybody can draw again."""

from __future__ import annotations

import json

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache

from tournaments.permissions import door, rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.queries.draw_records import draw_record
from tournaments.queries.seated_tables import assigned_seats
from tournaments.web import downloads

JSON = "application/json"


@never_cache
@requires(GET=Level.SEE)
def draw_file(request: HttpRequest, slug: str, session: int) -> HttpResponse:
    """Download the request of a session's draw as JSON, which `manage.py draw` reads.

    Raises `Http404` if the seats were not drawn, or if this reader may not see the request.
    """
    event = door.event_of(request)
    tables = assigned_seats(event.session(session)[1])
    record = draw_record(event.tournament, session, tables)
    if record is None or not rights.may_repeat_draw(request, event.tournament, record):
        raise Http404
    content = json.dumps(record.request, ensure_ascii=False, sort_keys=True).encode()
    return downloads.download(content, f"{slug}-{session}-draw.json", JSON)
