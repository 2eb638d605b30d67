"""Receipts that follow one another, and times that are those of their acts.

Each receipt gets a number and a digest that covers the one before it, as acts have. What a table
says, and when its link was closed, gets the time of the act that tells of it, so that `verify` can
compare the two.
"""

import hashlib
import json
from collections import defaultdict
from datetime import UTC
from typing import Any

from django.db import migrations, models

FIRST = "0" * 64


def lift_guards(_apps: Any, schema_editor: Any) -> None:
    """Let receipts be written to; every migration ends with setting the guards again."""
    table = "tournaments_receipt"
    on_table = f" ON {table}" if schema_editor.connection.vendor == "postgresql" else ""
    for word in ("update", "delete", "replace", "truncate"):
        schema_editor.execute(f"DROP TRIGGER IF EXISTS {table}_no_{word}{on_table}")


def chain(apps: Any, _schema_editor: Any) -> None:
    """Number the receipts of every tournament as they were written, and seal them."""
    last: dict[int, tuple[int, str]] = defaultdict(lambda: (0, FIRST))
    receipts = apps.get_model("tournaments", "Receipt").objects
    for row in receipts.select_related("tournament").order_by("at", "pk"):
        number, previous = last[row.tournament_id]
        row.number = number + 1
        row.digest = digest_of(row, previous)
        row.save(update_fields=["number", "digest"])
        last[row.tournament_id] = (row.number, row.digest)


def digest_of(row: Any, previous: str) -> str:
    """Return the digest of everything a receipt says, and of the digest before it."""
    at = row.at.astimezone(UTC).isoformat(timespec="microseconds")
    said = [row.tournament.slug, row.number, row.key, row.request, row.answer, at, previous]
    return hashlib.sha256(
        json.dumps(said, sort_keys=True, separators=(",", ":")).encode()
    ).hexdigest()


def tell_times(apps: Any, _schema_editor: Any) -> None:
    """Give what a table said the times of the acts that tell of it, where there are such acts.

    The act was always written a moment after its row: row and act belong together in their order.
    """
    acts = apps.get_model("tournaments", "Act").objects.order_by("tournament", "number")
    told: dict[Any, list[Any]] = defaultdict(list)
    for act in acts.filter(kind__in=TELLING):
        told[(act.kind, act.tournament_id, *said_by(act))].append(act.at)
    for name, begun, ended, end in (
        ("Disagreement", "round_disputed", "dispute_settled", "settled_at"),
        ("Call", "desk_called", "call_answered", "answered_at"),
    ):
        rows = apps.get_model("tournaments", name).objects.select_related("sitting__session")
        for row in rows.order_by("at", "pk"):
            place = said_in(row)
            row.at = take(told[(begun, *place)], row.at)
            if getattr(row, end) is not None:
                setattr(row, end, take(told[(ended, *place)], getattr(row, end)))
            row.save(update_fields=["at", end])
    close_tables(apps, told)


def close_tables(apps: Any, told: dict[Any, list[Any]]) -> None:
    sittings = apps.get_model("tournaments", "Sitting").objects.select_related("session")
    for row in sittings.filter(closed_at__isnull=False):
        place = (row.session.tournament_id, row.session.number, row.number)
        later = [at for at in told[("link_revoked", *place)] if at >= row.closed_at]
        if later and row.closed_at not in told[("closed", row.session.tournament_id)]:
            row.closed_at = later[0]
            row.save(update_fields=["closed_at"])


TELLING = (
    *("round_disputed", "dispute_settled", "desk_called", "call_answered"),
    *("link_revoked", "closed"),
)


def said_by(act: Any) -> tuple[Any, ...]:
    """Return which table an act is about, and what was said there."""
    if act.kind == "closed":
        return ()
    table = (act.subject.get("session"), act.subject.get("table"))
    match act.kind:
        case "round_disputed":
            return (*table, act.subject.get("round"), spelled(act.new))
        case "dispute_settled":
            return (*table, act.subject.get("round"), spelled((act.old or {}).get("other")))
        case "desk_called" | "call_answered":
            return (*table, spelled(act.new))
    return table


def said_in(row: Any) -> tuple[Any, ...]:
    """Return the same of a row."""
    session = row.sitting.session
    table = (session.tournament_id, session.number, row.sitting.number)
    if hasattr(row, "facts"):
        return (*table, row.number, spelled(row.facts))
    return (*table, spelled({"kind": row.kind, "words": row.words}))


def take(times: list[Any], otherwise: Any) -> Any:
    return times.pop(0) if times else otherwise


def spelled(said: Any) -> str:
    return json.dumps(said, sort_keys=True)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0007_times_told")]

    operations = [
        migrations.AddField(
            model_name="receipt",
            name="number",
            field=models.PositiveIntegerField(default=0),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="receipt",
            name="digest",
            field=models.CharField(default="", max_length=64),
            preserve_default=False,
        ),
        migrations.RunPython(lift_guards, migrations.RunPython.noop),
        migrations.RunPython(chain, migrations.RunPython.noop),
        migrations.RunPython(tell_times, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name="receipt",
            constraint=models.UniqueConstraint(
                fields=("tournament", "number"), name="receipt_number_once"
            ),
        ),
    ]
