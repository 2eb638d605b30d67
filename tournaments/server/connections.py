"""Connections that cost no thread while a peer sends or reads slowly.

waitress reads whole requests and sends whole answers in one event loop; only a request that has
arrived completely gets a thread. Here each request and each answer also gets a deadline, one peer
gets a limited number of connections, and a full server closes the connection that has waited
longest. A body too large to be kept is left unread: the application refuses it by its length, or
reads it straight from the connection.
"""

from __future__ import annotations

import io
import math
import select
import socket
import ssl
import time
from collections.abc import Iterable
from typing import Any

from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.server import BaseWSGIServer
from waitress.task import WSGITask

IDLE = 30.0  # seconds a connection is kept between requests
GRACE = 15.0  # seconds for a head, and for a body or an answer besides their length
SLOWEST = 8_000  # bytes a second: a sixth of the slow line the phone's page is made for
SILENCE = 30.0  # seconds that a body or an answer larger than any buffer may stand still
LINGER = 2.0  # seconds to read the refusal of a body that was never read
KEPT_BODY = 6_000_000  # bytes: more than the largest form that is not the owner's own
MOST_AT_ALL = 600  # connections of a process, some 400 phones and tables among three of them
MOST_OF_A_PEER = 12  # of a process: twice what a browser opens
ITSELF = {"127.0.0.1", "::1"}  # the desk's own browser, or a proxy


class Parser(HTTPRequestParser):  # type: ignore[misc]  # brings no types
    """A request while it arrives: by when it must be whole, and whether its body is left unread."""

    content_length: int

    def __init__(self, adj: Any) -> None:
        super().__init__(adj)
        self.begun = time.monotonic()
        self.is_unread = False
        self.early = b""  # what had arrived of a body that is left unread
        self.long = 0  # bytes of the body, as far as they are known

    def received(self, data: bytes) -> int:
        """Take in what has arrived; leave a body that is too large to the application.

        Requests sent ahead (pipelining) would fill the memory with answers that nobody reads, and
        no browser does it: the first is answered, and the connection closed.
        """
        used: int = super().received(data)
        rest = data[used:]
        if self.is_unread:
            self.early = rest
        if self.completed and rest.strip():
            self.headers["CONNECTION"] = "close"
        return len(data) if self.completed else used

    def parse_header(self, header_plus: bytes) -> None:
        """Read the head. A chunked body is kept like any other, and so ends at `KEPT_BODY`."""
        super().parse_header(header_plus)
        self.long = KEPT_BODY if self.chunked else self.content_length
        if self.long > KEPT_BODY:
            self.is_unread = True
            self.body_rcv, self.content_length = None, 0
            self.expect_continue = False
            self.headers["CONNECTION"] = "close"  # also where nothing of it has arrived yet

    @property
    def deadline(self) -> float:
        """Return by when the request must have arrived, with a longer time for a long body."""
        head = self.begun + GRACE
        return head + GRACE + self.long / SLOWEST if self.headers_finished else head


class UnreadBody(io.RawIOBase):
    """A body read from its connection by the thread that answers. Raises `OSError` if it stalls."""

    def __init__(self, connection: socket.socket, early: bytes) -> None:
        super().__init__()
        self._connection, self._early = connection, early

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        """Read some of it."""
        piece = self._early[: len(buffer)] or self._receive(len(buffer))
        self._early = self._early[len(piece) :]
        buffer[: len(piece)] = piece
        return len(piece)

    def _receive(self, most: int) -> bytes:
        while True:
            try:
                return self._connection.recv(most)
            except (BlockingIOError, ssl.SSLWantReadError):
                if not select.select([self._connection], [], [], SILENCE)[0]:
                    raise TimeoutError("The rest of the request does not come.") from None


class Task(WSGITask):  # type: ignore[misc]  # likewise
    """A request in its thread."""

    def get_environment(self) -> dict[str, Any]:
        """Return the environment, in which no file is closed by another thread than this one."""
        environ: dict[str, Any] = super().get_environment()
        environ.pop("wsgi.file_wrapper", None)
        environ["wsgi.multiprocess"] = True
        if self.request.is_unread:
            body = UnreadBody(self.channel.socket, self.request.early)
            environ["wsgi.input"] = io.BufferedReader(body)
        trusted = self.channel.server.trusted
        is_trusted = "*" in trusted or self.channel.addr[0] in trusted
        if is_trusted and environ.get("HTTP_X_FORWARDED_PROTO") == "https":
            environ["wsgi.url_scheme"] = "https"
        return environ


