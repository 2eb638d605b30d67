"""Somebody can play in an absent player's stead."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0024_planned_sessions'),
    ]

    operations = [
        migrations.AlterField(
            model_name='auditentry',
            name='kind',
            field=models.CharField(choices=[('rules_set', 'Rules set'), ('entries_added', 'Players added'), ('entry_changed', 'Player changed'), ('private_changed', 'What is private of a player changed'), ('entry_removed', 'Player removed'), ('session_opened', 'Seats assigned'), ('session_reseated', 'Seats reassigned'), ('session_ended', 'Session ended'), ('session_resumed', 'Session resumed'), ('session_removed', 'Session removed'), ('round_recorded', 'Round recorded'), ('round_continued', 'Round continued'), ('round_corrected', 'Round corrected'), ('published', 'Published'), ('shown_live', 'Shown to everybody as it is played'), ('withdrawn', 'Unpublished'), ('closed', 'Tournament closed'), ('reopened', 'Tournament reopened'), ('event_removed', 'Tournament removed'), ('event_restored', 'Tournament restored'), ('archive_read', 'Imported from an archive'), ('role_given', 'Role given'), ('role_taken', 'Role taken'), ('phone_joined', 'Phone joined'), ('phone_took_over', 'Phone took over'), ('phones_ended', 'Phones ended'), ('link_made', 'Table link made'), ('link_revoked', 'Table link revoked'), ('pin_made', 'PIN made'), ('round_accepted', 'Round accepted'), ('round_disputed', 'Round disputed'), ('desk_called', 'Desk called'), ('call_answered', 'Call answered'), ('call_taken_back', 'Call taken back'), ('dispute_settled', 'Disagreement settled'), ('players_exchanged', 'Players exchanged'), ('paper_overruled', 'Totals on paper overruled'), ('totals_entered', 'Totals entered'), ('totals_corrected', 'Totals corrected'), ('presence_marked', 'Marked in the roll call'), ('roll_call_restarted', 'Roll call started again'), ('substitute_added', 'Substitute named'), ('substitute_removed', 'Substitute taken back')], max_length=20),
        ),
        migrations.AddField(
            model_name='entry',
            name='is_substitute',
            field=models.BooleanField(default=False, editable=False),
        ),
        migrations.CreateModel(
            name='Substitution',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('session_number', models.PositiveSmallIntegerField()),
                ('entry', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='substitutions', to='tournaments.entry')),
                ('substitute', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='substituting', to='tournaments.entry')),
            ],
            options={
                'ordering': ('session_number', 'entry'),
                'constraints': [models.UniqueConstraint(fields=('entry', 'session_number'), name='one_substitute_a_session'), models.UniqueConstraint(fields=('substitute', 'session_number'), name='substitutes_one_a_session')],
            },
        ),
    ]
