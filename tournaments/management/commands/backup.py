"""Take a backup of the database."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError
from django.utils import translation

from tournaments import backups
from tournaments.management.commands.serve import terminal_language


class Command(BaseCommand):
    help = "Take a backup of everything, verified before it counts. Nobody has to stop working."
    requires_system_checks: list[str] = []  # they would load every page, which takes half the time

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--to", type=Path, metavar="FILE", help="a new file, or a folder")

    def handle(self, *_args: Any, to: Path | None, **_options: Any) -> None:
        with translation.override(terminal_language()):
            if to is not None and to.is_dir():
                to = backups.new_path(to, backups.Reason.BY_HAND)
            try:
                backup = backups.take(backups.Reason.BY_HAND, to=to)
            except backups.BackupNotTaken as error:
                raise CommandError(str(error)) from error
            except (OSError, DatabaseError) as error:
                raise CommandError(f"{backups.BackupNotTaken()} {error}") from error
            self.stdout.write(str(backup.path))
            if backup.manifest:
                self.stdout.write(backups.describe_contents(backup.manifest.contents))
