"""A self-signed certificate for the desk's https, made by `openssl` and stored.

No authority issues certificates for a laptop in a gym, so browsers warn once. Whoever compares the
fingerprint excludes a man in the middle.
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

DAYS = 825  # the longest validity that Safari accepts
SECONDS_LEFT = 14 * 24 * 60 * 60  # a certificate that expires earlier is replaced
# It signs no other certificates, should somebody trust it for good.
EXTENSIONS = (
    "basicConstraints=critical,CA:FALSE",
    "keyUsage=critical,digitalSignature",
    "extendedKeyUsage=serverAuth",
)
KEY_OPTIONS = ["ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]


class NoOpenSSL(Exception):
    """The program openssl is not installed."""


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
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.load_cert_chain(self.certificate, self.key)
        return context


def ensure_certificate(folder: Path, addresses: Sequence[str]) -> Certificate:
    """Return the certificate in a private folder; a missing or expiring one is made anew.

    A new certificate is valid for localhost and these IP addresses; an existing one may be for
    other addresses. Raises `NoOpenSSL`.
    """
    program = shutil.which("openssl")
    if program is None:
        raise NoOpenSSL
    certificate = Certificate(folder / "https-certificate.pem", folder / "https-key.pem")
    if not _is_valid(program, certificate):
        _make_certificate(program, certificate, addresses)
    return certificate


def _is_valid(program: str, files: Certificate) -> bool:
    """Return whether both files exist and the certificate is valid for `SECONDS_LEFT` or longer.

    `program` is the path of openssl.
    """
    if not (files.certificate.exists() and files.key.exists()):
        return False
    arguments = ["x509", "-noout", "-checkend", str(SECONDS_LEFT), "-in", str(files.certificate)]
    completed = subprocess.run([program, *arguments], capture_output=True, check=False)  # noqa: S603
    return completed.returncode == 0


def _make_certificate(program: str, files: Certificate, addresses: Sequence[str]) -> None:
    """Make key and certificate in a private temporary folder, then move them to `files`.

    `program` is the path of openssl.
    """
    names = ",".join(["DNS:localhost", *(f"IP:{address}" for address in addresses)])
    with tempfile.TemporaryDirectory(dir=files.key.parent) as folder:
        temporary = Certificate(Path(folder, files.certificate.name), Path(folder, files.key.name))
        command = [program, "req", "-x509", "-nodes", "-newkey", *KEY_OPTIONS, "-days", str(DAYS)]
        command += ["-subj", "/CN=Makiyaku", "-addext", f"subjectAltName={names}"]
        for extension in EXTENSIONS:
            command += ["-addext", extension]
        command += ["-keyout", str(temporary.key), "-out", str(temporary.certificate)]
        subprocess.run(command, capture_output=True, check=True)  # noqa: S603  our own arguments
        for file, path in zip(temporary, files, strict=True):
            file.chmod(0o600)
            file.replace(path)
