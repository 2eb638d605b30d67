"""Actors as the audit trail names them: accounts, tables, applicants, the demo, and commands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

THE_TABLE = "table"  # anybody with a table's link; a phone with primary key 7 is `table #7`
AN_APPLICANT = "applicant"  # anybody who registers to play, without an account
THE_DEMO = "demo"
A_COMMAND = "manage.py"
THE_SERVER = "server"  # what it does by itself, because a date has come
RESERVED_NAMES = {THE_TABLE, AN_APPLICANT, THE_DEMO, A_COMMAND, THE_SERVER}

RESERVED = "name_reserved"  # the code of the refusal
WHY_RESERVED = _("The history uses this name for something else. Choose another.")


@dataclass
class Seen:
    """The version of an event's state that an actor saw (`audit.state`).

    The actor's own changes of the state move it on.
    """

    version: int


class Actor(NamedTuple):
    """Who does something: an account, a table (one of its phones), an applicant, or a program.

    `who` is the name written to the audit trail; `user` is None except for accounts. `seen` is None
    for those who do not decide by what they were shown, such as commands.
    """

    user: User | None
    who: str
    seen: Seen | None = None

    @classmethod
    def of(cls, user: User) -> Actor:
        return cls(user=user, who=user.get_username())

    @property
    def is_the_table(self) -> bool:
        """Return whether the actor is a table or one of its phones.

        >>> Actor(None, "table #7").is_the_table, Actor(None, "demo").is_the_table
        (True, False)
        """
        return self.user is None and is_the_table(self.who)


def is_the_table(who: str) -> bool:
    """Return whether a name in the audit trail is that of a table or one of its phones.

    >>> is_the_table("table"), is_the_table("table #7"), is_the_table("director")
    (True, True, False)
    """
    return who.partition(" #")[0] == THE_TABLE


def check_name_not_reserved(name: str) -> None:
    """Raise `ValidationError` for an account name that the audit trail uses for something else.

    `apps.TournamentsConfig` adds this as a validator of user names.
    """
    if User.normalize_username(name).casefold() in RESERVED_NAMES:
        raise ValidationError(WHY_RESERVED, RESERVED)
