"""The seat list for the wall, and who sits elsewhere than on a list printed before."""

import pytest
from django.test import Client
from django.urls import reverse

from tests import cast
from tests.cast import SOMEBODY
from tests.tournaments.printing import page_faults
from tournaments.models import Session, Tournament
from tournaments.printing import seat_columns
from tournaments.printing.seat_columns import Steads
from tournaments.queries import exchanges, seat_lists
from tournaments.queries.events import Event
from tournaments.queries.presence import Status
from tournaments.queries.seat_lists import Place, places_by_name, tables_of
from tournaments.queries.sheets import sheet_of
from tournaments.services import presence, seating, sessions
from tournaments.services.entries import add_entries
from tournaments.services.exchanges import exchange
from tournaments.services.substitutions import add_substitute
from tournaments.services.table_players import change_players

READINGS = ("わだ", "あべ", "かとう", "さとう", "たなか", "なかの", "はら", "まつだ")


@pytest.fixture
def session(tournament: Tournament) -> Session:
    """Six of eight players at a table; numbers run against the order of the readings."""
    people = [{"name": f"選手{i}", "reading": each} for i, each in enumerate(READINGS, 1)]
    entries = add_entries(tournament, people, by=SOMEBODY)
    draw = cast.drawn_facts(tournament, 1)
    return seating.open_session(tournament, [entries[:6]], by=SOMEBODY, draw=draw)


def changes_address(session: Session) -> str:
    return reverse("seat-changes", args=[session.tournament.slug, session.number])


def seats_of(session: Session) -> list[Place]:
    return places_by_name(tables_of(session))


def reseat(session: Session, *numbers: int) -> None:
    by_number = {entry.number: entry for entry in session.tournament.entries.all()}
    tables, seen = [[by_number[each] for each in numbers]], seating.seats_version(session)
    seating.reseat(session, tables, seen_version=seen, by=SOMEBODY)


def test_list_for_the_wall_is_printed(scorekeeper: Client, session: Session) -> None:
    address = reverse("seat-list", args=[session.tournament.slug, 1])
    pdf = scorekeeper.get(address).content
    text = page_faults.text_of(pdf)
    assert text.index("選手2") < text.index("選手3") < text.index("選手1")
    for words in (session.tournament.rules.fingerprint, "変更あり", "抽選番号1"):
        assert words in text
    assert page_faults.faults_of(pdf) == []


def test_players_without_a_seat_are_those_of_now(scorekeeper: Client, session: Session) -> None:
    reseat(session, 1, 2, 3, 4, 5, 7)
    absent = session.tournament.entries.get(number=8)
    seen = Status.EXPECTED
    presence.mark_presence(absent, 1, Status.ABSENT, seen_status=seen, by=SOMEBODY)
    out = [session.tournament.entries.get(name="選手6")]
    page = scorekeeper.get(session.get_absolute_url())
    assert list(page.context["without_seat"]) == [(entry, "抜け番") for entry in out]
    address = reverse("seat-list", args=[session.tournament.slug, 1])
    assert "選手6選手7選手1抜け番" in page_faults.text_of(scorekeeper.get(address).content)
    presence.mark_presence(out[0], 1, Status.LATE, seen_status=seen, by=SOMEBODY)
    assert list(scorekeeper.get(session.get_absolute_url()).context["without_seat"]) == [
        (out[0], "遅刻")
    ]
    assert "選手6選手7選手1遅刻" in page_faults.text_of(scorekeeper.get(address).content)


