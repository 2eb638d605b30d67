from typing import Any

from django.apps.registry import Apps
from django.db import migrations


def leave_the_number_to_the_session(apps: Apps, _schema_editor: Any) -> None:
    """Clear the number of rounds of each table that nobody continues."""
    sittings = apps.get_model("tournaments", "Sitting").objects
    sittings.filter(continued_by=None).exclude(rounds_planned=None).update(rounds_planned=None)


class Migration(migrations.Migration):
    """Who goes on at a table plays what is left of the session's number, also if that changes."""

    dependencies = [("tournaments", "0047_epochs")]

    operations = [
        migrations.RunPython(
            leave_the_number_to_the_session, migrations.RunPython.noop, elidable=True
        ),
    ]
