"""Draw sessions from the command line, without a database."""

from __future__ import annotations

import os
import secrets
import signal
import sys
import time
from argparse import ArgumentParser
from pathlib import Path
from types import FrameType
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from scoring.answers import as_line
from tournaments.draws.answers import answer

LONGEST_INPUT = 10_000_000  # bytes
NEW_SEEDS = 10**9


class Command(BaseCommand):
    """`python manage.py draw FILE`; `-` is standard input. Ctrl-C ends the search, not the draw."""

    help = "Draw sessions: JSON in, JSON out. Exit status 1 if the request is bad, 2 if none."
    requires_system_checks = ()
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the file."""
        parser.add_argument("file", help="a file, or - for standard input")

    def handle(self, *args: Any, file: str, **options: Any) -> None:
        """Print the draw; exit with status 1 if the request is invalid."""
        if sys.stdout is None or (file == "-" and sys.stdin is None):
            raise CommandError("Standard input or output is closed.", returncode=2)
        try:
            text = _read(file)
        except OSError as error:
            raise CommandError(f"Cannot read {file}: {error.strerror}.", returncode=2) from error
        if len(text) > LONGEST_INPUT:
            raise CommandError(f"{file} is longer than {LONGEST_INPUT:,} bytes.", returncode=2)
        progress = _Progress()
        signal.signal(signal.SIGINT, progress.stop)
        result = answer(text, time.monotonic, secrets.randbelow(NEW_SEEDS), progress)
        progress.clear()
        _print(as_line(result) + b"\n")
        if not result["ok"]:
            sys.exit(1)


class _Progress:
    """Shows on a terminal how far the search is, and stops it after Ctrl-C."""

    def __init__(self) -> None:
        self.is_stopped = False
        self.is_shown = sys.stderr is not None and sys.stderr.isatty()
        self.next = 0.0

    def stop(self, _number: int, _frame: FrameType | None) -> None:
        """End the search; the best draw so far is printed."""
        self.is_stopped = True

    def __call__(self, steps: int, cost: int) -> bool:
        """Tell the steps twice a second; return whether to go on."""
        if self.is_shown and time.monotonic() >= self.next:
            self.next = time.monotonic() + 0.5
            sys.stderr.write(f"\r{steps:,} steps, cost {cost:,} (Ctrl-C: take the best so far) ")
            sys.stderr.flush()
        return not self.is_stopped

    def clear(self) -> None:
        """End the line of the progress."""
        if self.next:
            sys.stderr.write("\n")


def _read(file: str) -> bytes:
    """Return what the file holds, and at most one byte more than is allowed."""
    if file == "-":
        return sys.stdin.buffer.read(LONGEST_INPUT + 1)
    with Path(file).open("rb") as opened:
        return opened.read(LONGEST_INPUT + 1)


def _print(line: bytes) -> None:
    """Write the answer. Exits with status 2 if that is impossible."""
    try:
        sys.stdout.buffer.write(line)
        sys.stdout.buffer.flush()
    except OSError as error:
        # Python would try to flush the rest again on exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):  # the reader has closed the pipe
            sys.exit(2)
        raise CommandError(f"Cannot answer: {error.strerror}.", returncode=2) from error
