"""Fill the database with a believable tournament."""

from typing import Any

from django.core.management.base import BaseCommand


class Command(BaseCommand):
    help = "Fill the database with a believable tournament."

    def handle(self, *_args: Any, **_options: Any) -> None:
        """Do nothing yet."""
