"""How pages are written to a target: as they are, or encrypted with a key from a passphrase.

AES-256-GCM: each record is a random nonce, the ciphertext and a tag. What a record is for, such as
its page's index, is authenticated with it, so that no record can stand in another's place.
"""

from __future__ import annotations

import hashlib
import os
import secrets
from typing import Any

NONCE, TAG, KEY = 12, 16, 32  # bytes
# 64 MB and a quarter of a second for each guess; stored beside the salt.
SCRYPT = {"n": 2**16, "r": 8, "p": 1}


class WrongKey(Exception):
    """A record was not written with this key, or not for this place, or is damaged."""


class Plain:
    """Records are the pages themselves."""

    overhead = 0

    def seal(self, _place: str, page: bytes) -> bytes:
        return page

    def unseal(self, _place: str, record: bytes) -> bytes:
        return record


class Encrypted:
    """Records are `overhead` bytes longer than the pages."""

    overhead = NONCE + TAG

    def __init__(self, key: bytes) -> None:
        """`key` comes from `derive_key`."""
        # 30 ms and 6 MB for those who have chosen a passphrase only.
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: PLC0415

        self._aead = AESGCM(key)

    def seal(self, place: str, page: bytes) -> bytes:
        nonce = os.urandom(NONCE)
        return nonce + self._aead.encrypt(nonce, page, place.encode())

    def unseal(self, place: str, record: bytes) -> bytes:
        """Return the page. Raises `WrongKey`."""
        from cryptography.exceptions import InvalidTag  # noqa: PLC0415

        try:
            return self._aead.decrypt(record[:NONCE], record[NONCE:], place.encode())
        except (InvalidTag, ValueError) as error:
            raise WrongKey from error


Cipher = Plain | Encrypted


def new_parameters() -> dict[str, Any]:
    """Return the parameters of a new key as JSON: the cost of a guess, and a random salt."""
    return {**SCRYPT, "salt": secrets.token_hex(16)}


def derive_key(passphrase: str, parameters: dict[str, Any]) -> bytes:
    cost = {name: int(parameters[name]) for name in SCRYPT}
    salt = bytes.fromhex(parameters["salt"])
    # OpenSSL's usual limit is 32 MB.
    return hashlib.scrypt(passphrase.encode(), salt=salt, maxmem=2**28, dklen=KEY, **cost)


def cipher_for(key: str) -> Cipher:
    """Return the cipher for a key in hexadecimal; `Plain` for an empty one."""
    return Encrypted(bytes.fromhex(key)) if key else Plain()
