"""Ports of this machine; needs no settings, so that programs beside the server may ask, too."""

from __future__ import annotations

import socket


def is_port_free(host: str, port: int) -> bool:
    """Return whether this process could listen on this port of an IPv4 address."""
    try:
        socket.create_server((host, port)).close()
    except OSError:
        return False
    return True
