"""End everything that authenticates without a password: log-ins, tokens and phones."""

from typing import Any

from django.core.management.base import BaseCommand

from tournaments.audit import A_COMMAND, Actor
from tournaments.services import accounts


class Command(BaseCommand):
    """`python manage.py end_log_ins`: for a lost laptop; also part of every restore."""

    help = "End every log-in, token and phone. Everybody logs in and joins their table again."
    requires_system_checks: list[str] = []  # they would load every page

    def handle(self, *_args: Any, **_options: Any) -> None:
        accounts.end_everything(by=Actor(user=None, who=A_COMMAND))
