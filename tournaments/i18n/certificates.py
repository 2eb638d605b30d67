"""The words of certificates (賞状), which in Japanese have no punctuation and no figures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from typing import NamedTuple

from django.utils.formats import date_format
from django.utils.translation import get_language, gettext, pgettext, pgettext_lazy

from tournaments.i18n.stages import section_title
from tournaments.models import Tournament
from tournaments.queries.awards import AwardList, TeamAward

FIRST = {
    1: pgettext_lazy("on a certificate", "Winner"),
    2: pgettext_lazy("on a certificate", "Runner-up"),
    3: pgettext_lazy("on a certificate", "Third place"),
}
ERAS = (("令和", date(2019, 5, 1)), ("平成", date(1989, 1, 8)), ("昭和", date(1926, 12, 25)))
DIGITS = "〇一二三四五六七八九"


class Certificate(NamedTuple):
    """The texts of a certificate. `honour` is the place, after the class or group if any."""

    honour: str
    name: str
    sentence: str
    day: str


def certificates_of(
    tournament: Tournament, lists: Iterable[AwardList], teams: Sequence[TeamAward]
) -> list[Certificate]:
    """Return a certificate for each award, in the order of the award list.

    Names are without the player's number, also where several have the name: class and place tell
    whose it is. Without awards it is one to fill in by hand.
    """
    sentence = pgettext("on a certificate", "in recognition of the result at %(tournament)s")
    sentence %= {"tournament": tournament.name}
    day = day_in_words(tournament.held_on)
    won = [(_title(each), award.rank, award.entry.name) for each in lists for award in each.awards]
    won += [(gettext("Teams"), award.rank, award.name) for award in teams]
    to_whom = pgettext("on a certificate", "%(name)s")
    return [
        Certificate(
            f"{title} {place_in_words(rank)}".strip(), to_whom % {"name": name}, sentence, day
        )
        for title, rank, name in won
    ] or [Certificate("", to_whom % {"name": ""}, sentence, day)]


def _title(found: AwardList) -> str:
    return section_title(found.stage.section) if found.stage else found.division


def place_in_words(rank: int) -> str:
    """Return 優勝, 準優勝, 第三位, … in the active language."""
    if rank in FIRST:
        return str(FIRST[rank])
    number = kanji_number(rank) if get_language() == "ja" else rank
    return pgettext("on a certificate", "Place %(number)s") % {"number": number}


def day_in_words(day: date) -> str:
    """Return a date as a certificate has it, in Japanese by the era: 令和八年十一月二十八日."""
    if get_language() != "ja":
        return date_format(day)
    era, first = next(each for each in ERAS if each[1] <= day or each is ERAS[-1])
    year = day.year - first.year + 1
    years = "元" if year == 1 else kanji_number(year)
    return f"{era}{years}年{kanji_number(day.month)}月{kanji_number(day.day)}日"


def kanji_number(number: int) -> str:
    """Return a number up to 100 in kanji; larger ones digit by digit.

    >>> [kanji_number(each) for each in (3, 10, 31, 100, 105)]
    ['三', '十', '三十一', '百', '一〇五']
    """
    if number > 100:
        return "".join(DIGITS[int(digit)] for digit in str(number))
    if number == 100:
        return "百"
    tens, ones = divmod(number, 10)
    return f"{DIGITS[tens] if tens > 1 else ''}{'十' if tens else ''}{DIGITS[ones] if ones else ''}"
