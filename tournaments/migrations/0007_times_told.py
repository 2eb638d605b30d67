"""Times that come with a row: an event brought in from an archive keeps its own.

The database does not know the difference. An acceptance gets the time of the act that tells of it,
so that the two can be compared.
"""

from typing import Any

import django.utils.timezone
from django.db import migrations, models

TIMES = (
    *(("tournament", "created_at"), ("receipt", "at"), ("acceptance", "at")),
    *(("disagreement", "at"), ("call", "at")),
)


def tell_times(apps: Any, _schema_editor: Any) -> None:
    """Give every acceptance the time that its act names, where there is one."""
    acts = apps.get_model("tournaments", "Act").objects.filter(kind="round_accepted")
    told = {(act.tournament_id, *(act.subject.get(key) for key in PLACE)): act.at for act in acts}
    accepted = apps.get_model("tournaments", "Acceptance").objects
    for row in accepted.select_related("round__sitting__session"):
        sitting = row.round.sitting
        session = sitting.session
        place = (session.number, sitting.number, row.round.number, row.round.version)
        row.at = told.get((session.tournament_id, *place), row.at)
        row.save(update_fields=["at"])


PLACE = ("session", "table", "round", "version")


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0006_publications")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    model_name=model,
                    name=name,
                    field=models.DateTimeField(default=django.utils.timezone.now, editable=False),
                )
                for model, name in TIMES
            ]
        ),
        migrations.RunPython(tell_times, migrations.RunPython.noop),
    ]
