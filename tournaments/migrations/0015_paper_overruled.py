"""An act of its own keeps totals on paper that were overruled."""


from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0014_sessions_ended_events_removed'),
    ]

    operations = [
        migrations.AlterField(
            model_name='act',
            name='kind',
            field=models.CharField(choices=[('rules_set', 'Rules set'), ('entries_added', 'Players added'), ('entry_changed', 'Player changed'), ('private_changed', 'What is private of a player changed'), ('entry_removed', 'Player removed'), ('session_opened', 'Seats assigned'), ('session_reseated', 'Seats reassigned'), ('session_ended', 'Session ended'), ('session_resumed', 'Session resumed'), ('session_removed', 'Session removed'), ('round_recorded', 'Round recorded'), ('round_continued', 'Round continued'), ('round_corrected', 'Round corrected'), ('published', 'Published'), ('shown_live', 'Shown to everybody as it is played'), ('withdrawn', 'Unpublished'), ('closed', 'Tournament closed'), ('reopened', 'Tournament reopened'), ('event_removed', 'Tournament removed'), ('event_restored', 'Tournament restored'), ('archive_read', 'Imported from an archive'), ('role_given', 'Role given'), ('role_taken', 'Role taken'), ('phone_joined', 'Phone joined'), ('phone_took_over', 'Phone took over'), ('link_made', 'Table link made'), ('link_revoked', 'Table link revoked'), ('pin_made', 'PIN made'), ('round_accepted', 'Round accepted'), ('round_disputed', 'Round disputed'), ('desk_called', 'Desk called'), ('call_answered', 'Call answered'), ('dispute_settled', 'Disagreement settled'), ('players_exchanged', 'Players exchanged'), ('paper_overruled', 'Totals on paper overruled'), ('totals_entered', 'Totals entered'), ('totals_corrected', 'Totals corrected')], max_length=20),
        ),
    ]
