"""Record rounds deal by deal, as `hall.py` needs them before it begins.

It runs this in a process of its own, with the server's environment, and sends as JSON
`[[sitting, [facts, ...]], ...]`. Everything is one transaction: over the API it would take minutes.
"""
# ruff: noqa: E402  models can be imported once Django is set up

import json
import os
import sys
from pathlib import Path

import django

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
os.environ["DJANGO_SETTINGS_MODULE"] = "tournaments.settings"
django.setup()

from django.db import connection, transaction

from tournaments.audit import THE_TABLE, Actor
from tournaments.models import Sitting
from tournaments.services import automatic_backups
from tournaments.services.rounds import lock_and_read_sheet, record_on_sheet


@transaction.atomic
def main() -> None:
    for sitting, rounds in json.load(sys.stdin):
        sheet = lock_and_read_sheet(Sitting.objects.get(pk=sitting))
        for number, facts in enumerate(rounds, 1):
            for seen in range(len(facts["deals"])):
                so_far = {**facts, "deals": facts["deals"][: seen + 1]}
                sheet = record_on_sheet(
                    sheet, number, so_far, seen_version=seen, by=Actor(None, THE_TABLE)
                )


if __name__ == "__main__":
    with automatic_backups.disabled():
        main()
    if connection.vendor == "postgresql":
        connection.cursor().execute("ANALYZE")  # as autovacuum does within a minute
