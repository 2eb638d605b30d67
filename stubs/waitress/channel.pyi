from collections.abc import Sequence
from socket import socket
from typing import Any

from waitress.adjustments import Adjustments
from waitress.parser import HTTPRequestParser
from waitress.server import BaseWSGIServer
from waitress.task import WSGITask
from waitress.wasyncore import _Map, dispatcher

class HTTPChannel(dispatcher):
    parser_class: type[HTTPRequestParser]
    task_class: type[WSGITask]
    request: HTTPRequestParser | None
    requests: Sequence[HTTPRequestParser]  # a list, which subclasses read only
    server: BaseWSGIServer
    adj: Adjustments
    addr: Any
    close_when_flushed: bool
    creation_time: float
    last_activity: float
    total_outbufs_len: int

    def __init__(
        self,
        server: BaseWSGIServer,
        sock: socket,
        addr: Any,
        adj: Adjustments,
        map: _Map | None = None,
    ) -> None: ...
    def received(self, data: bytes) -> bool: ...
    def service(self) -> None: ...
