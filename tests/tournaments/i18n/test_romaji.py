"""Readings in romaji, however they are spelt."""

import pytest

from tournaments.i18n.romaji import FOLDS, SMALL, SOUNDS, fold, romaji_of

SPELLINGS = {
    "なりた": ("narita", "NARITA", "ｎａｒｉｔａ"),
    "しょうじ": ("shouji", "shoji", "Shōji", "syouzi", "syoji", "Shôji"),
    "ちば": ("chiba", "tiba"),
    "つしま": ("tsushima", "tusima"),
    "ふくし": ("fukushi", "hukusi"),
    "おおの": ("oono", "ono", "Ōno"),
    "じゅんいち": ("jun'ichi", "junichi", "zyuniti", "Jun-ichi"),
    "なんば": ("namba", "nanba"),
    "いっぺい": ("ippei",),
    "まっちゃ": ("matcha", "maccha", "mattya"),
    "こうの": ("kouno", "kono", "Kōno"),
    "ジョー": ("joo", "jo", "zyo"),
    "ふぁん": ("fan",),
    "なりた きよ": ("narita kiyo", "naritakiyo"),
}


@pytest.mark.parametrize(
    ("reading", "spelt"), [(each, spelt) for each in SPELLINGS for spelt in SPELLINGS[each]]
)
def test_every_spelling_and_its_beginnings_find_the_reading(reading: str, spelt: str) -> None:
    assert fold(spelt) == romaji_of(reading)
    # "m" is "n" only once the letter after it is there
    beginnings = [spelt[:end] for end in range(1, len(spelt)) if spelt[end - 1] != "m"]
    assert all(romaji_of(reading).startswith(fold(each)) for each in beginnings)


def test_every_kana_has_letters() -> None:
    assert {*map(chr, range(ord("ァ"), ord("ヴ") + 1))} - {*SOUNDS, *SMALL} == {*"ヮ"}
    assert all(romaji_of(kana) for kana in {*SOUNDS} - {*"ッー "})


def test_folding_again_changes_nothing() -> None:
    assert all(fold(folded) == folded for _spelling, folded in FOLDS)


@pytest.mark.parametrize("typed", ["", "12", "成田", "なりた", "a1"])
def test_what_is_no_romaji_is_not_folded(typed: str) -> None:
    assert fold(typed) == ""
