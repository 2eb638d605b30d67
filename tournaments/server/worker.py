"""A worker class for gunicorn that serves as `serving` does."""

from __future__ import annotations

import os
from types import FrameType

from gunicorn.workers.base import Worker

from tournaments.server.serving import Serving


class BufferingWorker(Worker):
    serving: Serving | None = None

    def run(self) -> None:
        """Serve until gunicorn stops the worker; then finish the requests that have begun."""
        self.serving = serving = Serving(
            self.wsgi,
            [listener.sock for listener in self.sockets],
            threads=self.cfg.threads,
            trusted_proxies=self.cfg.forwarded_allow_ips,
        )

        def poll() -> None:
            self.notify()  # that this worker is alive
            serving.poll()

        while self.alive and self.ppid == os.getppid():
            poll()
        serving.finish(self.cfg.graceful_timeout, poll)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Wake the event loop at a signal, so that `run` stops at once."""
        super().handle_exit(sig, frame)
        if self.serving is not None:
            self.serving.wake()
