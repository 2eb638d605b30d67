"""waitress's connections with deadlines and limits, so that slow peers occupy no threads.

waitress reads whole requests and sends whole answers in one event loop; only a complete request
gets a thread. This module adds deadlines for each request and each answer; `room` limits the number
of connections. A body larger than `BUFFERED_BODY` is left unread: the application refuses it by its
length, or reads it from the socket.
"""

from __future__ import annotations

import io
import math
import socket
import ssl
import time
from collections.abc import Iterable, Mapping, Sequence
from selectors import EVENT_READ, DefaultSelector
from typing import Any
from wsgiref.types import WSGIApplication

from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.server import BaseWSGIServer
from waitress.task import WSGITask
from waitress.utilities import Error

from tournaments.server import proxies
from tournaments.server.dispatcher import Dispatcher, Priority
from tournaments.server.event_loop import Channels
from tournaments.server.peer_limits import LIVE_PHONE
from tournaments.server.room import Room

IDLE = 30.0  # seconds that a connection is kept open between requests
GRACE = 15.0  # seconds for a head, and in addition to the time for a body or an answer
SLOWEST = 8_000  # bytes a second: a sixth of the slow line that the phone's page is made for
STALLED = 30.0  # seconds without progress of a body or an answer larger than any buffer
LINGER = 2.0  # seconds for the peer to read the refusal of an unread body
BUFFERED_BODY = 6_000_000  # bytes: more than the largest form, those of the server's owner aside
SECONDS_CUT_OFF = 2.0  # a connection closed so soon, before an answer, was cut off
SAFE_METHODS = {"GET", "HEAD", "OPTIONS"}
FILES = (".pdf", ".xlsx", ".zip")  # endings of the paths of files, which are no pages
SECONDS_TO_RETRY = 10
TOO_MANY = """ただいま混み合っています。10秒ほどたってから、もう一度開いてください。
Too many people are reading just now. Please open the page again in ten seconds.
现在浏览的人太多，请过十秒左右再打开。
"""


class Parser(HTTPRequestParser):
    """Parses a request as it arrives; has its deadline, and whether its body is left unread."""

    def __init__(self, adj: Adjustments) -> None:
        super().__init__(adj)
        self.begun_at = time.monotonic()
        self.leaves_body_unread = False
        self.body_beginning = b""  # the part of an unread body that arrived with the head
        self.body_length = 0  # bytes; for a chunked body the maximum

    def received(self, data: bytes) -> int:
        """Consume received bytes and return their number.

        Of pipelined requests only the first is answered, and the connection is closed: their
        answers could fill the memory, and no browser sends them.
        """
        used = super().received(data)
        rest = data[used:]
        if self.leaves_body_unread:
            self.body_beginning = rest
        if self.completed and rest.strip():
            self.headers["CONNECTION"] = "close"
        return len(data) if self.completed else used

    def parse_header(self, header_plus: bytes) -> None:
        """Parse the head, and decide whether the body is left unread.

        A chunked body is always buffered; waitress limits it to `BUFFERED_BODY`.
        """
        super().parse_header(header_plus)
        self.body_length = BUFFERED_BODY if self.chunked else self.content_length
        if self.body_length > BUFFERED_BODY:
            self.leaves_body_unread = True
            self.body_rcv, self.content_length = None, 0  # waitress does not wait for the body
            self.expect_continue = False  # nor requests it from the peer by 100 Continue
            self.headers["CONNECTION"] = "close"

    @property
    def deadline(self) -> float:
        """Return the monotonic time by which the request must have arrived."""
        head_deadline = self.begun_at + GRACE
        if not self.headers_finished:
            return head_deadline
        return head_deadline + GRACE + self.body_length / SLOWEST


class UnreadBody(io.RawIOBase):
    """A request body that the application's thread reads from the socket.

    Reading raises `TimeoutError` if nothing arrives for `STALLED` seconds.
    """

    def __init__(self, connection: socket.socket, body_beginning: bytes) -> None:
        super().__init__()
        self._connection, self._beginning = connection, body_beginning

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        piece = self._beginning[: len(buffer)] or self._receive(len(buffer))
        self._beginning = self._beginning[len(piece) :]
        buffer[: len(piece)] = piece
        return len(piece)

    def _receive(self, most: int) -> bytes:
        """Wait for bytes on the non-blocking socket, and return at most `most` of them."""
        while True:
            try:
                return self._connection.recv(most)
            except (BlockingIOError, ssl.SSLWantReadError):
                with DefaultSelector() as arrival:
                    arrival.register(self._connection, EVENT_READ)
                    if not arrival.select(STALLED):
                        raise TimeoutError("The rest of the request does not come.") from None


