"""The sections of standings: the finalists apart, and where their points come from."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from scoring.stages.places import Carry, GroupPlaces
from tournaments.models import Stage


class Section(NamedTuple):
    """A stage, or a group of it, in which places are decided.

    - `code`: its name in addresses, the stage's number, with a dot and the group's number if the
      stage has several groups
    - `name`: the stage's name, empty for the first stage; `group` is empty without groups
    - `carry`, `before`: the share of the points of the stage before that counts, and its name
    - `has_begun`: whether anybody has a result in it; until then points are those of `before`
    """

    code: str
    name: str = ""
    group: str = ""
    carry: Carry = Carry.NONE
    before: str = ""
    has_begun: bool = True

    @property
    def is_first(self) -> bool:
        return self.code == "1"

    def is_of(self, code: str) -> bool:
        """Return whether `code` names this section, or its stage by the number alone."""
        return code in {self.code, self.code.partition(".")[0]}


class PlayerSection(NamedTuple):
    """A player's section in the list of all stages, and the points carried over to it.

    `section` is None for players without a rank, who are listed below all sections. `carried` is
    None where none are, and until the player has a result in it. `rounds_before` are the player's
    rounds in the stages before the one that the place is from.
    """

    section: Section | None
    carried: int | None
    rounds_before: int


def sections_of(
    confirmed: Iterable[Stage], by_stage: Sequence[Sequence[GroupPlaces]]
) -> list[list[Section]]:
    """Return the sections of every stage in the order of `by_stage`, the first stage first."""
    sections, before = [[Section("1")]], ""
    for stage, groups in zip(confirmed, by_stage[1:], strict=True):
        sections.append(
            [
                Section(
                    code=f"{stage.number}.{number}" if len(groups) > 1 else str(stage.number),
                    name=stage.name,
                    group=group.group,
                    carry=Carry(stage.carry),
                    before=before,
                    has_begun=not group.waiting,
                )
                for number, group in enumerate(groups, 1)
            ]
        )
        before = stage.name
    return sections


def sections_of_players(
    confirmed: Iterable[Stage], by_stage: Sequence[Sequence[GroupPlaces]]
) -> dict[str, PlayerSection]:
    """By key of the player; only players with a place in the list of all stages."""
    players: dict[str, PlayerSection] = {}
    rounds: dict[str, int] = defaultdict(int)
    for place in (place for groups in by_stage for group in groups for place in group.places):
        rounds[place.who] += place.rounds_played
    sections = sections_of(confirmed, by_stage)
    for own_sections, groups in zip(reversed(sections), reversed(by_stage), strict=True):
        for section, group in zip(own_sections, groups, strict=True):
            waiting = {place.who for place in group.waiting}
            for place in group.everybody:
                carried = None if place.who in waiting else group.carried.get(place.who)
                before = rounds[place.who] - place.rounds_played
                own_section = section if place.rank is not None else None
                players.setdefault(place.who, PlayerSection(own_section, carried, before))
    return players
