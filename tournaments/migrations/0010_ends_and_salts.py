"""With which act and which receipt every tournament's chain ends; and salts for private data.

What is cut off from the end of a chain leaves nothing behind that would miss it, but for the
tournament's own row. An entry's salt is drawn by whoever next tells of it in an act.
"""

from typing import Any

from django.db import migrations, models


def tell_ends(apps: Any, _schema_editor: Any) -> None:
    """Give every tournament the digests of its last act and its last receipt, if it has any."""
    for tournament in apps.get_model("tournaments", "Tournament").objects.all():
        act = tournament.acts.order_by("number").last()
        receipt = tournament.receipts.order_by("number").last()
        tournament.last_act = act.digest if act else ""
        tournament.last_receipt = receipt.digest if receipt else ""
        tournament.save(update_fields=["last_act", "last_receipt"])


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0009_guesses_grow_stale")]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="last_act",
            field=models.CharField(blank=True, editable=False, max_length=64),
        ),
        migrations.AddField(
            model_name="tournament",
            name="last_receipt",
            field=models.CharField(blank=True, editable=False, max_length=64),
        ),
        migrations.AddField(
            model_name="entry",
            name="salt",
            field=models.CharField(blank=True, editable=False, max_length=32),
        ),
        migrations.RunPython(tell_ends, migrations.RunPython.noop),
    ]
