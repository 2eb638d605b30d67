from collections.abc import Sequence
from socket import socket
from types import FrameType
from typing import Protocol
from wsgiref.types import WSGIApplication

class _Config(Protocol):
    threads: int
    forwarded_allow_ips: list[str]
    graceful_timeout: int

class _Listener(Protocol):
    sock: socket

class Worker:
    alive: bool
    cfg: _Config
    ppid: int
    sockets: Sequence[_Listener]
    wsgi: WSGIApplication

    def __init__(
        self,
        age: int,
        ppid: int,
        sockets: Sequence[_Listener],
        app: object,
        timeout: float,
        cfg: _Config,
        log: object,
    ) -> None: ...
    def run(self) -> None: ...
    def notify(self) -> None: ...
    def handle_exit(self, sig: int, frame: FrameType | None) -> None: ...
