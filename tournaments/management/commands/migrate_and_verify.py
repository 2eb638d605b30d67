"""Prepare a restored copy, before it replaces the database."""

from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandParser

from tournaments.models import Epoch
from tournaments.services import epochs

MOST_SEATED_SINCE = 100_000  # sittings that the other computer may have made after the copy


class Command(BaseCommand):
    """`python manage.py migrate_and_verify`: several steps in one process. Restores call it."""

    help = "Migrate, end every log-in, and verify, as a restore does. Exit status 1 on faults."
    requires_system_checks: list[str] = []  # they would load every page

    def add_arguments(self, parser: CommandParser) -> None:
        """Of the database to be replaced: its epoch and its last sitting's primary key."""
        parser.add_argument("--epoch", type=int, default=0)
        parser.add_argument("--last-sitting", type=int, default=0)
        parser.add_argument("--sends-again", action="store_true", help="phones send rounds again")
        parser.add_argument(
            "--continues",
            action="store_true",
            help="the tournaments go on from a standby copy: keep all log-ins, do not verify",
        )

    def handle(self, *_args: Any, continues: bool, **options: Any) -> None:
        """Migrate without a backup, end all log-ins unless they go on, begin an epoch, and verify.

        Prints every fault, and exits with status 1 if there are any.
        """
        call_command("migrate", interactive=False, verbosity=0, no_backup=True)  # creates triggers
        reason, last_sitting = Epoch.Reason.RESTORED, options["last_sitting"]
        if continues:
            reason = Epoch.Reason.CONTINUED
            last_sitting = max(last_sitting, epochs.last_sitting() + MOST_SEATED_SINCE)
        else:
            call_command("end_log_ins")
        epochs.begin(
            reason,
            sends_again=options["sends_again"],
            above=options["epoch"],
            last_sitting=last_sitting,
        )
        if not continues:  # the copier verifies soon, and the desk is warned
            call_command("verify", stdout=self.stdout)
