"""gunicorn's worker process with waitress's event loop: `connections` says what it is for."""

from __future__ import annotations

import logging
import os
import socket
import time
from pathlib import Path
from typing import Any

from gunicorn.workers.base import Worker
from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.task import ThreadedTaskDispatcher

from tournaments.server import environment
from tournaments.server.certificates import Certificate
from tournaments.server.connections import KEPT_BODY, MOST_AT_ALL, Connection, Server

LARGEST_HEAD = 32_000  # bytes
IN_MEMORY = 500_000  # bytes of a body or an answer; the rest is kept in a temporary file
FOR_A_THREAD = 64_000_000  # bytes of an answer; a larger one, a backup, goes as it is read


class BufferingWorker(Worker):  # type: ignore[misc]  # brings no types
    """Accepts, reads and sends in one thread, and answers in `threads` others."""

    def run(self) -> None:
        """Serve until we are told to stop; then finish what is under way."""
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # else each short queue is told
        self.connections: dict[int, Any] = {}
        self.dispatcher = ThreadedTaskDispatcher()
        self.dispatcher.set_thread_count(self.cfg.threads)
        self.servers = [self.serve(each.sock) for each in self.sockets]
        while self.alive and self.ppid == os.getppid():
            self.turn()
        self.finish()

    def serve(self, listener: socket.socket) -> Server:
        """Begin to accept connections: of https on the desk's port, where it has one."""
        certificate = desk_certificate() if is_for_the_desk(listener) else None
        return Server(
            self.wsgi,
            listener,
            trusted=self.cfg.forwarded_allow_ips,
            tells_peers_apart=environment.flag("VENUE", default=False),
            tls=certificate.context() if certificate else None,
            map=self.connections,
            dispatcher=self.dispatcher,
            adj=adjustments("https" if certificate else "http"),
        )

    def turn(self) -> None:
        """Wait at most a second for something to happen, and do what it asks for."""
        self.notify()
        wasyncore.loop(timeout=1, use_poll=True, map=self.connections, count=1)

    def finish(self) -> None:
        """Accept no more, answer what has begun to arrive, and end."""
        for server in self.servers:
            server.accepting = False
        give_up = time.monotonic() + self.cfg.graceful_timeout
        while time.monotonic() < give_up and any(map(is_under_way, self.connections.values())):
            self.turn()
        self.dispatcher.shutdown(timeout=1)

    def handle_exit(self, sig: int, frame: Any) -> None:
        """Stop once what is under way is finished."""
        super().handle_exit(sig, frame)
        for server in getattr(self, "servers", []):
            server.pull_trigger()


def is_under_way(each: object) -> bool:
    """Return whether somebody is sending a request there, or waits for an answer."""
    if not isinstance(each, Connection):
        return False
    return bool(each.requests or each.total_outbufs_len or each.request)


def is_for_the_desk(listener: socket.socket) -> bool:
    """Return whether `serve --https` listens there for the desk."""
    port = environment.text("DESK_HTTPS_PORT")
    return listener.family != socket.AF_UNIX and str(listener.getsockname()[1]) == port


def desk_certificate() -> Certificate:
    """Return the certificate that `serve --https` has named."""
    names = environment.text("DESK_CERTIFICATE"), environment.text("DESK_KEY")
    return Certificate(*map(Path, names))


def adjustments(scheme: str = "http") -> Adjustments:
    """Return the settings of waitress. What is limited by it is limited in `connections`, too."""
    return Adjustments(
        ident="",
        url_scheme=scheme,
        cleanup_interval=1,
        connection_limit=2 * MOST_AT_ALL,  # never reached: `Server.has_room_for`
        max_request_header_size=LARGEST_HEAD,
        max_request_body_size=KEPT_BODY + 1,
        inbuf_overflow=IN_MEMORY,
        outbuf_overflow=IN_MEMORY,
        outbuf_high_watermark=FOR_A_THREAD,
        recv_bytes=65_536,  # at least a whole record of TLS
        log_socket_errors=False,
        clear_untrusted_proxy_headers=False,
    )
