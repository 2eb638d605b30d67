"""The facts of a round as text in the active language."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from django.utils.translation import gettext

import scoring
from tournaments.game_kinds import kind_of
from tournaments.i18n.sentences import isolated, listed
from tournaments.models import Sitting

SEPARATOR = " / "


class EntryContext(NamedTuple):
    """The data for formatting a tournament's audit entries.

    `names` are by entry number as text; `play_offs` are the session numbers of play-offs.
    `continuing` are the sittings that continue others, by numbers of session and sitting as text.
    `stages` are the names of stages by number, without those that were removed.
    `final_publication` is the number of the publication called final, if there is one.
    """

    names: Mapping[str, str]
    rules: scoring.Rules
    play_offs: Sequence[int] = ()
    continuing: Mapping[tuple[str, str], Sitting] = {}
    stages: Mapping[int, str] = {}
    final_publication: int | None = None

    def shown_table(self, subject: Mapping[str, Any], table: Any) -> Any:
        """Return a table's number for people; `table` is as in audit entries about its session."""
        sitting = self.continuing.get((str(subject.get("session")), str(table)))
        return sitting.shown_number if sitting else table

    def shown_round(self, subject: Mapping[str, Any]) -> Any:
        sitting = self.continuing.get((str(subject.get("session")), str(subject.get("table"))))
        return sitting.rounds_before + subject["round"] if sitting else subject["round"]

    def name(self, key: Any) -> str:
        """Return a player's name by the entry number; the number itself for a removed player."""
        return isolated(str(self.names.get(key, key)))

    def listed_names(self, keys: Any) -> str:
        """Return players' names as one text. Raises `TypeError` if `keys` is not a list or None."""
        return listed([self.name(key) for key in checked_list(keys)])


Formatter = Callable[[Any, EntryContext], str]  # formats `old` or `new` of an audit entry


def format_round(facts: Mapping[str, Any], context: EntryContext) -> str:
    """Return the facts of a round. Empty facts are those of a round set aside."""
    if not facts:
        return gettext("no longer counts")
    rules = context.rules
    return SEPARATOR.join(kind_of(rules.game).facts_in_words(facts, context.name, rules))


def labelled(label: str, value: str) -> str:
    """Return label and value with the colon of the active language."""
    return gettext("%(what)s: %(said)s") % {"what": label, "said": value}


def in_numerical_order(keys: Iterable[str]) -> list[str]:
    """Return entry numbers, which are texts, in numerical order.

    The order of JSON keys would depend on the database.
    """
    return sorted(keys, key=lambda key: (int(key) if key.isdecimal() else 0, key))


def checked_list(value: Any) -> Sequence[Any]:
    """Return the value if it is a list, or [] for None. Raises `TypeError` for anything else."""
    if not isinstance(value, list | None):
        raise TypeError(value)
    return value or []
