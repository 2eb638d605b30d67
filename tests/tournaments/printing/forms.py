"""Every printed form (`every_form`), and the faults of one (`faults_of`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, date, datetime
from itertools import product
from typing import Any, NamedTuple

from django.utils import translation

import scoring
from tests.tournaments.printing import chart_faults, layouts, page_faults, sheet_faults
from tournaments.i18n.certificates import certificates_of
from tournaments.models import Entry, Publication, Session, Tournament
from tournaments.models.registration_settings import RegistrationSettings
from tournaments.printing import contents, rendering, seat_columns
from tournaments.queries.awards import Award, AwardList
from tournaments.queries.draw_records import DrawRecord
from tournaments.queries.schedules import Movement, Movements
from tournaments.views import guides, posters
from tournaments.views import name_cards as views
from tournaments.web import qr_codes
from tournaments.web.guides import Guide

LANGUAGES = ("ja", "en", "zh-hans")
CHART, SHEET, CARDS, NAME_CARDS, SEAT_LIST, AWARDS, SCHEDULE_LIST, SCHEDULE_CARDS, POSTER, GUIDE = (
    f"print/{form}.html"
    for form in (
        *("quick_reference", "score_sheet", "table_cards", "name_cards", "seat_list"),
        *("award_list", "schedule_list", "schedule_cards", "poster", "guide"),
    )
)
CERTIFICATES = "print/certificates.html"
EVENT = "第31回 五所川原りんご杯ゴニンカン大会"
LONG_EVENT = "青森県五所川原市制施行記念第31回りんご杯争奪東北北海道ゴニンカン選手権大会個人の部"
SHORT = ("成田 キヨ", "工藤 正", "李 明", "Ann Lee", "対馬 ハル", "葛西 実")
LONG = (
    *("長谷川 寿限無寿限無五劫の擦り切れ海砂利水魚の", "Екатерина Вознесенская-Достоевская"),
    *("Bartholomew Fitzgerald-Worthington", "Αλέξανδρος Παπαδόπουλος"),
    *("ニコライ・アレクサンドロヴィッチ", "𠮷野 髙﨑之進左衛門尉"),
)
# The hardest names that people have: the longest words, none of which is broken on a score sheet.
HARDEST = (
    *("Екатерина Вознесенская-Достоевская", "勅使河原 健太郎之介", "欧阳 上官婉儿"),
    *("Bartholomew Fitzgerald-Worthington Smythe", "Αλέξανδρος Παπαδόπουλος"),
    "ニコライ・アレクサンドロヴィッチ",
)
SHEET_HEADER = {
    "session": "12",
    "table": "117",
    "date": "2026年11月22日",
    "serial": "W7QM",
    "printed": "2026年11月22日 14:05",
}


class Form(NamedTuple):
    """A form to print: name, template, language, what makes the PDF, expected words and pages.

    With `may_go_on` it may have one page more.
    """

    name: str
    template: str
    language: str
    lay_out: Callable[[], bytes]
    words: tuple[str, ...]
    pages: int
    may_go_on: bool = False


class House(NamedTuple):
    """House rules: the size of every item's points, and whether options have other values."""

    points: int | None = None
    other_options: bool = False

    def rules(self, rule_set: scoring.RuleSet) -> scoring.Rules:
        options = {
            each.name: each.other_values[0] for each in rule_set.options if self.other_options
        }
        points = {}
        if self.points:
            for rule in rule_set.rules:
                wanted = -self.points if rule.points < 0 else self.points
                if rule.lowest <= wanted <= rule.highest and rule.points:
                    points[rule.item] = wanted
        return scoring.choose(rule_set, options, points)


NO_HOUSE_RULES = House()
HOUSES = (NO_HOUSE_RULES, House(other_options=True), House(128), House(998, other_options=True))
ROUNDS = (None, 0, 12, 40)
EVENTS = (EVENT, LONG_EVENT)
SHEET_ROUNDS = (4, 7, 10, 12, 30)


