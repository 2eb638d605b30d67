from collections.abc import Mapping
from socket import socket
from typing import Any
from wsgiref.types import WSGIApplication

from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.task import ThreadedTaskDispatcher
from waitress.wasyncore import _Map, dispatcher

class BaseWSGIServer(dispatcher):
    channel_class: type[HTTPChannel]
    application: WSGIApplication
    active_channels: Mapping[int, HTTPChannel]  # a dict, which subclasses read only
    task_dispatcher: ThreadedTaskDispatcher

    def __init__(
        self,
        application: WSGIApplication,
        map: _Map | None = None,
        _start: bool = True,
        _sock: socket | None = None,
        dispatcher: ThreadedTaskDispatcher | None = None,
        adj: Adjustments | None = None,
        sockinfo: tuple[int, int, int, Any] | None = None,
        bind_socket: bool = True,
        **kw: object,
    ) -> None: ...
    def getsockname(self) -> tuple[str, int]: ...
    def fix_addr(self, addr: Any) -> Any: ...
    def set_socket_options(self, conn: socket) -> None: ...
    def maintenance(self, now: float) -> None: ...
    def pull_trigger(self) -> None: ...
