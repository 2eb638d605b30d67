"""Import an event from an archive."""

from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import translation
from django.utils.translation import gettext as _

from tournaments import archives, backups
from tournaments.audit import A_COMMAND, Actor
from tournaments.management.commands.serve import terminal_language


class Command(BaseCommand):
    help = "Import an archived tournament. A backup of everything is made first."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="an archive, *.makiyaku.zip")
        parser.add_argument("--director", metavar="NAME", help="the account that directs it here")

    def handle(self, *_args: Any, file: Path, director: str | None, **_options: Any) -> None:
        with translation.override(terminal_language()):
            try:
                event = archives.import_archive(
                    file.read_bytes(), by=_actor_for(director), unlimited=True
                )
            except (archives.ArchiveError, backups.BackupNotTaken, OSError) as error:
                raise CommandError(str(error)) from error
            self.stdout.write(f"{event.slug}: {event.held_on} {event.name}")


def _actor_for(director: str | None) -> Actor:
    """Return the account of this name as an actor; None is the command itself.

    Raises `CommandError` for an unknown name.
    """
    if director is None:
        return Actor(user=None, who=A_COMMAND)
    user = User.objects.filter(username=director).first()
    if user is None:
        raise CommandError(_("There is no account with this name here: %s") % director)
    return Actor.of(user)
