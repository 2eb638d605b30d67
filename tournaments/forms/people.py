"""Which player is meant by what somebody typed: a number, a name, a reading, or part of one."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

from django.utils.translation import gettext

from tournaments.i18n.sentences import isolated, listed
from tournaments.models import Entry
from tournaments.models.people import search_form

MOST_LISTED = 8  # players who may be meant
LONGEST_NAME = 4  # words, where names stand one after another
COMMAS = re.compile(r"[,，、;；\t]")


class NobodyFound(ValueError):
    """Raised where no player is meant, or several may be: the sentence says what to type."""


class People:
    """The players of a tournament, found by what is typed."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        """Know everybody who may be meant."""
        self.by_key = {entry.key: entry for entry in entries}
        self.names = [(_names(entry), entry) for entry in self.by_key.values()]

    def find(self, typed: str) -> Entry:
        """Return the one player who is meant. Raises `NobodyFound`."""
        word = unicodedata.normalize("NFKC", typed).strip()
        if word.isdecimal() and len(word) < 10:
            if found := self.by_key.get(str(int(word))):
                return found
            words = gettext("there is no player with the number %(number)s.")
            raise NobodyFound(words % {"number": int(word)})
        meant = self._meant(search_form(word))
        if len(meant) == 1:
            return meant[0]
        if not meant:
            words = gettext("nobody here is called “%(name)s”. Type a number, a name or a reading.")
            raise NobodyFound(words % {"name": isolated(typed.strip()[:50])})
        names = [f"{each.number} {isolated(each.name)}" for each in meant[:MOST_LISTED]]
        words = gettext("“%(name)s” may be several players: %(names)s. Type the number.")
        raise NobodyFound(words % {"name": isolated(typed.strip()[:50]), "names": listed(names)})

    def _meant(self, word: str) -> list[Entry]:
        """Return whose name or reading this is; else those of whose it is a part."""
        if not word:
            return []
        return [entry for names, entry in self.names if word in names] or [
            entry for names, entry in self.names if any(word in name for name in names)
        ]

    def words(self, line: str) -> Iterator[str]:
        """Give what is typed for each player: between them stand spaces or commas.

        Words that are one name or reading together belong together.
        """
        for part in COMMAS.split(line):
            tokens = part.split()
            while tokens:
                size = next(
                    (size for size in range(LONGEST_NAME, 1, -1) if self._is_one(tokens[:size])), 1
                )
                yield " ".join(tokens[:size])
                del tokens[:size]

    def _is_one(self, tokens: list[str]) -> bool:
        joined = search_form("".join(tokens))
        return not joined.isdecimal() and any(joined in names for names, _entry in self.names)


def _names(entry: Entry) -> set[str]:
    """Return how a player is called in full, also behind the number, as the lists offer it."""
    return {
        search_form(entry.name),
        search_form(f"{entry.number} {entry.name}"),
        search_form(entry.reading),
    } - {""}
