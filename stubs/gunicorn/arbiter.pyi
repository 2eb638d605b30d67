from logging import Logger
from typing import Protocol

class _Log(Protocol):
    error_log: Logger

class Arbiter:
    log: _Log

    def __init__(self, app: object) -> None: ...
