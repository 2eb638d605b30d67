"""Under which address phones and scanners reach us: what stands in links, in codes and on paper.

It is made of the address that was asked for, since the name of a laptop in a gym is nowhere
written down. Whoever asks for another name than ours reads that name in the answer: they and nobody
else, for such an answer is kept by no cache, stored nowhere and sent to nobody. Where there is a
name of ours, ALLOWED_HOSTS says so, and no other is answered at all.
"""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest

from tournaments.server import venue
from tournaments.web import qr_codes
from tournaments.web.desk_https import phones_origin


def origins(request: HttpRequest) -> list[str]:
    """Return the addresses under which phones may reach us, the likeliest first.

    Found once a request: a laptop may change its Wi-Fi meanwhile, but a page is of one address.
    """
    found: list[str] | None = getattr(request, "origins_found", None)
    if found is None:
        found = venue.origins(phones_origin(request))
        request.origins_found = found  # type: ignore[attr-defined]  # asked for above
    return found


def origin(request: HttpRequest) -> str:
    """Return the one that was chosen in the form or the address as `at`, else the likeliest."""
    known = origins(request)
    chosen = request.POST.get("at") or request.GET.get("at")
    return chosen if chosen in known else known[0]


def is_for_this_machine_only(request: HttpRequest) -> bool:
    """Return whether no phone reaches us: we listen on the loopback address, or have no other."""
    if not venue.is_this_machine(urlsplit(f"//{request.get_host()}").hostname or ""):
        return False
    found = urlsplit(origins(request)[0]).hostname or ""
    return venue.is_this_machine(settings.LISTENING) or venue.is_this_machine(found)


class Code(NamedTuple):
    """An address that phones reach, and the picture that they scan."""

    address: str
    picture: str


def code_of(request: HttpRequest, path: str) -> Code:
    """Return a page of ours as it stands on paper and on walls."""
    address = f"{origin(request)}{path}"
    return Code(address, qr_codes.data_uri(address))
