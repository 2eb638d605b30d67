"""Time and memory to read the largest and most difficult lists of players and archives.

    .venv/bin/python benchmarks/reading.py

reads each in a separate process and prints the table of `docs/benchmarks.md`: CPU time in seconds
and peak memory. A small file of each kind is the baseline: it shows the cost of the program itself.
"""
# ruff: noqa: E402  models can be imported once Django is set up

import os
import platform
import sys
import tempfile
from pathlib import Path

import django

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
django.setup()

from django.core.management import call_command

from tests import archive_files, entry_lists, events, reading_process
from tests.reading_process import Read
from tournaments import archives


def main() -> None:
    call_command("migrate", verbosity=0)
    archive = archives.export_archive(events.full_event(), with_private=True)
    kinds = {
        "entries": ({"small.csv": b"name\nx\n"}, entry_lists.largest()),
        "archive": ({"small.zip": archive}, dict(archive_files.largest(archive))),
    }
    print(f"Python {platform.python_version()}, {platform.machine()}:")
    print()
    print("| file | seconds of CPU time | maximum of MB |")
    print("| --- | ---: | ---: |")
    with tempfile.TemporaryDirectory() as folder:
        for kind, (small, largest) in kinds.items():
            for name, content in small.items():
                print_row(read(kind, Path(folder, name), content))
            slowest = sorted(
                (read(kind, Path(folder, name), content) for name, content in largest.items()),
                key=lambda each: -each.seconds,
            )
            for each in slowest[:3]:
                print_row(each)
            print(f"| the other {len(slowest) - 3} of this kind | ", end="")
            print(f"at most {slowest[3].seconds:.1f} | ", end="")
            print(f"at most {max(each.kilobytes for each in slowest[3:]) / 1000:.0f} |")


def read(kind: str, path: Path, content: bytes) -> Read:
    path.write_bytes(content)
    (found,) = reading_process.read(kind, path)
    return found


def print_row(found: Read) -> None:
    print(f"| {found.name} | {found.seconds:.1f} | {found.kilobytes / 1000:.0f} |")


if __name__ == "__main__":
    main()
