"""Disks that can be filled: file systems of a few megabytes, in a mount namespace of their own."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from tests.programs import find_program


def in_own_mounts() -> list[str]:
    """Return the beginning of a command that may mount file systems, also without being root.

    In a changed root "/" is no mount that could be made private. What is then seen outside of our
    mounts is to be taken away at the end.
    """
    as_root = [] if os.geteuid() == 0 else ["--map-root-user"]
    return [find_program("unshare"), "--mount", "--propagation", "unchanged", *as_root]


def fill(filler: Path) -> None:
    """`filler` is a file that takes all free space."""
    with filler.open("wb", buffering=0) as file:
        for size in (1 << 20, 4096):
            with suppress(OSError):
                while file.write(bytes(size)) == size:
                    pass
