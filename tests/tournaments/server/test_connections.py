"""Slow, silent, greedy peers cost the server no thread, and are not waited for."""

from __future__ import annotations

import re
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Any

import pytest
from waitress import wasyncore

from tests import live
from tournaments.server import certificates, connections, dispatcher, peer_limits, proxies, room
from tournaments.server.certificates import Certificate
from tournaments.server.connections import Connection, Server
from tournaments.server.dispatcher import Dispatcher, Priority, RequestQueue
from tournaments.server.event_loop import Channels
from tournaments.server.room import MAX_CONNECTIONS, Room
from tournaments.server.serving import adjustments

GET = b"GET / HTTP/1.1\r\nHost: makiyaku\r\n\r\n"
PHONE, OTHER = "127.0.0.2", "127.0.0.3"
LARGE = 8_000_000  # bytes: more than the system takes ahead for a connection


class App:
    """Records its requests; at /large it responds with more than a socket takes at once."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        self.asked.append(environ)
        length = int(environ.get("CONTENT_LENGTH") or 0)
        reads = environ["PATH_INFO"] == "/read"
        body = str(len(environ["wsgi.input"].read(length))).encode() if reads else b"here"
        if "phone" in environ.get("QUERY_STRING", ""):
            environ[peer_limits.LIVE_PHONE] = int(environ["QUERY_STRING"].partition("=")[2])
        if environ["PATH_INFO"] == "/large":
            body = bytes(LARGE)
        start_response("200 OK", [("Content-Length", str(len(body)))])
        return [body]


class Served:
    """A server with two threads, and the requests that reach the application."""

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        self.app = App()
        self.opened = ExitStack()
        self.is_over = False
        listener = self.opened.enter_context(socket.create_server(("127.0.0.1", 0)))
        self.address = listener.getsockname()
        settings = adjustments("https" if tls else "http")
        settings.cleanup_interval = 0
        self.channels, self.room = Channels(), Room(MAX_CONNECTIONS, limits_each_peer=True)
        self.dispatcher = Dispatcher()
        self.dispatcher.set_thread_count(2)
        self.server = Server(
            self.app,
            listener,
            trusted_proxies=["127.0.0.1"],
            channels=self.channels,
            room=self.room,
            identifying_cookies=["phones"],
            health_check="/healthz",
            tls=tls,
            dispatcher=self.dispatcher,
            adj=settings,
        )
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self) -> None:
        while not self.is_over:
            self.channels.poll(timeout=0.05)

    def stop(self) -> None:
        self.is_over = True
        self.thread.join()
        self.opened.close()
        self.dispatcher.shutdown()
        for each in list(self.server.active_channels.values()):
            each.handle_close()
        wasyncore.close_all(self.channels)

    def connect(self, source: str = PHONE, said: bytes = b"") -> socket.socket:
        phone = socket.create_connection(self.address, live.PATIENCE, source_address=(source, 0))
        self.opened.enter_context(closing(phone))
        phone.sendall(said)
        return phone

    def answers(self, source: str = OTHER) -> bool:
        return response_to(self.connect(source, GET)).endswith(b"here")


def received(phone: socket.socket) -> bytes:
    """Return the bytes received; none if the server has closed the connection."""
    try:
        return phone.recv(65_536)
    except ConnectionResetError:
        return b""


def response_to(phone: socket.socket) -> bytes:
    """Return one whole response; empty if the server has closed the connection."""
    response = b""
    while True:
        head, _, body = response.partition(b"\r\n\r\n")
        length = re.search(rb"Content-Length: (\d+)", head)
        if length and len(body) >= int(length[1]):
            return response
        more = received(phone)
        if not more:
            return response
        response += more


def received_to_end(phone: socket.socket) -> bytes:
    """Return all bytes until the server closes the connection."""
    return b"".join(iter(lambda: received(phone), b""))


@pytest.fixture
def served() -> Iterator[Served]:
    served = Served()
    yield served
    served.stop()


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make all deadlines expire at once."""
    for name in ("GRACE", "IDLE", "LINGER"):
        monkeypatch.setattr(connections, name, 0.2)
    monkeypatch.setattr(connections, "SLOWEST", 10**9)


HELD = {
    "a head": GET[:-2],
    "a body": b"POST / HTTP/1.1\r\nHost: makiyaku\r\nContent-Length: 9\r\n\r\nabc",
    "a chunked body": b"POST / HTTP/1.1\r\nHost: m\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nabc",
    "nothing": b"",
    "an answer it never reads": b"GET /large HTTP/1.1\r\nHost: makiyaku\r\n\r\n",
}


@pytest.mark.parametrize("said", HELD.values(), ids=HELD.keys())
def test_held_connections_do_not_delay_other_requests(served: Served, said: bytes) -> None:
    for _ in range(peer_limits.MAX_CONNECTIONS_OF_A_PEER):  # with two threads
        served.connect(PHONE, said)
    assert served.answers(OTHER)


