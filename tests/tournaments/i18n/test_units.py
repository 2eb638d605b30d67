"""Each rule set has its own word for a round, on pages and in workbooks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html.parser import HTMLParser
from io import BytesIO

import pytest
from django.conf import settings
from django.utils import translation
from openpyxl import load_workbook

import scoring
from scoring.ranking.contest import CODES_NEEDING_ROUNDS
from scoring.ranking.tie_breaks import offered_tie_breaks
from scoring.registry import RULE_SETS
from tests import cast, stages
from tests.series import make_series
from tests.visiting import NAMES, World, addresses, cookies_of, read_to_end
from tournaments.i18n import quotations, ranking, units
from tournaments.services.adjustments import adjust_points

pytestmark = pytest.mark.django_db

QUOTED = set(quotations.TRANSLATIONS)  # the words of the texts
CAPITAL_INSIDE = re.compile(r"[a-z,] (?:Round|Deal|Session|Table) [0-9]")
# A rule set's word for a round, where it means a round: ゲーム is also the whole game.
UNIT = {
    "役": re.compile("(?<!配り)(?<!決め)(?<!まき)役(?!割)"),
    "ゲーム": re.compile("[0-9]ゲーム|ゲーム(?:数|ごと)"),
    "ラウンド": re.compile("ラウンド"),
    "ディール": re.compile("ディール"),
}
ANY_UNIT = re.compile("[0-9]回目|[この次]の回(?!戦)")  # of no rule set
ROUND_IN_CHINESE = re.compile("轮(?![换空])")
# English says "deal" only in these texts; its other sentences say "round" for both.
ROUND_IN_ENGLISH = re.compile(
    "|".join(
        rf"^\s*{re.escape(text)}\s*$"
        if "%" not in text
        else re.sub(r"%\\\(\w+\\\)s", "[0-9]+", re.escape(text))
        for text in units.TEXTS_ABOUT_DEALS
    )
)
ROUND_OF_16 = re.compile("^(?:宣言)?逆?じゅうろく(?:はずし)?$")  # yoninkan's text says 16 and 失敗

READ_IN_ENGLISH = {"goninkan-association": "round", "gong-zhu": "deal"}  # one of each word

PAGES = [
    name
    for name in NAMES
    if not name.startswith("api-") and {"slug", "rule_set"} & {*addresses()[name]}
]


class Words(HTMLParser):
    """The visible text, ARIA labels and titles of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_data(self, data: str) -> None:
        self.found.append(data)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value or "" for name, value in attrs if name in {"aria-label", "title"}]


def page_texts(content: bytes) -> Iterator[str]:
    words = Words()
    words.feed(content.decode())
    yield from words.found


def workbook_texts(content: bytes) -> Iterator[str]:
    for sheet in load_workbook(BytesIO(content)):
        yield sheet.title
        yield from (str(cell) for row in sheet.values for cell in row if cell is not None)


def make_played(rule_set: str) -> World:
    """Return a table that has played, has a call open, and two versions of its last round."""
    tournament = cast.make_tournament(rule_set, rounds_per_session=3)
    cast.make_staff(tournament, "director", "director")
    cast.make_user("elsewhere")
    sitting = cast.make_sitting(tournament)
    cast.record(sitting)
    cast.record(sitting, number=2)
    call = cast.make_call(sitting, kind="correction")
    disagreement = cast.make_disagreement(sitting, number=2)
    player = tournament.entries.get(number=1)
    adjust_points(tournament, 1, player, 2, by=cast.SOMEBODY, reason="手伝い")
    stages.make_stage(tournament)
    cookies = {"director": cookies_of("director", sitting)}
    return World(sitting, sitting, call, disagreement, make_series(tournament), cookies)


def texts_of_pages(world: World, language: str, names: Iterable[str]) -> dict[str, list[str]]:
    """Return the texts of those that are pages and workbooks for an event's director.

    `names` are those of URLs, as are the keys.
    """
    director, texts = world.browser("director"), dict[str, list[str]]()
    director.cookies[settings.LANGUAGE_COOKIE_NAME] = language
    for name in names:
        answer = director.get(world.url(name))
        read_to_end(answer)
        kind = answer.headers.get("Content-Type", "")
        if answer.status_code == 200 and kind.startswith("text/html"):
            texts[name] = [*page_texts(answer.content)]
        elif answer.status_code == 200 and "spreadsheet" in kind:
            texts[name] = [*workbook_texts(answer.content)]
    assert len(texts) > 55
    return texts


