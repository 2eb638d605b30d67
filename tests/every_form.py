"""Check every printed form in every language, for all numbers of players, rounds and options.

    .venv/bin/python tests/every_form.py [words of the name …]

Takes half an hour; the tests check the forms that are most likely to be wrong.
"""
# ruff: noqa: E402  models can be imported once Django is set up

import os
import sys
from pathlib import Path

import django

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
django.setup()

from tests.tournaments.printing import forms


def main() -> None:
    """Print the faults of the forms with these words in their name."""
    wanted = sys.argv[1:]
    chosen = [form for form in forms.every_form() if all(word in form.name for word in wanted)]
    bad = 0
    for form in chosen:
        found = forms.faults_of(form)
        bad += bool(found)
        for fault in found[:2]:
            print(form.name, fault, sep=": ", flush=True)  # noqa: T201
    print(f"{len(chosen)} forms, {bad} of them with faults")  # noqa: T201
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()
