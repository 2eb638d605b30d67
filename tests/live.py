"""A live server for browsers whose threads have their own connections to the database.

Django's live server shares one connection between threads if the database is in memory, so that
they read and write within each other's transactions.
"""

from __future__ import annotations

import socket
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from django.core.servers.basehttp import ThreadedWSGIServer
from django.db import connections
from playwright.sync_api import BrowserContext
from pytest_django.live_server_helper import LiveServer

from tests.frames import with_room

# The timeout of every wait, longer than needed on a slow machine. It only delays failures.
PATIENCE = 60  # seconds

# A page gives up storage that takes seconds to open, as it may on a busy machine.
PATIENT_STORE = f"""window.makiyaku = {{
  set Store(store) {{
    store.PATIENCE = {1000 * PATIENCE};
    Object.defineProperty(this, "Store", {{ value: store }});
  }},
}};"""


class RoomyServer(ThreadedWSGIServer):
    """A server whose threads have room for the frames of a request."""

    def process_request_thread(self, *request: Any) -> None:
        with_room(super().process_request_thread, *request)


@contextmanager
def serving() -> Iterator[LiveServer]:
    """Run a live server with a connection for each thread."""
    server = LiveServer("localhost", start=False)
    server.thread.connections_override = {}
    server.thread.server_class = RoomyServer
    server.start()
    yield server
    server.stop()


def wait_until(check: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not check():
        assert time.monotonic() < end, "timed out"
        time.sleep(0.05)


def wait_patiently(context: BrowserContext) -> None:
    context.set_default_timeout(1000 * PATIENCE)


def end_requests() -> None:
    for thread in threading.enumerate():
        if "(process_request_thread)" in thread.name:
            with suppress(OSError, AttributeError):  # it has ended already
                thread._args[0].shutdown(socket.SHUT_RD)  # type: ignore[attr-defined]
            while thread.ident is None:  # it is being started
                time.sleep(0.001)
            thread.join(PATIENCE)


@contextmanager
def database_in(file: Path) -> Iterator[None]:
    """Copy the database in memory to this file, and let every thread connect to it."""
    in_memory, settings = connections["default"], connections.settings["default"]
    in_memory.ensure_connection()
    with closing(sqlite3.connect(file)) as copy:
        in_memory.connection.backup(copy)
    options = settings["OPTIONS"] | {"timeout": PATIENCE}
    connections.settings["default"] = settings | {"NAME": str(file), "OPTIONS": options}
    connections["default"] = connections.create_connection("default")
    try:
        yield
    finally:
        connections["default"].close()
        connections.settings["default"] = settings
        connections["default"] = in_memory
