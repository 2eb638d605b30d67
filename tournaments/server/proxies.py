"""Whom a request comes from, directly or by way of trusted proxies (`FORWARDED_ALLOW_IPS`)."""

from __future__ import annotations

from collections.abc import Collection
from ipaddress import ip_address

PEER = "makiyaku.peer"  # in the WSGI environment: what `client_address` returns


def is_trusted(address: str, proxies: Collection[str]) -> bool:
    """Return whether an address is that of a trusted proxy; "*" trusts all."""
    return "*" in proxies or address in proxies


def client_address(address: str, forwarded: str, proxies: Collection[str]) -> str:
    """Return the client's address; empty behind a trusted proxy that does not send it.

    `address` is that of the connection, `forwarded` the header X-Forwarded-For. Each proxy appends
    the address that it has seen, so only the last one that is no trusted proxy's is not forged.

    >>> client_address("127.0.0.1", "192.0.2.1, 203.0.113.7", ["127.0.0.1"])
    '203.0.113.7'
    >>> client_address("198.51.100.1", "203.0.113.7", ["127.0.0.1"])
    '198.51.100.1'
    """
    if is_trusted(address, proxies):
        hops = [each.strip() for each in forwarded.split(",")]
        address = next((each for each in reversed(hops) if each not in proxies), "")
    return address if _is_address(address) else ""


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:  # a Unix socket, or nonsense in the header
        return False
    return True
