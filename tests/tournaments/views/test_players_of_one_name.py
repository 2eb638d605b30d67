"""Two players of one name at one table can be told apart on every page of the event."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from itertools import product

import pytest

from tests import cast
from tests.shown import VOID
from tests.visiting import OF_A_TOURNAMENT, World, publish
from tournaments.services import adjustments, publications, seating
from tournaments.services.entries import correct_entry

NAME = "同姓 同名"
THESE = {33: "有段者", 35: "一般"}  # classes by numbers that are no seat, table or round
# By name of the page: queries that show everybody, or another page.
QUERIES = {"awards": ("?places=40",), "record-round": ("", "?line=")}
NUMBER = re.compile("(?<![0-9])3[35](?![0-9])")
# What a reader takes in at once: the number stands in the same one as the name.
UNITS = {"tr", "li", "p", "label", "button", "legend", "dd", "dt", "h2", "h3", "header", "section"}
UNREAD = {"script", "style", "title", "nav", "option"}


class Units(HTMLParser):
    """The texts of the units with the name that have neither number."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.texts: list[list[str]] = [[]]  # of the open units
        self.unclear: list[str] = []
        self.names = 0
        self.feed(page)

    def is_unit(self, tag: str, attrs: dict[str, str | None]) -> bool:
        is_head = "page-head" in (attrs.get("class") or "")
        return tag in UNITS or is_head or (tag == "th" and attrs.get("scope") == "col")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            is_unit = self.is_unit(tag, dict(attrs))
            self.open.append(f"{tag} unit" if is_unit else tag)
            if is_unit:
                self.texts.append([])

    def handle_endtag(self, tag: str) -> None:
        while self.open:
            closed, _space, is_unit = self.open.pop().partition(" ")
            if is_unit:
                text = "".join(self.texts.pop())
                self.texts[-1].append(text)
                if NAME in text and not NUMBER.search(text):
                    self.unclear.append(" ".join(text.split()))
            if closed == tag:
                break

    def handle_data(self, data: str) -> None:
        if not UNREAD.intersection(self.open):
            self.texts[-1].append(f"{data} ")
            self.names += data.count(NAME)


@pytest.fixture
def of_one_name(world: World) -> World:
    """The second event, where players 33 and 35 have one name and sit at the last table."""
    table = world.other
    tournament = table.session.tournament
    cast.make_entries(tournament, 40 - tournament.entries.count())
    for number, division in THESE.items():
        person = {"name": NAME, "club": "なかよし村", "division": division}
        correct_entry(
            tournament.entries.get(number=number), person, seen_version=0, by=cast.SOMEBODY
        )
    seated = list(tournament.entries.filter(number__in=range(32, 38)))
    session = seating.open_session(tournament, [seated], by=cast.SOMEBODY)
    table = session.sittings.get()
    cast.record(table)
    for act, (number, points) in enumerate(zip(THESE, (-2, -3), strict=True), 1):
        whose = tournament.entries.get(number=number)
        adjustments.adjust_points(tournament, act, whose, points, by=cast.SOMEBODY, reason="遅刻")
    adjustments.decide_tie(tournament, 1, [*THESE], by=cast.SOMEBODY, reason="裁定")
    publications.publish(tournament, by=cast.SOMEBODY)
    other = cast.plain_round(table) | {"dealer": "33", "kankei": ["35", "32"]}
    cast.record(table, other, seen=1, reason="写し違い")
    return world._replace(sitting=table, other=world.sitting)


def pages_of(world: World, role: str) -> dict[str, str]:
    """Return all pages of the event by address, also those of round 1 and of player 33."""
    browser, pages = world.browser(role), {}
    for name in OF_A_TOURNAMENT:
        for number, query in product((1, *THESE), QUERIES.get(name, ("",))):
            address = world.url(name, number=number) + query
            if address in pages or address.startswith("/api/"):
                continue
            response = browser.get(address)
            is_page = response.status_code == 200 and "html" in response["Content-Type"]
            if is_page and not response.streaming:
                pages[address] = response.content.decode()
    return pages


@pytest.mark.parametrize("role", ["elsewhere", "anonymous"])
def test_players_of_one_name_have_their_number_beside_it(of_one_name: World, role: str) -> None:
    if role == "anonymous":
        publish(of_one_name.tournament)
    pages = pages_of(of_one_name, role)
    read = {address: Units(page) for address, page in pages.items()}
    assert sum(each.names > 1 for each in read.values()) > 5
    assert {address: each.unclear for address, each in read.items() if each.unclear} == {}


@pytest.mark.parametrize("number", THESE)
def test_standings_of_a_class_know_the_players_of_other_classes(
    of_one_name: World, number: int
) -> None:
    """The number stands in the name's cell: a phone does without its column."""
    standings, browser = of_one_name.url("standings"), of_one_name.browser("elsewhere")
    page = browser.get(standings, {"class": THESE[number]}).text
    assert re.findall(f">({NAME}.*?)</a>", page) == [f"{NAME} {number}番"]
