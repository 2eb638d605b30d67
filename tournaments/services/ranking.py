"""Choosing how places are decided (順位の決め方). It may change until the event is closed."""

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
    """Store how places are decided, in the form of `scoring.read_ranking`. Idempotent.

    Where lots are to be drawn without a seed, the present one stays, or a new one is drawn.
    `seen_version` is the version that was shown. Raises `scoring.BadRanking` with every problem,
    `VersionConflict` and `closing.EventClosed`.
    """
    current = lock_tournament(tournament)
    closing.check_not_closed(current)
    chosen = scoring.read_ranking(_with_seed(document, current), current.rules.game.kind)
    old, new = current.ranking, chosen.as_json()
    if new == old:
        return chosen
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
    return chosen


def with_new_seed(ranking: Mapping[str, Any]) -> dict[str, Any]:
    """Return the ranking rules of one event for another, which draws lots of its own."""
    return {**ranking, "lot_seed": new_seed()} if "lot_seed" in ranking else dict(ranking)


def new_seed() -> str:
    return secrets.token_hex(SEED_BYTES)


def _with_seed(document: Mapping[str, Any], current: Tournament) -> Mapping[str, Any]:
    """Return the document with a seed if lots are to be drawn and none is given."""
    steps = document.get("tie_breaks")
    if document.get("lot_seed") or not isinstance(steps, (list, tuple)) or "lot" not in steps:
        return document
    return {**document, "lot_seed": current.ranking.get("lot_seed") or new_seed()}
