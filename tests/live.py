"""A server for browsers: what its threads share with a test is the database, and no connection.

Django's own way, with a database in memory, lets all threads speak over one connection. What one of
them reads, writes or takes back is then amid the transaction of another.
"""

from __future__ import annotations

import socket
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from django.db import connections
from playwright.sync_api import BrowserContext
from pytest_django.live_server_helper import LiveServer

# Of whatever is waited for; far more than it takes on a slow and busy machine. Waiting ends as soon
# as it has happened, so that this is the time until a test fails, and nothing else.
PATIENCE = 60  # seconds

# A page does without storage that takes seconds to open; on a busy machine it takes more of them.
PATIENT_STORE = f"""window.makiyaku = {{
  set Store(store) {{
    store.PATIENCE = {1000 * PATIENCE};
    Object.defineProperty(this, "Store", {{ value: store }});
  }},
}};"""


@contextmanager
def serving() -> Iterator[LiveServer]:
    """Serve, with a connection for each thread."""
    server = LiveServer("localhost", start=False)
    server.thread.connections_override = {}
    server.start()
    yield server
    server.stop()


def wait_patiently(context: BrowserContext) -> None:
    """Let whoever drives these pages wait for what is to come."""
    context.set_default_timeout(1000 * PATIENCE)


def end_requests() -> None:
    """Let the server answer what it has been asked, and wait until it has."""
    for thread in threading.enumerate():
        if "(process_request_thread)" in thread.name:
            with suppress(OSError, AttributeError):  # it has ended by itself
                thread._args[0].shutdown(socket.SHUT_RD)  # type: ignore[attr-defined]
            while thread.ident is None:  # it is only just being started
                time.sleep(0.001)
            thread.join(PATIENCE)


@contextmanager
def database_in(file: Path) -> Iterator[None]:
    """Let every thread open a copy in this file of the database that is in memory."""
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
