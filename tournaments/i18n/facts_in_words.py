"""The facts of a round as text in the active language."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from django.utils.translation import gettext

import scoring
from tournaments.i18n.sentences import (
    card_name,
    declaration_name,
    isolated,
    listed,
    suit_name,
)
from tournaments.models import Sitting

SEPARATOR = " / "


class EntryContext(NamedTuple):
    """The data for formatting a tournament's audit entries.

    `names` are by entry number as text; `play_offs` are the session numbers of play-offs.
    `continuing` are the sittings that continue others, by numbers of session and sitting as text.
    `stages` are the names of stages by number, without those that were removed.
    """

    names: Mapping[str, str]
    rules: scoring.Rules
    play_offs: Sequence[int] = ()
    continuing: Mapping[tuple[str, str], Sitting] = {}
    stages: Mapping[int, str] = {}

    def shown_table(self, subject: Mapping[str, Any], table: Any) -> Any:
        """Return a table's number for people; `table` is as in audit entries about its session."""
        sitting = self.continuing.get((str(subject.get("session")), str(table)))
        return sitting.shown_number if sitting else table

    def shown_round(self, subject: Mapping[str, Any]) -> Any:
        """Return the number for people of the round that an audit entry is about."""
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
    """Return the facts of a round of any game. Empty facts are those of a round set aside."""
    if not facts:
        return gettext("no longer counts")
    if "captured" in facts:
        return _format_captures(facts, context)
    return _format_finish(facts, context) if "finish" in facts else _format_kankei(facts, context)


def _format_kankei(facts: Mapping[str, Any], context: EntryContext) -> str:
    """Return a face-card round: trump, dealer, kankei and deals, as far as they are given."""
    parts = []
    if facts.get("trump"):
        parts.append(labelled(gettext("Trump"), suit_name(facts["trump"])))
    if facts.get("dealer"):
        parts.append(labelled(gettext("Dealer"), context.name(facts["dealer"])))
    parts.append(labelled(gettext("Kankei"), context.listed_names(facts.get("kankei"))))
    deals = checked_list(facts.get("deals"))
    parts += [_format_deal(deal) for deal in deals if isinstance(deal, Mapping)]
    if facts.get("cut_off"):
        parts.append(gettext("Cut off"))
    return SEPARATOR.join(parts)


def _format_deal(deal: Mapping[str, Any]) -> str:
    """Return a deal, such as “9–4 hearts Called skunk”."""
    parts = [f"{deal.get('kankei', '')}–{deal.get('mukankei', '')}"]
    if deal.get("trump"):
        parts.append(suit_name(deal["trump"]))
    parts.append(declaration_name(deal.get("declaration")))
    return " ".join(parts).strip()


def _format_captures(facts: Mapping[str, Any], context: EntryContext) -> str:
    """Return a deal of Gong Zhu: who took which cards, and the exposed cards."""
    captured = facts["captured"]
    parts = [
        f"{context.name(key)} {_format_cards(captured[key])}"
        for key in in_numerical_order(captured)
    ]
    if facts.get("exposed"):
        parts.append(labelled(gettext("Exposed"), _format_cards(facts["exposed"])))
    return SEPARATOR.join(parts)


def _format_cards(cards: Any) -> str:
    """Return cards with their suit signs. Raises `TypeError` unless they are a list."""
    return " ".join(card_name(card) for card in checked_list(cards))


def _format_finish(facts: Mapping[str, Any], context: EntryContext) -> str:
    """Return a deal of Gouji: the order of going out, and the teams if they are given."""
    parts = [" → ".join(context.name(key) for key in checked_list(facts["finish"]))]
    for number, team in enumerate(checked_list(facts.get("teams")), 1):
        parts.append(
            labelled(gettext("Team %(number)s") % {"number": number}, context.listed_names(team))
        )
    return SEPARATOR.join(parts)


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
