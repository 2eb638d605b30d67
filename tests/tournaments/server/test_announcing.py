"""The tournament's address and how it is announced. On loopback every address is this machine's."""

from __future__ import annotations

import socket
from io import StringIO
from queue import SimpleQueue

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from tests import live
from tests.faults.serving import free_port
from tournaments.management.commands import serve
from tournaments.server import announcing, venue


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the hosts that `serve` would listen on from now on: nothing is prepared or served."""
    hosts: list[str] = []
    monkeypatch.setenv("LC_ALL", "en_GB.UTF-8")
    monkeypatch.setattr(venue, "_interface_addresses", lambda: ["192.168.1.7", "192.168.1.250"])
    monkeypatch.setattr(serve.Command, "prepare", lambda *_, **__: None)
    monkeypatch.setattr(serve, "run_server", lambda host, *_: hosts.append(host))
    return hosts


def test_serve_shows_the_address_first(
    served: list[str], settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.ADDRESS, port, printed = "", free_port(), StringIO()
    monkeypatch.setattr(venue, "has_address", lambda address: address == "192.168.1.250")
    call_command("serve", address="192.168.1.250", port=port, stdout=printed)
    own, other = (f"On phones: http://{each}:{port}/" for each in ("192.168.1.250", "192.168.1.7"))
    assert printed.getvalue().index(own) < printed.getvalue().index(other)
    assert printed.getvalue().count("On phones: ") == 2
    assert (settings.ADDRESS, len(served)) == ("192.168.1.250", 1)
    assert serve.addresses_of(served[0]) == ["192.168.1.250", "192.168.1.7"]  # of the certificate


def test_serve_refuses_an_address_that_this_machine_does_not_have(
    served: list[str], settings: Settings
) -> None:
    settings.ADDRESS = ""
    with pytest.raises(CommandError, match=r"sudo ip address add 192\.0\.2\.1/24 dev "):
        call_command("serve", address="192.0.2.1", port=free_port())
    assert (settings.ADDRESS, served) == ("", [])


def test_nothing_is_announced_without_an_address(monkeypatch: pytest.MonkeyPatch) -> None:
    announced: SimpleQueue[str] = SimpleQueue()
    monkeypatch.setattr(announcing, "announce", announced.put)
    for address in ("", "192.168.1.250"):
        announcing.start(address)
    assert announced.get(timeout=live.PATIENCE) == "192.168.1.250"
    assert announced.empty()


def test_packets_come_from_the_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep", lambda _seconds: None)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as neighbour:
        neighbour.bind(("127.0.0.3", 0))
        neighbour.settimeout(10)
        monkeypatch.setattr(announcing, "DISCARD", neighbour.getsockname()[1])
        monkeypatch.setattr("random.choice", lambda _hosts: "127.0.0.3")
        announcing.announce("127.0.0.2", seconds=3)
        senders = {neighbour.recvfrom(10)[1][0] for _ in range(3)}
    assert senders == {"127.0.0.2"}


def test_neighbours_are_others_of_the_network() -> None:
    found = announcing.neighbours("10.1.2.3")
    seen = {next(found) for _ in range(2000)}
    assert "10.1.2.3" not in seen
    assert {each.rpartition(".")[0] for each in seen} == {"10.1.2"}
    assert not seen & {"10.1.2.0", "10.1.2.255"}


def test_addresses_of_this_machine_are_known_also_additional_ones() -> None:
    assert venue.has_address("127.0.0.2")
    assert not venue.has_address("192.0.2.1")  # reserved for documentation
    assert not venue.has_address("no address")
