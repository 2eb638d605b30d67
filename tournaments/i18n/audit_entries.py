"""What an act of the audit trail did, in the reader's language: every kind has its words here.

An act keeps codes, numbers of players and facts. `WORDS` names for each kind what tells one side of
it, before or after; a kind that is missing there fails a test.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from django.utils.translation import gettext, gettext_noop

import scoring
from tournaments.i18n.sentences import (
    card_name,
    declaration_name,
    isolated,
    listed,
    option_choice,
    signed,
    suit_name,
    translated,
    yes_or_no,
)
from tournaments.i18n.units import round_title, unit_words
from tournaments.models import AuditEntry, Call, Membership, Tournament
from tournaments.models.publications import SHOWN_DIGITS

Kind = AuditEntry.Kind
BETWEEN = " / "


class EntryContext(NamedTuple):
    """What has to be known of a tournament to tell its acts: players by key, and the rules."""

    names: Mapping[str, str]
    rules: scoring.Rules

    def name(self, key: Any) -> str:
        """Return what a player is called; one who is gone stays a number."""
        return isolated(str(self.names.get(key, key)))

    def named(self, keys: Any) -> str:
        """Return players by name, as one list."""
        return listed([self.name(key) for key in _checked_list(keys)])


Words = Callable[[Any, EntryContext], str]


def entry_context(tournament: Tournament) -> EntryContext:
    """Return a tournament as its acts are told."""
    names = {entry.key: entry.name for entry in tournament.entries.all()}
    return EntryContext(names, tournament.rules)


def place_words(subject: Mapping[str, Any], telling: EntryContext) -> str:
    """Return the place of an act: session, table and round, as far as it has one."""
    said = []
    if "session" in subject:
        said.append(gettext("Session %(number)s") % {"number": subject["session"]})
    if "table" in subject:
        said.append(gettext("Table %(table)s") % {"table": subject["table"]})
    if "round" in subject:
        said.append(round_title(subject["round"], telling.rules))
    return " · ".join(said)


def before_and_after(act: AuditEntry, telling: EntryContext) -> tuple[str, str]:
    """Return in words what stood before an act and what stands since; of settings what changed."""
    old, new = act.old, act.new
    if act.kind == Kind.RULES_SET and isinstance(old, dict) and isinstance(new, dict):
        changed = [key for key in new if new[key] != old.get(key)]
        old, new = ({key: side[key] for key in changed if key in side} for side in (old, new))
    words = WORDS[Kind(act.kind)]
    before, after = _side_words(words, old, telling), _side_words(words, new, telling)
    if act.kind == Kind.ENTRY_CHANGED and _private_differs(act.old, act.new):
        after = BETWEEN.join([after, gettext("contact, year of birth or notes changed")])
    return before, after


def _private_differs(old: Any, new: Any) -> bool:
    """Return whether what only the staff may know of a player has changed, where acts tell."""
    told = [side["private"] for side in (old, new) if isinstance(side, dict) and "private" in side]
    return len(told) > 1 and told[0] != told[1]


def _side_words(words: Words, side: Any, telling: EntryContext) -> str:
    """Return one side in words; one of a shape that we never write, as it stands.

    An archive may bring such an act, and whoever looks at the trail is shown all of it.
    """
    if side is None:
        return ""
    try:
        return words(side, telling)
    except (TypeError, AttributeError, LookupError, ValueError):
        return isolated(json.dumps(side, ensure_ascii=False, sort_keys=True))


def round_in_words(facts: Mapping[str, Any], telling: EntryContext) -> str:
    """Return a round's facts in words, also where they are no round yet; as they stand, if need be.

    For the page that shows what was typed and cannot be stored any more.
    """
    return _side_words(_facts, facts, telling)


# One function for each kind of thing that acts keep


def _nothing(_side: Any, _telling: EntryContext) -> str:
    """Tell nothing but what the kind of act says."""
    return ""


def _unfinished(told: Mapping[str, Any], telling: EntryContext) -> str:
    """Tell at which tables the session stopped before its end."""
    if not told["tables"]:
        return gettext("Every table has finished")
    tables = _numbered_tables(told, telling)
    return _pair(gettext("Stopped before the end"), tables)


def _publication(told: Mapping[str, Any], _telling: EntryContext) -> str:
    """Tell number and digest, as the pages and prints of that publication show them."""
    number = gettext("Number %(number)s") % {"number": told["number"]}
    return f"{number} {told['digest'][:SHOWN_DIGITS]}"


def _archive(told: Mapping[str, Any], _telling: EntryContext) -> str:
    """Tell the digest of the file, as far as people compare it by eye."""
    return str(told["digest"][:SHOWN_DIGITS])


def _settings(told: Mapping[str, Any], telling: EntryContext) -> str:
    """Tell the settings of a tournament, or some of them."""
    said = [
        _pair(unit_words(label, telling.rules), SETTING[key](told[key], telling))
        for key, label in LABELS.items()
        if told.get(key) not in (None, "")
    ]
    return BETWEEN.join(said)


def _options(chosen: Mapping[str, scoring.Choice], telling: EntryContext) -> str:
    known = {option.name: option for option in telling.rules.rule_set.options}
    said = [
        _pair(translated(known[key].meaning), option_choice(known[key], chosen[key]))
        if key in known
        else _pair(key, str(chosen[key]))
        for key in sorted(chosen)
    ]
    return listed(said) or gettext("By the text")


def _house_points(points: Mapping[str, int], telling: EntryContext) -> str:
    meanings = {rule.item: rule.meaning for rule in telling.rules.rule_set.rules}
    said = [
        _pair(translated(meanings.get(key, key)), signed(points[key])) for key in sorted(points)
    ]
    return listed(said) or gettext("By the text")


LABELS = {
    "name": gettext_noop("Name"),
    "held_on": gettext_noop("Date"),
    "venue": gettext_noop("Venue"),
    "rule_set": gettext_noop("Rules"),
    "options": gettext_noop("Options"),
    "points": gettext_noop("Points"),
    "rounds_per_session": gettext_noop("Rounds per session"),
    "partners": gettext_noop("Partnerships"),
    "accepting": gettext_noop("Who accepts a round"),
    "totals_only": gettext_noop("Only final totals are taken down, no deals"),
    "fingerprint": gettext_noop("Fingerprint"),
}
SETTING: dict[str, Words] = {
    **dict.fromkeys(LABELS, lambda value, _telling: isolated(str(value))),
    "rule_set": lambda slug, _telling: translated(scoring.get_rule_set(slug).title),
    "options": _options,
    "points": _house_points,
    "partners": lambda choice, _telling: yes_or_no(choice),
    "accepting": lambda code, _telling: str(Tournament.Accepting(code).label),
    "totals_only": lambda choice, _telling: yes_or_no(choice),
}


ENTRY_DETAILS = ("reading", "club", "division")


def _entry(told: Mapping[str, Any], _telling: EntryContext) -> str:
    """Tell a player: number and name, how it is read, club and class."""
    where_from = listed([isolated(told[key]) for key in ENTRY_DETAILS if told.get(key)])
    name = f"{told['number']} {isolated(told['name'])}"
    return BETWEEN.join([name, where_from]) if where_from else name


def _entries(told: Sequence[Mapping[str, Any]], telling: EntryContext) -> str:
    return "; ".join(_entry(each, telling) for each in told)


def _seats(tables: Sequence[Sequence[str]], telling: EntryContext) -> str:
    """Tell who sits at the tables of a session."""
    return _tables({str(number): keys for number, keys in enumerate(tables, 1)}, telling)


def _tables(tables: Mapping[str, Sequence[str]], telling: EntryContext) -> str:
    return BETWEEN.join(
        _pair(gettext("Table %(table)s") % {"table": number}, telling.named(tables[number]))
        for number in sorted(tables, key=int)
    )


def _numbered_tables(told: Mapping[str, Sequence[int]], _telling: EntryContext) -> str:
    """Tell for which tables of a session at once; that of one stands in the act's place."""
    if "tables" not in told:
        return ""
    return gettext("Tables: %(numbers)s") % {"numbers": listed([str(n) for n in told["tables"]])}


