"""Other disks and sticks that this computer has, to choose from."""

from __future__ import annotations

import os
import re
import shutil
from contextlib import suppress
from pathlib import Path
from string import ascii_uppercase
from typing import NamedTuple

from tournaments.system import files

MOUNTS = Path("/proc/self/mounts")  # on Linux
VOLUMES = Path("/Volumes")  # on macOS
DRIVES = ascii_uppercase[2:]  # on Windows, where A and B are floppy disks
NETWORK = {"nfs", "nfs4", "cifs", "smb3", "fuse.sshfs"}
SYSTEM = re.compile(r"/(boot|dev|etc|proc|run/(?!media)|snap|sys|usr)(/|$)")


class Disk(NamedTuple):
    """Where a disk is mounted, and how many bytes are free."""

    path: Path
    free: int

    @property
    def name(self) -> str:
        return self.path.name or str(self.path)


def other_disks(data_folder: Path) -> list[Disk]:
    """Return the mounted disks that can be written, without that of the data folder."""
    found = {}
    for path in _mounted_at():
        with suppress(OSError):
            device = path.stat().st_dev
            if path.is_dir() and os.access(path, os.W_OK) and is_elsewhere(path, data_folder):
                found[device] = Disk(path, shutil.disk_usage(path).free)
    return sorted(found.values())


def is_elsewhere(path: Path, data_folder: Path) -> bool:
    """Return whether a folder is on another disk than the data folder. Raises `OSError`."""
    return path.stat().st_dev != data_folder.stat().st_dev


def _mounted_at() -> list[Path]:
    if files.IS_WINDOWS:
        return [Path(f"{letter}:\\") for letter in DRIVES]  # those that are there have a device
    if not MOUNTS.exists():
        return list(VOLUMES.iterdir()) if VOLUMES.is_dir() else []
    paths = []
    for line in MOUNTS.read_text(encoding="utf-8", errors="surrogateescape").splitlines():
        device, path, kind = line.split(" ")[:3]
        path = re.sub(r"\\(\d{3})", lambda match: chr(int(match[1], 8)), path)
        is_disk = device.startswith("/dev/") or kind in NETWORK
        if is_disk and not SYSTEM.match(path):
            paths.append(Path(path))
    return paths
