"""Rename the reverse accessor of audit entries; no SQL."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0020_audit_entries_and_phones'),
    ]

    operations = [
        migrations.AlterField(
            model_name='auditentry',
            name='tournament',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='audit_entries', to='tournaments.tournament'),
        ),
    ]
