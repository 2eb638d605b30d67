"""Compare the database with its audit trails."""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from tournaments import verification
from tournaments.models import Tournament


class Command(BaseCommand):
    help = "Check every audit trail. Exit status 1, and a list, if something does not fit."
    requires_system_checks: list[str] = []  # they would load every page, which takes half the time

    def handle(self, *args: Any, **options: Any) -> None:
        """Print every fault and exit with status 1, or print how many tournaments were verified.

        Times that run backwards are named, but are no fault. Raises `CommandError` if there is no
        database to read, such as in a folder that was never served.
        """
        try:
            faults = list(verification.verify_everything())
        except DatabaseError as error:
            hint = "Check DATA_DIR; serve prepares a new folder."
            raise CommandError(f"The database cannot be read: {error}. {hint}") from error
        for where, fault in faults:
            self.stdout.write(f"{where}: {fault.what}: {fault.wrong}")
        if faults:
            sys.exit(1)
        for where, remark in verification.times_that_run_backwards():
            self.stdout.write(f"{where}: {remark.what}: {remark.wrong} (no fault)")
        count = Tournament.every.count()
        self.stdout.write(f"{count} tournament{'s' * (count != 1)} verified: everything fits.")
