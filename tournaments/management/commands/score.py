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
        """Take the file, and whether it holds one record or one a line."""
        parser.add_argument("file", help="a file, or - for standard input")
        parser.add_argument("--lines", action="store_true", help="one record a line")

    def handle(self, *args: Any, file: str, lines: bool, **options: Any) -> None:
        """Answer every record in order; a bad one does not keep the others from being scored."""
        if sys.stdout is None or (file == "-" and sys.stdin is None):
            raise CommandError("Standard input or output is closed.", returncode=2)
        try:
            with self._opened(file) as records:
                all_right = self._answer(records if lines else [records.read()])
        except OSError as error:
            raise CommandError(f"Cannot read {file}: {error.strerror}.", returncode=2) from error
        if not all_right:
            sys.exit(1)

    def _opened(self, file: str) -> IO[bytes]:
        return sys.stdin.buffer if file == "-" else Path(file).open("rb")

    def _answer(self, records: Iterable[bytes]) -> bool:
        """Print one answer per record as soon as it is known; return whether all were right."""
        all_right = True
        for text in records:
            result = answer(text)
            all_right = all_right and result["ok"]
            self._print(as_line(result) + b"\n")
        return all_right

    def _print(self, line: bytes) -> None:
        try:
            sys.stdout.buffer.write(line)
            sys.stdout.buffer.flush()
        except OSError as error:
            # What could not be written must not be tried again on leaving.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            if isinstance(error, BrokenPipeError):  # whoever read our answers has gone
                sys.exit(2)
            raise CommandError(f"Cannot answer: {error.strerror}.", returncode=2) from error
