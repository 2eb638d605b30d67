"""A certificate of our own for the desk's https, made by Debian's `openssl` and kept.

No authority can vouch for a laptop in a gym, so browsers warn once. Whoever compares the
fingerprint then knows that nobody stands in between.
"""

from __future__ import annotations

import hashlib
import shutil
import ssl
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

DAYS = 825  # the longest that Apple's browsers take
SECONDS_LEFT = 14 * 24 * 60 * 60  # with less, it is made anew
KEY_OF = ["ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]


class NoOpenSSL(Exception):
    """Raised where the program is not installed."""


class Certificate(NamedTuple):
    """The files of a certificate and its private key, which only their owner can read."""

    certificate: Path
    key: Path

    @property
    def fingerprint(self) -> str:
        """Return the SHA-256 fingerprint as browsers show it: pairs of hexadecimal digits."""
        der = ssl.PEM_cert_to_DER_cert(self.certificate.read_text(encoding="ascii"))
        return hashlib.sha256(der).digest().hex(":").upper()

    def context(self) -> ssl.SSLContext:
        """Return what a server needs to speak https with it."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.load_cert_chain(self.certificate, self.key)
        return context


def kept(folder: Path, addresses: Sequence[str]) -> Certificate:
    """Return the certificate kept in a private folder, made where there is none that lasts.

    Raises `NoOpenSSL`.
    """
    program = shutil.which("openssl")
    if program is None:
        raise NoOpenSSL
    found = Certificate(folder / "https-certificate.pem", folder / "https-key.pem")
    if not _lasts(program, found):
        _make(program, found, addresses)
    return found


def _lasts(program: str, found: Certificate) -> bool:
    if not (found.certificate.exists() and found.key.exists()):
        return False
    asked = ["x509", "-noout", "-checkend", str(SECONDS_LEFT), "-in", str(found.certificate)]
    done = subprocess.run([program, *asked], capture_output=True, check=False)  # noqa: S603
    return done.returncode == 0


def _make(program: str, wanted: Certificate, addresses: Sequence[str]) -> None:
    """Make both files in a folder of their own, which is private, and then put them in place."""
    names = ",".join(["DNS:localhost", *(f"IP:{each}" for each in addresses)])
    with tempfile.TemporaryDirectory(dir=wanted.key.parent) as folder:
        made = Certificate(Path(folder, wanted.certificate.name), Path(folder, wanted.key.name))
        command = [program, "req", "-x509", "-nodes", "-newkey", *KEY_OF, "-days", str(DAYS)]
        command += ["-subj", "/CN=Makiyaku", "-addext", f"subjectAltName={names}"]
        command += ["-keyout", str(made.key), "-out", str(made.certificate)]
        subprocess.run(command, capture_output=True, check=True)  # noqa: S603  our own arguments
        for file, place in zip(made, wanted, strict=True):
            file.chmod(0o600)
            file.replace(place)
