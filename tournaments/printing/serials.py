"""The serial of a score sheet, by which a sheet printed before the last reseating is recognised."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256

from tournaments.models import Entry, Sitting
from tournaments.models.tournament import SLUG_LETTERS

LENGTH = 4


def serial_of(sitting: Sitting, entries: Iterable[Entry]) -> str:
    """Return the serial of a table's score sheet: 4 letters of a digest of table and players.

    `entries` are the players in seat order.
    """
    session = sitting.session
    table = (session.tournament.slug, session.number, sitting.number)
    text = "/".join(map(str, [*table, *(entry.number for entry in entries)]))
    number = int.from_bytes(sha256(text.encode()).digest())
    letters = []
    for _letter in range(LENGTH):
        number, index = divmod(number, len(SLUG_LETTERS))
        letters.append(SLUG_LETTERS[index])
    return "".join(letters).upper()
