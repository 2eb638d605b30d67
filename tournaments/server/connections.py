"""waitress's connections with deadlines and limits, so that slow peers occupy no threads.

waitress reads whole requests and sends whole answers in one event loop; only a complete request
gets a thread. Added here: each request and each answer has a deadline, the connections of one peer
are limited, and a full server closes the connection that has waited longest. A body larger than
`BUFFERED_BODY` is left unread: the application refuses it by its length, or reads it from the
socket.
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

from tournaments.server.dispatcher import Lane

IDLE = 30.0  # seconds that a connection is kept open between requests
GRACE = 15.0  # seconds for a head, and in addition to the time for a body or an answer
SLOWEST = 8_000  # bytes a second: a sixth of the slow line that the phone's page is made for
STALLED = 30.0  # seconds that a body or an answer larger than any buffer may stand still
LINGER = 2.0  # seconds for the peer to read the refusal of an unread body
BUFFERED_BODY = 6_000_000  # bytes: more than the largest form that is not the owner's own
MAX_CONNECTIONS = 600  # of a process; two of these serve a thousand phones and tables
MAX_CONNECTIONS_OF_A_PEER = 12  # in a process: twice what a browser opens
SAFE_METHODS = {"GET", "HEAD", "OPTIONS"}
FILES = (".pdf", ".xlsx", ".zip")  # endings of paths that are no pages
UNLIMITED_PEERS = {"127.0.0.1", "::1"}  # the desk's own browser, or a proxy


class Parser(HTTPRequestParser):  # type: ignore[misc]  # brings no types
    """Parses a request as it arrives; knows its deadline, and whether its body is left unread."""

    content_length: int

    def __init__(self, adj: Any) -> None:
        super().__init__(adj)
        self.begun_at = time.monotonic()
        self.leaves_body_unread = False
        self.body_beginning = b""  # of a body that is left unread: what arrived with the head
        self.body_length = 0  # bytes; the maximum for a chunked body

    def received(self, data: bytes) -> int:
        """Consume received bytes and return their number.

        Pipelined requests could fill the memory with unread answers, and no browser sends them: the
        first is answered, and the connection closed.
        """
        used: int = super().received(data)
        rest = data[used:]
        if self.leaves_body_unread:
            self.body_beginning = rest
        if self.completed and rest.strip():
            self.headers["CONNECTION"] = "close"
        return len(data) if self.completed else used

    def parse_header(self, header_plus: bytes) -> None:
        """Parse the head. A chunked body is buffered, and so limited to `BUFFERED_BODY`."""
        super().parse_header(header_plus)
        self.body_length = BUFFERED_BODY if self.chunked else self.content_length
        if self.body_length > BUFFERED_BODY:
            self.leaves_body_unread = True
            self.body_rcv, self.content_length = None, 0
            self.expect_continue = False
            self.headers["CONNECTION"] = "close"  # also where nothing of it has arrived yet

    @property
    def deadline(self) -> float:
        """Return the monotonic time by which the request must have arrived."""
        head = self.begun_at + GRACE
        return head + GRACE + self.body_length / SLOWEST if self.headers_finished else head


class UnreadBody(io.RawIOBase):
    """A body that the application's thread reads from the socket. Raises `OSError` if it stalls."""

    def __init__(self, connection: socket.socket, body_beginning: bytes) -> None:
        super().__init__()
        self._connection, self._beginning = connection, body_beginning

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        """Read at least a byte into the buffer unless the body has ended; return the number."""
        piece = self._beginning[: len(buffer)] or self._receive(len(buffer))
        self._beginning = self._beginning[len(piece) :]
        buffer[: len(piece)] = piece
        return len(piece)

    def _receive(self, most: int) -> bytes:
        """Return at most `most` bytes of the non-blocking socket, after waiting for some."""
        while True:
            try:
                return self._connection.recv(most)
            except (BlockingIOError, ssl.SSLWantReadError):
                if not select.select([self._connection], [], [], STALLED)[0]:
                    raise TimeoutError("The rest of the request does not come.") from None


