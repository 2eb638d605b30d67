"""Standby copies: on the page of backups, which disks and computers get them; for followers.

A follower has no log-in: its token opens the two addresses at the end of this module, over https.
"""

from __future__ import annotations

import json

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.request import split_domain_port
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt

from tournaments.forms import posted_data
from tournaments.forms.standby import StandbyForm
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.server import venue
from tournaments.standby import exchange, followers, status, targets
from tournaments.system import processes
from tournaments.views.backups import show_backups

REFUSED = 422  # of what is posted without a code or a token, as of forms


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
            messages.success(request, _("The disk has been chosen. The first copy is being made."))
            return redirect("backups")
    return show_backups(request, standby_form=form, status=422)


@requires(POST=Level.OWNER)
def remove_standby(request: HttpRequest) -> HttpResponse:
    """Write no more copies to the disk with the posted id, or give none to the computer."""
    targets.remove(settings.STANDBY_DIR, request.POST.get("target", ""))
    followers.remove(settings.STANDBY_DIR, request.POST.get("follower", ""))
    messages.success(request, _("Copying there has stopped. The copies made so far stay."))
    return redirect("backups")


@requires(POST=Level.OWNER)
def begin_standby_again(request: HttpRequest) -> HttpResponse:
    """Let the copies begin again with the database as it is now."""
    targets.ask_to_begin_again(settings.STANDBY_DIR)
    messages.success(request, _("Copying has started again. The earlier copies are kept."))
    return redirect("backups")


@never_cache
@requires(POST=Level.OWNER)
def pair_standby(request: HttpRequest) -> HttpResponse:
    """Show, once, the command that lets another computer follow this one."""
    certificate = settings.DESK_CERTIFICATE
    if certificate is None:
        messages.error(request, _("For this, start Makiyaku with --https."))
        return redirect("backups")
    fingerprint = bytes.fromhex(certificate.fingerprint.replace(":", ""))
    code = followers.new_code(settings.STANDBY_DIR, fingerprint)
    address = f"https://{_own_host(request)}:{settings.DESK_HTTPS_PORT}"
    command = processes.typed_command(
        *("follow", address, code.text, *_serving_arguments()),
        is_checkout=settings.IS_CHECKOUT,
        python=processes.PYTHON_OF_A_CHECKOUT,
    )
    return show_backups(request, pairing=command)


def _serving_arguments() -> list[str]:
    """Return the arguments by which the other computer will serve at our ports and address."""
    https, phones = settings.DESK_HTTPS_PORT, settings.PHONES_PORT
    return [
        "--https" if https == venue.DESK_PORT else f"--https={https}",
        *([] if phones == venue.PORT else [f"--port={phones}"]),
        *([f"--address={settings.ADDRESS}"] if settings.ADDRESS else []),
    ]


def _own_host(request: HttpRequest) -> str:
    """Return the host at which other computers reach this one."""
    host = split_domain_port(request.get_host())[0]
    others = venue.lan_addresses() if venue.is_loopback(host) else []
    return others[0] if others else host


@csrf_exempt
@requires(POST=Level.ANYBODY)
def pair_follower(request: HttpRequest) -> HttpResponse:
    """Exchange the token of a pairing code for that of a follower; 422 if it is wrong."""
    try:
        document = json.loads(request.body)
        token, name = bytes.fromhex(document["token"]), str(document["name"])[:100]
    except (ValueError, KeyError, TypeError):
        return HttpResponse(status=REFUSED)
    address = request.META.get("REMOTE_ADDR", "")
    paired = (
        followers.pair(settings.STANDBY_DIR, token, name, address) if request.is_secure() else None
    )
    return JsonResponse({"token": paired}) if paired else HttpResponse(status=REFUSED)


@csrf_exempt
@requires(POST=Level.ANYBODY)
def follow_pages(request: HttpRequest) -> HttpResponse:
    """Return what a follower lacks of the newest copy; 422 for others, 204 without a copy."""
    token = request.headers.get("Authorization", "").removeprefix("Bearer ")
    follower = followers.find(settings.STANDBY_DIR, token) if request.is_secure() else None
    group = request.GET.get("group", "1")
    if follower is None or not (group.isascii() and group.isdigit() and int(group[:9])):
        return HttpResponse(status=REFUSED)
    address, digest = request.META.get("REMOTE_ADDR", ""), request.GET.get("digest", "")[:64]
    report = status.read(settings.STANDBY_DIR)
    followers.note(settings.STANDBY_DIR, follower, address, digest, report)
    try:
        folder = targets.own(settings.STANDBY_DIR).folder()
        packed = exchange.answer(folder, request.body, int(group[:9]), digest).packed()
    except exchange.NoCopy:
        return HttpResponse(status=204)
    return HttpResponse(packed, content_type="application/octet-stream")
