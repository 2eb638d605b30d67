"""django-tables2, without its column for a type of PostgreSQL.

For that it imports psycopg on SQLite, too: a fifth of a second of every start, and 7 MB.
"""

from __future__ import annotations

import sys
from typing import Any

WITH_PSYCOPG = "django.contrib.postgres.fields"

modules: dict[str, Any] = sys.modules
is_loaded = WITH_PSYCOPG in modules
if not is_loaded:
    modules[WITH_PSYCOPG] = None  # as if psycopg was not installed
try:
    import django_tables2
finally:
    if not is_loaded:
        del modules[WITH_PSYCOPG]

__all__ = ["django_tables2"]
