"""Standby copies, on the page of backups: which disks get them, and how they are."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from tournaments.forms import posted_data
from tournaments.forms.standby import StandbyForm
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.standby import targets
from tournaments.views.backups import show_backups


@requires(POST=Level.OWNER)
def choose_standby(request: HttpRequest) -> HttpResponse:
    """Let a disk have standby copies, and redirect; 422 if the form is refused."""
    form = StandbyForm(posted_data(request))
    if form.is_valid():
        chosen = form.cleaned_data
        try:
            targets.choose(settings.STANDBY_DIR, chosen["folder"], chosen["passphrase"])
        except targets.AlreadyChosen:
            form.add_error(None, _("This disk has standby copies already."))
        except OSError as error:
            form.add_error(None, _("The folder could not be prepared: %(why)s") % {"why": error})
        else:
            messages.success(request, _("The disk is chosen. The first copy is being made."))
            return redirect("backups")
    return show_backups(request, standby_form=form, status=422)


@requires(POST=Level.OWNER)
def remove_standby(request: HttpRequest) -> HttpResponse:
    """Write no more copies to the disk with the posted id."""
    targets.remove(settings.STANDBY_DIR, request.POST.get("target", ""))
    messages.success(request, _("No more copies are written there. Those that are there stay."))
    return redirect("backups")


@requires(POST=Level.OWNER)
def begin_standby_again(request: HttpRequest) -> HttpResponse:
    """Let the copies begin again with the database as it is now."""
    targets.ask_to_begin_again(settings.STANDBY_DIR)
    messages.success(request, _("The copies begin again. Those from before are kept."))
    return redirect("backups")
