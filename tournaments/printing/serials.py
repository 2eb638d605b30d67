"""The number of a score sheet, which tells it from one printed before the table was seated anew."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256

from tournaments.models import Entry, Sitting
from tournaments.models.tournament import SLUG_LETTERS

LENGTH = 4


def serial_of(sitting: Sitting, entries: Iterable[Entry]) -> str:
    """Return the number of a table's sheet: another for other people or other seats."""
    session = sitting.session
    place = (session.tournament.slug, session.number, sitting.number)
    said = "/".join(map(str, [*place, *(entry.number for entry in entries)]))
    number = int.from_bytes(sha256(said.encode()).digest())
    signs = []
    for _place in range(LENGTH):
        number, rest = divmod(number, len(SLUG_LETTERS))
        signs.append(SLUG_LETTERS[rest])
    return "".join(signs).upper()
