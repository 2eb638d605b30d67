"""Check that nobody touched what was recorded."""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand

from tournaments import verifying
from tournaments.models import Tournament


class Command(BaseCommand):
    """`python manage.py verify`: every tournament's trail of acts, and its rounds beside it."""

    help = "Check every audit trail. Exit status 1, and a list, if something does not fit."
    requires_system_checks: list[str] = []  # they would load every page, which takes half the time

    def handle(self, *args: Any, **options: Any) -> None:
        """Name everything that does not fit, or say how much does."""
        tournaments = list(Tournament.objects.order_by("pk"))
        faults = [(each, fault) for each in tournaments for fault in verifying.verify(each)]
        for tournament, fault in faults:
            self.stdout.write(f"{tournament.slug}: {fault.what}: {fault.wrong}")
        if faults:
            sys.exit(1)
        self.stdout.write(f"{len(tournaments)} tournaments verified: everything fits.")