@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize("said", [said for said in HELD.values() if b"large" not in said])
def test_incomplete_request_is_closed_at_its_deadline(served: Served, said: bytes) -> None:
    phone = served.connect(PHONE, said)
    assert response_to(phone) == b""
    assert served.app.asked == []


@pytest.mark.usefixtures("hurried")
def test_slow_bytes_do_not_extend_the_deadline(served: Served) -> None:
    phone = served.connect(PHONE, HELD["a head"])
    phone.settimeout(0.05)
    for _ in range(20 * live.PATIENCE):
        try:
            phone.sendall(b"a")
            if phone.recv(1) == b"":
                return
        except TimeoutError:
            continue
        except OSError:
            return
    pytest.fail("It was waited for all the time.")


@pytest.mark.usefixtures("hurried")
def test_unread_answer_is_closed_at_its_deadline(served: Served) -> None:
    phone = served.connect(PHONE, HELD["an answer it never reads"])
    live.wait_until(lambda: served.app.asked and not served.server.active_channels)
    assert len(received_to_end(phone)) < LARGE


def test_connections_of_a_peer_are_limited(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peer_limits, "MAX_CONNECTIONS_OF_A_PEER", 2)
    other = served.connect(OTHER)
    first, second = served.connect(PHONE), served.connect(PHONE)
    assert served.answers(PHONE)
    assert response_to(first) == b""
    for phone in (second, other):
        phone.sendall(GET)
        assert response_to(phone).endswith(b"here")