class Task(WSGITask):  # type: ignore[misc]  # likewise
    """Runs the application for a request, in a thread."""

    def get_environment(self) -> dict[str, Any]:
        """Return the WSGI environment; the scheme is https if a trusted proxy says so.

        A body left unread is read from the socket. There is no file wrapper: another thread would
        close it.
        """
        environ: dict[str, Any] = super().get_environment()
        environ.pop("wsgi.file_wrapper", None)
        environ["wsgi.multiprocess"] = True
        if self.request.leaves_body_unread:
            body = UnreadBody(self.channel.socket, self.request.body_beginning)
            environ["wsgi.input"] = io.BufferedReader(body)
        proxies = self.channel.server.trusted_proxies
        is_trusted = "*" in proxies or self.channel.addr[0] in proxies
        if is_trusted and environ.get("HTTP_X_FORWARDED_PROTO") == "https":
            environ["wsgi.url_scheme"] = "https"
        return environ


class Connection(HTTPChannel):  # type: ignore[misc]  # likewise
    """A connection with deadlines."""

    parser_class = Parser
    task_class = Task
    close_when_flushed: bool
    creation_time: float
    last_activity: float

    def __init__(self, *args: Any, **options: Any) -> None:
        self.send_by = math.inf
        self.linger_until = 0.0
        self.holds_a_spectator = False  # whose request waits for a thread
        self.opened_at = time.monotonic()
        super().__init__(*args, **options)

    def readable(self) -> bool:
        """Return whether to receive data: also while a spectator waits, to notice that it has gone.

        Others are answered even if they have closed their side of the connection.
        """
        if self.requests and not self.holds_a_spectator:
            return False
        return bool(super().readable())

    def lane(self) -> Lane:
        """Return whose the next request is. Spectators' are safe, without log-in, phone or token.

        The queue asks once for each request; `readable`, asked often, uses what it was told.
        """
        request = self.requests[0]
        if request.error or request.leaves_body_unread or request.command not in SAFE_METHODS:
            return Lane.TABLE_OR_STAFF
        if request.path == self.server.health_check:
            return Lane.HEALTH_CHECK
        cookies = request.headers.get("COOKIE", "")
        self.holds_a_spectator = "AUTHORIZATION" not in request.headers and not any(
            f"{name}=" in cookies for name in self.server.identifying_cookies
        )
        if not self.holds_a_spectator:
            return Lane.TABLE_OR_STAFF
        return Lane.SPECTATORS_FILE if request.path.endswith(FILES) else Lane.SPECTATOR

    def service(self) -> None:
        """Run the application for the request, and set the deadline for sending its answer.

        The request of a spectator who has gone is dropped.
        """
        self.send_by, self.holds_a_spectator = math.inf, False
        leaves_body_unread = self.requests[0].error or self.requests[0].leaves_body_unread
        try:
            super().service()
        finally:
            self.server.task_dispatcher.finish(self)
        if leaves_body_unread:
            self.linger_until = time.monotonic() + LINGER
        self.send_by = time.monotonic() + GRACE + self.total_outbufs_len / SLOWEST

    def is_overdue(self) -> bool:
        """Return whether the deadline for the request, the answer or the next request is over."""
        now = time.monotonic()
        idle_for = time.time() - self.last_activity  # waitress stores wall-clock time
        if self.requests:  # an answer larger than any buffer may wait for the peer to read
            return bool(self.total_outbufs_len) and idle_for > STALLED
        if self.linger_until:
            return now > max(self.linger_until, self.send_by)
        if self.total_outbufs_len:
            return now > self.send_by
        if self.request is not None:
            return bool(now > self.request.deadline)
        return idle_for > IDLE

    def waiting_since(self) -> float:
        """Return the monotonic time since which the server has been waiting for the peer."""
        if self.request is not None:
            return float(self.request.begun_at)
        return self.opened_at + self.last_activity - self.creation_time

    def handle_write(self) -> None:
        """Send. A connection with unread data lingers, so that the peer can read the refusal."""
        if self.linger_until and self.close_when_flushed and not self.total_outbufs_len:
            self.close_when_flushed = False
            self.socket.shutdown(socket.SHUT_WR)
        else:
            super().handle_write()

    def handle_read(self) -> None:
        """Receive data; none, while TLS has no complete record. Lingering ignores it."""
        try:
            data = self.socket.recv(self.adj.recv_bytes)
        except (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError):
            return
        except OSError:
            data = b""
        if not data:
            self.handle_close()
        elif not self.linger_until:
            self.last_activity = time.time()
            self.received(data)

    def send(self, data: bytes, do_close: bool = True) -> int:
        """Send some of the data and return the number of bytes: 0 if TLS has to wait."""
        try:
            return int(super().send(data, do_close=do_close))
        except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
            return 0


