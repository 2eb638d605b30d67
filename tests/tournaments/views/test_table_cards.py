"""Table cards: their code and PIN open the table, and end those printed before."""

from __future__ import annotations

from functools import partial
from io import BytesIO
from typing import Any

import pypdf
import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from tests import api, cast
from tests.races import run_before
from tests.tournaments.printing.scanner import scanned
from tournaments import verification
from tournaments.i18n.times import moment
from tournaments.models import AuditEntry, Session, Sitting, Tournament
from tournaments.models.tokens import digest
from tournaments.printing import contents, rendering
from tournaments.server import venue
from tournaments.services import (
    closing,
    phones,
    seating,
    sessions,
    table_cards,
    table_links,
)
from tournaments.services.closing import EventClosed
from tournaments.services.entries import add_entries
from tournaments.views import table_cards as views
from tournaments.web import qr_codes

ORIGIN = "http://testserver"
HOSTILE = (
    "髙橋 﨑之進",
    "𠮷野家",
    "محمد بن عبد الله",
    "<script>alert(1)</script>",
    "寿限無" * 60,
    "👩‍👩‍👧 Zoë",
)


@pytest.fixture
def session(tournament: Tournament) -> Session:
    """A session of six tables of six."""
    entries = cast.make_entries(tournament, 36)
    seated = [entries[i : i + 6] for i in range(0, 36, 6)]
    return seating.open_session(tournament, seated, by=cast.SOMEBODY)


@pytest.fixture
def address(session: Session) -> str:
    return reverse("table-cards", args=[session.tournament.slug, session.number])


def test_reprint_is_explained_after_the_first_printing(scorekeeper: Client, address: str) -> None:
    cast.in_english(scorekeeper)
    first = scorekeeper.get(address).text
    assert "Print the cards" in first
    assert "New links, too" not in first
    assert scorekeeper.post(address, {}).status_code == 200
    again = scorekeeper.get(address).text
    assert "Make new PINs and print" in again
    assert "New links, too" in again


@pytest.fixture
def printed(monkeypatch: pytest.MonkeyPatch) -> list[contents.PrintRun]:
    """What is handed to the printer, which prints nothing."""
    runs: list[contents.PrintRun] = []

    def stamped(_template: str, *run: Any) -> bytes:
        runs.append(contents.PrintRun(*run))
        return b"%PDF-"

    monkeypatch.setattr(rendering, "stamped_pdf", stamped)
    return runs


def cards_of(run: contents.PrintRun) -> list[dict[str, Any]]:
    return [card for chunk in run.written for page in chunk["pages"] for card in page]


def table(session: Session, number: int) -> Sitting:
    return session.sittings.get(number=number)


def test_the_pin_and_the_code_of_each_card_open_its_table(
    scorekeeper: Client, session: Session, address: str, printed: list[contents.PrintRun]
) -> None:
    answer = scorekeeper.post(address)
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/pdf")
    assert "no-store" in answer["Cache-Control"]
    [run] = printed
    cards = cards_of(run)
    assert [card["table"] for card in cards] == [1, 2, 3, 4, 5, 6]
    assert [len(page) for page in run.blanks["pages"]] == [4, 2]
    assert run.form_indexes == (0, 1)
    for card in cards:
        sitting = table(session, card["table"])
        link = reverse("join-table", args=[sitting.token])
        assert card["code"] == qr_codes.inline(f"{ORIGIN}{link}", border=4)
        assert [entry.key for entry in card["entries"]] == cast.keys(sitting)
        typed = {"table": str(card["table"]), "pin": card["pin"]}
        assert Client().post(run.blanks["by_hand"].removeprefix(ORIGIN), typed).status_code == 302
        assert Client().get(link).status_code == 302


def test_reprint_ends_old_pins_and_keeps_phones(
    scorekeeper: Client, session: Session, address: str, printed: list[contents.PrintRun]
) -> None:
    first = phones.join(table(session, 1).token)
    for _ in range(2):
        scorekeeper.post(address, {"tables": "1-6"})
    old, new = (cards_of(run)[0] for run in printed)
    assert old["code"] == new["code"]
    assert phones.phone_of(first.secret) is not None
    with pytest.raises(phones.WrongPin):
        phones.join_with_pin(table(session, 1), old["pin"].replace(" ", ""))


def test_new_links_end_the_phones_of_old_links(
    scorekeeper: Client, session: Session, address: str, printed: list[contents.PrintRun]
) -> None:
    before = table(session, 2)
    first = phones.join(before.token)
    scorekeeper.post(address, {"tables": "2", "new_links": "on"})
    [card] = cards_of(printed[0])
    after = table(session, 2)
    assert (card["table"], before.token == after.token) == (2, False)
    assert phones.phone_of(first.secret) is None
    assert phones.join(after.token).phone.is_writer


