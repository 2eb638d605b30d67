"""The playbook document: a table's rules as JSON, so that a phone can judge deals without network.

What it holds beside the items of the score is told by the kind of game.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from django.utils.translation import get_language

import scoring
from tournaments.game_kinds import TableShape, kind_of
from tournaments.i18n import quotations, sentences


def playbook(rules: scoring.Rules, table: TableShape) -> dict[str, Any]:
    """Return the playbook of a table, as JSON. Do not change it.

    Cached, since all tables of a session have the same.
    """
    return _playbook(rules, table, get_language())


@lru_cache(maxsize=16)  # each takes 6 to 540 kB of memory
def _playbook(rules: scoring.Rules, table: TableShape, _language: str | None) -> dict[str, Any]:
    """The active language is a key of the cache."""
    content: dict[str, Any] = {
        "kind": rules.game.kind,
        "fingerprint": rules.fingerprint,
        "items": {
            rule.item: {
                "name": sentences.translated(rule.meaning),
                **({"note": sentences.translated(rule.note)} if rule.note else {}),
                "source": {
                    "text": scoring.text_of(rule.source).cited,
                    "words": rule.source.words,
                    "translation": quotations.translation_of(rule.source.words),
                },
            }
            for rule in rules.rule_set.rules
        },
    }
    return content | kind_of(rules.game).playbook(rules.game, table)
