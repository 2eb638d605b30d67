from threading import Condition, Lock
from typing import Any, Protocol

from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser

# What waitress calls of its deque of channels.
class _Queue(Protocol):
    def append(self, channel: Any, /) -> None: ...
    def popleft(self) -> Any: ...
    def __len__(self) -> int: ...

class ThreadedTaskDispatcher:
    lock: Lock
    queue: _Queue
    queue_cv: Condition

    def __init__(self) -> None: ...
    def set_thread_count(self, count: int) -> None: ...
    def shutdown(self, cancel_pending: bool = True, timeout: float = 5) -> bool: ...

class Task:
    channel: HTTPChannel
    request: HTTPRequestParser

    def __init__(self, channel: HTTPChannel, request: HTTPRequestParser) -> None: ...

class WSGITask(Task):
    def execute(self) -> None: ...
    def get_environment(self) -> dict[str, Any]: ...