def _role(told: Mapping[str, str], _telling: EntryContext) -> str:
    return _pair(told["user"], str(Membership.Role(told["role"]).label))


def _phone(told: Mapping[str, Any], _telling: EntryContext) -> str:
    """Tell which phone takes down the rounds, or whether one that has joined does."""
    writer = told["writer"]
    if isinstance(writer, bool):
        return gettext("takes down") if writer else gettext("reads along")
    return gettext("phone %(number)s") % {"number": writer}


def _call(told: Mapping[str, str], _telling: EntryContext) -> str:
    label = str(Call.Kind(told["kind"]).label)
    return _pair(label, isolated(told["words"])) if told["words"] else label


def _totals(points: Mapping[str, int], telling: EntryContext) -> str:
    return listed([f"{telling.name(key)} {signed(points[key])}" for key in by_number(points)])


def _dispute(told: Mapping[str, Any], telling: EntryContext) -> str:
    """Tell what the two phones said."""
    sides = [(gettext("Stored"), told["stored"]), (gettext("The other"), told["other"])]
    return BETWEEN.join(_pair(side, _facts(facts, telling)) for side, facts in sides if facts)


def _facts(facts: Mapping[str, Any], telling: EntryContext) -> str:
    """Tell a round of any game; one without facts has been set aside."""
    if not facts:
        return gettext("no longer counts")
    if "captured" in facts:
        return _captures(facts, telling)
    return _finish(facts, telling) if "finish" in facts else _kankei(facts, telling)


