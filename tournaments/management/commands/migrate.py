"""Django's `migrate`, which takes a backup before it changes a database with tournaments.

It changes nothing that a newer version of Makiyaku has migrated.
"""

import os
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser
from django.core.management.commands import migrate
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import translation
from django.utils.translation import gettext as _

from tournaments import backups
from tournaments.backups.restoration import unknown_migrations
from tournaments.management.commands.serve import command_for_this_database, terminal_language


class Command(migrate.Command):
    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--no-backup", action="store_true", help="Change the database without a backup of it."
        )

    def execute(self, *args: Any, **options: Any) -> str | None:
        """Execute the command with a umask, so that only the owner can read its files.

        These are the database and the backup.
        """
        mask = os.umask(0o077)
        try:
            return super().execute(*args, **options)
        finally:
            os.umask(mask)

    def handle(self, *args: Any, **options: Any) -> None:
        is_dry_run = options["plan"] or options["check_unapplied"] or options.get("prune")
        is_default = options["database"] == DEFAULT_DB_ALIAS
        if is_default and not is_dry_run:
            refuse_newer_data()
            if not options["no_backup"] and is_backup_needed(options):
                self.back_up(options["verbosity"])
        super().handle(*args, **options)

    def back_up(self, verbosity: int) -> None:
        """Take the backup. Raises `CommandError` if it fails."""
        try:
            backup = backups.take(backups.Reason.BEFORE_MIGRATION)
        except (backups.BackupNotTaken, OSError, DatabaseError) as error:
            with translation.override(terminal_language()):
                reason, remedy = str(error), _("To continue without a backup: %(command)s")
            command = command_for_this_database("migrate", "--no-backup")
            raise CommandError("\n".join([reason, remedy % {"command": command}])) from error
        if verbosity:
            self.stdout.write(f"Backup before the migration: {backup.path}")


def refuse_newer_data() -> None:
    """Raise `CommandError` if the database has migrations that this version lacks."""
    if not unknown_migrations(backups.current_contents()):
        return
    folder = settings.BACKUPS_DIR
    newest = max(folder.glob("*-before-migration.zip"), default=folder / "FILE")  # by its time
    command = command_for_this_database("restore", str(newest))
    with translation.override(terminal_language()):
        raise CommandError(
            _(
                "A newer version of Makiyaku has changed this data. Install that version again,"
                " or restore the backup from before the update: %(command)s"
            )
            % {"command": command}
        )


def is_backup_needed(options: dict[str, Any]) -> bool:
    """Return whether the database has tournaments, and migrations to apply or to reverse.

    True for every named migration, which may be a reverse one.
    """
    if not backups.current_contents().tournaments:
        return False
    executor = MigrationExecutor(connection)
    if options["migration_name"]:
        return True
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes(options["app_label"])))
