"""Finding a player by number, name or reading."""

from __future__ import annotations

import pytest

from tournaments.forms.player_finder import PlayerFinder, PlayerNotFound
from tournaments.models import Entry

NAMES = [
    *(("成田 キヨ", "なりた きよ"), ("成田 正", "ナリタ タダシ"), ("工藤 ハル", "")),
    *(("John Smith", ""), ("12", ""), ("木村 勇", "きむら いさむ"), ("木村 勇一", "")),
]
FINDER = PlayerFinder(
    [Entry(number=i, name=name, reading=reading) for i, (name, reading) in enumerate(NAMES, 1)]
)


@pytest.mark.parametrize(
    ("typed", "number"),
    [
        *(("1", 1), ("３", 3), (" 7 ", 7)),
        *(("成田 キヨ", 1), ("成田キヨ", 1), ("成田　キヨ", 1), ("1 成田 キヨ", 1)),
        *(("キヨ", 1), ("ﾅﾘﾀｷﾖ", 1), ("なりたただし", 2), ("john smith", 4), ("SMITH", 4)),
        *(("木村 勇", 6), ("いさむ", 6), ("勇一", 7)),
    ],
)
def test_a_player_is_found(typed: str, number: int) -> None:
    assert FINDER.find(typed).number == number


@pytest.mark.parametrize("typed", ["", "99", "太田", "2 成田 キヨ", "1" * 30])
def test_unknown_text_finds_no_player(typed: str) -> None:
    with pytest.raises(PlayerNotFound):
        FINDER.find(typed)


def test_ambiguous_text_lists_all_matching_players() -> None:
    with pytest.raises(PlayerNotFound, match=r"1 .*成田 キヨ.*2 .*成田 正"):
        FINDER.find("なりた")


@pytest.mark.parametrize(
    ("line", "numbers"),
    [
        ("1 2,3、４", [1, 2, 3, 4]),
        ("成田 キヨ 工藤 ハル 2", [1, 3, 2]),
        ("キヨ、John Smith、木村 勇 木村 勇一", [1, 4, 6, 7]),
        ("なりた きよ 3", [1, 3]),
    ],
)
def test_line_of_names_is_split(line: str, numbers: list[int]) -> None:
    assert [FINDER.find(text).number for text in FINDER.split(line)] == numbers
