"""Score records from the command line, without a database."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Iterable
from typing import Any

from scoring.answers import answer
from tournaments.management.json_commands import JsonCommand, open_input, print_answer


class Command(JsonCommand):
    """`python manage.py score FILE`; `-` is standard input.

    With `--lines` each line of the file is a record, else the whole file.
    """

    help = "Score a record: JSON in, JSON out. Exit status 1 if one is bad, 2 if there is none."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="a file, or - for standard input")
        parser.add_argument("--lines", action="store_true", help="one record per line")

    def handle(self, *args: Any, file: str, lines: bool, **options: Any) -> None:
        with open_input(file) as records:
            all_valid = self._print_answers(records if lines else [records.read()])
        if not all_valid:
            sys.exit(1)

    def _print_answers(self, records: Iterable[bytes]) -> bool:
        """Print the answer to each record at once; return whether all records were valid."""
        all_valid = True
        for text in records:
            result = answer(text)
            all_valid = all_valid and result["ok"]
            print_answer(result)
        return all_valid
