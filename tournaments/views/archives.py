"""Exporting an event as one archive file, and importing such a file."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments import archives
from tournaments.forms import posted_data
from tournaments.forms.archives import ArchiveFileForm
from tournaments.models import Tournament
from tournaments.permissions import door, rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.web.downloads import ZIP, download
from tournaments.web.requests_in_jobs import in_a_job


@never_cache
@requires(GET=Level.DIRECT)
@in_a_job
def archive(request: HttpRequest, slug: str) -> HttpResponse:
    """Has private data of players only with `?private=1`."""
    tournament = door.tournament_of(request)
    try:
        content = archives.export_archive(
            tournament, with_private=request.GET.get("private") == "1"
        )
    except archives.ArchiveError as error:
        messages.error(request, str(error))
        return redirect("edit-tournament", slug)
    return download(content, archives.file_name(tournament), ZIP)


@requires(GET=Level.CREATE, POST=Level.CREATE)
def read_archive(request: HttpRequest) -> HttpResponse:
    """Import an archive; the reader becomes the event's director.

    If the event is in the database already, the page links to it.
    """
    form = ArchiveFileForm(posted_data(request), request.FILES or None)
    existing = None
    if form.is_valid():
        try:
            event = archives.import_archive(form.cleaned_data["file"], by=rights.actor(request))
        except archives.ImportRefused as error:
            form.add_error("file", str(error))
            if isinstance(error, archives.AlreadyExists):
                existing = Tournament.objects.filter(slug=error.slug).first()
        else:
            messages.success(request, _("The whole tournament has been imported."))
            return redirect(event)
    context = {"form": form, "here": existing}
    return render(request, "read_archive.html", context, status=422 if form.is_bound else 200)
