"""How gunicorn serves a room of phones: `gunicorn --config python:tournaments.gunicorn`."""

import multiprocessing
import os
import signal
from types import FrameType

from gunicorn.arbiter import Arbiter
from gunicorn.workers.base import Worker

from tournaments.server.log_lines import hide_tokens

workers = min(4, multiprocessing.cpu_count() + 1)
worker_class = "tournaments.server.worker.BufferingWorker"  # slow peers cost it no thread
threads = 8
preload_app = True  # a refusal to start is told once, and the processes share their memory
graceful_timeout = 30
control_socket_disable = True
loglevel = "warning"


def on_starting(server: Arbiter) -> None:
    """Write no token of a table's link to the log."""
    hide_tokens(server.log.error_log)


def when_ready(_server: Arbiter) -> None:
    """Let Ctrl-C finish what is under way."""
    signal.signal(signal.SIGINT, _stop_gracefully)


def post_worker_init(_worker: Worker) -> None:
    """Leave Ctrl-C, which a terminal sends to every process, to the first of them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _stop_gracefully(_signal: int, _frame: FrameType | None) -> None:
    os.kill(os.getpid(), signal.SIGTERM)
