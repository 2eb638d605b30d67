"""Joined scripts, served with a cache header that never expires."""

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.gzip import gzip_page

from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.server import scripts


@gzip_page
@requires(GET=Level.ANYBODY)
def script(_request: HttpRequest, name: str, digest: str) -> HttpResponse:
    """Raises `Http404` for an unknown name or another digest."""
    if name not in scripts.SOURCES or scripts.script(name).digest != digest:
        raise Http404
    headers = {"Cache-Control": "public, max-age=31536000, immutable"}
    content_type = "text/javascript; charset=utf-8"
    return HttpResponse(scripts.script(name).content, content_type=content_type, headers=headers)
