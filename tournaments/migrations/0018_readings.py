"""Players have a reading, by which they are found and sorted."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0017_sessions_end_once'),
    ]

    operations = [
        migrations.AddField(
            model_name='entry',
            name='reading',
            field=models.CharField(blank=True, max_length=200, verbose_name='Reading'),
        ),
    ]
