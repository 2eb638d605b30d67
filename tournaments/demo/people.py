"""Invented people: Tsugaru surnames, given names of four generations, clubs that do not exist."""

from __future__ import annotations

from random import Random


def _words(text: str) -> tuple[str, ...]:
    """Split a text at white space."""
    return tuple(text.split())


SURNAMES = _words("""
    工藤 成田 葛西 対馬 三上 木村 佐藤 斎藤 今 神 長尾 外崎 鳴海 一戸 福士
    小山内 山内 須藤 石岡 奈良 櫻庭 秋元 白戸 野呂 相馬 蝦名 長内 古川 藤田
    小田桐 齋藤 髙橋 棟方 八木橋 黒滝 平山 川口 岩渕 太田 乳井
""")

MEN = _words("""
    勝雄 正一 武 清 忠 昭三 義雄 弘 進 繁 豊 幸一 隆 誠 和彦 浩 健一 修 直樹
    大輔 拓也 翔太 健太 蓮 大和 陸
""")

WOMEN = _words("""
    キヨ トシ 和子 節子 ハル 幸子 洋子 京子 恵子 裕子 由美子 真由美 直美 智子
    美穂 愛 彩 千夏 美咲 さくら 陽菜 葵
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
    """Return the fields of `count` players with different names, each with club and division.

    >>> tsugaru_people(Random(31), 2) == tsugaru_people(Random(31), 2)
    True
    """
    people: dict[str, dict[str, str]] = {}
    while len(people) < count:
        is_woman = rng.random() < 0.4
        name = f"{rng.choice(SURNAMES)} {rng.choice(WOMEN if is_woman else MEN)}"
        people[name] = {
            "name": name,
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
