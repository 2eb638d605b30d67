"""Variant letters of Japanese names: one person is 高橋 on one list, and 髙橋 on another.

Unicode's own tables fold compatibility characters (NFKC) and mark variation selectors, such as in
葛 with U+E0100. They do not map variants of unified ideographs to each other: `VARIANTS`
does, for those in names. Letters of different names, such as 園 and 薗, are not variants.
"""

from __future__ import annotations

import re

# In each word the usual letter, and its variants.
USUAL_FIRST = (
    *("高髙", "崎﨑嵜", "斉斎齊齋", "辺邊邉", "浜濱濵", "沢澤", "広廣", "島嶋嶌", "富冨", "吉𠮷"),
    *("桜櫻", "滝瀧", "竜龍", "国國", "栄榮", "恵惠", "関關", "黒黑", "徳德", "真眞", "寿壽"),
    *("実實", "万萬", "渕淵", "会會", "円圓", "条條", "来來", "静靜", "瀬瀨", "頼賴"),
    *("鉄鐵", "蔵藏", "浅淺", "曽曾", "宝寶", "豊豐", "満滿", "亀龜", "彦彥", "児兒", "尭堯"),
    *("桧檜", "槙槇", "遥遙", "弥彌", "礼禮", "穂穗", "巌巖", "剣劍劔", "応應", "塩鹽", "学學"),
    *("戸戶", "双雙", "柏栢", "館舘", "峰峯", "秋龝", "県縣", "与與", "伝傳", "聡聰", "萌萠"),
    *("桑桒", "祢禰", "横橫", "増增", "緑綠", "清淸", "藤籐", "野埜", "梅楳", "兎兔"),
    *("経經", "継繼", "総總", "薫薰", "権權", "検檢", "沖冲", "涼凉", "凛凜"),
    *("予豫", "芦蘆", "蛍螢", "鴎鷗", "鶏鷄", "麦麥", "黄黃", "闘鬪", "鉱鑛", "釈釋"),
    *("訳譯", "読讀", "誉譽", "覚覺", "観觀", "証證", "賛贊", "辞辭", "逓遞", "遅遲"),
)
VARIANTS = {variant: usual[0] for usual in USUAL_FIRST for variant in usual[1:]}
SELECTORS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")
