"""How pages name the players they list, so that two of the same name can be told apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from django.utils.translation import gettext

from tournaments.models import Entry


def player_names(entries: Iterable[Entry]) -> dict[str, str]:
    """Return names by key, in the active language; entries may repeat.

    A name that several of the players have is followed by the player's number.
    """
    players = {entry.key: entry for entry in entries}
    counts = Counter(entry.name for entry in players.values())
    return {
        key: entry.name if counts[entry.name] == 1 else name_with_number(entry)
        for key, entry in players.items()
    }


def name_with_number(entry: Entry) -> str:
    return f"{entry.name} {number_words(entry.number)}"


def number_words(number: int) -> str:
    return gettext("No. %(number)s") % {"number": number}
