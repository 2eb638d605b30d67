"""Who does things, as the audit trail names them: people by their accounts, and what has none."""

from __future__ import annotations

from typing import NamedTuple

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

THE_TABLE = "table"  # whoever holds a table's link; its phones are `table #7`
THE_DEMO = "demo"
A_COMMAND = "manage.py"
NOBODYS = {THE_TABLE, THE_DEMO, A_COMMAND}

RESERVED = "name_reserved"  # the code of the refusal
WHY_RESERVED = _("The history calls something else by this name: choose another.")


class Actor(NamedTuple):
    """Who does something: one of the staff, a table whose link somebody holds, or a program."""

    user: User | None
    who: str

    @classmethod
    def of(cls, user: User) -> Actor:
        """Return a person, named by their account."""
        return cls(user, user.get_username())

    @property
    def is_the_table(self) -> bool:
        """Return whether it is a table, by whichever of its phones: nobody with an account is.

        >>> Actor(None, "table #7").is_the_table, Actor(None, "demo").is_the_table
        (True, False)
        """
        return self.user is None and is_the_table(self.who)


def is_the_table(who: str) -> bool:
    """Return whether the trail names a table so, by whichever of its phones, and not the desk.

    >>> is_the_table("table"), is_the_table("table #7"), is_the_table("director")
    (True, True, False)
    """
    return who.partition(" #")[0] == THE_TABLE


def check_is_somebodys(name: str) -> None:
    """Refuse an account the name of what has none. Raises `ValidationError`.

    Every account's name is asked whether it may be: `apps.TournamentsConfig` sees to that.
    """
    if User.normalize_username(name).casefold() in NOBODYS:
        raise ValidationError(WHY_RESERVED, RESERVED)
