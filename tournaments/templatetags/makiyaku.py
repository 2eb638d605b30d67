"""Filters and tags for points, cards, suits, names, times and the sentences of `scoring`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from functools import lru_cache

from django import template
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext

import scoring
from scoring.kankei import Deal
from scoring.stages.selection import Quota
from tournaments import __version__, audit
from tournaments.i18n import (
    draws,
    publications,
    quotations,
    ranking,
    sentences,
    session_names,
    stages,
    terms,
    times,
    units,
)
from tournaments.i18n.standby import Notice
from tournaments.models import Epoch, Publication, Sitting, Tournament
from tournaments.models.tournament import shown_number
from tournaments.permissions.levels import levels_of
from tournaments.queries.sections import Section
from tournaments.queries.sheets import Sheet
from tournaments.server import believed_time, scripts, styles
from tournaments.services import epochs
from tournaments.web import standby

register = template.Library()

A_DAY = timedelta(days=1)

FIRST_KANJI = "\u2e80"  # code points before this one are letters, the others kanji and kana
# What fits in a seat of the ring on a screen of 360 pixels: characters in two lines, letters in one
# line, and letters in one line of smaller type.
CHARACTERS_ON_SEAT, LETTERS_IN_LINE, SMALL_LETTERS_IN_LINE = 8, 6, 9


@register.simple_tag(takes_context=True)
def seen_version(context: template.Context) -> SafeString:
    """`{% seen_version %}`: the hidden field of a form that changes the state of `tournament`.

    It names the version that the page shows; a form shown again, with its errors, that which was
    seen at first.
    """
    posted = context["request"].POST.get("seen_version", "")
    version = posted or audit.state_version(context["tournament"])
    return format_html('<input type="hidden" name="seen_version" value="{}">', version)


@register.simple_tag(takes_context=True)
def typed_again(context: template.Context) -> SafeString:
    """`{% typed_again %}`, below all forms: keeps what is typed into a form that is refused.

    Empty on a page without a form to post, which has made no CSRF token.
    """
    request = context.get("request")
    if request is None or "CSRF_COOKIE_NEEDS_UPDATE" not in request.META:
        return mark_safe("")
    match = request.resolver_match
    shown = {
        "answers": request.method,
        "may_be_read": match is not None and "GET" in levels_of(match.func),
    }
    return render_to_string("_partials/typed_again.html", shown, request)


@register.simple_block_tag
def one_line(content: str) -> str:
    """`{% one_line as page_title %}…{% endone_line %}`: a text in one line, to be shown twice."""
    return SafeString(" ".join(content.split()))


@register.filter
def signed(points: int | None) -> str:
    """`{{ points|signed }}`: +3, −3, 0."""
    return sentences.signed(points)


@register.filter
def translated(text: str) -> str:
    """`{{ rule.meaning|translated }}`: an English text of `scoring` in the reader's language."""
    return sentences.translated(text)


@register.filter
def quota_words(quota: Quota) -> str:
    """`{{ quota|quota_words }}`: the players who go on by it, such as “有段者：上位6名”."""
    return stages.quota_words(quota)


@register.filter
def stage_name(name: str) -> str:
    """`{{ stage.name|stage_name }}`: as typed; 決勝 and the like in the reader's language."""
    return stages.stage_name(name)


@register.filter
def section_name(section: Section) -> SafeString:
    return in_bdi(stages.section_title(section))


@register.filter
def section_points(section: Section) -> str:
    """Return a sentence on where the points in a section come from."""
    return stages.section_points(section)


@register.filter
def stage_of(session: int, tournament: Tournament) -> SafeString:
    """`{{ session.number|stage_of:tournament }}`: a space and 予選, 決勝; empty if one."""
    name = stages.stage_of_session(session, tournament)
    return format_html(" <bdi>{}</bdi>", name) if name else mark_safe("")


@register.filter
def session_in_stage(session: int, tournament: Tournament) -> SafeString:
    """`{{ session.number|session_in_stage:tournament }}`: 第3回戦 決勝; 第3回戦 without stages."""
    return format_html("{}{}", session_name(session, tournament), stage_of(session, tournament))


@register.filter
def option_value(option: scoring.Option, choice: scoring.Choice) -> str:
    """`{{ option|option_value:option.default }}`: the label of an option's value."""
    return sentences.option_choice(option, choice)


