"""Invented people: Tsugaru surnames, given names of four generations, clubs that do not exist."""

from __future__ import annotations

from random import Random


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def _readings(text: str) -> dict[str, str]:
    """Return the readings of names, given as ``name/reading``."""
    return dict(word.split("/") for word in _words(text))


SURNAMES = _readings("""
    工藤/くどう 成田/なりた 葛西/かさい 対馬/つしま 三上/みかみ 木村/きむら 佐藤/さとう
    斎藤/さいとう 今/こん 神/じん 長尾/ながお 外崎/とのさき 鳴海/なるみ 一戸/いちのへ 福士/ふくし
    小山内/おさない 山内/やまうち 須藤/すとう 石岡/いしおか 奈良/なら 櫻庭/さくらば 秋元/あきもと
    白戸/しらと 野呂/のろ 相馬/そうま 蝦名/えびな 長内/おさない 古川/ふるかわ 藤田/ふじた
    小田桐/おだぎり 齋藤/さいとう 髙橋/たかはし 棟方/むなかた 八木橋/やぎはし 黒滝/くろたき
    平山/ひらやま 川口/かわぐち 岩渕/いわぶち 太田/おおた 乳井/にゅうい
""")

MEN = _readings("""
    勝雄/かつお 正一/しょういち 武/たけし 清/きよし 忠/ただし 昭三/しょうぞう 義雄/よしお 弘/ひろし
    進/すすむ 繁/しげる 豊/ゆたか 幸一/こういち 隆/たかし 誠/まこと 和彦/かずひこ 浩/ひろし
    健一/けんいち 修/おさむ 直樹/なおき 大輔/だいすけ 拓也/たくや 翔太/しょうた 健太/けんた
    蓮/れん 大和/やまと 陸/りく
""")

WOMEN = _readings("""
    キヨ/きよ トシ/とし 和子/かずこ 節子/せつこ ハル/はる 幸子/さちこ 洋子/ようこ 京子/きょうこ
    恵子/けいこ 裕子/ゆうこ 由美子/ゆみこ 真由美/まゆみ 直美/なおみ 智子/ともこ 美穂/みほ 愛/あい
    彩/あや 千夏/ちなつ 美咲/みさき さくら/さくら 陽菜/ひな 葵/あおい
""")

CLUBS = _words("""
    五所川原いろは会 弘前ひいらぎ同好会 黒石こみせ絵札会 つがる夕陽クラブ
    鰺ヶ沢はまかぜ会 板柳ふじ同好会 鶴田つるの会 金木ストーブ組
    浪岡あかね同好会 平川みのりクラブ 深浦しおさい会 中泊とさ湊同好会
""")

TEAMS = _words("""
    りんご組 ねぶた組 岩木おろし 地吹雪 ストーブ列車 十三湖しじみ
    立佞武多 白神ぶな 津軽三味線 嶽きみ 奥入瀬 つがるロマン
""")
TEAM_SIZE = 5

CHINESE_SURNAMES = _words("王 李 张 刘 陈 杨 赵 孙 周 徐 宋 姜")
CHINESE_GIVEN_NAMES = _words("建国 秀兰 志强 桂英 海涛 丽华 晓东 玉梅 国栋 雪梅 鹏 子涵")

EXPERTS, OPEN, WOMENS = "有段者", "一般", "女性"


def tsugaru_people(rng: Random, count: int) -> list[dict[str, str]]:
    """Return the fields of `count` players with different names.

    Each has a reading, a club and a division.

    >>> tsugaru_people(Random(31), 2) == tsugaru_people(Random(31), 2)
    True
    """
    people: dict[str, dict[str, str]] = {}
    while len(people) < count:
        is_woman = rng.random() < 0.4
        given_names = WOMEN if is_woman else MEN
        surname, given_name = rng.choice([*SURNAMES]), rng.choice([*given_names])
        name = f"{surname} {given_name}"
        people[name] = {
            "name": name,
            "reading": f"{SURNAMES[surname]} {given_names[given_name]}",
            "club": rng.choice(CLUBS),
            "division": random_division(rng, is_woman=is_woman),
        }
    return list(people.values())


def teams_of_people(rng: Random, count: int) -> list[dict[str, str]]:
    """Return the fields of `count` players in teams of five.

    Teams are filled in the order of clubs, so that most members are of one club or two.
    """
    people = tsugaru_people(rng, count)
    for index, person in enumerate(sorted(people, key=lambda each: each["club"])):
        person["team"] = TEAMS[index // TEAM_SIZE % len(TEAMS)]
    return people


def random_division(rng: Random, *, is_woman: bool) -> str:
    """Return a random division (class) that is open to a player."""
    divisions = (EXPERTS, OPEN, WOMENS) if is_woman else (EXPERTS, OPEN)
    return rng.choices(divisions, (1, 2, 3)[: len(divisions)])[0]


def chinese_people(rng: Random, count: int) -> list[dict[str, str]]:
    """Return the names of `count` Chinese players, with different surnames and given names."""
    surnames = rng.sample(CHINESE_SURNAMES, count)
    given_names = rng.sample(CHINESE_GIVEN_NAMES, count)
    return [{"name": "".join(name)} for name in zip(surnames, given_names, strict=True)]
