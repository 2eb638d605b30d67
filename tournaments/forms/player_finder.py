"""Find a player by a typed number, name or reading, or by a part of a name or reading."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

from django.utils.translation import gettext

from tournaments.i18n import romaji
from tournaments.i18n.sentences import isolated, listed
from tournaments.models import Entry
from tournaments.models.people import search_key

MOST_PROPOSED = 1500  # players on a page: 150 kB
MOST_LISTED = 8  # matching players in an error message
LONGEST_NAME = 4  # in words
COMMAS = re.compile(r"[,，、;；\t]")


class PlayerNotFound(ValueError):
    """No player matches, or several do. The message says what to type."""


def _number_in(typed: str) -> int | None:
    word = unicodedata.normalize("NFKC", typed).strip()
    return int(word) if word.isdecimal() and len(word) < 10 else None


class PlayerFinder:
    def __init__(self, entries: Iterable[Entry]) -> None:
        self.by_key = {entry.key: entry for entry in entries}
        self.search_keys = [(_search_keys(entry), entry) for entry in self.by_key.values()]

    @property
    def proposals(self) -> list[tuple[Entry, str]]:
        """Return each player with the reading as folded romaji; the page's script searches it.

        Empty for more than `MOST_PROPOSED` players, who are found when the form is sent.
        """
        if len(self.by_key) > MOST_PROPOSED:
            return []
        return [(entry, romaji.romaji_of(entry.reading)) for entry in self.by_key.values()]

    @property
    def folds(self) -> str:
        """Return, as JSON, how the page's script folds typed text."""
        return romaji.PAGE_FOLDS

    def find(self, typed: str) -> Entry:
        """Return the one player that a text matches; digits alone are a player number.

        Raises `PlayerNotFound` if no player or several players match.
        """
        matches = self.matches(typed)
        if len(matches) == 1:
            return matches[0]
        if not matches:
            raise PlayerNotFound(self._why_nobody(typed))
        names = [f"{entry.number} {isolated(entry.name)}" for entry in matches[:MOST_LISTED]]
        words = gettext("“%(name)s” may be several players: %(names)s. Type the number.")
        raise PlayerNotFound(words % {"name": isolated(typed.strip()[:50]), "names": listed(names)})

    def _why_nobody(self, typed: str) -> str:
        """Return why a text matches nobody: perhaps one of the others in the tournament."""
        offered = list(self.by_key.values())
        others = Entry.objects.filter(tournament__in={each.tournament_id for each in offered})
        found = PlayerFinder(others).matches(typed)
        if len(found) == 1:
            words = gettext("No. %(number)s %(name)s cannot be chosen here. Choose another player.")
            return words % {"number": found[0].number, "name": isolated(found[0].name)}
        if (number := _number_in(typed)) is not None:
            return gettext("there is no player with the number %(number)s.") % {"number": number}
        words = gettext("nobody here is called “%(name)s”. Type a number, a name or a reading.")
        return words % {"name": isolated(typed.strip()[:50])}

    def matches(self, typed: str) -> list[Entry]:
        """Return the player with a number, or the players whose name or reading is this text.

        If it is nobody's, return the players in whose name or reading it is a part.
        """
        if (number := _number_in(typed)) is not None:
            return [each for each in [self.by_key.get(str(number))] if each]
        word = search_key(unicodedata.normalize("NFKC", typed).strip())
        if not word:
            return []
        return [entry for keys, entry in self.search_keys if word in keys] or [
            entry for keys, entry in self.search_keys if any(word in key for key in keys)
        ]

    def split(self, line: str) -> Iterator[str]:
        """Split a line into the text for each player, at commas and spaces.

        Words that form one player's name or reading stay together.
        """
        for part in COMMAS.split(line):
            tokens = part.split()
            while tokens:
                size = next(
                    (size for size in range(LONGEST_NAME, 1, -1) if self._is_name(tokens[:size])), 1
                )
                yield " ".join(tokens[:size])
                del tokens[:size]

    def _is_name(self, tokens: list[str]) -> bool:
        joined = search_key("".join(tokens))
        return not joined.isdecimal() and any(joined in keys for keys, _entry in self.search_keys)


def _search_keys(entry: Entry) -> set[str]:
    """Return the search keys of a player's name, number with name, and reading, if any."""
    return {
        search_key(entry.name),
        search_key(f"{entry.number} {entry.name}"),
        search_key(entry.reading),
    } - {""}
