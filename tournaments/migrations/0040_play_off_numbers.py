"""Which sessions are play-offs, as a copy in the tournament."""

from typing import Any

from django.db import migrations, models


def copy_play_offs(apps: Any, _schema_editor: Any) -> None:
    """Store the numbers of the play-offs of each tournament that has any."""
    numbers: dict[int, list[int]] = {}
    sessions = apps.get_model("tournaments", "Session").objects.filter(tied__isnull=False)
    for tournament, number in sessions.order_by("number").values_list("tournament", "number"):
        numbers.setdefault(tournament, []).append(number)
    for tournament, own in numbers.items():
        rows = apps.get_model("tournaments", "Tournament").objects.filter(pk=tournament)
        rows.update(play_off_numbers=own)


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0039_planned_seats_shown'),
    ]

    operations = [
        migrations.AddField(
            model_name='tournament',
            name='play_off_numbers',
            field=models.JSONField(blank=True, default=list, editable=False),
        ),
        migrations.RunPython(copy_play_offs, migrations.RunPython.noop),
    ]
