"""Stages after the first, and who goes on to them."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0031_adjustments"),
    ]

    operations = [
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
                ],
                max_length=20,
            ),
        ),
        migrations.CreateModel(
            name="Stage",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                ("name", models.CharField(max_length=60, verbose_name="Name")),
                ("quotas", models.JSONField()),
                (
                    "carry",
                    models.CharField(
                        choices=[("none", "None"), ("half", "Half, rounded up"), ("all", "All")],
                        max_length=4,
                        verbose_name="Points carried over",
                    ),
                ),
                (
                    "at_line",
                    models.CharField(
                        choices=[
                            ("open", "The director or a play-off decides"),
                            ("all", "All of them advance"),
                            ("nobody", "None of them advances"),
                            ("lot", "Lots are drawn"),
                        ],
                        max_length=6,
                        verbose_name="Ties at the line",
                    ),
                ),
                ("seed", models.PositiveIntegerField(default=0)),
                ("first_session", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("first_adjustment", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("members", models.JSONField(blank=True, null=True)),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="stages",
                        to="tournaments.tournament",
                    ),
                ),
            ],
            options={
                "ordering": ("number",),
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tournament", "number"), name="stage_number_once"
                    )
                ],
            },
        ),
    ]