def test_list_says_who_plays_for_whom(
    scorekeeper: Client, tournament: Tournament, session: Session
) -> None:
    """The replaced player is in the list by name, with the substitute's place, not by table."""
    absent, other = tournament.entries.filter(number__in=(7, 8))
    for entry in (absent, other):
        presence.mark_presence(entry, 1, Status.ABSENT, seen_status=Status.EXPECTED, by=SOMEBODY)
    substitute = add_substitute(absent, 1, {"name": "山田 花子"}, by=SOMEBODY).substitute
    address = reverse("seat-list", args=[tournament.slug, 1])
    unseated = page_faults.text_of(scorekeeper.get(address).content)
    assert "代理" not in unseated
    reseat(session, 1, 2, 3, 4, 5, substitute.number)
    pdf = scorekeeper.get(address).content
    text = page_faults.text_of(pdf)
    assert text.count("選手7さんの代理") == 2
    assert text.count("代理：山田花子") == 1
    assert text.count("1-6") == 2
    assert page_faults.faults_of(pdf) == []
    pages = seat_columns.by_name(
        tables_of(session), steads=Steads({substitute.key: absent}, Event(tournament).names)
    )
    lines = {
        name.entry.number: (name.place, name.text.split("\n"))
        for page in pages.pages
        for column in page.columns
        for name in column.names
    }
    assert lines.keys() == {1, 2, 3, 4, 5, 7, 9}
    assert lines[7] == (lines[9][0], ["選手7", "代理：山田 花子"])
    assert lines[9][1] == ["山田 花子", "選手7さんの代理"]


def test_changes_since_the_session_was_opened(scorekeeper: Client, session: Session) -> None:
    page = scorekeeper.get(changes_address(session))
    assert page.context["changes"] == []
    reseat(session, 1, 2, 3, 4, 6, 7)
    page = scorekeeper.get(changes_address(session))
    assert [(each.entry.number, each.before, each.now) for each in page.context["changes"]] == [
        (5, (1, 5), None),
        (6, (1, 6), (1, 5)),
        (7, None, (1, 6)),
    ]
    assert page.text.count("着席せず") == 2
    assert "抜け番" not in page.text  # perhaps late, away or gone home


def test_changes_since_a_printed_version(scorekeeper: Client, session: Session) -> None:
    reseat(session, 2, 1, 3, 4, 5, 6)
    printed = seat_lists.versions_of(session)[-1].number
    assert printed == 2
    one, other = session.tournament.entries.filter(number__in=[3, 8])
    stamp = exchanges.plan_exchange(session, one, other).stamp
    exchange(session, one, other, seen_stamp=stamp, by=SOMEBODY, reason="席の誤り")
    page = scorekeeper.get(changes_address(session), {"since": printed})
    changed = {each.entry.number: each.now for each in page.context["changes"]}
    assert changed == {3: None, 8: (1, 3)}
    everything = scorekeeper.get(changes_address(session)).context["changes"]
    assert {each.entry.number for each in everything} == {1, 2, 3, 8}


def test_player_who_joins_before_the_first_round_has_a_changed_seat(
    scorekeeper: Client, session: Session
) -> None:
    left, *stay = sheet_of(session.sittings.get()).entries
    joined = session.tournament.entries.get(number=7)
    keys = [each.key for each in (left, *stay)]
    change_players(session.sittings.get(), [joined, *stay], seen_players=keys, by=SOMEBODY)
    changes = scorekeeper.get(changes_address(session)).context["changes"]
    assert [(each.entry.number, each.before, each.now) for each in changes] == [
        (7, None, (1, 1)),
        (1, (1, 1), None),
    ]


def test_exchange_of_who_has_left_changes_no_seat_of_now(session: Session) -> None:
    """The players who went on at her table have the seats that they had."""
    tournament, table = session.tournament, session.sittings.get()
    cast.record(table)
    left, *stay = sheet_of(table).entries
    joined, other = tournament.entries.filter(number__gt=6)
    keys = [each.key for each in (left, *stay)]
    change_players(table, [joined, *stay], seen_players=keys, by=SOMEBODY)
    before = seat_lists.versions_of(session)[-1].places
    stamp = exchanges.plan_exchange(session, left, other).stamp
    exchange(session, left, other, seen_stamp=stamp, by=SOMEBODY, reason="人違い")
    assert seat_lists.versions_of(session)[-1].places == before


def test_versions_begin_when_a_session_was_opened_last(
    scorekeeper: Client, session: Session, tournament: Tournament
) -> None:
    seats = seating.seating_of(session)
    sessions.remove_session(session, by=SOMEBODY)
    again = seating.open_session(tournament, [seats[0][::-1]], by=SOMEBODY)
    page = scorekeeper.get(changes_address(again))
    assert len(page.context["versions"]) == 1
    assert page.context["changes"] == []
