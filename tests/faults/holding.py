"""Connections held open by a client: a slow head or body, silent, or never reading.

They use the loopback interface, and are closed at the end of the `with` block.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import cycle, islice

BYTE_EACH = 2.0  # seconds
HEAD = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
BODY = (
    b"POST /api/join HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    b"Content-Length: 50000\r\n\r\n{"
)
LARGE = (
    b"POST /api/join HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    b"Content-Length: 2000000\r\n\r\n" + b'{"x": "' + bytes(range(48, 58)) * 10_000
)
UNREAD = b"GET /api/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n" * 400
KINDS = {"head": HEAD, "body": BODY, "silent": b"", "large": LARGE, "unread": UNREAD}


def _hold(port: int, source: str, start: bytes) -> socket.socket:
    held = socket.socket()
    held.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)  # reads almost nothing by itself
    held.bind((source, 0))
    held.settimeout(5)
    held.connect(("127.0.0.1", port))
    held.setblocking(False)
    with suppress(OSError):
        held.send(start)
    return held


@contextmanager
def held_connections(
    port: int, count: int, kinds: tuple[str, ...] = tuple(KINDS), source: str = "127.0.0.2"
) -> Iterator[None]:
    """Hold this number of connections from one address; reopen those that the server closes."""
    is_over = threading.Event()
    starts = [KINDS[kind] for kind in islice(cycle(kinds), count)]

    def drip() -> None:
        held: dict[int, socket.socket] = {}
        while not is_over.is_set():
            for number, start in enumerate(starts):
                try:
                    if number not in held:
                        held[number] = _hold(port, source, start)
                    elif start in {HEAD, BODY}:
                        held[number].send(b"a")
                except OSError:
                    if number in held:
                        held.pop(number).close()
            is_over.wait(BYTE_EACH)
        for each in held.values():
            each.close()

    dripping = threading.Thread(target=drip)
    dripping.start()
    try:
        yield
    finally:
        is_over.set()
        dripping.join()
