"""Prepare what was restored, before it takes the place of the database."""

from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand


class Command(BaseCommand):
    """`python manage.py migrate_and_verify`: three commands in one process, called by restores."""

    help = "Migrate, end every log-in, and verify, as a restore does. Exit status 1 on faults."
    requires_system_checks: list[str] = []  # they would load every page

    def handle(self, *_args: Any, **_options: Any) -> None:
        """Print every fault and exit with status 1. Takes no backup of the database."""
        call_command("migrate", interactive=False, verbosity=0, no_backup=True)  # sets guards, too
        call_command("end_log_ins")
        call_command("verify", stdout=self.stdout)