@register.filter
def who(name: str) -> str:
    """`{{ entry.who|who }}`: the name of an account, or the word for a table."""
    return sentences.who_name(name)


@register.filter
def reason_words(reason: str) -> str:
    """`{{ entry.reason|reason_words }}`: as it was typed, or the program's own in words."""
    return sentences.reason_words(reason)


@register.filter
def draw_method(code: str) -> str:
    """`{{ record.method|draw_method }}`: the name of a method of drawing."""
    return str(draws.METHODS[code])


@register.filter
def how_drawn(how: str) -> str:
    """`{{ record.answer.how|how_drawn }}`: how a draw was found, such as “simulated annealing”."""
    return draws.how_in_words(how)


@register.filter
def moment(at: datetime | None) -> str:
    """`{{ publication.at|moment }}`: 2026年11月21日 16:03; empty for None."""
    return times.moment(at) if at else ""


@register.filter
def publication_name(publication: Publication) -> str:
    """`{{ announced|publication_name }}`: 第2報, or 確定成績."""
    return publications.publication_name(publication)


@register.filter
def announced_words(publication: Publication) -> str:
    """`{{ publication|announced_words }}`: the name of a publication, and its date and time."""
    return publications.announced_words(publication, times.moment(publication.at))


@register.filter
def exact_moment(at: datetime | None) -> str:
    """`{{ row.recorded_at|exact_moment }}`: date and time to the second; empty for None."""
    return times.exact_moment(at) if at else ""


@register.filter
def sentence(advice: scoring.Advice, sheet: Sheet) -> SafeString:
    """`{{ advice|sentence:sheet }}`: an advice to the table, with unbroken players' names."""
    names = sheet.names
    people = {sentences.isolated(names.get(each, each)) for each in advice.players.values()}
    words = sentences.advice_sentence(advice, names, sheet.rules)
    parts = re.split(f"({'|'.join(map(re.escape, people))})", words) if people else [words]
    whole = '<bdi class="whole">{}</bdi>'
    return format_html_join(
        "", "{}", ((format_html(whole, each) if each in people else each,) for each in parts)
    )


@register.filter
def seat_size(name: str) -> str:
    """`{{ seat.name|seat_size }}`: the CSS class with which a name fits its seat on the ring.

    Names in kanji and kana can break anywhere, names in letters only between words.

    >>> seat_size("成田 キヨ"), seat_size("Deborah"), seat_size("Bartholomew Fitzgerald")
    ('', 'is-long', 'is-long is-longest')
    """
    longest = max((len(word) for word in name.split() if word[0] < FIRST_KANJI), default=0)
    if longest > SMALL_LETTERS_IN_LINE:
        return "is-long is-longest"
    return "is-long" if longest > LETTERS_IN_LINE or len(name) > CHARACTERS_ON_SEAT else ""


@register.filter
def listed(words: Sequence[object]) -> str:
    """`{{ form.rounds_to_set_aside|listed }}`: words joined with the language's comma."""
    return sentences.listed([str(word) for word in words])


@register.filter
def isolated(name: str) -> str:
    """`{{ entry.name|isolated }}`: a name in Unicode isolates, for titles and sentences.

    Elsewhere templates use `<bdi>`.
    """
    return sentences.isolated(name)


KANA = re.compile("[\u3041-\u309f\u30a1-\u30ff]")
LONG_NAME = 10  # characters; a phone's heading has room for eleven
KATAKANA_WORD = re.compile("(?<=[\u3041-\u309f\u3005\u4e00-\u9fff])(?=[\u30a1-\u30ff]{3})")


@register.filter
def in_bdi(name: object) -> SafeString:
    """`{{ tournament|in_bdi }}`: a typed name in `<bdi>`, marked as Japanese if it has kana.

    Browsers break marked Japanese between phrases, and a phrase that is too long anywhere. A long
    name may therefore break before a word in katakana.

    >>> in_bdi("りんご杯"), in_bdi("Apple Cup"), in_bdi("五所川原りんご杯ゴニンカン大会")
    ('<bdi lang="ja">りんご杯</bdi>', '<bdi>Apple Cup</bdi>',
     '<bdi lang="ja">五所川原りんご杯<wbr>ゴニンカン大会</bdi>')
    """
    text = str(name)
    words = KATAKANA_WORD.split(text) if len(text) > LONG_NAME else [text]
    language = mark_safe(' lang="ja"') if KANA.search(text) else ""
    breakable_text = format_html_join(mark_safe("<wbr>"), "{}", ((word,) for word in words))
    return format_html("<bdi{}>{}</bdi>", language, breakable_text)


