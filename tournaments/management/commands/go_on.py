"""Go on with the tournaments of another computer, from a standby copy, and serve them."""

from __future__ import annotations

import getpass
import os
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError, connection
from django.utils import translation
from django.utils.translation import gettext as _

from tournaments import backups
from tournaments.i18n.standby import made_at_in_words
from tournaments.management.commands import serve
from tournaments.server import environment, venue
from tournaments.standby import going_on, targets
from tournaments.standby.folders import Folder
from tournaments.standby.going_on import Found


class Command(BaseCommand):
    help = (
        "Continue from the newest standby copy: on a stick, or of the computer that was followed."
    )
    requires_system_checks: list[str] = []  # the database may not exist yet

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", nargs="?", type=Path, help="a stick, or a folder of copies")
        parser.add_argument("--yes", action="store_true", help="do not ask")
        parser.add_argument("--no-serve", action="store_true", help="do not serve afterwards")
        serve.add_serving_arguments(parser)

    def handle(self, *_args: Any, **options: Any) -> None:
        """Replace the database, after a question unless `--yes`, and serve it."""
        os.umask(0o077)
        venue.prepare_folder(settings.DATA_DIR)
        with translation.override(serve.terminal_language()):
            if connection.vendor != "sqlite":
                raise CommandError(
                    _("PostgreSQL has streaming replication instead: see docs/scaling.md.")
                )
            if not options["no_serve"]:
                serve.check_port_is_free(options["host"], options["port"], "--port")
            folder = self.folder_of_copies(options["folder"])
            try:
                found = going_on.find(self.opened(folder))
                self.print_contents(folder, found)
                if not options["yes"] and not self.confirm():
                    raise CommandError(_("Nothing was changed."))
                before = going_on.go_on(found)
            except (backups.BackupError, OSError, DatabaseError) as error:
                unchanged = _("Nothing was changed.")
                raise CommandError(f"{error} {unchanged}") from error
            self.stdout.write(self.style.SUCCESS(_("The tournaments continue here.")))
            if before:
                self.stdout.write(_("What was there before: %(file)s") % {"file": before.path})
        if not options["no_serve"]:
            serve.serve_in_this_process(options)

    def folder_of_copies(self, typed: Path | None) -> Path:
        """Return the folder with copies in the typed one, or without it the only one there is."""
        found = [targets.find_copies(typed)] if typed else going_on.folders_with_copies()
        if len(found) > 1:
            listed = "\n".join(f"  {folder}" for folder in found)
            message = _("Several disks have copies. Type one of these places after go_on:")
            raise CommandError(f"{message}\n{listed}")
        if not found or not targets.has_copies(found[0]):
            raise CommandError(
                _("There are no copies in %(folder)s.") % {"folder": typed}
                if typed
                else _("No copies were found. Plug in the stick and wait until it is shown.")
            )
        return found[0]

    def opened(self, folder: Path) -> Folder:
        """Return the copies in a folder; a passphrase is asked for if there is one."""
        if not targets.needs_passphrase(folder):
            return targets.open_folder(folder, "")
        typed = environment.get_text("STANDBY_PASSPHRASE") or getpass.getpass(_("Passphrase: "))
        opened = targets.open_folder(folder, typed)
        if any(folder.glob("copy-*.json")) and not opened.sidecars():
            raise CommandError(
                _("This is not the passphrase of these copies. Nothing was changed.")
            )
        return opened

    def print_contents(self, folder: Path, found: Found) -> None:
        made_at = made_at_in_words(found.sidecar.header.made_at)
        self.stdout.write(
            _("The copy of %(time)s in %(folder)s:") % {"time": made_at, "folder": folder}
        )
        self.stdout.write("  " + backups.describe_contents(found.contents))
        self.stdout.write(_("What was recorded after that is not in it."))

    def confirm(self) -> bool:
        """Ask on the terminal, and return whether the answer is yes; no without an answer."""
        try:
            return input(_("Continue here from this copy? Type yes: ")).strip().lower() == "yes"
        except EOFError:
            return False
