"""A proxy that loses, truncates, delays and repeats requests and responses."""

from __future__ import annotations

import socket
import socketserver
import struct
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

# What happens to a request, in percent.
FATES = {
    "well": 62,
    "late": 10,  # request and response are delayed
    "never came": 7,
    "half came": 7,
    "twice": 5,  # concurrently; the second response is lost
    "answer lost": 5,
    "answer cut": 4,
}
LONGEST_DELAY = 0.3  # seconds
RESET_WHEN_CLOSED = struct.pack("ii", 1, 0)
SECONDS = 60
SECONDS_OF_PATIENCE = 0.2  # until a server answers half a request


class LossyProxy(socketserver.ThreadingTCPServer):
    """Forwards one request per connection to the server of a port."""

    daemon_threads = True
    request_queue_size = 200

    def __init__(self, port_behind: int, seed: int, host_behind: str) -> None:
        """Listen on a free port."""
        super().__init__(("127.0.0.1", 0), _Connection)
        self.port = int(self.server_address[1])
        self.behind = (host_behind, port_behind)
        self.befell: Counter[str] = Counter()
        self._dice = Random(seed)  # noqa: S311
        self._lock = threading.Lock()

    def fate(self) -> tuple[str, Random]:
        """Return the fate of the next request, and a random generator for details."""
        with self._lock:
            found = self._dice.choices(list(FATES), list(FATES.values()))[0]
            self.befell[found] += 1
            return found, Random(self._dice.random())  # noqa: S311

    def ask_behind(self, asked: bytes, seconds: float = SECONDS) -> bytes:
        """The response is empty if there is no server or if it is incomplete."""
        try:
            with socket.create_connection(self.behind, seconds) as behind:
                behind.sendall(asked.replace(b"\r\n", b"\r\nConnection: close\r\n", 1))
                return b"".join(iter(lambda: behind.recv(65536), b""))
        except OSError:
            return b""


class _Connection(socketserver.BaseRequestHandler):
    server: LossyProxy

    def handle(self) -> None:
        self.request.settimeout(SECONDS)
        fate, dice = self.server.fate()
        try:
            asked = self._asked()
            if fate == "late":
                time.sleep(dice.uniform(0, LONGEST_DELAY))
            self._answer(self._pass_on(fate, asked, dice), fate)
        except OSError:  # the client has given up
            pass

    def _asked(self) -> bytes:
        """Read a whole request."""
        asked = bytearray()
        while b"\r\n\r\n" not in asked:
            asked += self._more()
        head, _, body = asked.partition(b"\r\n\r\n")
        sizes = [
            line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")
        ]
        missing = int(sizes[0].partition(b":")[2]) - len(body) if sizes else 0
        while missing > 0:
            more = self._more()
            asked += more
            missing -= len(more)
        return bytes(asked)

    def _more(self) -> bytes:
        received: bytes = self.request.recv(65536)
        if not received:
            raise ConnectionResetError
        return received

    def _pass_on(self, fate: str, asked: bytes, dice: Random) -> bytes:
        if fate == "never came":
            return b""
        if fate == "half came":
            self.server.ask_behind(asked[: dice.randrange(len(asked))], SECONDS_OF_PATIENCE)
            return b""
        if fate == "twice":
            threading.Thread(target=self.server.ask_behind, args=(asked,), daemon=True).start()
        answer = self.server.ask_behind(asked)
        match fate:
            case "late":
                time.sleep(dice.uniform(0, LONGEST_DELAY))
            case "answer lost":
                return b""
            case "answer cut":
                return answer[: dice.randrange(len(answer) + 1)]
        return answer

    def _answer(self, answer: bytes, fate: str) -> None:
        if answer:
            self.request.sendall(answer)
        elif fate == "never came":
            self.request.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET_WHEN_CLOSED)


@contextmanager
def lossy_proxy(
    port_behind: int, seed: int, host_behind: str = "127.0.0.1"
) -> Iterator[LossyProxy]:
    with LossyProxy(port_behind, seed, host_behind) as proxy:
        thread = threading.Thread(target=proxy.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        yield proxy
        proxy.shutdown()
        thread.join()
