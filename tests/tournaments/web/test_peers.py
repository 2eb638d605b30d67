"""Who sends a request is told by address only where every phone has its own."""

from __future__ import annotations

import pytest
from django.test import RequestFactory
from pytest_django import Settings

from tournaments.server import proxies
from tournaments.web import peers

PHONE, THIS_MACHINE = "192.168.1.7", "127.0.0.1"


@pytest.fixture
def at_venue(settings: Settings) -> None:
    settings.VENUE = True


def asked_by(address: str, **headers: str) -> str | None:
    request = RequestFactory().get("/", REMOTE_ADDR=address, headers=headers)
    return peers.peer_of(request)


@pytest.mark.usefixtures("at_venue")
def test_peer_at_a_venue_is_the_address() -> None:
    assert asked_by(PHONE) == PHONE
    assert asked_by(THIS_MACHINE) == THIS_MACHINE


@pytest.mark.parametrize(
    ("address", "forwarded", "peer"),
    [
        (THIS_MACHINE, "", None),
        (THIS_MACHINE, "198.51.100.9, 203.0.113.7", "203.0.113.7"),
        (THIS_MACHINE, f"203.0.113.7, {THIS_MACHINE}", "203.0.113.7"),
        (THIS_MACHINE, "203.0.113.7, unknown", None),
        (THIS_MACHINE, "2001:db8:1:2:3::4", "2001:db8:1:2::/64"),
        ("198.51.100.1", "203.0.113.7", "198.51.100.1"),
        ("::ffff:198.51.100.1", "", "198.51.100.1"),
    ],
)
def test_elsewhere_trusted_proxies_tell_the_peer(
    address: str, forwarded: str, peer: str | None
) -> None:
    told = {proxies.PEER: proxies.client_address(address, forwarded, [THIS_MACHINE])}
    request = RequestFactory().get("/")
    request.META |= {"REMOTE_ADDR": address, **told}
    assert peers.peer_of(request) == peer
    assert not peers.is_from_this_machine(request)
    assert not peers.is_at_venue(request)


def test_without_our_server_there_are_no_peers() -> None:
    assert asked_by(THIS_MACHINE) is None
    assert asked_by(PHONE) is None


@pytest.mark.usefixtures("at_venue")
@pytest.mark.parametrize("header", peers.PROXY_HEADERS)
def test_headers_do_not_change_the_address_of_a_phone(header: str) -> None:
    assert asked_by(PHONE, **{header: THIS_MACHINE}) == PHONE


@pytest.mark.usefixtures("at_venue")
@pytest.mark.parametrize("header", peers.PROXY_HEADERS)
def test_a_proxy_on_this_machine_is_recognised_by_its_headers(header: str) -> None:
    assert asked_by(THIS_MACHINE, **{header: PHONE}) is None


@pytest.mark.usefixtures("at_venue")
@pytest.mark.parametrize(
    ("address", "answer"), [(THIS_MACHINE, True), ("::1", True), (PHONE, False)]
)
def test_this_machine_is_recognised(address: str, answer: bool) -> None:
    request = RequestFactory().get("/", REMOTE_ADDR=address)
    assert peers.is_from_this_machine(request) is answer


@pytest.mark.usefixtures("at_venue")
@pytest.mark.parametrize("address", ["", "unix"])
def test_unix_socket_is_not_this_machine(address: str) -> None:
    request = RequestFactory().get("/", REMOTE_ADDR=address)
    assert not peers.is_from_this_machine(request)


def test_without_peers_nobody_is_this_machine() -> None:
    assert not peers.is_from_this_machine(RequestFactory().get("/", REMOTE_ADDR=THIS_MACHINE))