class Connection(HTTPChannel):  # type: ignore[misc]  # likewise
    """A connection and how long it may take for what it does now."""

    parser_class = Parser
    task_class = Task
    close_when_flushed: bool
    creation_time: float
    last_activity: float

    def __init__(self, *args: Any, **named: Any) -> None:
        self.send_by = math.inf
        self.lingers_until = 0.0
        self.opened = time.monotonic()
        super().__init__(*args, **named)

    def service(self) -> None:
        """Answer a request; how long sending may take depends on the length of the answer."""
        self.send_by = math.inf
        is_unread = self.requests[0].error or self.requests[0].is_unread
        super().service()
        if is_unread:
            self.lingers_until = time.monotonic() + LINGER
        self.send_by = time.monotonic() + GRACE + self.total_outbufs_len / SLOWEST

    def is_overdue(self) -> bool:
        """Return whether the peer has had its time to send a request, to read or to go on."""
        now = time.monotonic()
        stood_still = time.time() - self.last_activity  # as waitress keeps it
        if self.requests:  # an answer larger than any buffer may be waiting for its reader
            return bool(self.total_outbufs_len) and stood_still > SILENCE
        if self.lingers_until:
            return now > max(self.lingers_until, self.send_by)
        if self.total_outbufs_len:
            return now > self.send_by
        if self.request is not None:
            return bool(now > self.request.deadline)
        return stood_still > IDLE

    def waits_since(self) -> float:
        """Return since when the server has been waiting for the peer."""
        if self.request is not None:
            return float(self.request.begun)
        return self.opened + self.last_activity - self.creation_time

    def handle_write(self) -> None:
        """Send; let a refusal be read before a connection with unread data is closed."""
        if self.lingers_until and self.close_when_flushed and not self.total_outbufs_len:
            self.close_when_flushed = False
            self.socket.shutdown(socket.SHUT_WR)
        else:
            super().handle_write()

    def handle_read(self) -> None:
        """Receive what has arrived; nothing, while TLS has no whole record yet."""
        try:
            data = self.socket.recv(self.adj.recv_bytes)
        except (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError):
            return
        except OSError:
            data = b""
        if not data:
            self.handle_close()
        elif not self.lingers_until:
            self.last_activity = time.time()
            self.received(data)

    def send(self, data: bytes, do_close: bool = True) -> int:
        """Send some of the data: none where TLS has to wait."""
        try:
            return int(super().send(data, do_close=do_close))
        except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
            return 0


class Server(BaseWSGIServer):  # type: ignore[misc]  # likewise
    """A listening socket: accepts connections within limits, and closes those that are overdue."""

    channel_class = Connection

    def __init__(
        self,
        application: Any,
        listener: socket.socket,
        *,
        trusted: Iterable[str],
        tells_peers_apart: bool,
        tls: ssl.SSLContext | None,
        **named: Any,
    ) -> None:
        self.trusted = frozenset(trusted)
        self.tells_peers_apart = tells_peers_apart
        self.tls = tls
        about = (listener.family, listener.type, listener.proto, listener.getsockname())
        super().__init__(application, _sock=listener, sockinfo=about, bind_socket=False, **named)

    def getsockname(self) -> tuple[str, int]:
        name = self.socket.getsockname()
        return ("localhost", 0) if isinstance(name, str | bytes) else name[:2]

    def fix_addr(self, addr: Any) -> Any:
        """Return the peer's address; behind a Unix socket is a proxy on this machine."""
        return addr if isinstance(addr, tuple) else ("127.0.0.1", 0)

    def set_socket_options(self, conn: socket.socket) -> None:
        """Send at once, without waiting for more to send."""
        if conn.family != socket.AF_UNIX:
            conn.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def accept(self) -> tuple[socket.socket, Any] | None:
        """Accept a connection, unless its peer has too many that are being answered."""
        accepted = super().accept()
        if accepted is None:
            return None
        conn, address = accepted
        if not self.has_room_for(self.fix_addr(address)[0]):
            conn.close()
            return None
        if self.tls is not None:
            conn.setblocking(False)
            conn = self.tls.wrap_socket(conn, server_side=True, do_handshake_on_connect=False)
        return conn, address

    def has_room_for(self, peer: str) -> bool:
        """Return whether one more connection fits, after closing one if that makes room."""
        connections = [each for each in self._map.values() if isinstance(each, Connection)]
        if self.tells_peers_apart and peer not in ITSELF:
            of_peer = [each for each in connections if each.addr[0] == peer]
            if len(of_peer) >= MOST_OF_A_PEER and not close_one_of(of_peer):
                return False
        return len(connections) < MOST_AT_ALL or close_one_of(connections)

    def maintenance(self, now: float) -> None:
        """Close what is overdue. The event loop calls this once a second."""
        for each in list(self.active_channels.values()):
            if each.is_overdue():
                each.handle_close()


def close_one_of(connections: list[Connection]) -> bool:
    """Close the connection whose peer keeps us waiting longest; return whether there was one."""
    waiting = [each for each in connections if not each.requests]
    if waiting:
        min(waiting, key=Connection.waits_since).handle_close()
    return bool(waiting)