def test_forty_phones_behind_one_address_are_not_cut_off(
    served: Served, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Each phone of a table that the application has found raises the limit of its address."""
    monkeypatch.setattr(peer_limits, "MAX_CONNECTIONS_OF_A_PEER", 2)
    monkeypatch.setattr(peer_limits, "CONNECTIONS_OF_A_PHONE", 1)
    held_back = served.room.held_back = peer_limits.HeldBack(tmp_path / "held-back")
    for phone in range(40):  # each closes the connection of the last but one
        asked = GET.replace(b"/ ", b"/?phone=%d " % phone)
        assert response_to(served.connect(PHONE, asked)).endswith(b"here")
    phones = [served.connect(PHONE) for _ in range(40)]
    for each in phones:
        each.sendall(GET)
        assert response_to(each).endswith(b"here")
    assert held_back.recent() == []
    assert served.room.live_phones.limit(OTHER, 999) == 2


def test_address_that_is_held_back_is_told(
    served: Served, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(peer_limits, "MAX_CONNECTIONS_OF_A_PEER", 2)
    held_back = served.room.held_back = peer_limits.HeldBack(tmp_path / "held-back")
    for _ in range(3):
        served.connect(PHONE)
    live.wait_until(lambda: held_back.recent() == [PHONE])
    monkeypatch.setattr(peer_limits, "SECONDS_TOLD", -1.0)
    assert held_back.recent() == []


@pytest.mark.parametrize("address", sorted(room.UNLIMITED_PEERS - {"::1"}))
def test_connections_from_this_machine_are_not_limited(
    served: Served, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setattr(peer_limits, "MAX_CONNECTIONS_OF_A_PEER", 1)
    desk = [served.connect(address) for _ in range(3)]
    for each in desk:
        each.sendall(GET)
        assert response_to(each).endswith(b"here")


def test_behind_a_proxy_peers_are_not_limited(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(peer_limits, "MAX_CONNECTIONS_OF_A_PEER", 1)
    served.room.limits_each_peer = False
    phones = [served.connect(PHONE) for _ in range(3)]
    for each in phones:
        each.sendall(GET)
        assert response_to(each).endswith(b"here")


KNOWN = {
    "a phone": GET[:-2] + b"Cookie: phones=x\r\n\r\n",
    "a token": GET[:-2] + b"Authorization: Bearer x\r\n\r\n",
}


def test_full_server_closes_the_longest_waiting_connection(served: Served) -> None:
    served.room.most = 2
    first, second = served.connect("127.0.0.4"), served.connect("127.0.0.5")
    assert served.answers(OTHER)
    assert response_to(first) == b""
    second.sendall(GET)
    assert response_to(second).endswith(b"here")


def kept(phone: socket.socket, said: bytes = GET) -> bool:
    """Return whether the server answers a further request on a connection."""
    with suppress(OSError):
        phone.sendall(said)
    return response_to(phone).endswith(b"here")


def visit(served: Served, source: str, said: bytes = GET) -> socket.socket:
    """Return a connection on which a request was answered."""
    visitor = served.connect(source, said)
    assert response_to(visitor).endswith(b"here")
    return visitor


@pytest.mark.parametrize("said", KNOWN.values(), ids=KNOWN.keys())
def test_idle_phones_stay_while_spectators_are_closed(served: Served, said: bytes) -> None:
    served.room.most = 8
    phones = [visit(served, PHONE, said) for _ in range(2)]
    spectators = [visit(served, OTHER) for _ in range(12)]
    assert [kept(each) for each in spectators] == [False] * 6 + [True] * 6
    assert all(kept(each, said) for each in phones)


def test_phones_take_the_room_of_spectators(served: Served) -> None:
    served.room.most = 8
    spectators = [visit(served, OTHER) for _ in range(8)]
    phones = [visit(served, PHONE, KNOWN["a phone"]) for _ in range(8)]
    assert not any(kept(each) for each in spectators)
    assert all(kept(each, KNOWN["a phone"]) for each in phones)


def test_silent_newcomers_do_not_close_idle_phones(served: Served) -> None:
    served.room.most = 8
    phones = [visit(served, PHONE, KNOWN["a phone"]) for _ in range(8)]
    for _ in range(4):  # the first takes the place of a phone, the others that of the one before
        served.connect(OTHER)
    assert served.answers("127.0.0.4")
    assert [kept(each, KNOWN["a phone"]) for each in phones] == [False] + [True] * 7


def test_spectators_are_refused_politely_when_too_many_wait(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dispatcher, "MAX_WAITING", {Priority.SPECTATOR: 0})
    refusal = received_to_end(served.connect(OTHER, GET)).decode()
    assert refusal.startswith("HTTP/1.1 503 ")
    assert "\r\nRetry-After: 10\r\n" in refusal
    assert "もう一度開いてください" in refusal
    visit(served, PHONE, KNOWN["a phone"])
    assert len(served.app.asked) == 1


def test_idle_connections_take_no_part_in_answering_others(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The loop asks none of them what it waits for, and looks through none for room."""
    for number in range(100):
        visit(served, f"127.0.1.{number}")
    open_connections = served.server.active_channels.values()
    live.wait_until(lambda: all(each.is_settled for each in list(open_connections)))
    phone = visit(served, PHONE)
    asked: list[Connection] = []
    for name in ("readable", "writable", "is_waiting"):
        operation = getattr(Connection, name)

        def noting(
            connection: Connection, operation: Callable[[Connection], bool] = operation
        ) -> bool:
            asked.append(connection)
            return operation(connection)

        monkeypatch.setattr(Connection, name, noting)
    assert all(kept(phone) for _ in range(10))
    assert served.answers(OTHER)
    assert {each.peer for each in asked} == {PHONE, OTHER}


def test_body_in_chunks_has_a_length_for_the_application(served: Served) -> None:
    head = b"POST /read HTTP/1.1\r\nHost: m\r\nTransfer-Encoding: chunked\r\n\r\n"
    phone = served.connect(said=head + b"3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")
    assert response_to(phone).endswith(b"5")
    assert "HTTP_TRANSFER_ENCODING" not in served.app.asked[0]


def test_connections_are_kept_for_the_next_request(served: Served) -> None:
    phone = served.connect()
    for _ in range(3):
        phone.sendall(GET)
        assert response_to(phone).endswith(b"here")


def test_only_the_first_of_pipelined_requests_is_answered(served: Served) -> None:
    assert received_to_end(served.connect(said=GET * 100)).count(b"HTTP/1.1 200") == 1


HUGE = b"POST %s HTTP/1.1\r\nHost: makiyaku\r\nContent-Length: %d\r\n\r\n"


def test_body_above_the_buffer_is_refused_unread(served: Served) -> None:
    phone = served.connect(said=HUGE % (b"/", 10**10) + bytes(100_000))
    assert received_to_end(phone).endswith(b"here")  # though it had more to send
    assert served.app.asked[0]["CONTENT_LENGTH"] == str(10**10)


def test_the_application_may_read_a_body_of_any_size(served: Served) -> None:
    length = connections.BUFFERED_BODY + 1_000
    phone = served.connect(said=HUGE % (b"/read", length))
    phone.sendall(bytes(length))
    assert received_to_end(phone).endswith(str(length).encode())


def test_small_body_is_buffered_before_the_application_runs(served: Served) -> None:
    phone = served.connect(said=HUGE % (b"/read", 1_000_000))
    phone.sendall(bytes(999_999))
    assert served.answers()
    assert [each["PATH_INFO"] for each in served.app.asked] == ["/"]
    phone.sendall(b"0")
    assert response_to(phone).endswith(b"1000000")


@pytest.mark.parametrize(("source", "scheme"), [("127.0.0.1", "https"), (OTHER, "http")])
def test_forwarded_headers_are_trusted_from_proxies_only(
    served: Served, source: str, scheme: str
) -> None:
    headers = b"X-Forwarded-Proto: https\r\nX-Forwarded-For: 203.0.113.7\r\n\r\n"
    response_to(served.connect(source, GET[:-2] + headers))
    told = served.app.asked[0][proxies.PEER]
    assert told == ("203.0.113.7" if scheme == "https" else source)
    assert served.app.asked[0]["wsgi.url_scheme"] == scheme
    assert served.app.asked[0]["REMOTE_ADDR"] == source


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    return certificates.ensure_certificate(tmp_path_factory.mktemp("https"), ["127.0.0.1"])


@pytest.fixture
def desk(certificate: Certificate) -> Iterator[Served]:
    served = Served(certificate.context())
    yield served
    served.stop()


def over_tls(phone: socket.socket, certificate: Certificate) -> ssl.SSLSocket:
    context = ssl.create_default_context(cafile=str(certificate.certificate))
    return context.wrap_socket(phone, server_hostname="127.0.0.1")


def test_the_desk_is_answered_over_https(desk: Served, certificate: Certificate) -> None:
    with over_tls(desk.connect(), certificate) as browser:
        for _ in range(2):
            browser.sendall(HUGE % (b"/read", 300_000) + bytes(300_000))
            assert response_to(browser).endswith(b"300000")
        browser.sendall(HELD["an answer it never reads"])
        assert len(response_to(browser)) > LARGE
    assert {each["wsgi.url_scheme"] for each in desk.app.asked} == {"https"}


@pytest.mark.parametrize("said", [b"", b"\x16\x03\x01", GET], ids=["nothing", "half", "http"])
def test_failed_handshakes_delay_nobody(
    desk: Served, certificate: Certificate, said: bytes
) -> None:
    for _ in range(peer_limits.MAX_CONNECTIONS_OF_A_PEER):
        desk.connect(PHONE, said)
    with over_tls(desk.connect(OTHER), certificate) as browser:
        browser.sendall(GET)
        assert response_to(browser).endswith(b"here")


@pytest.mark.parametrize(
    ("request_line", "headers", "priority"),
    [
        (b"GET /", b"", Priority.SPECTATOR),
        (b"HEAD /", b"Cookie: django_language=en\r\n", Priority.SPECTATOR),
        (b"GET /", b"Cookie: django_language=en; phones=x\r\n", Priority.TABLE_OR_STAFF),
        (b"GET /chart.pdf?paper=a4", b"", Priority.SPECTATORS_FILE),
        (b"GET /chart.pdf", b"Cookie: phones=x\r\n", Priority.TABLE_OR_STAFF),
        (b"GET /", b"Authorization: Bearer x\r\n", Priority.TABLE_OR_STAFF),
        (b"POST /", b"Content-Length: 0\r\n", Priority.TABLE_OR_STAFF),
        (b"GET /healthz", b"", Priority.HEALTH_CHECK),
        (b"POST /healthz", b"Content-Length: 0\r\n", Priority.TABLE_OR_STAFF),
    ],
)
def test_priority_is_known_by_the_request(
    served: Served,
    monkeypatch: pytest.MonkeyPatch,
    request_line: bytes,
    headers: bytes,
    priority: Priority,
) -> None:
    seen: list[Priority] = []
    append = RequestQueue.append

    def noting(queue: RequestQueue, connection: Any) -> None:
        seen.append(connection.priority())
        append(queue, connection)

    monkeypatch.setattr(RequestQueue, "append", noting)
    served.connect(PHONE, request_line + b" HTTP/1.1\r\nHost: makiyaku\r\n" + headers + b"\r\n")
    live.wait_until(lambda: bool(seen))
    assert seen == [priority]


def test_request_whose_peer_has_gone_is_dropped(served: Served) -> None:
    """The request waits for a thread while all threads are held."""
    may_go_on = threading.Event()
    answer = served.app.__class__.__call__

    def wait(app: App, environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        found = answer(app, environ, start_response)
        may_go_on.wait(live.PATIENCE)
        return found

    served.server.application = lambda *arguments: wait(served.app, *arguments)
    post = b"POST /held HTTP/1.1\r\nHost: makiyaku\r\nContent-Length: 0\r\n\r\n"
    for _ in range(2):
        served.connect(PHONE, post)
    gone = served.connect(OTHER, b"GET /gone HTTP/1.1\r\nHost: makiyaku\r\n\r\n")
    live.wait_until(lambda: len(served.app.asked) == 2 and len(served.server.active_channels) == 3)
    gone.close()
    live.wait_until(lambda: len(served.server.active_channels) == 2)
    may_go_on.set()
    assert served.answers(OTHER)
    assert "/gone" not in {asked["PATH_INFO"] for asked in served.app.asked}
