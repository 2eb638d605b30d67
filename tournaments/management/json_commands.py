"""The base of commands that read JSON from a file or standard input and print JSON."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from django.core.management.base import BaseCommand, CommandError

from scoring.answers import as_line

NOTHING_READ_OR_WRITTEN = 2  # exit status


class JsonCommand(BaseCommand):
    """A command that needs no database. Its exit status is 2 if input or output fails."""

    requires_system_checks = ()
    requires_migrations_checks = False


@contextmanager
def open_input(file: str) -> Generator[IO[bytes]]:
    """Open a file, or standard input for “-”. Raises `CommandError` if it cannot be read."""
    if sys.stdout is None or (file == "-" and sys.stdin is None):
        message = "Standard input or output is closed."
        raise CommandError(message, returncode=NOTHING_READ_OR_WRITTEN)
    try:
        if file == "-":
            yield sys.stdin.buffer
        else:
            with Path(file).open("rb") as opened:
                yield opened
    except OSError as error:
        message = f"Cannot read {file}: {error.strerror}."
        raise CommandError(message, returncode=NOTHING_READ_OR_WRITTEN) from error


def print_answer(answer: Any) -> None:
    """Write an answer as a line of JSON, and flush it.

    Exits silently if the reader has closed the pipe. Raises `CommandError` for other errors.
    """
    try:
        sys.stdout.buffer.write(as_line(answer) + b"\n")
        sys.stdout.buffer.flush()
    except OSError as error:
        # Otherwise Python would try to flush the rest again on exit, and fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            sys.exit(NOTHING_READ_OR_WRITTEN)
        message = f"Cannot answer: {error.strerror}."
        raise CommandError(message, returncode=NOTHING_READ_OR_WRITTEN) from error