def test_a_table_whose_link_is_closed_gets_a_new_one(
    scorekeeper: Client, session: Session, address: str, printed: list[contents.PrintRun]
) -> None:
    table_links.revoke_link(table(session, 3), by=cast.SOMEBODY)
    scorekeeper.post(address)
    assert table(session, 3).closed_at is None
    phones.join(table(session, 3).token)
    made = AuditEntry.objects.get(kind=AuditEntry.Kind.LINK_MADE)
    link = digest(table(session, 3).token)
    assert (made.subject, made.new) == ({"session": 1}, {"tables": [3], "links": [link]})


@pytest.mark.both
@pytest.mark.parametrize(
    ("typed", "numbers"),
    [("", [1, 2, 3, 4, 5, 6]), ("5", [5]), ("1 3-4", [1, 3, 4]), ("２、 5 – 6", [2, 5, 6])],
)
def test_cards_are_printed_for_the_chosen_tables(
    scorekeeper: Client,
    address: str,
    printed: list[contents.PrintRun],
    typed: str,
    numbers: list[int],
) -> None:
    assert scorekeeper.post(address, {"tables": typed}).status_code == 200
    assert [card["table"] for card in cards_of(printed[0])] == numbers
    assert Sitting.objects.exclude(pin="").count() == len(numbers)
    made = AuditEntry.objects.filter(kind=AuditEntry.Kind.PIN_MADE).values_list(
        "new__tables", flat=True
    )
    assert list(made) == [numbers]
    assert verification.verify(Tournament.objects.get(sessions__sittings__number=6)) == []


def test_reprint_needs_table_numbers(
    scorekeeper: Client, session: Session, address: str, printed: list[contents.PrintRun]
) -> None:
    assert scorekeeper.get(address).context["last_printed"] is None
    scorekeeper.post(address)
    pins = {each.number: each.pin for each in session.sittings.all()}

    page = scorekeeper.get(address)
    assert page.context["last_printed"] == AuditEntry.objects.get(kind=AuditEntry.Kind.PIN_MADE).at
    assert moment(page.context["last_printed"]) in page.content.decode()
    for left_empty in ("", " 、 "):
        answer = scorekeeper.post(address, {"tables": left_empty})
        assert answer.status_code == 422
        assert "1-6" in str(answer.context["form"].errors["tables"])
    assert {each.number: each.pin for each in session.sittings.all()} == pins

    scorekeeper.post(address, {"tables": "3"})
    changed = [each.number for each in session.sittings.all() if each.pin != pins[each.number]]
    assert changed == [3]


def test_pin_from_the_desk_counts_as_printed(
    scorekeeper: Client, session: Session, address: str, printed: list[contents.PrintRun]
) -> None:
    table_links.make_pin(table(session, 1), by=cast.SOMEBODY)
    assert scorekeeper.post(address).status_code == 422
    assert scorekeeper.get(address).context["last_printed"] is None


@pytest.mark.parametrize("typed", ["7", "0", "2-9", "4-2", "x", "1;2", "99999999"])
def test_unknown_table_numbers_print_nothing(
    scorekeeper: Client, address: str, printed: list[contents.PrintRun], typed: str
) -> None:
    answer = scorekeeper.post(address, {"tables": typed})
    assert answer.status_code == 422
    assert answer.context["form"]["tables"].value() == typed
    assert printed == []
    assert not Sitting.objects.exclude(pin="").exists()


