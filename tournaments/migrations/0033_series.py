"""Series, their events, owners, changes and linked players."""

import django.db.models.deletion
import django.utils.timezone
import tournaments.models.tournament
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0032_stages'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Series',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(default=tournaments.models.tournament.random_slug, max_length=40, unique=True)),
                ('name', models.CharField(max_length=200, verbose_name='Name')),
                ('season', models.CharField(blank=True, max_length=60, verbose_name='Season')),
                ('rules', models.JSONField(blank=True, default=dict)),
                ('version', models.PositiveIntegerField(default=0)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
            ],
            options={
                'verbose_name_plural': 'series',
                'ordering': ('-pk',),
            },
        ),
        migrations.AlterField(
            model_name='auditentry',
            name='kind',
            field=models.CharField(choices=[('rules_set', 'Rules set'), ('ranking_set', 'Ranking set'), ('points_adjusted', 'Points given or deducted'), ('adjustment_ended', 'Adjustment of points taken back'), ('tie_decided', 'Tie decided'), ('decision_ended', 'Decision on a tie taken back'), ('entries_added', 'Players added'), ('entry_changed', 'Player changed'), ('private_changed', 'What is private of a player changed'), ('entry_removed', 'Player removed'), ('session_opened', 'Seats assigned'), ('session_reseated', 'Seats reassigned'), ('session_ended', 'Session ended'), ('session_resumed', 'Session resumed'), ('session_removed', 'Session removed'), ('round_recorded', 'Round recorded'), ('round_continued', 'Round continued'), ('round_corrected', 'Round corrected'), ('published', 'Published'), ('shown_live', 'Shown to everybody as it is played'), ('withdrawn', 'Unpublished'), ('seats_shown', 'Seats shown to everybody'), ('seats_hidden', 'Seats hidden'), ('closed', 'Tournament closed'), ('reopened', 'Tournament reopened'), ('event_removed', 'Tournament removed'), ('event_restored', 'Tournament restored'), ('archive_read', 'Imported from an archive'), ('role_given', 'Role given'), ('role_taken', 'Role taken'), ('phone_joined', 'Phone joined'), ('phone_took_over', 'Phone took over'), ('phones_ended', 'Phones ended'), ('link_made', 'Table link made'), ('link_revoked', 'Table link revoked'), ('pin_made', 'PIN made'), ('round_accepted', 'Round accepted'), ('round_disputed', 'Round disputed'), ('desk_called', 'Desk called'), ('call_answered', 'Call answered'), ('call_taken_back', 'Call taken back'), ('dispute_settled', 'Disagreement settled'), ('players_exchanged', 'Players exchanged'), ('paper_overruled', 'Totals on paper overruled'), ('totals_entered', 'Totals entered'), ('totals_corrected', 'Totals corrected'), ('presence_marked', 'Marked in the roll call'), ('clock_set', 'Clock set'), ('clock_started', 'Clock started'), ('clock_paused', 'Clock paused'), ('clock_resumed', 'Clock goes on'), ('clock_reset', 'Clock set back'), ('roll_call_restarted', 'Roll call started again'), ('players_changed', 'Players joined or left a table'), ('substitute_added', 'Substitute named'), ('substitute_removed', 'Substitute taken back'), ('stage_set', 'Stage defined'), ('stage_removed', 'Stage removed'), ('stage_confirmed', 'Players who go on confirmed'), ('stage_taken_back', 'Players who go on taken back'), ('member_replaced', 'Player who goes on replaced'), ('series_joined', 'Added to a series'), ('series_left', 'Taken out of a series')], max_length=20),
        ),
        migrations.CreateModel(
            name='SeriesEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('series', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='events', to='tournaments.series')),
                ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='in_series', to='tournaments.tournament')),
            ],
        ),
        migrations.AddField(
            model_name='series',
            name='tournaments',
            field=models.ManyToManyField(related_name='series', through='tournaments.SeriesEvent', to='tournaments.tournament'),
        ),
        migrations.CreateModel(
            name='SeriesOwner',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('series', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='ownerships', to='tournaments.series')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='ownerships', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.AddField(
            model_name='series',
            name='owners',
            field=models.ManyToManyField(related_name='series', through='tournaments.SeriesOwner', to=settings.AUTH_USER_MODEL),
        ),
        migrations.CreateModel(
            name='SamePlayer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('first', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tournaments.entry')),
                ('second', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tournaments.entry')),
                ('series', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='same_players', to='tournaments.series')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('series', 'first', 'second'), name='linked_once')],
            },
        ),
        migrations.CreateModel(
            name='SeriesChange',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('who', models.CharField(max_length=200)),
                ('kind', models.CharField(choices=[('set', 'Series settings saved'), ('owner_added', 'Account may edit the series'), ('owner_removed', 'Account may no longer edit the series'), ('event_added', 'Tournament added to the series'), ('event_removed', 'Tournament taken out of the series'), ('linked', 'Players linked as one person'), ('unlinked', 'Players separated again')], max_length=20)),
                ('facts', models.JSONField(default=dict)),
                ('series', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='changes', to='tournaments.series')),
            ],
            options={
                'ordering': ('number',),
                'constraints': [models.UniqueConstraint(fields=('series', 'number'), name='series_change_once')],
            },
        ),
        migrations.AddConstraint(
            model_name='seriesevent',
            constraint=models.UniqueConstraint(fields=('series', 'tournament'), name='series_event_once'),
        ),
        migrations.AddConstraint(
            model_name='seriesowner',
            constraint=models.UniqueConstraint(fields=('series', 'user'), name='series_owner_once'),
        ),
    ]