class TooManySpectators(Error):
    """The refusal of a spectator's request while too many others wait."""

    code, reason = 503, "Service Unavailable"

    def to_response(self, ident: str | None = None) -> tuple[str, list[tuple[str, str]], bytes]:
        """Return the status, headers and body."""
        seconds = str(SECONDS_TO_RETRY)
        headers = [("Retry-After", seconds), ("Refresh", seconds), ("Cache-Control", "no-store")]
        headers += [("Content-Type", "text/plain; charset=utf-8")]
        return f"{self.code} {self.reason}", headers, self.body.encode()


class Task(WSGITask):
    channel: Connection
    request: Parser

    def execute(self) -> None:
        """Run the application, and note the phone of a table that it has found, if any."""
        super().execute()
        phone = self.get_environment().get(LIVE_PHONE)
        if phone is not None:
            self.channel.server.room.live_phones.add(self.channel.addr[0], phone)

    def get_environment(self) -> dict[str, Any]:
        """Return the WSGI environment; the scheme is https if a trusted proxy says so.

        `proxies.PEER` is the client's address.
        The input of an unread body is an `UnreadBody`. There is no file wrapper: waitress would
        close the file in another thread.
        """
        environ = super().get_environment()
        environ.pop("wsgi.file_wrapper", None)
        environ["wsgi.multiprocess"] = True
        if self.request.leaves_body_unread:
            body = UnreadBody(self.channel.socket, self.request.body_beginning)
            environ["wsgi.input"] = io.BufferedReader(body)
        address, trusted = str(self.channel.addr[0]), self.channel.server.trusted_proxies
        if (
            proxies.is_trusted(address, trusted)
            and environ.get("HTTP_X_FORWARDED_PROTO") == "https"
        ):
            environ["wsgi.url_scheme"] = "https"
        forwarded = environ.get("HTTP_X_FORWARDED_FOR", "")
        environ[proxies.PEER] = proxies.client_address(address, forwarded, trusted)
        return environ


class Connection(HTTPChannel):
    """A connection with deadlines.

    All times are monotonic, except `last_activity`, which waitress stores. A
    connection with unread data lingers after its answer: it discards what arrives for a moment.
    """

    parser_class = Parser
    task_class = Task
    server: Server
    request: Parser | None  # the one that has not arrived completely
    requests: Sequence[Parser]

    def __init__(self, *args: Any, **options: Any) -> None:
        self.send_by = math.inf  # the deadline for sending the answer
        self.linger_until = 0.0  # 0: the connection does not linger
        self.has_answered = False  # whether a request was answered
        self.is_queued = False  # whether its request waits for a thread
        self.has_waiting_spectator = False  # whether that is a spectator's
        self.is_known = False  # see `Room`
        self.opened_at = time.monotonic()
        super().__init__(*args, **options)
        self.server.room.add(self)

    @property
    def peer(self) -> str:
        return str(self.addr[0])

    @property
    def is_settled(self) -> bool:
        """Return whether no thread may change the connection now: see `Channels`."""
        return self.is_queued or not self.requests

    def del_channel(self, map: Any = None) -> None:  # noqa: A002  waitress's name
        """Forget the connection. It is called before the socket is closed."""
        super().del_channel(map)
        self.server.room.remove(self)

    def received(self, data: bytes) -> bool:
        """Parse received bytes, and queue the request if it is complete."""
        if self.request is None:
            self.request = self.parser_class(self.adj)
            self.server.room.begin_request(self)
        request = self.request  # a thread may have answered it by the time this returns
        is_taken = super().received(data)
        if not self.is_known and self.identifies_sender(request):
            self.server.room.recognise(self)
        return is_taken

    def identifies_sender(self, request: Parser) -> bool:
        """Return whether a request has a token, a log-in or a phone's cookie, valid or not."""
        cookies = request.headers.get("COOKIE", "")
        return "AUTHORIZATION" in request.headers or any(
            f"{name}=" in cookies for name in self.server.identifying_cookies
        )

    def readable(self) -> bool:
        """Return whether to receive data now.

        While a spectator's request waits for a thread, the connection is read only to notice that
        the spectator has gone. While other requests wait or run, nothing is read: their peers are
        answered even if they closed their side.
        """
        if self.requests and not self.has_waiting_spectator:
            return False
        return super().readable()

    def priority(self) -> Priority:
        """Return the priority of the next request, which is queued.

        A spectator's request has a safe method, and neither a log-in nor a phone's cookie nor a
        token. The queue calls this once for each request.
        """
        request, self.is_queued = self.requests[0], True
        if request.error or request.leaves_body_unread or request.command not in SAFE_METHODS:
            return Priority.TABLE_OR_STAFF
        if request.path == self.server.health_check:
            return Priority.HEALTH_CHECK
        self.has_waiting_spectator = not self.identifies_sender(request)
        if not self.has_waiting_spectator:
            return Priority.TABLE_OR_STAFF
        return Priority.SPECTATORS_FILE if request.path.endswith(FILES) else Priority.SPECTATOR

    def refuse(self) -> None:
        """Answer the queued request with 503. The queue calls it if too many others wait."""
        self.requests[0].error = TooManySpectators(TOO_MANY)

    def service(self) -> None:
        """Run the application for the request, and set the deadline for sending its answer.

        waitress calls it in a thread. The request of a spectator who has gone is dropped.
        """
        self.send_by, self.has_waiting_spectator, self.is_queued = math.inf, False, False
        self.server.channels.ask_again(self)
        may_have_unread_data = self.requests[0].error or self.requests[0].leaves_body_unread
        try:
            super().service()
        finally:
            self.server.task_dispatcher.finish(self)
        if may_have_unread_data:
            self.linger_until = time.monotonic() + LINGER
        self.send_by = time.monotonic() + GRACE + self.total_outbufs_len / SLOWEST
        self.has_answered = True

    def is_overdue(self) -> bool:
        """Return whether a deadline is over: for the request, the answer, or the next request."""
        now = time.monotonic()
        idle_for = time.time() - self.last_activity  # waitress stores wall-clock time
        if self.requests:  # a thread may still be sending an answer larger than any buffer
            return bool(self.total_outbufs_len) and idle_for > STALLED
        if self.linger_until:
            return now > max(self.linger_until, self.send_by)
        if self.total_outbufs_len:
            return now > self.send_by
        if self.request is not None:
            return now > self.request.deadline
        return idle_for > IDLE

    def is_cut_off(self) -> bool:
        """Return whether closing it now cuts off a peer that has just opened it."""
        return not self.has_answered and time.monotonic() - self.opened_at < SECONDS_CUT_OFF

    def is_waiting(self) -> bool:
        """Return whether the server waits for the peer: for a request, or to take an answer."""
        return not self.requests

    def handle_write(self) -> None:
        """Send buffered data. A lingering connection is then closed for sending only.

        It stays open for receiving: otherwise the peer, still sending its body, could not read the
        refusal.
        """
        if self.linger_until and self.close_when_flushed and not self.total_outbufs_len:
            self.close_when_flushed = False
            self.socket.shutdown(socket.SHUT_WR)
        else:
            super().handle_write()

    def handle_read(self) -> None:
        """Receive data, if TLS has a complete record. A lingering connection discards the data."""
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
        """Send some of the data and return the number of sent bytes, 0 if TLS has to wait."""
        try:
            return super().send(data, do_close=do_close)
        except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
            return 0