def test_failed_printing_keeps_the_old_cards(
    scorekeeper: Client, session: Session, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pin = table_links.make_pin(table(session, 1), by=cast.SOMEBODY)

    def fail(*_: Any) -> bytes:
        raise PermissionError

    monkeypatch.setattr(rendering, "stamped_pdf", fail)
    with pytest.raises(PermissionError):
        scorekeeper.post(address, {"tables": "1-6", "new_links": "on"})
    phones.join_with_pin(table(session, 1), pin)


def test_link_renewed_meanwhile_prints_nothing(session: Session) -> None:
    cards = table_cards.prepare_cards(list(session.sittings.all()), new_links=False)
    table_links.make_link(table(session, 4), by=cast.SOMEBODY)
    with pytest.raises(table_cards.CardOutdated):
        table_cards.issue_cards(session, cards, by=cast.SOMEBODY)
    assert not Sitting.objects.exclude(pin="").exists()


def test_cards_of_a_session_removed_meanwhile_are_not_issued(
    scorekeeper: Client, session: Session, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    remove = partial(sessions.remove_session, session, by=cast.SOMEBODY)
    run_before(monkeypatch, views, "issue_cards", remove)
    assert scorekeeper.post(address).status_code == 422


@pytest.mark.both
def test_cards_of_a_removed_session_are_not_those_of_the_next_one(session: Session) -> None:
    tables = list(session.sittings.all())
    table_cards.issue_cards(
        session, table_cards.prepare_cards(tables, new_links=True), by=cast.SOMEBODY
    )
    assert table_cards.last_printed(session)
    seated = [[seat.entry for seat in each.seats.order_by("position")] for each in tables]
    sessions.remove_session(session, by=cast.SOMEBODY)
    again = seating.open_session(session.tournament, seated, by=cast.SOMEBODY)
    assert again.number == session.number
    assert table_cards.last_printed(again) is None


def test_issuing_asks_no_query_per_table(
    session: Session, django_assert_max_num_queries: Any
) -> None:
    cards = table_cards.prepare_cards(list(session.sittings.all()), new_links=True)
    with django_assert_max_num_queries(20):
        table_cards.issue_cards(session, cards, by=cast.SOMEBODY)


def test_concurrent_printing_issues_one_set(
    scorekeeper: Client, session: Session, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs = table_cards.prepare_cards(list(session.sittings.all()), new_links=False)
    first = partial(table_cards.issue_cards, session, theirs, by=cast.SOMEBODY)
    run_before(monkeypatch, views, "issue_cards", first)
    answer = scorekeeper.post(address)
    assert answer.status_code == 422
    assert answer.context["form"].non_field_errors()
    for card in theirs:
        phones.join_with_pin(Sitting.objects.get(pk=card.sitting.pk), card.pin)


def test_closed_event_prints_no_cards(scorekeeper: Client, session: Session, address: str) -> None:
    cards = table_cards.prepare_cards(list(session.sittings.all()), new_links=True)
    closing.close(session.tournament, by=cast.SOMEBODY)
    with pytest.raises(EventClosed):
        table_cards.issue_cards(session, cards, by=cast.SOMEBODY)
    assert scorekeeper.post(address).status_code == 409
    assert not Sitting.objects.exclude(pin="").exists()


@pytest.fixture
def two_addresses(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    monkeypatch.setattr(venue, "lan_addresses", lambda: ["192.168.1.7", "10.0.0.2"])


@pytest.mark.usefixtures("two_addresses")
@pytest.mark.parametrize("host", ["localhost:8000", "127.0.0.1:8000", "[::1]:8000"])
def test_codes_printed_at_the_server_carry_an_address_for_phones(
    scorekeeper: Client, session: Session, address: str, printed: list[contents.PrintRun], host: str
) -> None:
    at_desk = {"host": host}
    first, second = "http://192.168.1.7:8000", "http://10.0.0.2:8000"
    page = scorekeeper.get(address, headers=at_desk)
    assert page.context["origins"] == [first, second]
    assert second in page.content.decode()
    scorekeeper.post(address, {"at": second}, headers=at_desk)
    link = reverse("join-table", args=[table(session, 1).token])
    assert cards_of(printed[0])[0]["code"] == qr_codes.inline(f"{second}{link}", border=4)
    strange = scorekeeper.post(address, {"at": "http://evil.example"}, headers=at_desk)
    assert strange.status_code == 422
    links = scorekeeper.get(f"{session.get_absolute_url()}?links", headers=at_desk).context["links"]
    assert links[0]["address"] == f"{first}{link}"


@pytest.mark.parametrize(
    "where",
    [
        "/tournaments/{slug}/sessions/1/?links",
        "/tournaments/{slug}/sessions/1/sheets.pdf",
        "/api/tournaments/{slug}/sessions",
    ],
)
def test_one_page_has_one_address(
    scorekeeper: Client,
    session: Session,
    where: str,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    changing = [["192.168.1.7"], ["10.0.0.2"]]
    monkeypatch.setattr(venue, "lan_addresses", lambda: changing.pop(0))
    monkeypatch.setattr(rendering, "stamped_pdf", lambda *_: b"%PDF-")
    at = where.format(slug=session.tournament.slug)
    assert scorekeeper.get(at, headers={"host": "localhost:8000"}).status_code == 200
    assert changing == [["10.0.0.2"]]


@pytest.mark.usefixtures("two_addresses")
@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("http://192.168.1.9:8000", ["http://192.168.1.9:8000"]),
        ("https://makiyaku.example", ["https://makiyaku.example"]),
        ("http://localhost", ["http://192.168.1.7", "http://10.0.0.2"]),
    ],
)
def test_host_of_the_request_is_used_in_links(asked: str, found: list[str]) -> None:
    assert venue.phone_origins(asked) == found


@pytest.mark.usefixtures("two_addresses")
@pytest.mark.parametrize(
    ("listening", "host", "warned"),
    [
        ("127.0.0.1", "127.0.0.1:8000", True),
        ("localhost", "localhost:8000", True),
        ("127.0.0.1", "makiyaku.example", False),  # a proxy leads there
        ("0.0.0.0", "localhost:8000", False),  # noqa: S104
        ("", "192.168.1.7:8000", False),
    ],
)
def test_unreachable_address_is_warned_of(
    scorekeeper: Client,
    session: Session,
    address: str,
    settings: Settings,
    listening: str,
    host: str,
    *,
    warned: bool,
) -> None:
    settings.LISTENING = listening
    for page in (address, f"{session.get_absolute_url()}?links"):
        shown = cast.in_english(scorekeeper).get(page, headers={"host": host})
        assert ("Phones cannot reach this address" in shown.text) == warned


def test_missing_network_is_warned_of(
    scorekeeper: Client, address: str, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    monkeypatch.setattr(venue, "lan_addresses", list)
    shown = cast.in_english(scorekeeper).get(address, headers={"host": "localhost:8000"})
    assert "Phones cannot reach this address" in shown.text


def test_missing_network_keeps_the_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(venue, "lan_addresses", list)
    assert venue.phone_origins("http://127.0.0.1:8000") == ["http://127.0.0.1:8000"]


@pytest.mark.parametrize("language", ["ja", "en", "zh-hans"])
def test_any_name_is_printed(
    scorekeeper: Client, tournament: Tournament, settings: Settings, language: str
) -> None:
    tournament.name = "第三十七回 " * 20
    tournament.save()
    people = [{"name": name} for name in HOSTILE]
    entries = add_entries(tournament, people, by=cast.SOMEBODY)
    session = seating.open_session(tournament, [entries], by=cast.SOMEBODY)
    scorekeeper.cookies[settings.LANGUAGE_COOKIE_NAME] = language
    place = [tournament.slug, session.number]
    answer = scorekeeper.post(reverse("table-cards", args=place))
    [page] = pypdf.PdfReader(BytesIO(answer.content)).pages
    assert (round(page.mediabox.width), round(page.mediabox.height)) == (595, 842)
    assert "testserver/join/" in page.extract_text().replace("\n", "")


def test_the_code_is_large_enough_with_four_dots_around(
    scorekeeper: Client, address: str, printed: list[contents.PrintRun]
) -> None:
    """On the card it is 48 mm wide, edge and all; what is scanned has to be 35."""
    scorekeeper.post(address)
    dots = int(cards_of(printed[0])[0]["code"].split('viewBox="0 0 ')[1].split()[0])
    assert 48 * (dots - 8) / dots >= 35


@pytest.mark.usefixtures("two_addresses")
def test_the_links_on_the_screen_carry_the_chosen_address_and_leave_out_closed_ones(
    scorekeeper: Client, session: Session
) -> None:
    table_links.revoke_link(table(session, 5), by=cast.SOMEBODY)
    page = f"{session.get_absolute_url()}?links&at=http%3A%2F%2F10.0.0.2%3A8000"
    shown = scorekeeper.get(page, headers={"host": "localhost:8000"}).context
    assert [link["number"] for link in shown["links"]] == [1, 2, 3, 4, 6]
    assert all(link["address"].startswith("http://10.0.0.2:8000/") for link in shown["links"])
    assert shown["revoked_links"] == 1


def test_a_scanner_reads_every_card_of_the_sheet(
    scorekeeper: Client, session: Session, address: str
) -> None:
    sheet = scorekeeper.post(address, {"tables": "2-5"}).content
    tokens = [table(session, number).token for number in (2, 3, 4, 5)]
    assert scanned(sheet) == {f"{ORIGIN}{reverse('join-table', args=[each])}" for each in tokens}


@pytest.mark.usefixtures("two_addresses")
def test_api_on_the_server_returns_a_link_for_phones(session: Session) -> None:
    desk = api.staff(cast.make_staff(session.tournament, "another"))
    link = f"/api/sittings/{table(session, 1).pk}/link"
    assert desk.get(link, host="localhost:8000")["link"].startswith("http://192.168.1.7:8000/join/")


def test_foreign_host_is_used_for_its_own_request_only(
    scorekeeper: Client, session: Session, settings: Settings
) -> None:
    """As on a laptop, where any name is taken for its own."""
    settings.ALLOWED_HOSTS = ["*"]
    desk = api.staff(cast.make_staff(session.tournament, "another"))
    links, link = (
        f"{session.get_absolute_url()}?links",
        f"/api/sittings/{table(session, 1).pk}/link",
    )
    strange: list[Any] = [
        scorekeeper.get(links, headers={"host": "evil.example"}),
        desk.ask("GET", link, host="evil.example"),
    ]
    for answer in strange:
        assert b"//evil.example/join/" in answer.content
        assert "no-store" in answer.headers["Cache-Control"]
    usual: list[Any] = [scorekeeper.get(links), desk.ask("GET", link)]
    assert not any(b"evil" in answer.content for answer in usual)
