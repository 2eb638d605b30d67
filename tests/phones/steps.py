"""What a table does on its phone, and what comes of it at the server."""

from __future__ import annotations

from playwright.sync_api import ViewportSize

from tests.phones.conftest import Phone, wait_until
from tournaments.models import Round

SMALL: ViewportSize = {"width": 360, "height": 740}


def take_down(phone: Phone, kankei: int = 5, mukankei: int = 8) -> None:
    """Take down a round the mukankei win in the first deal, and hand the phone on."""
    phone.kankei(*free_seats(phone))
    phone.count(1, kankei, mukankei)
    phone.save()
    phone.take_phone()


def free_seats(phone: Phone) -> tuple[int, int]:
    """Two seats, apart from each other and from the dealer's."""
    phone.find_dealer()
    seats = phone.page.locator(".ring .seat")
    dealer = next(i for i in range(6) if "is-dealer" in (seats.nth(i).get_attribute("class") or ""))
    return (dealer + 1) % 6 + 1, (dealer + 3) % 6 + 1


def stored() -> list[tuple[int, int, int]]:
    """What is recorded, as it came: round, version, face cards of the kankei in its last deal."""
    rows = Round.objects.order_by("pk")
    return [(row.number, row.version, row.facts["deals"][-1]["kankei"]) for row in rows]


def wait_for(count: int) -> None:
    """Wait until so many versions are stored."""
    wait_until(lambda: Round.objects.count() >= count)