def wrong_units(rule_set: scoring.RuleSet, language: str) -> list[re.Pattern[str]]:
    """What no page of a rule set says, since it is another one's word for a round."""
    if language == "zh-hans":
        return [ROUND_IN_CHINESE] if rule_set.unit == "ディール" else []
    if language == "en":
        return [ROUND_IN_ENGLISH] if scoring.choose(rule_set).game.rounds_are_deals else []
    others = [pattern for unit, pattern in UNIT.items() if unit != rule_set.unit]
    return [*others, ANY_UNIT, *([ROUND_OF_16] if rule_set.slug == "yoninkan" else [])]


@pytest.mark.usefixtures("nothing_printed")
@pytest.mark.parametrize("slug", [each.slug for each in RULE_SETS])
def test_pages_and_workbooks_use_the_unit_of_the_rule_set(slug: str) -> None:
    """In Chinese 局, in English deal where each round is one deal.

    Also, English has no capital inside a sentence.
    """
    world, rule_set = make_played(slug), scoring.get_rule_set(slug)
    found, names = {}, PAGES
    for language in ("ja", "zh-hans", "en"):
        wrong = wrong_units(rule_set, language)
        is_english = language == "en" and slug in READ_IN_ENGLISH
        pages = texts_of_pages(world, language, names) if wrong or is_english else {}
        names = [*pages] or names  # no language makes a page of what is none in another
        for name, texts in pages.items():
            words = [each for each in texts if each.strip("「」 \n") not in QUOTED]
            found[language, name] = [
                each for each in words for pattern in wrong if pattern.search(each)
            ]
        if language == "ja":
            assert f"第1{rule_set.unit}" in "".join(pages["sitting"])
        if is_english:
            assert f"Correct {READ_IN_ENGLISH[slug]} 1" in joined(pages["record-round"])
            capitals = {
                name: CAPITAL_INSIDE.findall("\n".join(joined(texts)))
                for name, texts in pages.items()
            }
            assert not any(capitals.values()), capitals
    assert {place: words for place, words in found.items() if words} == {}


def joined(texts: list[str]) -> list[str]:
    """Return texts without line breaks."""
    return [" ".join(each.split()) for each in texts]


def test_only_rounds_of_one_deal_are_called_deals() -> None:
    kankei = scoring.choose(scoring.get_rule_set("yoninkan"))
    captures = scoring.choose(scoring.get_rule_set("gong-zhu"))
    for text in units.TEXTS_ABOUT_DEALS:
        assert "ディール" not in units.unit_words(text, kankei)
        with translation.override("en"):
            assert "eal" not in units.unit_words(text, kankei)
            assert "eal" in units.unit_words(text, captures)
    assert units.unit_words("Rounds won", captures) == "勝ったディールの数"
    assert units.round_title(3, kankei) == "第3ゲーム"
    assert units.round_title(3, captures) == "第3ディール"
    with translation.override("en"):
        assert units.round_title(3, captures) == "Deal 3"
        assert units.round_in_sentence(3, captures) == "deal 3"
        assert units.round_in_sentence(3, kankei) == "round 3"


def test_numbers_are_listed_with_the_comma_of_the_language() -> None:
    rules = scoring.choose(RULE_SETS[0])
    with translation.override("en"):
        assert "3, 6, 9" in units.proposed_rounds_sentence(rules)
    with translation.override("ja"):
        assert "3、6、9" in units.proposed_rounds_sentence(rules)


@pytest.mark.parametrize("rule_set", RULE_SETS, ids=lambda each: each.slug)
def test_steps_over_recorded_rounds_have_the_unit(rule_set: scoring.RuleSet) -> None:
    """Said of a tournament that records only totals."""
    rules = scoring.choose(rule_set)
    offered = [each.code for each in offered_tie_breaks(rules.game.kind)]
    codes = [code for code in offered if code in CODES_NEEDING_ROUNDS]
    with translation.override("ja"):
        words = ranking.steps_in_words(codes, rules, totals_only=True)
    units_named = {unit for unit, pattern in UNIT.items() if pattern.search(words)}
    assert f"記録のある{rules.rule_set.unit}だけ" in words
    assert units_named <= {rules.rule_set.unit}
    with translation.override("en"):
        words = ranking.steps_in_words(codes, rules, totals_only=True)
    assert ("round" in words.lower()) != rules.game.rounds_are_deals