def chart(
    slug: str,
    language: str,
    house: House = NO_HOUSE_RULES,
    rounds: int | None = None,
    event: str = "",
) -> Form:
    rules = house.rules(scoring.get_rule_set(slug))

    def lay_out() -> bytes:
        named = {"tournament": event} if event else {}
        return rendering.pdf(CHART, contents.chart_context(rules, rounds) | named)

    words = (rules.fingerprint, event)
    name = f"chart {slug} {language} {house} {rounds} {event}"
    return Form(name, CHART, language, lay_out, words, 1, may_go_on=rules.is_house_rule)


def sheet(
    slug: str,
    language: str,
    players: int,
    rounds: int = 10,
    names: Sequence[str] = (),
    house: House = NO_HOUSE_RULES,
    **written: Any,
) -> Form:
    """Return the score sheet of a table of these players, or a blank one."""

    rules = house.rules(scoring.get_rule_set(slug))
    seated: Any = names[:players] or players
    numbers = range(998, 998 + players) if names else ()
    said = SHEET_HEADER | written if names else written

    def pages() -> tuple[contents.ScoreSheet, ...]:
        return contents.sheets(rules, seated, rounds, numbers=numbers, **said)

    def lay_out() -> bytes:
        if names:
            return rendering.stamped_pdf(SHEET, *contents.print_run_of(rules, pages()))
        return rendering.pdf(SHEET, contents.sheets_context(rules, pages()))

    name = f"sheet {slug} {language} {players} {rounds} {names[:1]} {house} {written}"
    shown = (rules.fingerprint, *names[:players], str(written.get("tournament", "")))
    return Form(name, SHEET, language, lay_out, shown, 1 if rounds <= 10 else -(-rounds // 9))


def cards(language: str, names: Sequence[str], table: int, event: str = EVENT) -> Form:
    """A page of four table cards."""

    rules = scoring.choose(scoring.get_rule_set("goninkan-association"))
    tournament = Tournament(name=event, rule_set=rules.slug)
    by_hand = "http://192.168.178.123:8000/join/"
    card = {
        "table": table,
        "names": names,
        "pin": "123 456",
        "code": qr_codes.inline(f"{by_hand}0123456789abcdefghijkl", border=4),
    }
    blank = {
        "tournament": tournament,
        "session": Session(tournament=tournament, number=12),
        "rules": rules,
        "by_hand": by_hand,
        "pages": [[{}] * 4],
        "is_blank": True,
    }

    def lay_out() -> bytes:
        return rendering.stamped_pdf(CARDS, blank, (0,), [{"pages": [[card] * 4]}])

    name = f"cards {language} {table} {names[:1]} {event}"
    return Form(name, CARDS, language, lay_out, (event, *names), 1)


def name_cards(language: str, names: Sequence[str], event: str = EVENT) -> Form:
    """Return a page of name cards of people with long names, clubs and teams."""
    tournament = Tournament(name=event, slug="2026-ringo")
    entries = [
        Entry(number=1000 + i, name=name, reading=name[:30], club=name, team=name, division="一般")
        for i, name in enumerate(names)
    ]
    run = views.print_run(tournament, entries, "http://192.168.178.123:8000")
    name = f"name cards {language} {names[:1]} {event}"
    shown = (event, *names, "1000")
    return Form(
        name, NAME_CARDS, language, lambda: rendering.stamped_pdf(NAME_CARDS, *run), shown, 1
    )


def seat_list(language: str, names: Sequence[str], event: str = EVENT) -> Form:
    """Return the seat list of eight tables, a page by name and one by table."""
    rules = scoring.choose(scoring.get_rule_set("goninkan-association"))
    tournament = Tournament(name=event, rule_set=rules.slug)
    tables = {
        table: [Entry(number=100 * table + seat, name=name) for seat, name in enumerate(names)]
        for table in range(1, 9)
    }
    absent = Entry(number=8, name=names[0])
    called = {each.key: each.name for each in (absent, *tables[1])}
    steads = seat_columns.Steads({tables[1][0].key: absent}, called)
    record = DrawRecord(
        {"clubs": True},
        {"method": "fewest_repeats", "seed": 999_999_999, "how": "annealing, 60,000 steps"},
        changed=12,
    )
    context = {
        "tournament": tournament,
        "session": Session(tournament=tournament, number=12),
        "rules": rules,
        "by_name": seat_columns.by_name(
            tables, [(Entry(number=7, name=names[0]), "抜け番")], steads
        ),
        "by_table": seat_columns.by_table(tables, steads),
        "record": record,
        "version": 1234,
        "printed": SHEET_HEADER["printed"],
    }
    name = f"seat list {language} {names[:1]} {event}"
    shown = (event, *names, rules.fingerprint, "805")
    return Form(
        name, SEAT_LIST, language, lambda: rendering.pdf(SEAT_LIST, context, tags=False), shown, 2
    )


def planned_seats(
    template: str, language: str, names: Sequence[str], event: str, *, sessions: int
) -> Form:
    """Return the planned seats of six players, one of whom sits out."""
    rules = scoring.choose(scoring.get_rule_set("goninkan-association"))
    numbers = list(range(1, sessions + 1))
    movements = [
        Movement(
            Entry(number=1000 + i, name=name),
            {number: (100 + number, i) if i else None for number in numbers},
        )
        for i, name in enumerate(names)
    ]
    context = {
        "tournament": Tournament(name=event, rule_set=rules.slug),
        "rules": rules,
        "movements": Movements(numbers, numbers[1:], movements),
        "version": 1234,
        "printed": SHEET_HEADER["printed"],
    }
    name = f"{template} {language} {names[:1]} {event}"
    shown = (event, *names, rules.fingerprint, "1001", str(100 + sessions))
    return Form(name, template, language, lambda: rendering.pdf(template, context), shown, 1)


def award_list(language: str, names: Sequence[str], event: str = EVENT) -> Form:
    """Return an award list of all and of a class, in which the last two share a place."""
    rules = scoring.choose(scoring.get_rule_set("goninkan-association"))
    awards = [
        Award(
            min(i, len(names) - 1), Entry(number=i, name=name, reading=name, club=name), 998, i >= 5
        )
        for i, name in enumerate(names, 1)
    ]
    announced = Publication(
        number=12, at=datetime(2026, 11, 22, 14, 5, tzinfo=UTC), digest="8" * 64
    )
    announced.is_final = True
    context = {
        "tournament": Tournament(name=event, held_on=date(2026, 11, 22)),
        "publication": announced,
        "rules": rules,
        "printed": SHEET_HEADER["printed"],
        "lists": [AwardList("", awards), AwardList(names[0], awards)],
        "names": {each.entry.key: each.entry.name for each in awards},
    }
    return Form(
        f"award list {language} {names[:1]} {event}",
        AWARDS,
        language,
        lambda: rendering.pdf(AWARDS, context),
        (event, *names, rules.fingerprint, "+998"),
        2,
    )


def certificates(language: str, names: Sequence[str], event: str = EVENT) -> Form:
    """Return certificates of all and of a class with a long name, each with a name of its own."""
    awards = [Award(i, Entry(name=name), 998, is_tied=False) for i, name in enumerate(names, 1)]
    tournament = Tournament(name=event, held_on=date(2026, 11, 22))
    lists = [AwardList("", awards), AwardList(names[0], awards[:1])]

    def lay_out() -> bytes:
        found = certificates_of(tournament, lists, [])
        context = {"tournament": tournament, "certificates": found, "by": names[-1]}
        return rendering.pdf(CERTIFICATES, context | {"is_vertical": language == "ja"})

    name = f"certificates {language} {names[:1]} {event}"
    shown = names if language != "ja" else ()  # in columns, signs are not read in their order
    return Form(name, CERTIFICATES, language, lay_out, tuple(shown), len(names) + 1)


def poster(language: str, event: str, page: posters.Page) -> Form:
    """The tournament's place has a long name."""
    tournament = Tournament(name=event, venue=LONG_EVENT, held_on=date(2026, 11, 22))
    closes_at = datetime(2026, 11, 15, 9, 0, tzinfo=UTC)
    chosen = RegistrationSettings(closes_at=closes_at, text="\n".join(["参加費 千円"] * 6))
    tournament.registration = chosen.as_json()
    address = "http://192.168.178.123:8000/tournaments/abcdefghjk/register/"
    context = posters.context_of(tournament, address, page)
    name = f"poster {language} {event} {page}"
    return Form(name, POSTER, language, lambda: rendering.pdf(POSTER, context), (event, address), 1)


def booklet(language: str, event: str, guide: Guide) -> Form:
    """A guide of a tournament, by the rules with the longest title."""
    tournament = Tournament(name=event, held_on=date(2026, 11, 22))
    host = "192.168.178.123:8000" if event == EVENT else "goninkan.goshogawara-karuta.example"
    address = f"http://{host}/tournaments/abcdefghjk/"
    context = guides.context_of(guide, scoring.choose(scoring.get_rule_set("goninkan-nakayoshi")))
    code = qr_codes.inline(address, border=4)
    context |= {"tournament": tournament, "address": address, "code": code}
    name = f"guide {language} {event} {guide}"
    is_longer = language == "en"  # whose rulings have translations beside the sentences
    longer = {Guide.DESK: 8 + is_longer, Guide.OFFICE: 3, Guide.RULINGS: 2 + is_longer}
    pages = longer.get(guide, 1)
    return Form(
        name,
        GUIDE,
        language,
        lambda: rendering.pdf(GUIDE, context),
        (event, address),
        pages,
        may_go_on=guide in {Guide.DESK, Guide.OFFICE, Guide.RULINGS},
    )


def every_form() -> Iterator[Form]:
    """Return every form in every language, for every number of players, rounds and options."""
    for language, rule_set in product(LANGUAGES, scoring.RULE_SETS):
        slug = rule_set.slug
        for house, rounds, event in product(HOUSES, ROUNDS, EVENTS):
            yield chart(slug, language, house, rounds, event)
        for players, rounds, names in product(rule_set.players, SHEET_ROUNDS, ((), SHORT, LONG)):
            for other_options in (False, True):
                yield sheet(
                    slug,
                    language,
                    players,
                    rounds,
                    names,
                    House(other_options=other_options),
                    partners=other_options and players in rule_set.partnership_players,
                    tournament=LONG_EVENT if other_options else EVENT,
                    totals_only=other_options,
                )
    for language, names, table, event in product(LANGUAGES, (SHORT, LONG), (3, 117, 9999), EVENTS):
        yield cards(language, names, table, event)
    for language, names, event in product(LANGUAGES, (SHORT, LONG), EVENTS):
        yield name_cards(language, names, event)
        yield seat_list(language, names, event)
        yield award_list(language, names, event)
        yield certificates(language, names, event)
        yield planned_seats(SCHEDULE_LIST, language, names, event, sessions=12)
        yield planned_seats(SCHEDULE_CARDS, language, names, event, sessions=4)
    for language, event, page in product(LANGUAGES, EVENTS, posters.Page):
        yield poster(language, event, page)
    for language, event, guide in product(LANGUAGES, EVENTS, Guide):
        yield booklet(language, event, guide)


def printed(lay_out: Callable[[], bytes]) -> layouts.Printed:
    """Return a PDF with the faults of its layout and pages that do not depend on the form."""
    laid_out = layouts.printed(lay_out)
    ink = page_faults.hidden_ink(laid_out.pdf, laid_out.whole)
    return laid_out._replace(faults=[*laid_out.faults, *ink, *page_faults.faults_of(laid_out.pdf)])


def faults_of(form: Form) -> list[str]:
    with translation.override(form.language):
        pdf, _whole, found, texts = printed(form.lay_out)
    text, pages = page_faults.text_of(pdf), page_faults.pages_of(pdf)
    found += [f"{word} is missing" for word in form.words if "".join(word.split()) not in text]
    if form.template == SHEET:
        found += sheet_faults.faults_of(pdf, texts, {*form.words} & {*HARDEST})
    if form.template == CHART:
        found += chart_faults.faults_of(texts, by_the_text=not form.may_go_on)
    allowed = (form.pages, form.pages + form.may_go_on)
    return found if pages in allowed else [*found, f"{pages} pages"]
