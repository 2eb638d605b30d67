"""Reads a record: checks the JSON document and converts it to facts. It computes no points.

`scoring/README.md` describes the document.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

from scoring.choices import check_options, choose
from scoring.errors import InvalidRecord
from scoring.game import NEW_TABLE, Start
from scoring.problems import Problems
from scoring.registry import RULE_SETS, get_rule_set
from scoring.rules import Rules, RuleSet
from scoring.translation import gettext_noop as _

KEYS = frozenset({"ruleset", "options", "players", "rounds", "partners"})
SLUGS = tuple(rule_set.slug for rule_set in RULE_SETS)
# With more players, or longer names, the rounds are not read: reading compares each name with every
# player, and a score names every player in every round.
MOST_AT_A_TABLE = 16
LONGEST_NAME = 200


class Record(NamedTuple):
    """One sitting: the rules, the players, and the facts of every round.

    `players` are in seat order, each to the right of the one before. The type of a round's facts
    depends on the kind of game: `Round`, `Captures` or `Finish`. With `partners` the players who
    sit opposite add up their points.
    """

    rules: Rules
    players: tuple[str, ...]
    rounds: tuple[Any, ...]
    partners: bool = False


def read_record(
    document: Any, rules: Rules | None = None, start: Start | None = NEW_TABLE
) -> Record:
    """Return the record in a decoded JSON document. Raises `InvalidRecord` with all its problems.

    `rules`, if given, replace those that the document names in `ruleset` and `options`. `start` is
    what other players left behind at the table. With None only each round by itself is checked,
    not what the rounds show together.
    """
    problems = Problems()
    if not problems.check_object(at="", data=document, known_keys=KEYS):
        raise InvalidRecord(problems.listed, problems.unlisted)
    rules = rules or _read_rules(problems, document)
    rule_set = rules.rule_set if rules else None
    players = _read_players(problems, document, rule_set)
    partners = _read_partners(problems, document, rule_set, players)
    rounds = _read_rounds(problems, document, rules, players, partners, start)
    if problems.listed or rules is None or players is None:
        raise InvalidRecord(problems.listed, problems.unlisted)
    return Record(rules, players, rounds, partners=partners)


def _read_rules(problems: Problems, document: dict[str, Any]) -> Rules | None:
    """Return the rules that the document names, or None if the rule set is missing or unknown.

    Adds the problems of rule set and options. Invalid options are replaced by the defaults.
    """
    rule_set = _read_rule_set(problems, document)
    if rule_set is None:
        return None
    options = document.get("options", {})
    count_before = problems.count
    check_options(problems, rule_set, options)
    return choose(rule_set, options if problems.count == count_before else None)


def _read_rule_set(problems: Problems, document: dict[str, Any]) -> RuleSet | None:
    """Return None after adding a problem."""
    if not problems.check_key(at="", data=document, key="ruleset"):
        return None
    slug = document["ruleset"]
    if type(slug) is not str:
        problems.add("ruleset", "type", _("Use the rule set’s name here, in quotation marks."))
    elif slug not in SLUGS:
        problems.add(
            "ruleset",
            "unknown_ruleset",
            _("There is no rule set “{slug}”; choose one of {slugs}."),
            slug=slug,
            slugs=SLUGS,
        )
    else:
        return get_rule_set(slug)
    return None


def _read_partners(
    problems: Problems,
    document: dict[str, Any],
    rule_set: RuleSet | None,
    players: tuple[str, ...] | None,
) -> bool:
    """Return whether the players are partners.

    Adds a problem if the game, or this number of players, has no partnerships.
    """
    if "partners" not in document:
        return False
    if rule_set is not None and not rule_set.partnership_players:
        problems.add("partners", "unknown_key", _("This game has no partnerships: leave them out."))
        return False
    partners = document["partners"]
    if not problems.check_boolean("partners", partners) or not partners:
        return False
    if (
        rule_set is not None
        and players is not None
        and len(players) not in rule_set.partnership_players
    ):
        problems.add(
            "players",
            "players",
            _(
                "Partnerships need a table of {players}: correct the players, or play without "
                "partners."
            ),
            players=" / ".join(map(str, rule_set.partnership_players)),
        )
    return True


def _read_players(
    problems: Problems, document: dict[str, Any], rule_set: RuleSet | None
) -> tuple[str, ...] | None:
    """Return the players' names, or None if the list is missing or too long, or a name is too long.

    Adds the problems. Items that are not texts are left out.
    """
    if not problems.check_key(at="", data=document, key="players"):
        return None
    players = document["players"]
    if not problems.check_list("players", players):
        return None
    names_before: set[str] = set()  # composed, see `_composed`
    is_readable = len(players) <= MOST_AT_A_TABLE
    for i, player in enumerate(players):
        if type(player) is str:
            _check_name(problems, f"players[{i}]", player, names_before)
            is_readable &= len(player) <= LONGEST_NAME
            names_before.add(_composed(player))
        else:
            problems.add(
                f"players[{i}]", "type", _("Use a player’s name here, in quotation marks.")
            )
    if rule_set is not None and len(players) not in rule_set.players:
        problems.add(
            "players",
            "players",
            _("The number of players is {count}, but this game is for {players}."),
            count=len(players),
            players=" / ".join(map(str, rule_set.players)),
        )
    return tuple(player for player in players if type(player) is str) if is_readable else None


def _composed(name: str) -> str:
    """Return a name in Unicode's composed form (NFC): its spellings are one person.

    A longer name than allowed is returned as it is: to compose it could take long.
    """
    return unicodedata.normalize("NFC", name) if len(name) <= LONGEST_NAME else name


def _check_name(problems: Problems, at: str, name: str, names_before: set[str]) -> None:
    if not name.strip():
        problems.add(at, "players", _("Enter a name for this player."))
    elif len(name) > LONGEST_NAME:
        problems.add(
            at,
            "players",
            _("Enter a name of at most {most} characters for this player."),
            most=LONGEST_NAME,
        )
    elif _composed(name) in names_before:
        problems.add(
            at,
            "players",
            _("The name “{name}” appears twice; give each player a different name."),
            name=name,
        )


def _read_rounds(
    problems: Problems,
    document: dict[str, Any],
    rules: Rules | None,
    players: tuple[str, ...] | None,
    partners: bool,
    start: Start | None,
) -> tuple[Any, ...]:
    """Return the facts of every round, or None for each round with problems, which are added.

    Returns an empty tuple if there is no list of rounds, or if `rules` or `players` is None.
    """
    if not problems.check_key(at="", data=document, key="rounds"):
        return ()
    data = document["rounds"]
    if not problems.check_list("rounds", data) or rules is None or players is None:
        return ()
    game, spellings = rules.game, {_composed(player): player for player in players}
    rounds = [
        game.read_round(problems, f"rounds[{i}]", _as_spelled(facts, spellings), players)
        for i, facts in enumerate(data)
    ]
    if start is not None:
        game.check_rounds(problems, rounds, players, partners, start)
    return tuple(rounds)


def _as_spelled(facts: Any, spellings: Mapping[str, str]) -> Any:
    """Return the facts of a round with each player spelled as in `players`.

    `spellings` has the spelling by the composed name. Two keys for one player are left as they are,
    and so refused.
    """
    if type(facts) is not dict or all(name.isascii() for name in spellings):
        return facts
    return {key: _names_as_spelled(value, spellings) for key, value in facts.items()}


def _names_as_spelled(value: Any, spellings: Mapping[str, str], depth: int = 2) -> Any:
    """Return a value with the names in it spelled as in `players`, up to teams: lists of lists."""
    match value:
        case str():
            return spellings.get(_composed(value), value)
        case list() if depth:
            return [_names_as_spelled(each, spellings, depth - 1) for each in value]
        case dict():
            spelled = {name: spellings.get(_composed(name), name) for name in value}
            twice = Counter(spelled.values())
            return {
                spelled[name] if twice[spelled[name]] == 1 else name: cards
                for name, cards in value.items()
            }
        case _:
            return value