def _kankei(facts: Mapping[str, Any], telling: EntryContext) -> str:
    said = []
    if facts.get("trump"):
        said.append(_pair(gettext("Trump"), suit_name(facts["trump"])))
    if facts.get("dealer"):
        said.append(_pair(gettext("Dealer"), telling.name(facts["dealer"])))
    said.append(_pair(gettext("Kankei"), telling.named(facts.get("kankei"))))
    said += [_deal(deal) for deal in _checked_list(facts.get("deals")) if isinstance(deal, Mapping)]
    if facts.get("cut_off"):
        said.append(gettext("Cut off"))
    return BETWEEN.join(said)


def _deal(deal: Mapping[str, Any]) -> str:
    said = [f"{deal.get('kankei', '')}–{deal.get('mukankei', '')}"]
    if deal.get("trump"):
        said.append(suit_name(deal["trump"]))
    said.append(declaration_name(deal.get("declaration")))
    return " ".join(said).strip()


def _captures(facts: Mapping[str, Any], telling: EntryContext) -> str:
    captured = facts["captured"]
    said = [f"{telling.name(key)} {_cards(captured[key])}" for key in by_number(captured)]
    if facts.get("exposed"):
        said.append(_pair(gettext("Exposed"), _cards(facts["exposed"])))
    return BETWEEN.join(said)


def _cards(cards: Any) -> str:
    return " ".join(card_name(card) for card in _checked_list(cards))


def _finish(facts: Mapping[str, Any], telling: EntryContext) -> str:
    said = [" → ".join(telling.name(key) for key in _checked_list(facts["finish"]))]
    for number, team in enumerate(_checked_list(facts.get("teams")), 1):
        said.append(_pair(gettext("Team %(number)s") % {"number": number}, telling.named(team)))
    return BETWEEN.join(said)


def _pair(what: str, said: str) -> str:
    return gettext("%(what)s: %(said)s") % {"what": what, "said": said}


def by_number(keys: Iterable[str]) -> list[str]:
    """Return players by number: no database is to decide in which order they are told."""
    return sorted(keys, key=lambda key: (int(key) if key.isdecimal() else 0, key))


def _checked_list(value: Any) -> Sequence[Any]:
    """Return a list, an empty one where there is none. Raises `TypeError` for what is no list."""
    if not isinstance(value, list | None):
        raise TypeError(value)
    return value or []


WORDS: dict[Kind, Words] = {
    Kind.RULES_SET: _settings,
    Kind.ENTRIES_ADDED: _entries,
    Kind.ENTRY_CHANGED: _entry,
    Kind.PRIVATE_CHANGED: _entry,
    Kind.ENTRY_REMOVED: _entry,
    Kind.SESSION_OPENED: _seats,
    Kind.SESSION_RESEATED: _seats,
    Kind.SESSION_ENDED: _unfinished,
    Kind.SESSION_RESUMED: _nothing,
    Kind.SESSION_REMOVED: _seats,
    Kind.ROUND_RECORDED: _facts,
    Kind.ROUND_CONTINUED: _facts,
    Kind.ROUND_CORRECTED: _facts,
    Kind.PUBLISHED: _publication,
    Kind.SHOWN_LIVE: _nothing,
    Kind.WITHDRAWN: _nothing,
    Kind.CLOSED: _nothing,
    Kind.REOPENED: _nothing,
    Kind.EVENT_REMOVED: _nothing,
    Kind.EVENT_RESTORED: _nothing,
    Kind.ARCHIVE_READ: _archive,
    Kind.ROLE_GIVEN: _role,
    Kind.ROLE_TAKEN: _role,
    Kind.PHONE_JOINED: _phone,
    Kind.PHONE_TOOK_OVER: _phone,
    Kind.LINK_MADE: _numbered_tables,
    Kind.LINK_REVOKED: _nothing,
    Kind.PHONES_ENDED: _nothing,
    Kind.PIN_MADE: _numbered_tables,
    Kind.ROUND_ACCEPTED: _facts,
    Kind.ROUND_DISPUTED: _facts,
    Kind.DESK_CALLED: _call,
    Kind.CALL_ANSWERED: _call,
    Kind.CALL_TAKEN_BACK: _call,
    Kind.DISPUTE_SETTLED: lambda told, telling: (
        _dispute(told, telling) if "other" in told else _facts(told, telling)
    ),
    Kind.PLAYERS_EXCHANGED: _tables,
    Kind.PAPER_OVERRULED: _totals,
    Kind.TOTALS_ENTERED: _totals,
    Kind.TOTALS_CORRECTED: _totals,
}