@register.filter
def bracketed(words: object) -> SafeString:
    """`{{ label }}{{ number|bracketed }}`: in brackets, which are wide in Japanese and Chinese."""
    return format_html(gettext(" ({})"), words)


@register.filter
def breakable(address: str) -> SafeString:
    """`{{ code.address|breakable }}`: an address with `<wbr>` after each slash."""
    return format_html_join(mark_safe("/<wbr>"), "{}", ((part,) for part in address.split("/")))


@register.filter
def cited(source: scoring.Source) -> str:
    """`{{ rule.source|cited }}`: the title of the source text."""
    return scoring.text_of(source).cited


@register.filter
def quotation_translation(source: scoring.Source) -> str:
    """`{{ rule.source|quotation_translation }}`: the cited words in English or Chinese."""
    return quotations.translation_of(source.words)


@register.filter
def game_template(rules: scoring.Rules, name: str) -> str:
    """`{% include rules|game_template:"facts" %}`: a template of the kind of game."""
    return f"games/{rules.game.kind}/{name}.html"


@register.filter
def terms_unless_ja(rules: scoring.Rules) -> str:
    """`{{ rules|terms_unless_ja }}`: the explanation of `terms_of`; empty in Japanese."""
    return terms.terms_unless_ja(rules)


@register.filter
def unit_words(text: str, rules: scoring.Rules) -> str:
    """`{{ "Rounds"|unit_words:rules }}`: Rounds, or Deals where each is one deal."""
    return units.unit_words(text, rules)


@register.filter
def session_number(number: int, tournament: Tournament) -> int:
    """`{{ session.number|session_number:tournament }}`: its number not counting play-offs."""
    return shown_number(number, tournament.play_off_numbers)


@register.filter
def session_name(number: int, tournament: Tournament) -> str:
    """`{{ session.number|session_name:tournament }}`: Session 3, Play-off."""
    return session_names.session_name(number, tournament.play_off_numbers)


@register.filter
def session_words(number: int, tournament: Tournament) -> str:
    """`{{ session.number|session_words:tournament }}`: session 3, the play-off, in a sentence."""
    return session_names.session_words(number, tournament.play_off_numbers)


@register.filter
def round_title(number: int, of: scoring.Rules | Sitting) -> str:
    """`{{ number|round_title:sheet.sitting }}`: Round 3, or Deal 3 where a round is one deal."""
    return units.round_title(number, of)


@register.filter
def round_in_sentence(number: int, of: scoring.Rules | Sitting) -> str:
    """`{{ form.number|round_in_sentence:sheet.sitting }}`: round 3, inside a sentence."""
    return units.round_in_sentence(number, of)


@register.filter
def rounds_counted(count: int, rules: scoring.Rules) -> str:
    """`{{ progress.counted|rounds_counted:rules }}`: 3 rounds counted."""
    return units.rounds_counted(count, rules)


@register.simple_tag
def rounds_recorded(count: int, planned_rounds: int | None, rules: scoring.Rules) -> str:
    """`{% rounds_recorded 3 10 rules %}`: 3 of 10 rounds."""
    return units.rounds_recorded(count, planned_rounds, rules)


@register.filter
def step_value(value: int | None, step: scoring.TieBreak) -> str:
    """`{{ each.own|step_value:each.step }}`: a player's value in a step that decides places."""
    return ranking.step_value(value, step)


@register.filter
def step_title(code: str, rules: scoring.Rules) -> str:
    """`{{ code|step_title:rules }}`: the title of a tie-break."""
    return ranking.step_title(code, rules)


@register.simple_tag
def ranking_steps(tournament: Tournament, has_totals: bool) -> str:
    """`{% ranking_steps tournament has_totals %}`: points → rounds won → best round.

    `has_totals`: a session records only totals, or the next one will.
    """
    codes = tournament.ranking_rules.tie_breaks
    return ranking.steps_in_words(codes, tournament.rules, totals_only=has_totals)


