"""Announcing the tournament's address. On loopback every address is this machine's."""

from __future__ import annotations

import socket

import pytest

from tournaments.server import announcing, venue


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
