"""How many connections a process keeps, and which it closes for a new one.

Phones and the desk have room of their own: of a full process, the connections of others are closed
first. A phone between two deals waits as long as any spectator.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from typing import Protocol

from tournaments.server.peer_limits import HeldBack, LivePhones

MAX_CONNECTIONS = 4000  # of a process
MAX_CONNECTIONS_ON_WINDOWS = 400  # whose `select` takes 512 sockets
MAX_UNKNOWN = 0.75  # the share of them that only phones and staff may exceed
MOST_OF_A_PEER = 300  # with the phones behind its address
OTHER_FILES = 400  # databases, files, buffers; of a process
UNLIMITED_PEERS = {"127.0.0.1", "::1"}  # the desk's own browser, or a proxy


class Open(Protocol):
    """An open connection, as `Room` sees it."""

    is_known: bool  # whether a request had the cookie or token of a phone or of staff

    @property
    def peer(self) -> str:
        """The address."""

    def is_waiting(self) -> bool:
        """Return whether the server waits for the peer, not the peer for the server."""

    def is_cut_off(self) -> bool:
        """Return whether closing it now cuts off a peer that has just opened it."""

    def handle_close(self) -> None:
        """Close it, which calls `Room.remove`."""


Order = OrderedDict[Open, None]


class Room:
    """The open connections of a process, by when they were opened or last began a request.

    - `most`: how many there may be
    - `limits_each_peer`: whether the connections of an address are limited, as at a venue, where
      each phone has an address of its own; `live_phones` raise the limit, and `held_back` records
      the addresses that exceeded it

    Only the thread of the event loop uses it.
    """

    def __init__(
        self,
        most: int,
        *,
        limits_each_peer: bool,
        live_phones: LivePhones | None = None,
        held_back: HeldBack | None = None,
    ) -> None:
        self.most, self.limits_each_peer = most, limits_each_peer
        self.live_phones = live_phones or LivePhones()
        self.held_back = held_back
        self._open: Order = OrderedDict()
        self._of_peers: defaultdict[str, Order] = defaultdict(OrderedDict)
        self._known = 0

    def add(self, connection: Open) -> None:
        self._open[connection] = self._of_peers[connection.peer][connection] = None

    def remove(self, connection: Open) -> None:
        """Does nothing if the connection was removed before."""
        if connection not in self._open:
            return
        del self._open[connection]
        self._known -= connection.is_known
        of_peer = self._of_peers[connection.peer]
        del of_peer[connection]
        if not of_peer:
            del self._of_peers[connection.peer]

    def begin_request(self, connection: Open) -> None:
        """Note that a request of this connection begins to arrive."""
        self._open.move_to_end(connection)
        self._of_peers[connection.peer].move_to_end(connection)

    def recognise(self, connection: Open) -> None:
        """Note that the connection is that of a phone or of staff."""
        if connection in self._open and not connection.is_known:
            connection.is_known = True
            self._known += 1

    def make_for(self, peer: str) -> bool:
        """Make room for a new connection of this peer, and return whether there is room.

        If a limit is reached, the connection that has waited longest for its peer is closed: one of
        this peer, or one of all.
        """
        if self.limits_each_peer and peer not in UNLIMITED_PEERS:
            limit = self.live_phones.limit(peer, min(MOST_OF_A_PEER, self.most // 2))
            of_peer = self._of_peers.get(peer, OrderedDict())
            if len(of_peer) >= limit and not self._make_of_peer(peer, of_peer):
                return False
        return self._make_of_all()

    def _make_of_peer(self, peer: str, of_peer: Order) -> bool:
        """Close a connection of a peer; return whether there was one that waits.

        Notes it in `held_back` if a connection is cut off: one just opened, or the new one.
        """
        closed = longest_waiting(of_peer, known=False) or longest_waiting(of_peer, known=True)
        if self.held_back is not None and (closed is None or closed.is_cut_off()):
            self.held_back.note(peer)
        if closed is not None:
            closed.handle_close()
        return closed is not None

    def _make_of_all(self) -> bool:
        """Close a connection if there are too many; return whether there is room.

        Above the share of the unknown, one of them is closed, unless all wait for an answer: the
        new one may be a phone's. In a full process one of a phone or of staff may be closed, too.
        """
        is_full = len(self._open) >= self.most
        is_crowded = len(self._open) - self._known >= self.most * MAX_UNKNOWN
        closed = longest_waiting(self._open, known=False) if is_full or is_crowded else None
        if closed is None and is_full:
            closed = longest_waiting(self._open, known=True)
        if closed is not None:
            closed.handle_close()
        return closed is not None or not is_full


def longest_waiting(order: Order, *, known: bool) -> Open | None:
    """Return the connection that has waited longest for its peer, of the known or the unknown."""
    return next((each for each in order if each.is_known == known and each.is_waiting()), None)


def allow_connections() -> int:
    """Raise the limit of open files of this process, and return how many connections fit in it.

    A shell's limit is often 1,024, of which the system allows to take more.
    """
    try:
        import resource  # noqa: PLC0415  not on Windows
    except ImportError:
        return MAX_CONNECTIONS_ON_WINDOWS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MAX_CONNECTIONS + OTHER_FILES
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return (
        MAX_CONNECTIONS
        if soft == resource.RLIM_INFINITY
        else min(MAX_CONNECTIONS, soft - OTHER_FILES)
    )
