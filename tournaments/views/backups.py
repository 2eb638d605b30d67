"""Backups of everything, for whoever owns the installation."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache

from tournaments import backups as kept
from tournaments.backups import Backup, Reason
from tournaments.forms import posted
from tournaments.forms.backups import BackupFileForm
from tournaments.permissions import rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level

WHY: dict[str, Any] = {
    Reason.BY_HAND: gettext_lazy("by hand"),
    Reason.BEFORE_IMPORT: gettext_lazy("before an import"),
    Reason.BEFORE_RESTORE: gettext_lazy("before a restore"),
    Reason.BEFORE_MIGRATION: gettext_lazy("before a new version"),
    Reason.AFTER_SESSION: gettext_lazy("after a session"),
    Reason.AFTER_CLOSING: gettext_lazy("after closing a tournament"),
    Reason.BROUGHT: gettext_lazy("from elsewhere"),
}


@never_cache
@requires(GET=Level.OWNER, POST=Level.OWNER)
def backups(request: HttpRequest) -> HttpResponse:
    """List the backups there are; make one now."""
    who = rights.actor(request).who
    if request.method == "POST":
        try:
            kept.take(Reason.BY_HAND, who=who)
        except kept.NotTaken as error:
            messages.error(request, str(error))
        else:
            messages.success(request, _("The backup is made and verified."))
        return redirect("backups")
    return _show(request, BackupFileForm())


@requires(POST=Level.OWNER)
def upload_backup(request: HttpRequest) -> HttpResponse:
    """Take in a backup from elsewhere, and go on to what is in it."""
    form = BackupFileForm(posted(request), request.FILES)
    if form.is_valid():
        try:
            brought = kept.bring_in(form.cleaned_data["file"].chunks())
        except kept.Refused as error:
            form.add_error("file", str(error))
        else:
            return redirect("restore-backup", brought.name)
    return _show(request, form, status=422)


@never_cache
@requires(GET=Level.OWNER)
def download_backup(request: HttpRequest, backup: str) -> HttpResponseBase:
    """Send the file as it is."""
    path = _found(backup).path
    return FileResponse(path.open("rb"), as_attachment=True, filename=path.name)


@never_cache
@requires(GET=Level.OWNER, POST=Level.OWNER)
def restore_backup(request: HttpRequest, backup: str) -> HttpResponse:
    """Show what is in a backup beside what is there now; replace everything when told to."""
    who = rights.actor(request).who
    found = _found(backup)
    context: dict[str, Any] = {"backup": _row(found), "now": kept.present()}
    try:
        kept.examine(found.path)
        if request.method == "POST" and request.POST.get("restore") == "everything":
            context["before"] = kept.restore(found.path, who=who)
            # No redirect: whoever asked may have no account in what is there now.
            return render(request, "backup_restored.html", context)
    except kept.BackupError as error:
        context["refusal"] = str(error)
    status = 422 if request.method == "POST" else 200
    return render(request, "restore_backup.html", context, status=status)


def _show(request: HttpRequest, form: BackupFileForm, status: int = 200) -> HttpResponse:
    context = {
        "rows": [_row(each) for each in kept.listed()],
        "is_missing": kept.is_missing(),
        "form": form,
    }
    return render(request, "backups.html", context, status=status)


def _found(name: str) -> Backup:
    backup = kept.find(name)
    if backup is None:
        raise Http404
    return backup


def _row(backup: Backup) -> dict[str, Any]:
    """Return a backup as pages show it; one that was brought was made for a reason of its own."""
    said = backup.manifest
    return {
        "name": backup.name,
        "size": backup.size,
        "said": said,
        "contents": kept.described(said.contents) if said else "",
        "why": WHY.get(said.reason, said.reason) if said else "",
        "is_brought": Reason.BROUGHT in backup.name,
        "brought": WHY[Reason.BROUGHT],
    }
