"""The event loop of a process: waitress's channels, registered with the system's selector.

waitress's own loop asks every channel before each wait, so that a thousand idle connections double
the price of an answer. This one asks a channel again only after an event, or while a thread may
change it.
"""

from __future__ import annotations

from selectors import EVENT_READ, EVENT_WRITE, DefaultSelector

from waitress.wasyncore import dispatcher


class Channels(dict[int, dispatcher]):
    """waitress's channels by file descriptor, and the events that each waits for.

    A channel with `is_settled` false is asked before each wait: its state changes without an event.
    Other threads only call `ask_again`.
    """

    def __init__(self) -> None:
        super().__init__()
        self._selector = DefaultSelector()
        self._registered: dict[int, int] = {}  # events by file descriptor
        self._to_ask: set[dispatcher] = set()

    def __setitem__(self, descriptor: int, channel: dispatcher) -> None:
        """Add a channel. waitress does so while constructing it, so it is asked later."""
        super().__setitem__(descriptor, channel)
        self._to_ask.add(channel)

    def __delitem__(self, descriptor: int) -> None:
        """Remove a channel before its descriptor is closed."""
        self._to_ask.discard(self[descriptor])
        self._register(descriptor, None, 0)
        super().__delitem__(descriptor)

    def ask_again(self, channel: dispatcher) -> None:
        """Ask a channel before the next wait which events it waits for."""
        self._to_ask.add(channel)

    def poll(self, timeout: float) -> None:
        """Wait at most this many seconds for events, and let their channels handle them."""
        for channel in list(self._to_ask):
            self._ask(channel)
        for key, ready in self._selector.select(timeout):
            channel = key.data
            if self.get(key.fd) is not channel:
                continue  # closed by an earlier event
            events = ready & self._ask(channel)  # a thread may have changed it during the wait
            _handle(channel, events)
            self._to_ask.add(channel)

    def _ask(self, channel: dispatcher) -> int:
        """Register the events that a channel waits for now, and return them.

        The order matters: a thread changes the channel first, and then calls `ask_again` or wakes
        the loop.
        """
        self._to_ask.discard(channel)
        descriptor = channel._fileno  # noqa: SLF001  None if it is closed
        if descriptor is None or self.get(descriptor) is not channel:
            return 0
        if not getattr(channel, "is_settled", True):
            self._to_ask.add(channel)
        events = EVENT_READ * bool(channel.readable())
        events |= EVENT_WRITE * bool(channel.writable() and not channel.accepting)
        self._register(descriptor, channel, events)
        return events

    def _register(self, descriptor: int, channel: dispatcher | None, events: int) -> None:
        registered = self._registered.pop(descriptor, 0)
        if events:
            self._registered[descriptor] = events
        if events == registered:
            return
        if not registered:
            self._selector.register(descriptor, events, channel)
        elif events:
            self._selector.modify(descriptor, events, channel)
        else:
            self._selector.unregister(descriptor)


def _handle(channel: dispatcher, events: int) -> None:
    """As waitress's `readwrite`, which needs constants that Windows does not have."""
    try:
        if events & EVENT_READ:
            channel.handle_read_event()
        if events & EVENT_WRITE:
            channel.handle_write_event()
    except OSError:  # the peer has gone
        channel.handle_close()
    except Exception:  # noqa: BLE001  waitress logs it and closes
        channel.handle_error()
