"""The event loop asks a channel what it waits for only when that may have changed."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from typing import Any

import pytest

from tournaments.server.event_loop import Channels


class Channel:
    """A channel that reads what arrives, and notes how often it is asked."""

    accepting = False

    def __init__(self, channels: Any) -> None:
        self.socket, self.peer = socket.socketpair()
        self.channels, self.is_settled, self.reads = channels, True, True
        self.asked, self.received = 0, b""
        self.closes: Channel | None = None  # when something arrives
        self._fileno: int | None = self.socket.fileno()
        channels[self.socket.fileno()] = self

    def readable(self) -> bool:
        self.asked += 1
        return self.reads

    def writable(self) -> bool:
        return False

    def handle_read_event(self) -> None:
        self.received += self.socket.recv(100)
        if self.closes is not None:
            self.closes.close()

    def close(self) -> None:
        if self._fileno is not None:
            del self.channels[self._fileno]
        self._fileno = None
        self.socket.close()
        self.peer.close()


@pytest.fixture
def channels() -> Iterator[Channels]:
    channels = Channels()
    yield channels
    for channel in list[Any](channels.values()):
        channel.close()


def test_settled_channel_is_asked_once_until_something_arrives(channels: Channels) -> None:
    idle, busy = Channel(channels), Channel(channels)
    for number in range(10):
        busy.peer.send(b"x")
        channels.poll(1)
        assert busy.received == b"x" * (number + 1)
    assert (idle.asked, idle.received) == (1, b"")


def test_unsettled_channel_is_asked_before_each_wait(channels: Channels) -> None:
    channel = Channel(channels)
    channel.is_settled = channel.reads = False
    channel.peer.send(b"x")
    for _ in range(3):
        channels.poll(0)
    assert (channel.asked, channel.received) == (3, b"")
    channel.is_settled = channel.reads = True
    channels.poll(1)
    assert channel.received == b"x"


def test_channel_is_asked_again_on_demand(channels: Any) -> None:
    channel = Channel(channels)
    channel.reads = False
    channels.poll(0)
    channel.peer.send(b"x")
    channel.reads = True
    channels.poll(0)
    assert channel.received == b""
    channels.ask_again(channel)
    channels.poll(1)
    assert channel.received == b"x"


def test_event_of_a_channel_that_was_closed_meanwhile_is_dropped(channels: Channels) -> None:
    first, second = Channel(channels), Channel(channels)
    first.closes, second.closes = second, first
    for each in (first, second):
        each.peer.send(b"x")
    channels.poll(1)
    assert sorted([first.received, second.received]) == [b"", b"x"]
    assert len(channels) == 1


def test_descriptor_is_used_again(channels: Channels) -> None:
    first = Channel(channels)
    channels.poll(0)
    descriptor = first._fileno
    first.close()
    second = Channel(channels)
    assert second._fileno == descriptor
    second.peer.send(b"x")
    channels.poll(1)
    assert second.received == b"x"
