from logging import Logger
from typing import Protocol

class _Log(Protocol):
    error_log: Logger

class _Listener(Protocol):
    def fileno(self) -> int: ...

class Arbiter:
    LISTENERS: list[_Listener]
    log: _Log

    def __init__(self, app: object) -> None: ...
