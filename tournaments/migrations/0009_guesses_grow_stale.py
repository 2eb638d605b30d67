"""Wrong guesses tell when the last of them was counted, so that old ones can be forgotten."""

import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0008_what_hangs_together")]

    operations = [
        migrations.AddField(
            model_name="guesses",
            name="counted_at",
            field=models.DateTimeField(db_index=True, default=django.utils.timezone.now),
        ),
    ]
