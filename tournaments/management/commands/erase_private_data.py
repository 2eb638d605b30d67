"""Erase private data whose date has passed, or those of one event now."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import translation
from django.utils.translation import gettext as _

from tournaments.audit import A_COMMAND, Actor
from tournaments.management.commands.serve import terminal_language
from tournaments.models import Tournament
from tournaments.services import automatic_backups, private_data


class Command(BaseCommand):
    """`python manage.py erase_private_data [SLUG]`: the server does it by itself, too."""

    help = "Erase contacts, years of birth, notes and applications whose date has passed."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "slug", nargs="?", help="the tournament of which to erase them now, whatever its date"
        )

    def handle(self, *_args: Any, slug: str | None, **_options: Any) -> None:
        with translation.override(terminal_language()):
            if slug is None:
                erased = private_data.erase_due()
            else:
                tournament = Tournament.every.filter(slug=slug).first()
                if tournament is None:
                    raise CommandError(_("There is no tournament with this name here: %s") % slug)
                by = Actor(None, A_COMMAND)
                erased = [tournament] if any(private_data.erase(tournament, by=by)) else []
            for each in erased:
                self.stdout.write(f"{each.slug} {each.name}")
        automatic_backups.wait_for_threads()
