"""Django's settings of a database, from its URL, and what a server adds to them."""

from __future__ import annotations

from typing import Any

import dj_database_url
from django.db import connections

from tournaments.server import sqlite, write_queue

# PostgreSQL spends half of its time for a deal on planning: repeated statements are prepared.
PREPARED = {"server_side_binding": True, "prepare_threshold": 3}


def database_of(url: str) -> dict[str, Any]:
    """Return Django's settings of the database with this URL.

    Connections to PostgreSQL are persistent, one for each thread of the server. For SQLite, see
    `sqlite.keep_connections`.
    """
    database: dict[str, Any] = {**dj_database_url.parse(url)}
    is_sqlite = database["ENGINE"] == "django.db.backends.sqlite3"
    options = sqlite.options() if is_sqlite else PREPARED
    database["OPTIONS"] = options | database.get("OPTIONS", {})
    if not is_sqlite:
        database |= {"CONN_MAX_AGE": 60, "CONN_HEALTH_CHECKS": True}
    return database


def open_as_server() -> None:
    """Let this process open SQLite as a server does: never make its file, and queue its writes."""
    default = connections.settings["default"]
    sqlite.require_existing_file(default)
    sqlite.keep_connections(default)
    write_queue.enable()
