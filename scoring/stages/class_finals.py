"""Finals of classes: each group of a stage is of one class, so that none is above another."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from scoring.ranking.places import Place
from scoring.stages.places import GroupPlaces, merged_places
from scoring.stages.selection import Quota


class PlaceInClass(NamedTuple):
    """A player's place among those of a class who reached the final. `rank` None: no rank there."""

    division: str
    rank: int | None


def class_of_groups(quotas: Iterable[Quota]) -> Mapping[str, str]:
    """Return the class of each group of a stage; empty unless its groups are finals of classes.

    They are if each is filled from one class, and there are several classes.

    >>> class_of_groups([Quota("A", "dan", 6), Quota("B", "open", 6), Quota("C", "open", 6)])
    {'A': 'dan', 'B': 'open', 'C': 'open'}
    >>> class_of_groups([Quota("A", "dan", 6), Quota("B", "", 6)])
    {}
    >>> class_of_groups([Quota("A", "dan", 6), Quota("B", "dan", 6)])
    {}
    """
    divisions: dict[str, set[str]] = defaultdict(set)
    for quota in quotas:
        divisions[quota.group].add(quota.division)
    classes = {group: "".join(each) for group, each in divisions.items() if len(each) == 1}
    is_by_class = len(classes) == len(divisions) and all(classes.values())
    return classes if is_by_class and len({*classes.values()}) > 1 else {}


def places_in_classes(
    groups: Sequence[GroupPlaces], quotas: Iterable[Quota]
) -> dict[str, PlaceInClass]:
    """Return the place of each member of a stage in the finals of a class, by player.

    A second final of a class comes after its first. Empty unless the groups are finals of classes.
    """
    classes = class_of_groups(quotas)
    by_class: dict[str, list[Sequence[Place]]] = defaultdict(list)
    for group in groups:
        if group.group in classes:
            by_class[classes[group.group]].append(group.everybody)
    return {
        place.who: PlaceInClass(division, place.rank)
        for division, lists in by_class.items()
        for place in merged_places(lists)
    }
