"""Planned seats, and which of the sessions drawn together a draw is of."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0034_play_offs'),
    ]

    operations = [
        migrations.AddField(
            model_name='draw',
            name='nth',
            field=models.PositiveSmallIntegerField(default=1),
        ),
        migrations.AlterField(
            model_name='auditentry',
            name='kind',
            field=models.CharField(choices=[('rules_set', 'Rules set'), ('ranking_set', 'Ranking set'), ('points_adjusted', 'Points given or deducted'), ('adjustment_ended', 'Adjustment of points taken back'), ('tie_decided', 'Tie decided'), ('decision_ended', 'Decision on a tie taken back'), ('entries_added', 'Players added'), ('entry_changed', 'Player changed'), ('private_changed', 'What is private of a player changed'), ('entry_removed', 'Player removed'), ('session_opened', 'Seats assigned'), ('session_reseated', 'Seats reassigned'), ('schedule_kept', 'Seats planned'), ('schedule_changed', 'Planned seats changed'), ('schedule_dropped', 'Planned seats dropped'), ('session_ended', 'Session ended'), ('session_resumed', 'Session resumed'), ('session_removed', 'Session removed'), ('round_recorded', 'Round recorded'), ('round_continued', 'Round continued'), ('round_corrected', 'Round corrected'), ('published', 'Published'), ('shown_live', 'Shown to everybody as it is played'), ('withdrawn', 'Unpublished'), ('seats_shown', 'Seats shown to everybody'), ('seats_hidden', 'Seats hidden'), ('closed', 'Tournament closed'), ('reopened', 'Tournament reopened'), ('event_removed', 'Tournament removed'), ('event_restored', 'Tournament restored'), ('archive_read', 'Imported from an archive'), ('role_given', 'Role given'), ('role_taken', 'Role taken'), ('phone_joined', 'Phone joined'), ('phone_took_over', 'Phone took over'), ('phones_ended', 'Phones ended'), ('link_made', 'Table link made'), ('link_revoked', 'Table link revoked'), ('pin_made', 'PIN made'), ('round_accepted', 'Round accepted'), ('round_disputed', 'Round disputed'), ('desk_called', 'Desk called'), ('call_answered', 'Call answered'), ('call_taken_back', 'Call taken back'), ('dispute_settled', 'Disagreement settled'), ('players_exchanged', 'Players exchanged'), ('paper_overruled', 'Totals on paper overruled'), ('totals_entered', 'Totals entered'), ('totals_corrected', 'Totals corrected'), ('presence_marked', 'Marked in the roll call'), ('clock_set', 'Clock set'), ('clock_started', 'Clock started'), ('clock_paused', 'Clock paused'), ('clock_resumed', 'Clock goes on'), ('clock_reset', 'Clock set back'), ('roll_call_restarted', 'Roll call started again'), ('players_changed', 'Players joined or left a table'), ('substitute_added', 'Substitute named'), ('substitute_removed', 'Substitute taken back'), ('stage_set', 'Stage defined'), ('stage_removed', 'Stage removed'), ('stage_confirmed', 'Players who go on confirmed'), ('stage_taken_back', 'Players who go on taken back'), ('member_replaced', 'Player who goes on replaced'), ('series_joined', 'Added to a series'), ('series_left', 'Taken out of a series')], max_length=20),
        ),
        migrations.CreateModel(
            name='Schedule',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('first_session', models.PositiveSmallIntegerField()),
                ('request', models.JSONField()),
                ('answer', models.JSONField()),
                ('seats', models.JSONField()),
                ('tournament', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='schedule', to='tournaments.tournament')),
            ],
        ),
    ]
