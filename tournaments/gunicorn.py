"""How gunicorn serves a room of phones: `gunicorn --config python:tournaments.gunicorn`."""

import multiprocessing
import os
import signal
import socket
from types import FrameType

from gunicorn.arbiter import Arbiter
from gunicorn.workers.base import Worker

worker_class = "sync"  # measured faster than threads for this work
workers = min(4, multiprocessing.cpu_count() + 1)
preload_app = True  # a refusal to start is told once, and the processes share their memory
timeout = 120  # a booklet of hundreds of sheets takes its time
graceful_timeout = 30
control_socket_disable = True
loglevel = "warning"

SECONDS_TO_SAY_SOMETHING = 30
WHOLE_PAGE = 400_000  # bytes


def when_ready(server: Arbiter) -> None:
    """Keep silent and slow phones from holding a process, and let Ctrl-C finish what is under way.

    Browsers open connections ahead of need. A process that accepted one would wait for it to speak,
    so the system only hands over connections on which a request has come; and it takes a whole page
    at once, to deliver at the pace of the Wi-Fi.
    """
    for listener in server.LISTENERS:
        listener.sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, WHOLE_PAGE)
        if hasattr(socket, "TCP_DEFER_ACCEPT"):  # Linux
            listener.sock.setsockopt(
                socket.IPPROTO_TCP, socket.TCP_DEFER_ACCEPT, SECONDS_TO_SAY_SOMETHING
            )
    signal.signal(signal.SIGINT, _stop_gracefully)


def post_worker_init(_worker: Worker) -> None:
    """Leave Ctrl-C, which a terminal sends to every process, to the first of them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _stop_gracefully(_signal: int, _frame: FrameType | None) -> None:
    os.kill(os.getpid(), signal.SIGTERM)
