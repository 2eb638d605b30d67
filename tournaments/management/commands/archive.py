"""Export an event as an archive."""

import os
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import translation
from django.utils.translation import gettext as _

from tournaments import archives
from tournaments.management.commands.serve import terminal_language
from tournaments.models import Tournament


class Command(BaseCommand):
    help = "Keep a tournament as one file, to put away or to move to another computer."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", help="the tournament, as its address names it")
        parser.add_argument(
            "file", nargs="?", type=Path, help="a new file; by default in the current folder"
        )
        parser.add_argument(
            "--with-private",
            action="store_true",
            help="with contacts, years of birth and notes: to move the tournament, not to share it",
        )

    def handle(
        self, *_args: Any, slug: str, file: Path | None, with_private: bool, **_options: Any
    ) -> None:
        with translation.override(terminal_language()):
            tournament = Tournament.objects.filter(slug=slug).first()
            if tournament is None:
                raise CommandError(_("There is no tournament with this name here: %s") % slug)
            path = file or Path(archives.file_name(tournament))
            try:
                content = archives.export_archive(tournament, with_private=with_private)
                # Overwrites no file; the new file is readable by its owner only.
                descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
                with os.fdopen(descriptor, "wb") as out:
                    out.write(content)
            except (archives.ArchiveError, OSError) as error:
                raise CommandError(str(error)) from error
            self.stdout.write(str(path))
