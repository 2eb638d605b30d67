"""Compare the database with its audit trails."""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand

from tournaments import verification
from tournaments.models import Tournament


class Command(BaseCommand):
    help = "Check every audit trail. Exit status 1, and a list, if something does not fit."
    requires_system_checks: list[str] = []  # they would load every page, which takes half the time

    def handle(self, *args: Any, **options: Any) -> None:
        """Print every fault and exit with status 1, or print how many tournaments were verified.

        Times that run backwards are named, but are no fault.
        """
        faults = list(verification.verify_everything())
        for where, fault in faults:
            self.stdout.write(f"{where}: {fault.what}: {fault.wrong}")
        if faults:
            sys.exit(1)
        for where, remark in verification.times_that_run_backwards():
            self.stdout.write(f"{where}: {remark.what}: {remark.wrong} (no fault)")
        count = Tournament.every.count()
        self.stdout.write(f"{count} tournament{'s' * (count != 1)} verified: everything fits.")
