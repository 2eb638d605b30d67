"""Create demonstration events."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils.translation import gettext as _

from tournaments.demo import events

SEED = 11  # gives nearly every outcome of a deal at least once


class Command(BaseCommand):
    help = (
        "Make a large tournament half played, and a small finished tournament of every other game."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--seed", type=int, default=SEED, help="another number makes other people and results"
        )

    def handle(self, *_args: Any, seed: int, **_options: Any) -> None:
        if events.is_created():
            self.stdout.write(_("The demonstration is here already; nothing was changed."))
            return
        for tournament in events.create_events(seed):
            self.stdout.write(f"{tournament.held_on} {tournament.name}")
