"""How gunicorn serves a room of phones: `gunicorn --config python:tournaments.gunicorn`."""

import logging
import multiprocessing
import os
import signal
import socket
import struct
from types import FrameType

from gunicorn.arbiter import Arbiter
from gunicorn.workers.base import Worker

from tournaments.serving.log_lines import hide_tokens

workers = min(4, multiprocessing.cpu_count() + 1)
worker_class = "gthread"  # keeps connections: on a slow line each new one costs a phone two turns
threads = 8
keepalive = 30  # seconds
preload_app = True  # a refusal to start is told once, and the processes share their memory
graceful_timeout = 30
control_socket_disable = True
loglevel = "warning"

SECONDS_TO_SAY_SOMETHING = 30
SECONDS_TO_GO_ON = 10
WHOLE_PAGE = 400_000  # bytes


def on_starting(server: Arbiter) -> None:
    """Write no token of a table's link to the log."""
    hide_tokens(server.log.error_log)


def when_ready(server: Arbiter) -> None:
    """Keep silent and slow phones from holding a thread, and let Ctrl-C finish what is under way.

    Browsers open connections ahead of need. A thread that accepted one would wait for it to speak,
    so the system only hands over connections on which a request has come; it ends one that falls
    silent in the middle of a request, as a phone out of reach does; and it takes a whole page at
    once, to deliver at the pace of the Wi-Fi.
    """
    patience = struct.pack("@ll", SECONDS_TO_GO_ON, 0)
    for listener in server.LISTENERS:
        listener.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, patience)
        listener.sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, WHOLE_PAGE)
        if hasattr(socket, "TCP_DEFER_ACCEPT"):  # Linux
            listener.sock.setsockopt(
                socket.IPPROTO_TCP, socket.TCP_DEFER_ACCEPT, SECONDS_TO_SAY_SOMETHING
            )
    signal.signal(signal.SIGINT, _stop_gracefully)


def post_worker_init(worker: Worker) -> None:
    """Leave Ctrl-C, which a terminal sends to every process, to the first of them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    worker.log.error_log.addFilter(_is_worth_telling)


def _is_worth_telling(record: logging.LogRecord) -> bool:
    """Whether it is more than a phone that went out of reach."""
    return not (record.exc_info and isinstance(record.exc_info[1], BlockingIOError))


def _stop_gracefully(_signal: int, _frame: FrameType | None) -> None:
    os.kill(os.getpid(), signal.SIGTERM)
