"""A club table's code: eight letters and digits by which another phone joins.

Club tables have no table card and no PIN, because all of them have the same number. The code is the
beginning of the link's token (`models.seating`), and is created and revoked with the link.
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
    code = "wrong_code"
    status = 403
    at = "code"
    sentence = _(
        "This code is wrong. Check it: it has eight letters and digits, and never 0, 1, I, L or O."
    )


class CodeEnded(OperationRefused):
    """The club table was not played at for a week, or was removed, or its link revoked."""

    code = "code_ended"
    status = 403
    at = "code"
    sentence = _(
        "This table is closed: nothing was recorded for a week, or its link was closed. "
        "Start a new table."
    )


def format_code(code: str) -> str:
    """Return a code in two groups of four, as it is shown.

    >>> format_code("AB2CDE3F")
    'AB2C DE3F'
    """
    return f"{code[:HALF]} {code[HALF:]}"


def normalize_code(typed: str) -> str:
    """Return a typed code as narrow capitals and digits, without spaces and hyphens.

    >>> normalize_code(" ａｂ２ｃ ー d-e3f")
    'AB2CDE3F'
    """
    plain = unicodedata.normalize("NFKC", typed).upper()
    return "".join(each for each in plain if each.isascii() and each.isalnum())


def join(typed: str, *, guesser: Guesser = guesses.UNKNOWN_GUESSER) -> Joined:
    """Admit a phone by a club table's code.

    Raises `WrongCode` if no table has this code, `CodeEnded`, and `guesses.TooManyGuesses`. Guesses
    are counted by the first half of the code, whether or not a table has it; a text that cannot be
    a code is not counted.
    """
    code = normalize_code(typed)
    if len(code) != CODE_LENGTH or not {*code} <= {*CODE_LETTERS}:
        raise WrongCode
    subject = guesses.code_subject(code)
    guess = Guess(guesser, [subject])
    guess.count(subject)
    with guess.limit_hashing():  # nothing is hashed, but the query is slow, too
        sitting = _table_with_code(code)
        is_open = sitting is not None and _is_code_valid(sitting)
    if sitting is None:
        raise WrongCode
    if not is_open:
        raise CodeEnded
    guess.mark_right(subject)
    try:
        return phones.admit_phone(sitting)
    except phones.NoSuchLink:  # revoked since the query
        raise CodeEnded from None


def _table_with_code(code: str) -> Sitting | None:
    """Return the newest club table with this code, over or not."""
    tables = Sitting.objects.filter(
        session__tournament__kind=Tournament.Kind.TABLE, token__startswith=f"{code}-"
    )
    newest_first = tables.select_related("session__tournament").order_by("-pk")
    return next((each for each in newest_first if each.code == code), None)


def _is_code_valid(sitting: Sitting) -> bool:
    """Return whether phones can join by the table's code.

    The table's link has to be valid and, other than for joining by link, the event has to be held
    or changed within the last week.
    """
    is_recent = closing.recent_condition("session__tournament__")
    return phones.open_tables().filter(is_recent, pk=sitting.pk).exists()
