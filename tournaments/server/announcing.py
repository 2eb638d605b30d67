"""Tell the devices of the network that this machine has the tournament's address now.

If the laptop that had the address is gone, phones send to its hardware address until their entry of
ARP has aged, 24 s and more. A packet to a neighbour lets the system ask for the neighbour's
hardware address, by a broadcast that names ours; all who have an entry for our address update it
(RFC 826). This needs no rights.
"""

from __future__ import annotations

import ipaddress
import itertools
import random
import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from threading import Thread

SECONDS = 60
DISCARD = 9  # the port of a service that answers nothing (RFC 863)
USUAL_PREFIX = 24  # that of networks in which phones are; only neighbours are asked for


def start(address: str) -> None:
    """Announce an address once a second for a minute, in a thread. Nothing without an address."""
    if address:
        Thread(target=announce, args=(address,), daemon=True, name="announcing").start()


def announce(address: str, seconds: int = SECONDS) -> None:
    """Send a packet a second. Errors are ignored: the next second is another try."""
    for neighbour in itertools.islice(neighbours(address), seconds):
        with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            sender.bind((address, 0))
            sender.sendto(b"", (neighbour, DISCARD))
        time.sleep(1)


def neighbours(address: str) -> Iterator[str]:
    """Return random other addresses of the network, as each is asked for only while unknown.

    >>> next(neighbours("192.168.1.50")).rpartition(".")[0]
    '192.168.1'
    """
    network = ipaddress.IPv4Interface(f"{address}/{USUAL_PREFIX}").network
    hosts = [str(host) for host in network.hosts() if str(host) != address]
    while True:
        yield random.choice(hosts)  # noqa: S311  any
