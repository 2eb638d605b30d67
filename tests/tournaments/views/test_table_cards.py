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

from tests import cast
from tests.races import run_before
from tests.tournaments.printing.scanner import scanned
from tests.tournaments.views.table_cards import cards_of, print_nothing, table
from tournaments import verification
from tournaments.i18n.times import moment
from tournaments.models import AuditEntry, Entry, Session, Sitting, Tournament
from tournaments.models.tokens import digest
from tournaments.printing import contents, rendering
from tournaments.services import closing, phones, seating, sessions, table_cards, table_links
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
    return cast.make_session(tournament, tables=6)


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
    return print_nothing(monkeypatch)


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
        assert card["names"] == [seat.entry.name for seat in sitting.seats.all()]
        typed = {"table": str(card["table"]), "pin": card["pin"]}
        assert Client().post(run.blanks["by_hand"].removeprefix(ORIGIN), typed).status_code == 302
        assert Client().get(link).status_code == 302


def test_players_of_one_name_have_their_number_on_the_card(
    scorekeeper: Client, session: Session, address: str, printed: list[contents.PrintRun]
) -> None:
    of_one_name = [seat.entry for seat in table(session, 2).seats.all()][1:3]
    Entry.objects.filter(pk__in=[each.pk for each in of_one_name]).update(name="工藤 誠")
    scorekeeper.post(address, {"tables": "2"})
    [card] = cards_of(printed[0])
    shown = [f"工藤 誠 {each.number}番" for each in of_one_name]
    assert [name for name in card["names"] if "工藤 誠" in name] == shown


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
        phones.join_by_number_alone(table(session, 1).number, old["pin"].replace(" ", ""))


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
    phones.join_by_number_alone(table(session, 1).number, pin)


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
        phones.join_by_number_alone(Sitting.objects.get(pk=card.sitting.pk).number, card.pin)


def test_closed_event_prints_no_cards(scorekeeper: Client, session: Session, address: str) -> None:
    cards = table_cards.prepare_cards(list(session.sittings.all()), new_links=True)
    closing.close(session.tournament, by=cast.SOMEBODY)
    with pytest.raises(EventClosed):
        table_cards.issue_cards(session, cards, by=cast.SOMEBODY)
    assert scorekeeper.post(address).status_code == 409
    assert not Sitting.objects.exclude(pin="").exists()


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
    """It is 48 mm wide with its margin; 35 are needed for scanning."""
    scorekeeper.post(address)
    dots = int(cards_of(printed[0])[0]["code"].split('viewBox="0 0 ')[1].split()[0])
    assert 48 * (dots - 8) / dots >= 35


def test_a_scanner_reads_every_card_of_the_sheet(
    scorekeeper: Client, session: Session, address: str
) -> None:
    sheet = scorekeeper.post(address, {"tables": "2-5"}).content
    tokens = [table(session, number).token for number in (2, 3, 4, 5)]
    assert scanned(sheet) == {f"{ORIGIN}{reverse('join-table', args=[each])}" for each in tokens}
