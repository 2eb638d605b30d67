"""Recording a round on a phone, and the versions stored by the server."""

from __future__ import annotations

from tests.live import wait_until
from tests.phones.conftest import Phone
from tournaments.models import Round


def record_round(phone: Phone, kankei: int = 5, mukankei: int = 8) -> None:
    """Record a round that the mukankei win in the first deal, and pass the phone on."""
    phone.kankei(*free_seats(phone))
    phone.count(1, kankei, mukankei)
    phone.save()
    phone.take_phone()


def free_seats(phone: Phone) -> tuple[int, int]:
    """Return two seats that are neither neighbours nor the dealer's."""
    phone.choose_dealer()
    seats = phone.page.locator(".ring .seat")
    dealer = next(i for i in range(6) if "is-dealer" in (seats.nth(i).get_attribute("class") or ""))
    return (dealer + 1) % 6 + 1, (dealer + 3) % 6 + 1


def stored() -> list[tuple[int, int, int]]:
    """Return round, version and the kankei's count of the last deal, in the order stored."""
    rows = Round.objects.order_by("pk")
    return [(row.number, row.version, row.facts["deals"][-1]["kankei"]) for row in rows]


def wait_for_versions(count: int) -> None:
    wait_until(lambda: Round.objects.count() >= count)
