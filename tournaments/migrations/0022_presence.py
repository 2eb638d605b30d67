"""Marks of the roll call, and audit entries about them."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0021_audit_entries_related_name'),
    ]

    operations = [
        migrations.AlterField(
            model_name='auditentry',
            name='kind',
            field=models.CharField(choices=[('rules_set', 'Rules set'), ('entries_added', 'Players added'), ('entry_changed', 'Player changed'), ('private_changed', 'What is private of a player changed'), ('entry_removed', 'Player removed'), ('session_opened', 'Seats assigned'), ('session_reseated', 'Seats reassigned'), ('session_ended', 'Session ended'), ('session_resumed', 'Session resumed'), ('session_removed', 'Session removed'), ('round_recorded', 'Round recorded'), ('round_continued', 'Round continued'), ('round_corrected', 'Round corrected'), ('published', 'Published'), ('shown_live', 'Shown to everybody as it is played'), ('withdrawn', 'Unpublished'), ('closed', 'Tournament closed'), ('reopened', 'Tournament reopened'), ('event_removed', 'Tournament removed'), ('event_restored', 'Tournament restored'), ('archive_read', 'Imported from an archive'), ('role_given', 'Role given'), ('role_taken', 'Role taken'), ('phone_joined', 'Phone joined'), ('phone_took_over', 'Phone took over'), ('phones_ended', 'Phones ended'), ('link_made', 'Table link made'), ('link_revoked', 'Table link revoked'), ('pin_made', 'PIN made'), ('round_accepted', 'Round accepted'), ('round_disputed', 'Round disputed'), ('desk_called', 'Desk called'), ('call_answered', 'Call answered'), ('call_taken_back', 'Call taken back'), ('dispute_settled', 'Disagreement settled'), ('players_exchanged', 'Players exchanged'), ('paper_overruled', 'Totals on paper overruled'), ('totals_entered', 'Totals entered'), ('totals_corrected', 'Totals corrected'), ('presence_marked', 'Marked in the roll call'), ('roll_call_restarted', 'Roll call started again')], max_length=20),
        ),
        migrations.CreateModel(
            name='Presence',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('session_number', models.PositiveSmallIntegerField()),
                ('status', models.CharField(choices=[('expected', 'Not checked'), ('present', 'Present'), ('late', 'Late'), ('absent', 'Absent'), ('withdrawn', 'Withdrawn')], max_length=9)),
                ('entry', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='presence', to='tournaments.entry')),
            ],
            options={
                'verbose_name_plural': 'presence',
                'ordering': ('session_number', 'entry'),
                'constraints': [models.UniqueConstraint(fields=('entry', 'session_number'), name='one_mark_a_roll_call')],
            },
        ),
    ]
