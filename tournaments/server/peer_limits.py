"""How many connections a network address may have at a venue, and which were held back.

Usually each phone has an address of its own. Behind a router many phones share one, so each phone
that has lately written or read as the phone of a table raises the limit. Files in a folder report
the addresses held back to the other processes and the desk.
"""

from __future__ import annotations

import ipaddress
import time
from collections import defaultdict
from contextlib import suppress
from pathlib import Path

from tournaments.system.files import fit_name

LIVE_PHONE = "makiyaku.live_phone"  # in the WSGI environment: the phone that the application found
MAX_CONNECTIONS_OF_A_PEER = 12  # in a process: twice what a browser opens
CONNECTIONS_OF_A_PHONE = 6  # what a browser opens
SECONDS_LIVE = 120.0  # after its last request; a phone asks every ten seconds
SECONDS_TOLD = 600.0  # after a connection was held back
SECONDS_BETWEEN_NOTES = 10.0
MOST_NOTES = 50


class LivePhones:
    """The phones that have lately sent a request to this process, by address.

    Threads add phones while the event loop counts them: each call is atomic enough for a limit.
    """

    def __init__(self) -> None:
        self._seen_at: dict[str, dict[int, float]] = defaultdict(dict)

    def add(self, peer: str, phone: int) -> None:
        """Note that a phone, given by its primary key, has sent a request from this address."""
        self._seen_at[peer][phone] = time.monotonic()

    def limit(self, peer: str, most: int) -> int:
        """Return how many connections an address may have, at most `most` with its phones."""
        since = time.monotonic() - SECONDS_LIVE
        live = {phone: at for phone, at in self._seen_at.pop(peer, {}).items() if at >= since}
        if live:
            self._seen_at[peer] = live
        phones = CONNECTIONS_OF_A_PHONE * len(live)
        return max(MAX_CONNECTIONS_OF_A_PEER, min(MAX_CONNECTIONS_OF_A_PEER + phones, most))


class HeldBack:
    """The addresses whose connections were held back, as files in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._noted_at: dict[str, float] = {}

    def note(self, peer: str) -> None:
        """Note that a connection of this address was held back. Writes at most every 10 seconds."""
        now = time.monotonic()
        if now - self._noted_at.get(peer, -SECONDS_BETWEEN_NOTES) < SECONDS_BETWEEN_NOTES:
            return
        if len(self._noted_at) >= MOST_NOTES:
            self._noted_at.clear()
        self._noted_at[peer] = now
        with suppress(OSError, ValueError):
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if len(list(self._folder.iterdir())) < MOST_NOTES:
                address = str(ipaddress.ip_address(peer))
                (self._folder / fit_name(address)).write_text(address, encoding="ascii")

    def recent(self) -> list[str]:
        """Return the addresses held back within ten minutes, and forget the others."""
        addresses = []
        with suppress(OSError):
            for note in sorted(self._folder.iterdir()):
                if time.time() - note.stat().st_mtime <= SECONDS_TOLD:
                    addresses += note.read_text(encoding="ascii").split()  # none if just made
                else:
                    note.unlink(missing_ok=True)
        return addresses
