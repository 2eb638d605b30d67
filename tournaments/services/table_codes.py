"""A club table's code: eight letters and digits by which another phone goes on.

A club table has no card and no PIN; number and PIN would fit many club tables. Its code is the
beginning of its link's token (`models.seats`), made and closed with the link.
"""

from __future__ import annotations

import unicodedata

from django.utils.translation import gettext_lazy as _

from tournaments.exceptions import OperationRefused
from tournaments.models import Sitting, Tournament
from tournaments.models.seating import CODE_LENGTH, CODE_LETTERS
from tournaments.services import closing, guesses, phones
from tournaments.services.guesses import Guess, Guesser
from tournaments.services.phones import Joined

HALF = CODE_LENGTH // 2


class WrongCode(OperationRefused):
    """Raised for a code that is no club table's."""

    code = "wrong_code"
    sentence = _(
        "This code is wrong. It has eight letters and digits; 0, 1, I, L and O do not occur in it."
    )


class CodeEnded(OperationRefused):
    """Raised for the code of a club table last played long ago, removed, or closed."""

    code = "code_ended"
    sentence = _(
        "The evening at this table is over. Its code ends when nothing has been"
        " recorded for a week, or when the table’s link is closed."
    )


def in_groups(code: str) -> str:
    """Return a code as it is shown.

    >>> in_groups("AB2CDE3F")
    'AB2C DE3F'
    """
    return f"{code[:HALF]} {code[HALF:]}"


def as_drawn(typed: str) -> str:
    """Return a code as it was drawn, however it is typed: small, wide, with spaces or hyphens.

    >>> as_drawn(" ａｂ２ｃ ー d-e3f")
    'AB2CDE3F'
    """
    plain = unicodedata.normalize("NFKC", typed).upper()
    return "".join(each for each in plain if each.isascii() and each.isalnum())


def join(typed: str, *, guesser: Guesser = guesses.UNKNOWN) -> Joined:
    """Exchange a club table's code for a place among its phones.

    Raises `WrongCode`, `CodeEnded` and `guesses.TooManyGuesses`. Every wrong code is
    answered alike, whether or not a table has its first half; what cannot be one is not counted.
    """
    code = as_drawn(typed)
    if len(code) != CODE_LENGTH or not {*code} <= {*CODE_LETTERS}:
        raise WrongCode
    subject = guesses.at_code(code)
    guess = Guess(guesser, [subject])
    guess.count(subject)
    with guess.checking():  # nothing is hashed, but a search takes its time, too
        sitting = _table_with(code)
        is_open = sitting is not None and _opens(sitting)
    if sitting is None:
        raise WrongCode
    if not is_open:
        raise CodeEnded
    guess.was_right(subject)
    try:
        return phones.admit_phone(sitting)
    except phones.NoSuchLink:  # closed just now
        raise CodeEnded from None


def _table_with(code: str) -> Sitting | None:
    """Return the club table of this code, be it over or not; of two, the newer one."""
    tables = Sitting.objects.filter(
        session__tournament__kind=Tournament.Kind.TABLE, token__startswith=f"{code}-"
    )
    found = tables.select_related("session__tournament").order_by("-pk")
    return next((each for each in found if each.code == code), None)


def _opens(sitting: Sitting) -> bool:
    """Return whether a code opens its table. It is shorter than a link, and ends after a week."""
    is_recent = closing.is_recent("session__tournament__")
    return phones.open_tables().filter(is_recent, pk=sitting.pk).exists()
