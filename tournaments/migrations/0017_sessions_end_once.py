"""Sessions held the secrets of phones in clear, and log-ins of two weeks: all of them end once."""

from __future__ import annotations

from typing import Any

from django.db import migrations


def end_sessions(apps: Any, _schema_editor: Any) -> None:
    """Delete every session. Staff log in again, and phones join again."""
    apps.get_model("sessions", "Session").objects.all().delete()


class Migration(migrations.Migration):

    dependencies = [
        ("sessions", "0001_initial"),
        ("tournaments", "0016_calls_taken_back"),
    ]

    operations = [migrations.RunPython(end_sessions, migrations.RunPython.noop)]
