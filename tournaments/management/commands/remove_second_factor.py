"""Let an account log in with its password alone."""

from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournaments.services import accounts, second_factors


class Command(BaseCommand):
    """`python manage.py remove_second_factor NAME`: for a lost phone without recovery codes."""

    help = "Remove the second factor of an account, and end its log-ins and tokens."
    requires_system_checks: list[str] = []  # they would load every page

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("account")

    def handle(self, *_args: Any, **options: Any) -> None:
        user = User.objects.filter(username=options["account"]).first()
        if user is None:
            raise CommandError(f"There is no account {options['account']}.")
        second_factors.remove(user)
        accounts.end_log_ins(user)
