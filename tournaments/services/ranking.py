"""The ranking rules of a tournament (順位の決め方). They may change until the event is closed."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

from django.db import transaction

import scoring
from tournaments import audit
from tournaments.audit import Actor
from tournaments.audit.locks import lock_tournament
from tournaments.models import AuditEntry, Tournament
from tournaments.services import closing, versions

SEED_BYTES = 4  # of a new seed for lots, which anybody can type


@transaction.atomic
def set_ranking(
    tournament: Tournament,
    document: Mapping[str, Any],
    *,
    seen_version: int,
    by: Actor,
    reason: str = "",
) -> scoring.RankingRules:
    """Store ranking rules, given as JSON for `scoring.read_ranking`. Idempotent.

    If they include lots and `document` has no seed, the stored seed stays, or a new one is drawn.
    `seen_version` is the version that was shown. Raises `scoring.BadRanking` with every problem,
    `VersionConflict` and `closing.EventClosed`.
    """
    current = lock_tournament(tournament)
    closing.check_not_closed(current)
    rules = scoring.read_ranking(_with_seed(document, current), current.rules.game.kind)
    old, new = current.ranking, rules.as_json()
    if new == old:
        return rules
    versions.check_version(versions.last_ranking_change(current), seen_version)
    tournament.ranking = new
    tournament.save(update_fields=["ranking"])
    audit.append_entry(
        current,
        AuditEntry.Kind.RANKING_SET,
        by,
        old=old,
        new=new,
        reason=reason,
        is_locked=True,
    )
    return rules


def with_new_seed(ranking: Mapping[str, Any]) -> dict[str, Any]:
    """Return a copy of an event's ranking rules for another event, with a new seed for lots."""
    return {**ranking, "lot_seed": new_seed()} if "lot_seed" in ranking else dict(ranking)


def new_seed() -> str:
    return secrets.token_hex(SEED_BYTES)


def _with_seed(document: Mapping[str, Any], current: Tournament) -> Mapping[str, Any]:
    """Return the document with a seed added if its tie-breaks include lots and it has none."""
    tie_breaks = document.get("tie_breaks")
    has_lots = isinstance(tie_breaks, (list, tuple)) and "lot" in tie_breaks
    if document.get("lot_seed") or not has_lots:
        return document
    return {**document, "lot_seed": current.ranking.get("lot_seed") or new_seed()}
