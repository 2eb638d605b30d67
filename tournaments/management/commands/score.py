"""Score records from the command line, without a database."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from collections.abc import Iterable
from pathlib import Path
from typing import IO, Any

from django.core.management.base import BaseCommand, CommandError

from scoring.answers import answer, as_line


class Command(BaseCommand):
    """`python manage.py score FILE`, or `--lines` for one record a line; `-` is standard input."""

    help = "Score a record: JSON in, JSON out. Exit status 1 if one is bad, 2 if there is none."
    requires_system_checks = ()
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the file, and whether it has one record or one a line."""
        parser.add_argument("file", help="a file, or - for standard input")
        parser.add_argument("--lines", action="store_true", help="one record a line")

    def handle(self, *args: Any, file: str, lines: bool, **options: Any) -> None:
        """Print the answer to every record in order; exit with status 1 if one is invalid."""
        if sys.stdout is None or (file == "-" and sys.stdin is None):
            raise CommandError("Standard input or output is closed.", returncode=2)
        try:
            with self._open(file) as records:
                all_valid = self._print_answers(records if lines else [records.read()])
        except OSError as error:
            raise CommandError(f"Cannot read {file}: {error.strerror}.", returncode=2) from error
        if not all_valid:
            sys.exit(1)

    def _open(self, file: str) -> IO[bytes]:
        """Return the opened file; standard input for “-”."""
        return sys.stdin.buffer if file == "-" else Path(file).open("rb")

    def _print_answers(self, records: Iterable[bytes]) -> bool:
        """Print the answer to each record at once; return whether all records were valid."""
        all_valid = True
        for text in records:
            result = answer(text)
            all_valid = all_valid and result["ok"]
            self._print_line(as_line(result) + b"\n")
        return all_valid

    def _print_line(self, line: bytes) -> None:
        """Write a line at once. Exits with status 2 if the reader has closed the pipe."""
        try:
            sys.stdout.buffer.write(line)
            sys.stdout.buffer.flush()
        except OSError as error:
            # Python would try to flush the rest again on exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            if isinstance(error, BrokenPipeError):  # the reader has closed the pipe
                sys.exit(2)
            raise CommandError(f"Cannot answer: {error.strerror}.", returncode=2) from error
