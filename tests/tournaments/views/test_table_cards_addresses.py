"""The addresses on table cards and in links: those that phones can reach."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from tests import api, cast
from tests.tournaments.views.table_cards import cards_of, print_nothing, table
from tournaments.models import Session, Tournament
from tournaments.printing import contents, rendering
from tournaments.server import venue
from tournaments.services import table_links
from tournaments.services.publications import show_live
from tournaments.web import qr_codes


@pytest.fixture
def session(tournament: Tournament) -> Session:
    return cast.make_session(tournament, tables=6)


@pytest.fixture
def address(session: Session) -> str:
    return reverse("table-cards", args=[session.tournament.slug, session.number])


@pytest.fixture
def printed(monkeypatch: pytest.MonkeyPatch) -> list[contents.PrintRun]:
    return print_nothing(monkeypatch)


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
    director: Client,
    session: Session,
    address: str,
    settings: Settings,
    listening: str,
    host: str,
    *,
    warned: bool,
) -> None:
    settings.LISTENING = listening
    show_live(session.tournament, by=cast.SOMEBODY)
    publishing = reverse("publish", args=[session.tournament.slug])
    for page in (address, f"{session.get_absolute_url()}?links", publishing):
        shown = cast.in_english(director).get(page, headers={"host": host})
        assert ("Phones cannot reach this address" in shown.text) == warned


@pytest.mark.parametrize("host", ["localhost:8000", "192.168.1.7:8000", "192.168.1.250:8000"])
def test_address_that_another_laptop_can_take_over_is_on_cards_links_and_posters(
    scorekeeper: Client,
    session: Session,
    address: str,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    printed: list[contents.PrintRun],
    host: str,
) -> None:
    settings.ALLOWED_HOSTS, settings.ADDRESS = ["*"], "192.168.1.250"
    monkeypatch.setattr(venue, "_interface_addresses", lambda: ["192.168.1.7", "192.168.1.250"])
    at_desk, to_phones = {"host": host}, "http://192.168.1.250:8000"
    offered = scorekeeper.get(address, headers=at_desk).context["origins"]
    scorekeeper.post(address, {"at": offered[0]}, headers=at_desk)
    link = f"{to_phones}{reverse('join-table', args=[table(session, 1).token])}"
    assert cards_of(printed[0])[0]["code"] == qr_codes.inline(link, border=4)
    page = scorekeeper.get(f"{session.get_absolute_url()}?links", headers=at_desk)
    assert page.context["links"][0]["address"] == link
    posters: list[dict[str, Any]] = []

    def lay_out(_template: str, shown: dict[str, Any]) -> bytes:
        posters.append(shown)
        return b"%PDF-"

    monkeypatch.setattr(rendering, "pdf", lay_out)
    scorekeeper.get(reverse("event-poster", args=[session.tournament.slug]), headers=at_desk)
    assert posters[0]["address"] == f"{to_phones}{session.tournament.get_absolute_url()}"


def test_missing_network_is_warned_of(
    scorekeeper: Client, address: str, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    monkeypatch.setattr(venue, "lan_addresses", list)
    shown = cast.in_english(scorekeeper).get(address, headers={"host": "localhost:8000"})
    assert "Phones cannot reach this address" in shown.text
    assert "then print" not in shown.text  # it stands where nothing is printed, too


def test_missing_network_keeps_the_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(venue, "lan_addresses", list)
    assert venue.phone_origins("http://127.0.0.1:8000") == ["http://127.0.0.1:8000"]


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


@pytest.mark.usefixtures("two_addresses")
def test_api_on_the_server_returns_a_link_for_phones(session: Session) -> None:
    desk = api.staff(cast.make_staff(session.tournament, "another"))
    link = f"/api/sittings/{table(session, 1).pk}/link"
    assert desk.get(link, host="localhost:8000")["link"].startswith("http://192.168.1.7:8000/join/")


def test_foreign_host_is_used_for_its_own_request_only(
    scorekeeper: Client, session: Session, settings: Settings
) -> None:
    """As on a laptop, where every host name is allowed."""
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
