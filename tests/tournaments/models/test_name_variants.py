"""Variant letters of names are found by each other."""

import unicodedata

import pytest

from tournaments.models.name_variants import USUAL_FIRST, VARIANTS
from tournaments.models.people import search_key


@pytest.mark.parametrize(
    "spellings",
    [
        ("高橋", "髙橋"),
        ("渡辺", "渡邊", "渡邉"),
        ("山崎", "山﨑", "山嵜"),
        ("斉藤", "斎藤", "齊藤", "齋藤"),
        ("対馬", "對馬"),
        ("国沢獅子蔵", "國澤獅子藏"),
        ("将棋台当麻芸", "將棋臺當麻藝"),
        ("稲船柳村昇", "稻舩栁邨曻"),
        ("仏独団隠学済", "佛獨團隱學濟"),
        ("葛西", "葛\U000e0100西", "葛\ufe00西"),
        ("が", "か\u3099", "ｶﾞ", "ガ"),
    ],
)
def test_spellings_of_a_name_are_one(spellings: tuple[str, ...]) -> None:
    assert len({search_key(each) for each in spellings}) == 1


def test_other_names_stay_apart() -> None:
    assert len({search_key(each) for each in ("園田", "薗田", "河合", "川合", "太田", "大田")}) == 6


def test_the_table_has_only_what_unicode_lacks() -> None:
    for variant, usual in VARIANTS.items():
        assert unicodedata.normalize("NFKC", variant) == variant, variant
        assert usual not in VARIANTS, variant
    assert len({*VARIANTS, *VARIANTS.values()}) == sum(map(len, USUAL_FIRST))  # each letter once
