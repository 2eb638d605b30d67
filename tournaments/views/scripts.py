"""Our joined scripts, served so that browsers may keep them for good."""

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.gzip import gzip_page

from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.server import scripts


@gzip_page
@requires(GET=Level.ANYBODY)
def script(_request: HttpRequest, name: str, digest: str) -> HttpResponse:
    """Answer a joined script, under the address that carries its hash and no other."""
    if name not in scripts.ROOMS or scripts.script(name).digest != digest:
        raise Http404
    headers = {"Cache-Control": "public, max-age=31536000, immutable"}
    content_type = "text/javascript; charset=utf-8"
    return HttpResponse(scripts.script(name).content, content_type=content_type, headers=headers)
