"""Put a backup in the place of everything that is there."""

import os
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError
from django.utils import translation
from django.utils.translation import gettext as _

from tournaments import backups
from tournaments.i18n.times import moment
from tournaments.management.commands.serve import terminal_language
from tournaments.server import venue


class Command(BaseCommand):
    """`python manage.py restore FILE`: checked first; live data are touched only then."""

    help = "Restore a backup. What is there now is backed up first."
    requires_system_checks: list[str] = []  # the database may not be there yet

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the file, and the answer to the question."""
        parser.add_argument("file", type=Path)
        parser.add_argument("--yes", action="store_true", help="do not ask")

    def handle(self, *_args: Any, file: Path, yes: bool, **_options: Any) -> None:
        """Say what would be replaced by what, ask, and do it."""
        os.umask(0o077)
        venue.prepare_folder(settings.DATA_DIR)
        with translation.override(terminal_language()):
            try:
                self.compare(file)
                if not yes and not self.agrees():
                    raise CommandError(_("Nothing was changed."))
                kept = backups.restore(file)
            except (backups.BackupError, OSError, DatabaseError) as error:
                unchanged = _("Nothing was changed.")
                raise CommandError(f"{error} {unchanged}") from error
            self.stdout.write(self.style.SUCCESS(_("Restored.")))
            if kept:
                self.stdout.write(_("What was there before: %(file)s") % {"file": kept.path})

    def compare(self, file: Path) -> None:
        """Print what is in the backup and what is there now."""
        manifest = backups.examine(file)
        made_at = moment(manifest.made_at)
        self.stdout.write(_("The backup of %(time)s:") % {"time": made_at})
        self.stdout.write("  " + backups.described(manifest.contents))
        self.stdout.write(_("There now, and to be replaced:"))
        self.stdout.write("  " + backups.described(backups.present()))

    def agrees(self) -> bool:
        """Ask; anything but a clear yes is no."""
        asked = _("Replace everything? Type yes: ")
        try:
            return input(asked).strip().lower() == "yes"
        except EOFError:
            return False
