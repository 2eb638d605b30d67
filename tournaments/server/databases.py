"""Django's settings of a database, from its URL."""

from __future__ import annotations

from typing import Any

import dj_database_url

from tournaments.server import sqlite

# Planning is half of what a deal costs PostgreSQL: what a connection repeats is prepared.
PREPARED = {"server_side_binding": True, "prepare_threshold": 3}


def database_of(url: str) -> dict[str, Any]:
    """Return the settings of the database with this URL.

    Connections to PostgreSQL are persistent, at most one for each thread of the server. Those to a
    SQLite file are, too, while it is the same file: `sqlite.keep_connections`.
    """
    database: dict[str, Any] = {**dj_database_url.parse(url)}
    is_sqlite = database["ENGINE"] == "django.db.backends.sqlite3"
    options = sqlite.options() if is_sqlite else PREPARED
    database["OPTIONS"] = options | database.get("OPTIONS", {})
    if not is_sqlite:
        database |= {"CONN_MAX_AGE": 60, "CONN_HEALTH_CHECKS": True}
    return database