class Server(BaseWSGIServer):
    """Accepts connections of a listening socket within limits, and closes overdue connections."""

    channel_class = Connection
    active_channels: Mapping[int, Connection]
    task_dispatcher: Dispatcher
    is_settled = False  # waitress calls `maintenance` while asking it

    def __init__(
        self,
        application: WSGIApplication,
        listener: socket.socket,
        *,
        trusted_proxies: Iterable[str],
        channels: Channels,
        room: Room,
        identifying_cookies: Iterable[str] = (),
        health_check: str = "",
        tls: ssl.SSLContext | None,
        **options: Any,
    ) -> None:
        """Serve connections of `listener`, with `tls` if given.

        - `trusted_proxies`: the addresses that may set X-Forwarded-Proto and -For; "*" means all
        - `channels`, `room`: those of the process
        - `identifying_cookies`: the names of the cookies by which staff and phones are recognised
        - `health_check`: the path of the health check
        - `options`: further options of waitress
        """
        self.trusted_proxies = frozenset(trusted_proxies)
        self.channels, self.room = channels, room
        self.identifying_cookies = tuple(identifying_cookies)
        self.health_check = health_check
        self.tls = tls
        address_info = (listener.family, listener.type, listener.proto, listener.getsockname())
        super().__init__(
            application,
            map=channels,
            _sock=listener,
            sockinfo=address_info,
            bind_socket=False,
            **options,
        )

    def getsockname(self) -> tuple[str, int]:
        name = self.socket.getsockname()
        return ("localhost", 0) if isinstance(name, str | bytes) else name[:2]

    def fix_addr(self, addr: Any) -> Any:
        """Return the peer's address; on a Unix socket the peer is a proxy on this machine."""
        return addr if isinstance(addr, tuple) else ("127.0.0.1", 0)

    def set_socket_options(self, conn: socket.socket) -> None:
        """Let TCP send small packets at once (TCP_NODELAY)."""
        if conn.family in {socket.AF_INET, socket.AF_INET6}:
            conn.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def accept(self) -> tuple[socket.socket, Any] | None:
        """Accept a connection, with TLS if the server has it; None if there is no room for it."""
        accepted = super().accept()
        if accepted is None:
            return None
        conn, address = accepted
        if not self.room.make_for(self.fix_addr(address)[0]):
            conn.close()
            return None
        if self.tls is not None:
            conn.setblocking(False)
            conn = self.tls.wrap_socket(conn, server_side=True, do_handshake_on_connect=False)
        return conn, address

    def maintenance(self, now: float) -> None:
        """Close overdue connections. waitress calls this once a second, by `cleanup_interval`."""
        for connection in list(self.active_channels.values()):
            if connection.is_overdue():
                connection.handle_close()
