"""What `manage.py serve` sets up on a laptop: private folder, secret key and first account.

Also finds the addresses at which phones reach the laptop. Production uses none of this.
"""

import os
import secrets
import socket
import struct
import tempfile
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractUser

DIRECTOR = "director"
CONSONANTS = "bdghkmnrstwyz"
VOWELS = "aeiou"
PORT, DESK_PORT = 8000, 8443  # of http and https, unless others are named

SIOCGIFADDR = 0x8915  # on Linux, requests the IPv4 address of a network interface
ROUTES, ANYWHERE = Path("/proc/net/route"), "00000000"  # on Linux
ANY_ADDRESS_OUTSIDE = ("192.0.2.1", 9)  # reserved for documentation; nothing is sent to it


def prepare_folder(folder: Path) -> None:
    """Create the folder if missing, readable by its owner only."""
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o700)


def write_private(path: Path, text: str) -> None:
    """Write a line of ASCII to a file atomically, readable by its owner only."""
    with tempfile.NamedTemporaryFile("w", encoding="ascii", dir=path.parent, delete=False) as new:
        new.write(f"{text}\n")
        new.flush()
        os.fsync(new.fileno())
    Path(new.name).replace(path)


def ensure_secret_key(path: Path) -> str:
    """Return the secret key in this file, which is created the first time.

    Since the key is stored, log-ins survive a restart of the server.
    """
    if not (path.exists() and path.read_text(encoding="ascii").strip()):
        write_private(path, secrets.token_urlsafe(48))
    return path.read_text(encoding="ascii").strip()


def ensure_first_director(path: Path) -> str | None:
    """Create the first account if there is none, and return its initial password.

    The password is stored in the file `path`. Once the director has chosen another password, the
    file is deleted, and None is returned.
    """
    users = get_user_model()._default_manager
    if not users.exists():
        path.unlink(missing_ok=True)
        write_private(path, readable_password())
        get_user_model().objects.create_superuser(DIRECTOR, password=_read_line(path))
    if not path.exists():
        return None
    director = users.filter(username=DIRECTOR).first()
    if isinstance(director, AbstractUser) and director.check_password(_read_line(path)):
        return _read_line(path)
    path.unlink()
    return None


def _read_line(path: Path) -> str:
    """Return the content of a file that `write_private` wrote."""
    return path.read_text(encoding="ascii").strip()


def readable_password() -> str:
    """Return a password that is easy to read aloud: four pairs of syllables, 48 bits."""
    syllables = [consonant + vowel for consonant in CONSONANTS for vowel in VOWELS]
    return "-".join(secrets.choice(syllables) + secrets.choice(syllables) for _ in range(4))


def has_address(address: str) -> bool:
    """Return whether this machine has an IPv4 address, also as an additional one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.bind((address, 0))
        except OSError:
            return False
    return True


def lan_addresses() -> list[str]:
    """Return the IPv4 addresses at which phones may reach this machine.

    The tournament's address (`serve --address`) comes first, then that on the default route.
    Loopback addresses are left out.
    """
    addresses = _interface_addresses() or [_default_route_address()]
    return [
        address
        for address in dict.fromkeys([settings.ADDRESS, *addresses])
        if address and not address.startswith("127.")
    ]


def phone_origins(origin: str) -> list[str]:
    """Return the origins at which phones may reach the server, the likeliest first.

    `origin` is the one that a browser uses. If it is localhost, as in the browser of the laptop
    itself, the laptop's addresses replace it, if it has any. The tournament's address, which
    another laptop can take over, comes before any other.

    >>> phone_origins("http://192.168.1.7:8000")
    ['http://192.168.1.7:8000']
    """
    address = urlsplit(origin)
    port = f":{address.port}" if address.port else ""
    if not is_loopback(address.hostname or ""):
        tournaments = [f"{address.scheme}://{settings.ADDRESS}{port}"] if settings.ADDRESS else []
        return list(dict.fromkeys([*tournaments, origin]))
    return [f"{address.scheme}://{host}{port}" for host in lan_addresses()] or [origin]


def is_loopback(host: str) -> bool:
    return host in {"localhost", "::1"} or host.startswith("127.")


def default_route_interface() -> str | None:
    """Return the name of the network interface of the default route; None if it has none.

    Of several default routes it is that with the lowest metric. None also on other systems than
    Linux.
    """
    if not ROUTES.exists():
        return None
    lines = ROUTES.read_text(encoding="ascii").splitlines()[1:]
    columns = [line.split() for line in lines]  # interface, destination, …; the seventh is metric
    routes = [(int(each[6]), each[0]) for each in columns if each[1] == ANYWHERE]
    return min(routes)[1] if routes else None  # none on a Wi-Fi without the internet


def _default_route_address() -> str | None:
    """Return this machine's IPv4 address on the default route, or None without such a route.

    Nothing is sent: connecting a datagram socket only chooses the route.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(ANY_ADDRESS_OUTSIDE)
        return str(probe.getsockname()[0])
    return None


def _interface_addresses() -> list[str | None]:
    """Return the IPv4 addresses of the network interfaces, that on the default route first.

    None for an interface without one. On Linux only; elsewhere an empty list.
    """
    try:
        import fcntl  # noqa: PLC0415
    except ImportError:
        return []
    if not ROUTES.exists():
        return []
    preferred = default_route_interface()
    names = sorted((name for _, name in socket.if_nameindex()), key=lambda name: name != preferred)

    def address_of(interface: str) -> str | None:
        request = struct.pack("256s", interface.encode())
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
            return socket.inet_ntoa(fcntl.ioctl(probe.fileno(), SIOCGIFADDR, request)[20:24])
        return None

    return [address_of(name) for name in names]
