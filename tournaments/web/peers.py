"""The network address of a request, where addresses tell people apart.

At a venue (`VENUE`, which `manage.py serve` sets) each phone has its own address. Elsewhere all
requests come from a proxy, or a whole house shares one address. A limit per address would lock out
everybody there, so `peer_of` returns None and callers apply no limit.
"""

from __future__ import annotations

from ipaddress import ip_address

from django.conf import settings
from django.http import HttpRequest

PROXY_HEADERS = ("X-Forwarded-For", "Forwarded", "X-Real-IP", "Via")


def peer_of(request: HttpRequest) -> str | None:
    """Return the peer's network address; None outside a venue and behind a proxy.

    Addresses in headers are never trusted, since the peer may have written them. If a connection
    from this machine has one of `PROXY_HEADERS`, a proxy runs here, and the peer is unknown.
    """
    address = str(request.META.get("REMOTE_ADDR", ""))
    if not settings.VENUE or not address:
        return None
    is_proxied = any(header in request.headers for header in PROXY_HEADERS)
    return None if _is_loopback(address) and is_proxied else address


def is_from_this_machine(request: HttpRequest) -> bool:
    """Return whether the request comes from the server's own machine; False if unknown."""
    peer = peer_of(request)
    return peer is not None and _is_loopback(peer)


def _is_loopback(address: str) -> bool:
    try:
        return ip_address(address).is_loopback
    except ValueError:  # a Unix socket has no such address
        return False
