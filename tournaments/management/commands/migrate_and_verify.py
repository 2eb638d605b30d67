"""Prepare a restored copy, before it replaces the database."""

from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand


class Command(BaseCommand):
    """`python manage.py migrate_and_verify`: three commands in one process. Restores call it."""

    help = "Migrate, end every log-in, and verify, as a restore does. Exit status 1 on faults."
    requires_system_checks: list[str] = []  # they would load every page

    def handle(self, *_args: Any, **_options: Any) -> None:
        """Migrate without a backup, end all log-ins, and verify.

        Prints every fault, and exits with status 1 if there are any.
        """
        call_command("migrate", interactive=False, verbosity=0, no_backup=True)  # creates triggers
        call_command("end_log_ins")
        call_command("verify", stdout=self.stdout)
