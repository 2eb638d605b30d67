"""Replace the database by a backup."""

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
    help = "Restore a backup. What is there now is backed up first."
    requires_system_checks: list[str] = []  # the database may not exist yet

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--yes", action="store_true", help="do not ask")
        parser.add_argument(
            "--phones-send-again",
            action="store_true",
            help="let phones resend what is missing from the backup",
        )

    def handle(
        self, *_args: Any, file: Path, yes: bool, phones_send_again: bool, **_options: Any
    ) -> None:
        """Restore the backup, after a question unless `yes`.

        Prints the contents of both before, and the path of the backup taken afterwards.
        """
        os.umask(0o077)
        venue.prepare_folder(settings.DATA_DIR)
        with translation.override(terminal_language()):
            try:
                self.print_contents(file)
                if not yes and not self.confirm():
                    raise CommandError(_("Nothing was changed."))
                backup_before = backups.restore(file, sends_again=phones_send_again)
            except (backups.BackupError, OSError, DatabaseError) as error:
                unchanged = _("Nothing was changed.")
                raise CommandError(f"{error} {unchanged}") from error
            self.stdout.write(self.style.SUCCESS(_("Restored.")))
            if backup_before:
                self.stdout.write(
                    _("What was there before: %(file)s") % {"file": backup_before.path}
                )

    def print_contents(self, file: Path) -> None:
        """Print the contents of the backup and of the database. Raises `RestoreRefused`."""
        manifest = backups.examine(file)
        made_at = moment(manifest.made_at)
        self.stdout.write(_("The backup of %(time)s:") % {"time": made_at})
        self.stdout.write("  " + backups.describe_contents(manifest.contents))
        self.stdout.write(_("Here now, and to be replaced:"))
        self.stdout.write("  " + backups.describe_contents(backups.current_contents()))

    def confirm(self) -> bool:
        """Ask on the terminal, and return whether the answer is yes; no without an answer."""
        question = _("Replace everything? Type yes: ")
        try:
            return input(question).strip().lower() == "yes"
        except EOFError:
            return False
