"""The origin (scheme, host, port) at which phones reach the server, for links and QR codes.

It is derived from the request's Host header, since a laptop in a gym has no configured name. A
forged header shows only in the answer to its sender: such answers are neither cached nor stored.
In production ALLOWED_HOSTS restricts the header.
"""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest

from tournaments.server import venue
from tournaments.web import qr_codes
from tournaments.web.desk_https import phones_origin


def phone_origins(request: HttpRequest) -> list[str]:
    """Return the origins at which phones may reach the server, the likeliest first.

    The result is cached on the request, so that all links of a page have one origin, even if the
    Wi-Fi changes meanwhile.
    """
    origins: list[str] | None = getattr(request, "origins_found", None)
    if origins is None:
        origins = venue.phone_origins(phones_origin(request))
        request.origins_found = origins  # type: ignore[attr-defined]  # read above
    return origins


def chosen_origin(request: HttpRequest) -> str:
    """Return the origin in the parameter `at`; the likeliest if `at` is missing or unknown."""
    possible = phone_origins(request)
    chosen = request.POST.get("at") or request.GET.get("at")
    return chosen if chosen in possible else possible[0]


def origin_elsewhere(request: HttpRequest) -> str:
    """Return the origin of another computer that has taken over, or "" if it is unknown.

    It took over the tournament's address, or else the one that the browser uses: the cookie that
    told us of it belongs to this host.
    """
    is_here = venue.is_loopback(urlsplit(f"//{request.get_host()}").hostname or "")
    return "" if is_here and not settings.ADDRESS else phone_origins(request)[0]


def is_unreachable(request: HttpRequest) -> bool:
    """Return whether no phone can reach the server, because it has only the loopback address."""
    if not venue.is_loopback(urlsplit(f"//{request.get_host()}").hostname or ""):
        return False
    likeliest = urlsplit(phone_origins(request)[0]).hostname or ""
    return venue.is_loopback(settings.LISTENING) or venue.is_loopback(likeliest)


class QRCode(NamedTuple):
    """A URL, and its QR code as a data URI."""

    address: str
    picture: str


def qr_code(request: HttpRequest, path: str) -> QRCode:
    """Return the URL and QR code of a path at the chosen origin."""
    address = f"{chosen_origin(request)}{path}"
    return QRCode(address, qr_codes.data_uri(address))
