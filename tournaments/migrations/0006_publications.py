"""Numbered publications; and a trail that names people in words, so that it can move.

Until now acts and rounds pointed to an account, and an act's digest covered numbers that only one
database knows. Rows now name whoever wrote them as the trail does, at the time that it tells.
Trails that are whole are sealed anew; one that somebody touched stays as it is, and `verify` goes
on telling of it.
"""

import hashlib
import json
from datetime import UTC
from typing import Any

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

GUARDED = ("tournaments_act", "tournaments_round", "tournaments_sittingtotals")
THE_TABLE = "table"
FIRST = "0" * 64


def lift_guards(_apps: Any, schema_editor: Any) -> None:
    """Let these rows be written to; every migration ends with setting the guards again."""
    on_table = " ON {table}" if schema_editor.connection.vendor == "postgresql" else ""
    for table in GUARDED:
        for word in ("update", "delete"):
            drop = f"DROP TRIGGER IF EXISTS {table}_no_{word}" + on_table.format(table=table)
            schema_editor.execute(drop)


def show(apps: Any, _schema_editor: Any) -> None:
    """What was published so far was shown as it was played."""
    tournaments = apps.get_model("tournaments", "Tournament").objects
    tournaments.filter(published_at__isnull=False).update(showing="live")


def name_writers(apps: Any, _schema_editor: Any) -> None:
    """Tell of every row what its act tells: who wrote it, and when."""
    act_model = apps.get_model("tournaments", "Act")
    acts = {
        (act.tournament_id, *(act.subject.get(key) for key in KEYS)): act
        for act in act_model.objects.filter(kind__in=WRITING)
    }
    for name in ("Round", "SittingTotals"):
        rows = apps.get_model("tournaments", name).objects
        for row in rows.select_related("sitting__session", "recorded_by"):
            session = row.sitting.session
            number = row.number if name == "Round" else None
            place = (session.number, row.sitting.number, number, row.version)
            act = acts.get((session.tournament_id, *place))
            known = row.recorded_by.username if row.recorded_by else THE_TABLE
            row.who, row.recorded_at = (act.who, act.at) if act else (known, row.recorded_at)
            row.save(update_fields=["who", "recorded_at"])


KEYS = ("session", "table", "round", "version")
WRITING = (
    *("round_recorded", "round_continued", "round_corrected"),
    *("totals_entered", "totals_corrected"),
)


def seal_anew(apps: Any, _schema_editor: Any) -> None:
    """Give every whole trail digests that do not depend on the database."""
    for tournament in apps.get_model("tournaments", "Tournament").objects.all():
        acts = list(tournament.acts.order_by("number"))
        if not is_whole(acts):
            continue
        previous = FIRST
        for act in acts:
            act.previous = previous
            act.digest = previous = sealed([tournament.slug, *_said(act)])
            act.save(update_fields=["previous", "digest"])


def is_whole(acts: list[Any]) -> bool:
    """Return whether a trail is as it was written, by the digests of that time."""
    previous = FIRST
    for number, act in enumerate(acts, 1):
        if (act.number, act.previous, act.digest) != (number, previous, old_digest_of(act)):
            return False
        previous = act.digest
    return True


def old_digest_of(act: Any) -> str:
    """Return an act's digest as it was reckoned until now."""
    number, at, *others = _said(act)
    return sealed([act.tournament_id, number, at, act.user_id, *others])


def _said(act: Any) -> list[Any]:
    at = act.at.astimezone(UTC).isoformat(timespec="microseconds")
    return [act.number, at, act.who, act.kind, act.subject, act.old, act.new, act.reason, act.previous]


def sealed(said: list[Any]) -> str:
    return hashlib.sha256(json.dumps(said, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0005_phones")]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="showing",
            field=models.CharField(
                choices=[
                    ("staff", "Nothing (only the staff sees it)"),
                    ("live", "The tournament as it is played"),
                    ("published", "The tournament as last published"),
                ],
                default="staff",
                editable=False,
                max_length=9,
            ),
        ),
        migrations.AddField(
            model_name="tournament",
            name="closed_at",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name="round",
            name="who",
            field=models.CharField(default="", max_length=200),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="sittingtotals",
            name="who",
            field=models.CharField(default="", max_length=200),
            preserve_default=False,
        ),
        migrations.RunPython(lift_guards, migrations.RunPython.noop),
        migrations.RunPython(show, migrations.RunPython.noop),
        migrations.RunPython(name_writers, migrations.RunPython.noop),
        migrations.RunPython(seal_anew, migrations.RunPython.noop),
        migrations.RemoveField(model_name="tournament", name="published_at"),
        migrations.RemoveField(model_name="round", name="recorded_by"),
        migrations.RemoveField(model_name="sittingtotals", name="recorded_by"),
        migrations.RemoveField(model_name="act", name="user"),
        migrations.RemoveField(model_name="acceptance", name="accepted_by"),
        migrations.AlterField(
            model_name="round",
            name="recorded_at",
            field=models.DateTimeField(default=django.utils.timezone.now),
        ),
        migrations.AlterField(
            model_name="sittingtotals",
            name="recorded_at",
            field=models.DateTimeField(default=django.utils.timezone.now),
        ),
        migrations.AlterField(
            model_name="act",
            name="kind",
            field=models.CharField(
                choices=[
                    ("rules_set", "Rules set"),
                    ("entries_added", "Players added"),
                    ("entry_changed", "Player changed"),
                    ("entry_removed", "Player removed"),
                    ("session_opened", "Seats assigned"),
                    ("round_recorded", "Round recorded"),
                    ("round_continued", "Round continued"),
                    ("round_corrected", "Round corrected"),
                    ("published", "Published"),
                    ("shown_live", "Shown to everybody as it is played"),
                    ("withdrawn", "Unpublished"),
                    ("closed", "Tournament closed"),
                    ("reopened", "Tournament reopened"),
                    ("archive_read", "Imported from an archive"),
                    ("role_given", "Role given"),
                    ("role_taken", "Role taken"),
                    ("phone_joined", "Phone joined"),
                    ("phone_took_over", "Phone took over"),
                    ("link_made", "Table link made"),
                    ("link_revoked", "Table link revoked"),
                    ("pin_made", "PIN made"),
                    ("round_accepted", "Round accepted"),
                    ("round_disputed", "Round disputed"),
                    ("desk_called", "Desk called"),
                    ("call_answered", "Call answered"),
                    ("dispute_settled", "Disagreement settled"),
                    ("players_exchanged", "Players exchanged"),
                    ("totals_entered", "Totals entered"),
                    ("totals_corrected", "Totals corrected"),
                ],
                max_length=20,
            ),
        ),
        migrations.CreateModel(
            name="Publication",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("at", models.DateTimeField()),
                ("who", models.CharField(max_length=200)),
                ("content", models.JSONField()),
                ("digest", models.CharField(max_length=64)),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="publications",
                        to="tournaments.tournament",
                    ),
                ),
            ],
            options={
                "ordering": ("number",),
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tournament", "number"), name="publication_number_once"
                    )
                ],
            },
        ),
    ]
