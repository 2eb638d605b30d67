"""Players can be in a team."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0022_presence'),
    ]

    operations = [
        migrations.AddField(
            model_name='entry',
            name='team',
            field=models.CharField(blank=True, max_length=200, verbose_name='Team'),
        ),
    ]
