"""Whether the players confirmed for a stage would go on by the results as they are by now."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from tournaments.models import AuditEntry, Entry, Stage
from tournaments.queries import presence
from tournaments.queries.presence import Status
from tournaments.queries.ranking_facts import RankingFacts
from tournaments.queries.stages import candidates, selection_of


class SelectionChange(NamedTuple):
    """What would be different if it was confirmed now who goes on to a stage.

    - `joining`: who would go on, and did not
    - `leaving`: who went on, and would not
    - `regrouped`: who would go on to another group
    - `tied`: who would be tied at a line; then the others are empty, as they depend on it
    """

    stage: Stage
    joining: tuple[Entry, ...] = ()
    leaving: tuple[Entry, ...] = ()
    regrouped: tuple[Entry, ...] = ()
    tied: tuple[Entry, ...] = ()


def selection_changes(facts: RankingFacts, since_session: int = 0) -> list[SelectionChange]:
    """Return the changes of the confirmed stages to which others would go on by now.

    Only of stages that begin after `since_session`.
    """
    changes = (
        _change_of(stage, facts)
        for stage in facts.confirmed_stages
        if (stage.first_session or 0) > since_session
    )
    return [change for change in changes if change is not None]


def _change_of(stage: Stage, facts: RankingFacts) -> SelectionChange | None:
    """Return None if the same players would go on, members replaced by hand aside.

    Players who had withdrawn before the stage's first session are passed over, as they were.
    """
    confirmed = _confirmed_groups(stage)
    roll = presence.roll_call(stage.tournament, stage.first_session or 0, facts.entries)
    withdrawn = {each.key for each in roll.with_status({Status.WITHDRAWN})} - {*confirmed}
    ranked = [row for row in candidates(stage, facts) if row.entry.key not in withdrawn]
    selection = selection_of(stage, ranked, confirmed)
    if selection.tie:
        return SelectionChange(stage, tied=_entries(selection.tie.tied, facts))
    now = {key: group for group, players in selection.groups.items() for key in players}
    if now == confirmed:
        return None
    both = now.keys() & confirmed.keys()
    return SelectionChange(
        stage,
        joining=_entries(now.keys() - both, facts),
        leaving=_entries(confirmed.keys() - both, facts),
        regrouped=_entries({key for key in both if now[key] != confirmed[key]}, facts),
    )


def _entries(keys: Collection[str], facts: RankingFacts) -> tuple[Entry, ...]:
    return tuple(each for each in facts.entries if each.key in keys)


def _confirmed_groups(stage: Stage) -> dict[str, str]:
    """Return the group of each player who went on, by key, as the director confirmed them."""
    confirmations = stage.tournament.audit_entries.filter(
        kind=AuditEntry.Kind.STAGE_CONFIRMED, subject__stage=stage.number
    )
    members = confirmations.order_by("number").values_list("new__members", flat=True).last()
    groups = members or stage.members or ()
    return {str(number): each["group"] for each in groups for number in each["players"]}
