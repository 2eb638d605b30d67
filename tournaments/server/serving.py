"""A process that serves: waitress's event loop in one thread, the application in others."""

from __future__ import annotations

import logging
import socket
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from wsgiref.types import WSGIApplication

from django.conf import settings
from django.urls import reverse
from waitress.adjustments import Adjustments

from tournaments.server.connections import BUFFERED_BODY, Connection, Server
from tournaments.server.dispatcher import Dispatcher
from tournaments.server.event_loop import Channels
from tournaments.server.peer_limits import HeldBack
from tournaments.server.room import MAX_CONNECTIONS, Room, allow_connections

THREADS = 8  # of a process, that run the application
LARGEST_HEAD = 32_000  # bytes
IN_MEMORY = 500_000  # bytes; a larger body or answer is buffered in a temporary file
# A thread requests the interpreter's lock after each call of SQLite, and waits this long if another
# thread renders a page. With Python's default of 5 ms, a deal, which makes a hundred calls, would
# wait 5 ms for each of them.
SECONDS_TO_SWITCH = 0.0005
BUFFERED_ANSWER = 64_000_000  # bytes; of a larger answer, a backup, only a part is buffered


class Serving:
    """Accepts, reads and sends in one thread, and runs the application in `threads` others."""

    def __init__(
        self,
        application: WSGIApplication,
        listeners: Sequence[socket.socket],
        *,
        threads: int,
        trusted_proxies: Iterable[str],
    ) -> None:
        """`trusted_proxies` are as in `connections.Server`."""
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # no warnings of short queues
        sys.setswitchinterval(SECONDS_TO_SWITCH)
        self.channels = Channels()
        self.room = Room(
            allow_connections(),
            limits_each_peer=settings.VENUE,
            held_back=HeldBack(settings.HELD_BACK_DIR),
        )
        self.dispatcher = Dispatcher()
        self.dispatcher.set_thread_count(threads)
        self.application, self.trusted_proxies = application, trusted_proxies
        self.servers = [self.listen(listener) for listener in listeners]

    def listen(self, listener: socket.socket) -> Server:
        """Return a server that accepts connections on a socket; with TLS on the desk's port."""
        certificate = settings.DESK_CERTIFICATE if is_desk_port(listener) else None
        return Server(
            self.application,
            listener,
            trusted_proxies=self.trusted_proxies,
            channels=self.channels,
            room=self.room,
            identifying_cookies=[settings.SESSION_COOKIE_NAME, settings.PHONES_COOKIE_NAME],
            health_check=reverse("healthz"),
            tls=certificate.context() if certificate else None,
            dispatcher=self.dispatcher,
            adj=adjustments("https" if certificate else "http"),
        )

    def poll(self) -> None:
        """Handle events for at most a second."""
        self.channels.poll(timeout=1)

    def finish(self, seconds: float, poll: Callable[[], None] | None = None) -> None:
        """Stop accepting, and answer requests that have begun, for this time at most."""
        for server in self.servers:
            server.accepting = False
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline and any(map(is_busy, self.channels.values())):
            (poll or self.poll)()
        self.dispatcher.shutdown(timeout=1)

    def wake(self) -> None:
        """End a `poll` that waits; a handler of a signal calls it."""
        for server in self.servers:
            server.pull_trigger()


def is_busy(channel: object) -> bool:
    """Return whether `channel` is a connection that receives a request or still has to answer."""
    if not isinstance(channel, Connection):
        return False
    return bool(channel.requests or channel.total_outbufs_len or channel.request)


def is_desk_port(listener: socket.socket) -> bool:
    """Return whether a socket listens on the port that `serve --https` opens for the desk."""
    if listener.family == getattr(socket, "AF_UNIX", None):
        return False
    return bool(listener.getsockname()[1] == settings.DESK_HTTPS_PORT)


def adjustments(scheme: str = "http") -> Adjustments:
    """Return the settings of waitress. Most limits are in `connections` instead."""
    return Adjustments(
        ident="",
        url_scheme=scheme,
        channel_request_lookahead=1,  # allows to receive while a request waits
        cleanup_interval=1,
        connection_limit=2 * MAX_CONNECTIONS,  # never reached: see `Room`
        max_request_header_size=LARGEST_HEAD,
        max_request_body_size=BUFFERED_BODY + 1,
        inbuf_overflow=IN_MEMORY,
        outbuf_overflow=IN_MEMORY,
        outbuf_high_watermark=BUFFERED_ANSWER,
        recv_bytes=65_536,  # at least one TLS record
        log_socket_errors=False,
        clear_untrusted_proxy_headers=False,
    )
