"""Applications to play, and the settings of registration."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0035_schedules"),
    ]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="registration",
            field=models.JSONField(blank=True, default=dict, editable=False),
        ),
        migrations.AlterField(
            model_name="auditentry",
            name="kind",
            field=models.CharField(
                choices=[
                    ("rules_set", "Rules set"),
                    ("ranking_set", "Ranking set"),
                    ("points_adjusted", "Points given or deducted"),
                    ("adjustment_ended", "Adjustment of points taken back"),
                    ("tie_decided", "Tie decided"),
                    ("decision_ended", "Decision on a tie taken back"),
                    ("entries_added", "Players added"),
                    ("entry_changed", "Player changed"),
                    ("private_changed", "What is private of a player changed"),
                    ("entry_removed", "Player removed"),
                    ("session_opened", "Seats assigned"),
                    ("session_reseated", "Seats reassigned"),
                    ("schedule_kept", "Seats planned"),
                    ("schedule_changed", "Planned seats changed"),
                    ("schedule_dropped", "Planned seats dropped"),
                    ("session_ended", "Session ended"),
                    ("session_resumed", "Session resumed"),
                    ("session_removed", "Session removed"),
                    ("round_recorded", "Round recorded"),
                    ("round_continued", "Round continued"),
                    ("round_corrected", "Round corrected"),
                    ("published", "Published"),
                    ("shown_live", "Shown to everybody as it is played"),
                    ("withdrawn", "Unpublished"),
                    ("seats_shown", "Seats shown to everybody"),
                    ("seats_hidden", "Seats hidden"),
                    ("closed", "Tournament closed"),
                    ("reopened", "Tournament reopened"),
                    ("event_removed", "Tournament removed"),
                    ("event_restored", "Tournament restored"),
                    ("archive_read", "Imported from an archive"),
                    ("role_given", "Role given"),
                    ("role_taken", "Role taken"),
                    ("phone_joined", "Phone joined"),
                    ("phone_took_over", "Phone took over"),
                    ("phones_ended", "Phones ended"),
                    ("link_made", "Table link made"),
                    ("link_revoked", "Table link revoked"),
                    ("pin_made", "PIN made"),
                    ("round_accepted", "Round accepted"),
                    ("round_disputed", "Round disputed"),
                    ("desk_called", "Desk called"),
                    ("call_answered", "Call answered"),
                    ("call_taken_back", "Call taken back"),
                    ("dispute_settled", "Disagreement settled"),
                    ("players_exchanged", "Players exchanged"),
                    ("paper_overruled", "Totals on paper overruled"),
                    ("totals_entered", "Totals entered"),
                    ("totals_corrected", "Totals corrected"),
                    ("presence_marked", "Marked in the roll call"),
                    ("clock_set", "Clock set"),
                    ("clock_started", "Clock started"),
                    ("clock_paused", "Clock paused"),
                    ("clock_resumed", "Clock goes on"),
                    ("clock_reset", "Clock set back"),
                    ("roll_call_restarted", "Roll call started again"),
                    ("players_changed", "Players joined or left a table"),
                    ("substitute_added", "Substitute named"),
                    ("substitute_removed", "Substitute taken back"),
                    ("stage_set", "Stage defined"),
                    ("stage_removed", "Stage removed"),
                    ("stage_confirmed", "Players who go on confirmed"),
                    ("stage_taken_back", "Players who go on taken back"),
                    ("member_replaced", "Player who goes on replaced"),
                    ("series_joined", "Added to a series"),
                    ("series_left", "Taken out of a series"),
                    ("registration_set", "Registration set"),
                    ("registered", "Application received"),
                    ("registration_decided", "Applications decided"),
                    ("registration_ended", "Application withdrawn"),
                ],
                max_length=20,
            ),
        ),
        migrations.CreateModel(
            name="Registration",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("name", models.CharField(max_length=200, verbose_name="Name")),
                ("club", models.CharField(blank=True, max_length=200, verbose_name="Club")),
                ("division", models.CharField(blank=True, max_length=100, verbose_name="Class")),
                ("reading", models.CharField(blank=True, max_length=200, verbose_name="Reading")),
                ("team", models.CharField(blank=True, max_length=200, verbose_name="Team")),
                ("contact", models.CharField(blank=True, max_length=200, verbose_name="Contact")),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("pending", "waiting for approval"),
                            ("approved", "approved"),
                            ("waiting", "on the waiting list"),
                            ("declined", "declined"),
                            ("withdrawn", "withdrawn by the applicant"),
                        ],
                        max_length=9,
                    ),
                ),
                ("player", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("digest", models.CharField(max_length=64)),
                ("salt", models.CharField(blank=True, max_length=32)),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="registrations",
                        to="tournaments.tournament",
                    ),
                ),
            ],
            options={
                "ordering": ("number",),
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tournament", "number"), name="registration_number_once"
                    ),
                    models.UniqueConstraint(
                        fields=("tournament", "digest"), name="one_registration_a_key"
                    ),
                ],
            },
        ),
    ]
