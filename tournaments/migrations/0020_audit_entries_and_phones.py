"""Name audit entries and phones as everybody does; their tables stay as they are."""

from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0019_phones_end_by_a_restore'),
    ]

    operations = [
        migrations.AlterModelTable(name='act', table='tournaments_act'),
        migrations.RenameModel(old_name='Act', new_name='AuditEntry'),
        migrations.AlterModelTable(name='tablesession', table='tournaments_tablesession'),
        migrations.RenameModel(old_name='TableSession', new_name='Phone'),
    ]
