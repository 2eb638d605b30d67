"""gunicorn's configuration: `gunicorn --config python:tournaments.gunicorn`."""

import gc
import multiprocessing
import os
import signal
from types import FrameType

from django.conf import settings
from gunicorn.arbiter import Arbiter
from gunicorn.workers.base import Worker

from tournaments.server import announcing, believed_time, housekeeping, job_server
from tournaments.server.log_formatter import hide_tokens
from tournaments.server.serving import THREADS

workers = min(4, max(2, multiprocessing.cpu_count()))
worker_class = "tournaments.server.worker.BufferingWorker"  # slow peers occupy no thread
threads = THREADS
# Python's default of 700 would start many garbage collections for each page of a full hall.
ALLOCATIONS_UNTIL_COLLECTION = 50_000
preload_app = True  # a failing check is reported once, and processes share memory
graceful_timeout = 30
control_socket_disable = True
loglevel = "warning"


def on_starting(server: Arbiter) -> None:
    """Hide the tokens of table links in gunicorn's error log."""
    hide_tokens(server.log.error_log)


def when_ready(server: Arbiter) -> None:
    """Exclude the application from garbage collection, start the job server, handle Ctrl-C."""
    gc.collect()
    gc.freeze()  # before processes are forked, which then share this memory
    gc.set_threshold(ALLOCATIONS_UNTIL_COLLECTION, 20, 20)
    believed_time.start(settings.DATA_DIR)
    listeners = [each.fileno() for each in server.LISTENERS]
    job_server.start(settings.JOB_PREPARATION, listeners)
    announcing.start(settings.ADDRESS)
    signal.signal(signal.SIGINT, _stop_gracefully)


def post_worker_init(_worker: Worker) -> None:
    """Ignore Ctrl-C, which a terminal sends to every process: the master handles it.

    Starts the housekeeping, which runs in one of the workers.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    housekeeping.start(settings.DATA_DIR, settings.HOUSEKEEPING)


def _stop_gracefully(_signal: int, _frame: FrameType | None) -> None:
    """Handle SIGINT as SIGTERM, with which gunicorn lets running requests finish."""
    os.kill(os.getpid(), signal.SIGTERM)
