"""Backups of the whole database, for the owner of the installation."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.cache import never_cache

from tournaments import backups as database_backups
from tournaments.backups import Backup, Reason
from tournaments.backups.rounds import rounds_in
from tournaments.forms import posted_data
from tournaments.forms.backups import BackupFileForm, RestoreForm
from tournaments.forms.standby import StandbyForm
from tournaments.i18n.sentences import listed
from tournaments.permissions import rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.services import epochs, left_behind
from tournaments.web import standby

REASON_LABELS: dict[str, Any] = {
    Reason.BY_HAND: gettext_lazy("by hand"),
    Reason.BEFORE_IMPORT: gettext_lazy("before an import"),
    Reason.BEFORE_RESTORE: gettext_lazy("before a restore"),
    Reason.BEFORE_MIGRATION: gettext_lazy("before a new version"),
    Reason.AFTER_SESSION: gettext_lazy("after a session"),
    Reason.AFTER_CLOSING: gettext_lazy("after closing a tournament"),
    Reason.AFTER_ERASING: gettext_lazy("after erasing private data"),
    Reason.UPLOADED: gettext_lazy("from elsewhere"),
}


@never_cache
@requires(GET=Level.OWNER, POST=Level.OWNER)
def backups(request: HttpRequest) -> HttpResponse:
    """List the backups; on POST, make one."""
    who = rights.actor(request).who
    if request.method == "POST":
        try:
            database_backups.take(Reason.BY_HAND, who=who)
        except database_backups.BackupNotTaken as error:
            messages.error(request, str(error))
        else:
            messages.success(request, _("The backup has been made and verified."))
        return redirect("backups")
    return show_backups(request)


@requires(POST=Level.OWNER)
def upload_backup(request: HttpRequest) -> HttpResponse:
    """Store an uploaded backup and redirect to the page that can restore it; 422 if refused."""
    form = BackupFileForm(posted_data(request), request.FILES)
    if form.is_valid():
        try:
            uploaded = database_backups.add_upload(form.cleaned_data["file"].chunks())
        except database_backups.RestoreRefused as error:
            form.add_error("file", str(error))
        else:
            return redirect("restore-backup", uploaded.name)
    return show_backups(request, form, status=422)


@never_cache
@requires(GET=Level.OWNER)
def download_backup(request: HttpRequest, backup: str) -> HttpResponseBase:
    path = _backup_or_404(backup).path
    return FileResponse(path.open("rb"), as_attachment=True, filename=path.name)


@requires(POST=Level.OWNER)
def set_sends_again(request: HttpRequest) -> HttpResponse:
    """Let phones send again what the restored backup lacks, or not any more."""
    epochs.set_sends_again(sends_again=request.POST.get("sends_again") == "yes")
    return redirect("backups")


@never_cache
@requires(GET=Level.OWNER, POST=Level.OWNER)
def restore_backup(request: HttpRequest, backup: str) -> HttpResponse:
    """Compare a backup with the current database; on a confirmed POST, restore the backup.

    `before` in the context is the backup made of the database that the restoration replaces.
    """
    who = rights.actor(request).who
    chosen = _backup_or_404(backup)
    context: dict[str, Any] = {
        "backup": _backup_context(chosen),
        "now": database_backups.current_contents(),
    }
    try:
        database_backups.examine(chosen.path)
        form = RestoreForm(posted_data(request) if request.method == "POST" else None)
        context["form"] = form
        if form.is_valid():
            sends_again = form.cleaned_data["sends_again"] == "yes"
            before = database_backups.restore(chosen.path, who=who, sends_again=sends_again)
            context["before"] = before
            epochs.forget_cached_epoch()
            # No redirect: the reader may have no account in the restored database.
            return render(request, "backup_restored.html", context)
    except database_backups.BackupError as error:
        context["refusal"] = str(error)
    status = 422 if request.method == "POST" else 200
    return render(request, "restore_backup.html", context, status=status)


@requires(POST=Level.OWNER)
def take_over_backup(request: HttpRequest, backup: str) -> HttpResponse:
    """Open disputes for the rounds that a backup has and the database lacks."""
    chosen, by = _backup_or_404(backup), rights.owner_actor(request)
    try:
        taken = left_behind.take_over(rounds_in(chosen.path), by=by)
    except database_backups.RestoreRefused as error:
        messages.error(request, str(error))
        return redirect("backups")
    sentence = ngettext(
        "%(number)s round is only in the backup: the desk has to decide on it, as in a dispute.",
        "%(number)s rounds are only in the backup: the desk has to decide on them, as in a "
        "dispute.",
        taken.disputes,
    )
    messages.success(request, sentence % {"number": taken.disputes})
    if taken.unknown:
        sentence = _("Tables that are not on record here (type in their rounds): %(tables)s")
        messages.warning(request, sentence % {"tables": listed(list(taken.unknown))})
    return redirect("backups")


def show_backups(
    request: HttpRequest,
    form: BackupFileForm | None = None,
    *,
    standby_form: StandbyForm | None = None,
    pairing: str = "",
    status: int = 200,
) -> HttpResponse:
    """Render the page of backups, with refused forms; `pairing` is a command, shown once."""
    context = {
        "rows": [_backup_context(backup) for backup in database_backups.all_backups()],
        "is_missing": database_backups.is_automatic_backup_missing(),
        "epoch": epochs.current_epoch(),
        "form": form or BackupFileForm(),
        "standby": standby.context(),
        "pairing": pairing,
        "standby_form": standby_form or StandbyForm(),
    }
    return render(request, "backups.html", context, status=status)


def _backup_or_404(name: str) -> Backup:
    backup = database_backups.find(name)
    if backup is None:
        raise Http404
    return backup


def _backup_context(backup: Backup) -> dict[str, Any]:
    """Return the template context of a backup.

    `why` is the reason in its manifest, also of an uploaded one; empty without a manifest.
    """
    manifest = backup.manifest
    return {
        "name": backup.name,
        "size": backup.size,
        "manifest": manifest,
        "contents": database_backups.describe_contents(manifest.contents) if manifest else "",
        "why": REASON_LABELS.get(manifest.reason, manifest.reason) if manifest else "",
        "is_uploaded": Reason.UPLOADED in backup.name,
        "uploaded_label": REASON_LABELS[Reason.UPLOADED],
    }
