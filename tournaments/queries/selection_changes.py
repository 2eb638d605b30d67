"""Whether the players confirmed for a stage would go on by the results as they are by now."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import NamedTuple

from scoring.stages.selection import AtLine, Selection, TieAtLine
from tournaments.models import Entry, Stage
from tournaments.queries import presence
from tournaments.queries.presence import Status
from tournaments.queries.ranking_facts import RankingFacts
from tournaments.queries.stages import candidates, confirmation_of, groups_of_members, selection_of


class SelectionChange(NamedTuple):
    """What would be different if it was confirmed now who goes on to a stage.

    - `joining`: who would be a member, and is not
    - `leaving`: who is a member, and would not
    - `regrouped`: who would be a member of another group
    - `tied`: who would be tied at lines, and was not when it was confirmed; then the others are
      empty, as they depend on it
    - `replaced`: who left since it was confirmed and who followed, if anybody: this would stay so
    - `is_begun`: whether anything of the stage is recorded, so that its players stay
    """

    stage: Stage
    joining: tuple[Entry, ...] = ()
    leaving: tuple[Entry, ...] = ()
    regrouped: tuple[Entry, ...] = ()
    tied: tuple[Entry, ...] = ()
    replaced: tuple[tuple[Entry, Entry | None], ...] = ()
    is_begun: bool = False


def selection_changes(facts: RankingFacts, since_session: int = 0) -> list[SelectionChange]:
    """Return the changes of the confirmed stages to which others would go on by now.

    Only of stages that begin after `since_session`.
    """
    changes = (
        _change_of(stage, facts)
        for stage in facts.confirmed_stages
        if stage.opening_session(stage.tournament.play_off_numbers) > since_session
    )
    return [change for change in changes if change is not None]


def _change_of(stage: Stage, facts: RankingFacts) -> SelectionChange | None:
    """Return None if the players that go on by now are the members.

    Members who were replaced, or removed, still are. Players who had withdrawn before the stage's
    first session are passed over, as they were; who withdraws later keeps the place of then.
    """
    first = stage.first_session or 0
    before = {who: session for who, session in facts.withdrawn.items() if session < first}
    if before != facts.withdrawn:
        facts = replace(facts, withdrawn=before)
    confirmed, replaced, tied_then = confirmation_of(stage)
    roll = presence.marked_roll_call(stage.tournament, first, facts.entries)
    withdrawn = {each.key for each in roll.with_status({Status.WITHDRAWN})} - {*confirmed}
    ranked = [row for row in candidates(stage, facts) if row.entry.key not in withdrawn]
    selection = selection_of(stage, ranked, confirmed)
    if ties := [*selection.ties, *_new_ties(stage, selection, tied_then)]:
        tied = {key for tie in ties for key in tie.tied}
        return SelectionChange(stage, tied=_entries(tied, facts), is_begun=_is_begun(stage, facts))
    now = {key: group for group, players in selection.groups.items() for key in players}
    _replace(now, replaced, [row.entry.key for row in ranked])
    members = groups_of_members(stage.members or ())
    if now == members:
        return None
    both = now.keys() & members.keys()
    return SelectionChange(
        stage,
        joining=_entries(now.keys() - both, facts),
        leaving=_entries(members.keys() - both, facts),
        regrouped=_entries({key for key in both if now[key] != members[key]}, facts),
        replaced=_pairs(replaced, facts),
        is_begun=_is_begun(stage, facts),
    )


def _is_begun(stage: Stage, facts: RankingFacts) -> bool:
    first = stage.opening_session(stage.tournament.play_off_numbers)
    sheets = [each for each in facts.counting_sheets if each.sitting.session.number >= first]
    return any(each.rows or each.typed_totals for each in sheets)


def _new_ties(
    stage: Stage, selection: Selection, tied_then: Sequence[set[str]] | None
) -> list[TieAtLine]:
    """Return the ties at a line that nobody has decided: they have others than those tied then.

    `tied_then` as in `Confirmation`.
    """
    if tied_then is None or stage.at_line != AtLine.OPEN:
        return []
    return [tie for tie in selection.settled if not any(then >= {*tie.tied} for then in tied_then)]


def _replace(
    groups: dict[str, str], replaced: Sequence[tuple[str, str | None]], ranked: Sequence[str]
) -> None:
    """Replace members in their groups; the next in line follows where a substitute goes on anyway.

    `replaced` as in `Confirmation`.
    """
    for leaving, following in replaced:
        group = groups.pop(leaving, None)
        in_line = (key for key in ranked if key not in {*groups, *dict(replaced)})
        joining = next(in_line, None) if following in groups else following
        if group is not None and joining is not None:
            groups[joining] = group


def _entries(keys: Collection[str], facts: RankingFacts) -> tuple[Entry, ...]:
    return tuple(each for each in facts.entries if each.key in keys)


def _pairs(
    replaced: Sequence[tuple[str, str | None]], facts: RankingFacts
) -> tuple[tuple[Entry, Entry | None], ...]:
    by_key = {each.key: each for each in facts.entries}
    return tuple(
        (by_key[leaving], by_key.get(following or ""))
        for leaving, following in dict(replaced).items()
        if leaving in by_key
    )
