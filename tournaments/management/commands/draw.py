"""Draw sessions from the command line, without a database."""

from __future__ import annotations

import secrets
import signal
import sys
import time
from argparse import ArgumentParser
from types import FrameType
from typing import Any

from django.core.management.base import CommandError

from tournaments.draws.answers import answer
from tournaments.draws.bounds import repeats
from tournaments.draws.search import CountMeetings
from tournaments.management.json_commands import (
    NOTHING_READ_OR_WRITTEN,
    JsonCommand,
    open_input,
    print_answer,
)

LONGEST_INPUT = 10_000_000  # bytes
NEW_SEEDS = 10**9  # a seed that the request leaves out is below this number


class Command(JsonCommand):
    """`python manage.py draw FILE`; `-` is standard input.

    Ctrl-C ends the search; the best draw so far is printed.
    """

    help = "Draw sessions: JSON in, JSON out. Exit status 1 if the request is bad, 2 if none."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="a file, or - for standard input")

    def handle(self, *args: Any, file: str, **options: Any) -> None:
        with open_input(file) as opened:
            text = opened.read(LONGEST_INPUT + 1)
        if len(text) > LONGEST_INPUT:
            message = f"{file} is longer than {LONGEST_INPUT:,} bytes."
            raise CommandError(message, returncode=NOTHING_READ_OR_WRITTEN)
        progress = _Progress()
        signal.signal(signal.SIGINT, progress.stop)
        result = answer(text, time.monotonic, secrets.randbelow(NEW_SEEDS), progress)
        progress.clear()
        print_answer(result)
        if not result["ok"]:
            sys.exit(1)


class _Progress:
    """The progress of a search, shown on a terminal; stops the search after Ctrl-C."""

    def __init__(self) -> None:
        self.is_stopped = False
        self.has_terminal = sys.stderr is not None and sys.stderr.isatty()
        self.next_at = 0.0  # the monotonic time of the next line; 0 before the first

    def stop(self, _number: int, _frame: FrameType | None) -> None:
        """Stop the search at its next step. This is the handler of Ctrl-C."""
        self.is_stopped = True

    def __call__(self, steps: int, count_meetings: CountMeetings) -> bool:
        """Print the steps and repeats twice a second; return whether the search goes on."""
        if self.has_terminal and time.monotonic() >= self.next_at:
            self.next_at = time.monotonic() + 0.5
            line = f"{steps:,} steps, {repeats(count_meetings()):,} repeats"
            sys.stderr.write(f"\r{line} (Ctrl-C: take the best so far) ")
            sys.stderr.flush()
        return not self.is_stopped

    def clear(self) -> None:
        """End the line of the progress, if one was printed."""
        if self.next_at:
            sys.stderr.write("\n")
