"""Places in finals of classes, which are played side by side."""

import pytest

from scoring.ranking.places import Place
from scoring.stages.class_finals import PlaceInClass, places_in_classes
from scoring.stages.places import GroupPlaces
from scoring.stages.selection import Quota


def group(name: str, *players: str, waiting: bool = False) -> GroupPlaces:
    places = tuple(
        Place(rank, who, 0, 1, (0,), tied=False, separated_by=None)
        for rank, who in enumerate(players, 1)
    )
    return GroupPlaces(name, () if waiting else places, {}, places if waiting else ())


def test_each_class_has_places_of_its_own() -> None:
    """A second final of a class comes after its first; a final to come has the places before it."""
    groups = [group("A", "1", "2"), group("B", "3", "4"), group("C", "5", waiting=True)]
    quotas = [Quota("A", "有段者", 2), Quota("B", "一般", 2), Quota("C", "一般", 1)]
    assert places_in_classes(groups, quotas) == {
        "1": PlaceInClass("有段者", 1),
        "2": PlaceInClass("有段者", 2),
        "3": PlaceInClass("一般", 1),
        "4": PlaceInClass("一般", 2),
        "5": PlaceInClass("一般", 3),
    }


@pytest.mark.parametrize(
    "quotas",
    [
        [Quota("A", "", 2), Quota("B", "", 2)],  # a second final
        [Quota("A", "", 2), Quota("B", "一般", 2)],
        [Quota("A", "有段者", 2), Quota("A", "一般", 2), Quota("B", "一般", 2)],
        [Quota("A", "有段者", 1), Quota("A", "", 1), Quota("B", "一般", 2)],  # a wild card
        [Quota("A", "一般", 2), Quota("B", "一般", 2)],
    ],
)
def test_other_finals_are_one_below_the_other(quotas: list[Quota]) -> None:
    assert places_in_classes([group("A", "1", "2"), group("B", "3", "4")], quotas) == {}