class Server(BaseWSGIServer):  # type: ignore[misc]  # likewise
    """Accepts connections of a listening socket within limits, and closes overdue ones."""

    channel_class = Connection

    def __init__(
        self,
        application: Any,
        listener: socket.socket,
        *,
        trusted_proxies: Iterable[str],
        limits_each_peer: bool,
        identifying_cookies: Iterable[str] = (),
        health_check: str = "",
        tls: ssl.SSLContext | None,
        **options: Any,
    ) -> None:
        """Serve connections of `listener`, with `tls` if given.

        The addresses `trusted_proxies`, or all for "*", may set X-Forwarded-Proto. With
        `limits_each_peer` one address has `MAX_CONNECTIONS_OF_A_PEER`: at a venue each phone has
        its own. `identifying_cookies` are the names of cookies that spectators have not;
        `health_check` is the path of the health check. waitress takes the other `options`.
        """
        self.trusted_proxies = frozenset(trusted_proxies)
        self.limits_each_peer = limits_each_peer
        self.identifying_cookies = tuple(identifying_cookies)
        self.health_check = health_check
        self.tls = tls
        address_info = (listener.family, listener.type, listener.proto, listener.getsockname())
        super().__init__(
            application, _sock=listener, sockinfo=address_info, bind_socket=False, **options
        )

    def getsockname(self) -> tuple[str, int]:
        name = self.socket.getsockname()
        return ("localhost", 0) if isinstance(name, str | bytes) else name[:2]

    def fix_addr(self, addr: Any) -> Any:
        """Return the peer's address; on a Unix socket the peer is a proxy on this machine."""
        return addr if isinstance(addr, tuple) else ("127.0.0.1", 0)

    def set_socket_options(self, conn: socket.socket) -> None:
        """Set TCP_NODELAY."""
        if conn.family != socket.AF_UNIX:
            conn.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def accept(self) -> tuple[socket.socket, Any] | None:
        """Accept a connection, with TLS if wanted; close it and return None without room."""
        accepted = super().accept()
        if accepted is None:
            return None
        conn, address = accepted
        if not self.make_room_for(self.fix_addr(address)[0]):
            conn.close()
            return None
        if self.tls is not None:
            conn.setblocking(False)
            conn = self.tls.wrap_socket(conn, server_side=True, do_handshake_on_connect=False)
        return conn, address

    def make_room_for(self, peer: str) -> bool:
        """Return whether another connection of this peer has room, if need be by closing one.

        The one that has waited longest for its peer is closed.
        """
        connections = [channel for channel in self._map.values() if isinstance(channel, Connection)]
        if self.limits_each_peer and peer not in UNLIMITED_PEERS:
            of_peer = [connection for connection in connections if connection.addr[0] == peer]
            if len(of_peer) >= MAX_CONNECTIONS_OF_A_PEER and not close_longest_waiting(of_peer):
                return False
        return len(connections) < MAX_CONNECTIONS or close_longest_waiting(connections)

    def maintenance(self, now: float) -> None:
        """Close overdue connections. waitress calls this once a second, by `cleanup_interval`."""
        for connection in list(self.active_channels.values()):
            if connection.is_overdue():
                connection.handle_close()


def close_longest_waiting(connections: list[Connection]) -> bool:
    """Close the connection that has waited longest for its peer; return whether there was one."""
    waiting = [connection for connection in connections if not connection.requests]
    if waiting:
        min(waiting, key=Connection.waiting_since).handle_close()
    return bool(waiting)
