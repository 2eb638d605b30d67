from typing import Any

import django.utils.timezone
from django.apps.registry import Apps
from django.db import migrations, models

import tournaments.models.seating


def give_each_its_key(apps: Apps, _schema_editor: Any) -> None:
    """Replace the default, which is the same for all rows that exist already."""
    sittings = apps.get_model("tournaments", "Sitting").objects
    for sitting in sittings.only("pk").iterator():
        sittings.filter(pk=sitting.pk).update(key=tournaments.models.seating.random_token())


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0046_daily_counts'),
    ]

    operations = [
        migrations.CreateModel(
            name='Epoch',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField(unique=True)),
                ('reason', models.CharField(choices=[('restored', 'A backup was restored'), ('continued', 'This computer took over from a standby copy'), ('elsewhere', 'Another computer took over')], max_length=9)),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('sends_again', models.BooleanField(default=True)),
            ],
            options={
                'ordering': ('number',),
            },
        ),
        migrations.AddField(
            model_name='sitting',
            name='key',
            field=models.CharField(default=tournaments.models.seating.random_token, editable=False, max_length=22),
        ),
        migrations.RunPython(give_each_its_key, migrations.RunPython.noop, elidable=True),
    ]
