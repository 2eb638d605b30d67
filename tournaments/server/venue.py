"""What a laptop in a gym needs besides the app: private folder, key, first account, address.

`manage.py serve` puts these together. Production brings its own and uses none of this.
"""

import fcntl
import os
import secrets
import socket
import struct
import tempfile
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractUser

DIRECTOR = "director"
CONSONANTS = "bdghkmnrstwyz"
VOWELS = "aeiou"

SIOCGIFADDR = 0x8915  # Linux: the IPv4 address of a network interface
ROUTES, ANYWHERE = Path("/proc/net/route"), "00000000"  # Linux, too
ANY_ADDRESS_OUTSIDE = ("192.0.2.1", 9)  # reserved for documentation; nothing is sent there


def prepare_folder(folder: Path) -> None:
    """Make the folder if need be, and close it to other accounts of the machine."""
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o700)


def write_private(path: Path, text: str) -> None:
    """Write a file that only its owner can read, from the first byte on: whole, or not at all."""
    with tempfile.NamedTemporaryFile("w", encoding="ascii", dir=path.parent, delete=False) as new:
        new.write(f"{text}\n")
        new.flush()
        os.fsync(new.fileno())
    Path(new.name).replace(path)


def secret_key(path: Path) -> str:
    """Return the key kept in this file, made the first time: log-ins outlive a restart."""
    if not (path.exists() and path.read_text(encoding="ascii").strip()):
        write_private(path, secrets.token_urlsafe(48))
    return path.read_text(encoding="ascii").strip()


def first_director_password(path: Path) -> str | None:
    """Make the first account if there is none; return its password while it is the one we made.

    The file goes once the director has chosen a password, so that no stale one is ever printed.
    """
    users = get_user_model()._default_manager
    if not users.exists():
        path.unlink(missing_ok=True)
        write_private(path, readable_password())
        get_user_model().objects.create_superuser(DIRECTOR, password=_kept(path))
    if not path.exists():
        return None
    director = users.filter(username=DIRECTOR).first()
    if isinstance(director, AbstractUser) and director.check_password(_kept(path)):
        return _kept(path)
    path.unlink()
    return None


def _kept(path: Path) -> str:
    return path.read_text(encoding="ascii").strip()


def readable_password() -> str:
    """Return a password to read aloud over the noise of a gym: four pairs of syllables, 48 bits."""
    syllable = [consonant + vowel for consonant in CONSONANTS for vowel in VOWELS]
    return "-".join(secrets.choice(syllable) + secrets.choice(syllable) for _ in range(4))


def is_free(host: str, port: int) -> bool:
    """Return whether nobody else listens there."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as the server will
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True


def lan_addresses() -> list[str]:
    """Return the IPv4 addresses under which phones may reach this machine, the likeliest first."""
    names = [name for _, name in socket.if_nameindex()]
    leading_on = _interface_leading_on()
    names.sort(key=lambda name: name != leading_on)
    found = (
        [_address_of(name) for name in names] if ROUTES.exists() else [_address_towards_outside()]
    )
    return [
        address for address in dict.fromkeys(found) if address and not address.startswith("127.")
    ]


def origins(asked: str) -> list[str]:
    """Return under which addresses phones reach what was asked for as `asked`, the likeliest first.

    Whoever works at this machine itself may ask for localhost, which on a phone is the phone.

    >>> origins("http://192.168.1.7:8000")
    ['http://192.168.1.7:8000']
    """
    address = urlsplit(asked)
    if not is_this_machine(address.hostname or ""):
        return [asked]
    port = f":{address.port}" if address.port else ""
    return [f"{address.scheme}://{each}{port}" for each in lan_addresses()] or [asked]


def is_this_machine(host: str) -> bool:
    """Return whether a host name or address is the loopback one, which no phone reaches."""
    return host in {"localhost", "::1"} or host.startswith("127.")


def _interface_leading_on() -> str | None:
    """Return the interface that leads beyond the local network, if there is one."""
    if not ROUTES.exists():
        return None
    rows = [line.split() for line in ROUTES.read_text(encoding="ascii").splitlines()[1:]]
    ways = [(int(row[6]), row[0]) for row in rows if row[1] == ANYWHERE]  # metric, interface
    return min(ways)[1] if ways else None  # a gym's Wi-Fi often leads nowhere


def _address_towards_outside() -> str | None:
    """Return the address a system without `ROUTES` would use; choosing it sends nothing yet."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(ANY_ADDRESS_OUTSIDE)
        return str(probe.getsockname()[0])
    return None


def _address_of(interface: str) -> str | None:
    request = struct.pack("256s", interface.encode())
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        return socket.inet_ntoa(fcntl.ioctl(probe.fileno(), SIOCGIFADDR, request)[20:24])
    return None  # it has none