@register.filter
def suit_name(suit: str) -> str:
    """`{{ facts.trump|suit_name }}`: hearts."""
    return sentences.suit_name(suit)


@register.filter
def declaration_name(declaration: str | None, rules: scoring.Rules) -> str:
    """`{{ deal.declaration|declaration_name:rules }}`: Called skunk."""
    return sentences.declaration_name(declaration, rules)


@register.filter
def lack_a_trump(deals: Sequence[Deal]) -> bool:
    """`{% if round.deals|lack_a_trump %}`: whether a trump is not noted that the table chose.

    That of the first deal is due by the number of the round.
    """
    return any(deal.trump is None for deal in deals[1:])


@register.filter
def lookup(mapping: Mapping[str, object], key: str) -> object:
    """`{{ names|lookup:player }}`: the value of a key; empty if the key is missing."""
    return mapping.get(key, "")


@register.filter
def in_seat_order(
    by_player: Mapping[str, object], names: Mapping[str, str]
) -> list[tuple[str, object]]:
    """`{{ captured|in_seat_order:names }}`: the items in the order of the players in `names`.

    Stored facts keep no order. Players without a name, who have left, come last.

    >>> in_seat_order({"7": ["SQ"], "15": ["DJ"], "20": ["C10"]}, {"15": "A", "7": "B"})
    [('15', ['DJ']), ('7', ['SQ']), ('20', ['C10'])]
    """
    places = {player: place for place, player in enumerate(names)}
    return sorted(by_player.items(), key=lambda item: places.get(item[0], len(places)))


@register.simple_tag
def version() -> str:
    """`{% version %}`: the version of Makiyaku that made the page."""
    return __version__


@register.simple_tag
def script(name: str) -> str:
    """`<script src="{% script 'round' %}" defer>`: the address of a joined script."""
    return scripts.address_of(name)


@register.simple_tag
def style(name: str) -> SafeString:
    """`<style nonce="…">{% style 'css/site.css' %}</style>`: a style sheet of ours, in the page."""
    return mark_safe(styles.inline_style(name))  # noqa: S308  # our own file


@register.simple_tag
def own_lines(lines: tuple[scoring.Line, ...], rules: scoring.Rules) -> SafeString:
    """`{% own_lines own.lines rules %}`: an HTML table of the lines of a player's round."""
    return _table_of_lines(lines, rules, get_language())


@lru_cache(1000)  # tables of 2 kB: they repeat, and take most of the time of a page
def _table_of_lines(
    lines: tuple[scoring.Line, ...], rules: scoring.Rules, _language: str | None
) -> SafeString:
    """Return the HTML table in the active language; `_language` is a part of the cache key."""
    return render_to_string("_partials/own_lines.html", {"lines": lines, "rules": rules})


@register.inclusion_tag("_partials/card.html")
def card(code: str, size: str = "") -> dict[str, str]:
    """`{% card "SQ" %}`: a playing card; `{% card "SQ" "big" %}` a big one."""
    suit, rank = sentences.split_card(code)
    return {"suit": suit, "rank": rank, "size": size}


@register.filter
def problem_words(problem: scoring.Problem, sheet: Sheet) -> str:
    """`{{ problem|problem_words:sheet }}`: the sentence for a problem, with names."""
    return sentences.problem_sentence(problem, sheet.names, sheet.rules)


@register.simple_tag
def clock_notice() -> dict[str, object]:
    """`{% clock_notice as told %}`: `believed` and `shown` times, or the `words` of a `jump`."""
    notice = believed_time.notice()
    if notice is None:
        return {}
    words = times.jump_in_words(round(notice.jump))
    return notice._asdict() | {"shown": timezone.now(), "words": words}


@register.simple_tag
def standby_notice() -> Notice:
    """`{% standby_notice as told %}`: the `line` on the newest copy, and what is `wrong`."""
    epoch = epochs.cached_epoch()
    is_recent = timezone.now() - epoch.at < A_DAY
    is_continued = epoch.reason == Epoch.Reason.CONTINUED and is_recent
    return standby.notice()._replace(is_continued=is_continued)
