"""Serving by one process with threads, where gunicorn cannot be imported: it needs fork."""

from __future__ import annotations

import signal
import socket
import threading
from types import FrameType

from django.conf import settings
from django.utils.module_loading import import_string

from tournaments.server import announcing, believed_time, environment, housekeeping, spawned_jobs
from tournaments.server.serving import THREADS, Serving

BACKLOG = 2048
TRUSTED_PROXIES = ("127.0.0.1", "::1")  # gunicorn's default
SECONDS_TO_FINISH = 30.0


def run(host: str, ports: list[int]) -> None:
    """Serve until Ctrl-C or SIGTERM; then finish the requests that have begun."""
    application = import_string(settings.WSGI_APPLICATION)
    believed_time.start(settings.DATA_DIR)
    spawned_jobs.start()
    serving = Serving(
        application,
        [socket.create_server((host, port), backlog=BACKLOG) for port in ports],
        threads=THREADS,
        trusted_proxies=environment.get_words("FORWARDED_ALLOW_IPS") or TRUSTED_PROXIES,
    )
    announcing.start(settings.ADDRESS)
    housekeeping.start(settings.DATA_DIR, settings.HOUSEKEEPING)
    is_over = threading.Event()

    def end(_signal: int, _frame: FrameType | None) -> None:
        is_over.set()
        serving.wake()

    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, end)
    while not is_over.is_set():
        serving.poll()
    serving.finish(SECONDS_TO_FINISH)
