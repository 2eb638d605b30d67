"""The disk images that a power cut can leave, rebuilt from a program's system calls.

Between two syncs a disk writes in any order. After a power cut each unsynced sector may be present
or not, and so may a file's name until its folder is synced.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

SECTOR = 512
CALLS = "openat,write,pwrite64,pwritev,writev,ftruncate,fallocate,fsync,fdatasync,unlink,rename"
STRACE = (
    *("strace", "--follow-forks", "--decode-fds=path", "--strings-in-hex=all"),
    *("--string-limit=1000000", "--seccomp-bpf", f"--trace={CALLS}"),
)
Image = dict[str, bytes]  # the content of each file of a folder

_CALL = re.compile(r"(?:\d+ +)?(?P<name>\w+)\((?P<arguments>.*)\) += (?P<result>\d+)")
_TEXT = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')
_DESCRIPTOR = re.compile(r"(\d+)<((?:\\x[0-9a-f]{2})*)>")


@dataclass
class Write:
    """Bytes written at an offset, or with `data` None a new size."""

    offset: int
    data: bytes | None

    def pieces(self) -> Iterator[Write]:
        """Split at sector boundaries: a disk writes sectors atomically."""
        if self.data is None:
            yield self
            return
        begin = 0
        while begin < len(self.data):
            end = begin + SECTOR - (self.offset + begin) % SECTOR
            yield Write(self.offset + begin, self.data[begin:end])
            begin = end

    def done_to(self, content: bytearray) -> None:
        if self.data is None:
            del content[self.offset :]
        content.extend(bytes(max(0, self.offset - len(content))))
        if self.data is not None:
            content[self.offset : self.offset + len(self.data)] = self.data


@dataclass
class File:
    """The synced content of a file, and the writes since."""

    synced: bytes = b""
    since: list[Write] = field(default_factory=list)

    def content(self, dice: Random | None, chance: float) -> bytes:
        """Return the content with some or all of the writes since."""
        content = bytearray(self.synced)
        for write in self.since:
            for piece in write.pieces():
                if dice is None or dice.random() < chance:
                    piece.done_to(content)
        return bytes(content)

    def sync(self) -> None:
        self.synced = self.content(None, 1)
        self.since.clear()


class Disk:
    """A folder of files, as a program sees it and as a power cut leaves it."""

    def __init__(self, folder: Path) -> None:
        """The present content of the folder counts as synced."""
        self.folder = folder
        self.names: dict[str, File] = {
            path.name: File(path.read_bytes()) for path in folder.iterdir() if path.is_file()
        }
        self.synced_names = dict(self.names)
        self.renamed: list[tuple[str, File | None]] = []

    def after_a_power_cut(self, dice: Random, chance: float) -> Image:
        """Return an image: everything synced, and each other sector at random."""
        names = dict(self.synced_names)
        for name, file in self.renamed:
            if dice.random() < chance:
                names[name] = file or File()
                if file is None:
                    del names[name]
        return {name: file.content(dice, chance) for name, file in names.items()}

    def play(self, log: Iterator[str]) -> Iterator[str | None]:
        """Replay a log; after each step yield the line that the program printed, or None."""
        for line in log:
            call = _CALL.match(line)
            if call is None or self._hex(self.folder) not in call["arguments"]:
                printed = self._printed(call)
                if printed is not None:
                    yield printed
                continue
            self._do(call["name"], call["arguments"])
            yield None

    def _do(self, name: str, arguments: str) -> None:
        opened, said = _DESCRIPTOR.match(arguments), _TEXT.findall(arguments)
        file = self.names.get(self._name(opened[2])) if opened else None
        match name:
            case "openat":
                self._open(self._name(said[0]), arguments)
            case "pwrite64" if file is not None:
                file.since.append(Write(int(arguments.rpartition(",")[2]), _bytes(said[0])))
            case "ftruncate" if file is not None:
                file.since.append(Write(int(arguments.rpartition(",")[2]), None))
            case "fsync" | "fdatasync" if file is not None:
                file.sync()
            case "fsync" | "fdatasync" if opened and _path(opened[2]) == self.folder:
                self.synced_names, self.renamed = dict(self.names), []
            case "unlink":
                del self.names[self._name(said[0])]
                self.renamed.append((self._name(said[0]), None))
            case _:
                message = f"This disk does not know what to make of {name}({arguments[:200]}"
                raise NotImplementedError(message)

    def _open(self, name: str, arguments: str) -> None:
        if "O_CREAT" in arguments and name not in self.names:
            self.names[name] = File()
            self.renamed.append((name, self.names[name]))
        if "O_TRUNC" in arguments:
            self.names[name].since.append(Write(0, None))

    def _name(self, said: str) -> str:
        return str(_path(said).relative_to(self.folder))

    def _printed(self, call: re.Match[str] | None) -> str | None:
        if call and call["name"] == "write" and call["arguments"].startswith("1<"):
            return _bytes(_TEXT.findall(call["arguments"])[0]).decode()
        return None

    @staticmethod
    def _hex(path: Path) -> str:
        return "".join(f"\\x{byte:02x}" for byte in bytes(path))


def _bytes(said: str) -> bytes:
    return bytes.fromhex(said.replace("\\x", ""))


def _path(said: str) -> Path:
    return Path(_bytes(said).decode())
