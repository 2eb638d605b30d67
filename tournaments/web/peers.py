"""The network address of a request, where addresses distinguish people.

At a venue (`VENUE`, which `manage.py serve` sets) each phone has its own address. Elsewhere it is
the address that a trusted proxy has seen, or that of the connection; behind a proxy that does not
send the client's address, `peer_of` returns None and callers apply no limit.
"""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address, ip_network

from django.conf import settings
from django.http import HttpRequest

from tournaments.server import proxies

PROXY_HEADERS = ("X-Forwarded-For", "Forwarded", "X-Real-IP", "Via")
SITE_PREFIX = 64  # bits of an IPv6 address that one house shares, whose phones choose the rest


def peer_of(request: HttpRequest) -> str | None:
    """Return the peer's network address; None if it is unknown.

    At a venue, addresses in headers are never trusted, since the peer may have written them. If a
    connection from this machine has one of `PROXY_HEADERS`, a proxy runs here, and the peer is
    unknown. Elsewhere headers of trusted proxies are used (`proxies.client_address`), and all IPv6
    addresses of one house are one peer.
    """
    if not settings.VENUE:
        return _house_of(str(request.META.get(proxies.PEER, "")))
    address = str(request.META.get("REMOTE_ADDR", ""))
    is_proxied = any(header in request.headers for header in PROXY_HEADERS)
    return None if not address or (_is_loopback(address) and is_proxied) else address


def _house_of(address: str) -> str | None:
    """Return an IPv4 address, or the network of an IPv6 address; None without an address.

    >>> _house_of("::ffff:192.0.2.1"), _house_of("2001:db8::7")
    ('192.0.2.1', '2001:db8::/64')
    """
    if not address:
        return None
    parsed = ip_address(address)
    if not isinstance(parsed, IPv6Address):
        return address
    if parsed.ipv4_mapped:
        return str(parsed.ipv4_mapped)
    return str(ip_network((parsed.packed, SITE_PREFIX), strict=False))


def is_at_venue(request: HttpRequest) -> bool:
    """Return whether the request comes from the venue's own network, or the server's machine."""
    return settings.VENUE and peer_of(request) is not None


def is_from_this_machine(request: HttpRequest) -> bool:
    """Return whether the request comes from the server's own machine; False if unknown."""
    address = str(request.META.get("REMOTE_ADDR", ""))
    return settings.VENUE and peer_of(request) is not None and _is_loopback(address)


def _is_loopback(address: str) -> bool:
    try:
        return ip_address(address).is_loopback
    except ValueError:  # a Unix socket has no such address
        return False
