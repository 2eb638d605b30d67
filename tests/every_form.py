"""Check every printed form in every language, for all numbers of players, rounds and options.

    .venv/bin/python tests/every_form.py [words of the name …]

Takes ten minutes on two cores; the tests check the forms that are most likely to be wrong.
"""
# ruff: noqa: E402  models can be imported once Django is set up

import multiprocessing
import os
import sys
from pathlib import Path

import django

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
django.setup()

from tests.tournaments.printing import forms

SHOWN = 2  # faults of one form
STEP = 100  # forms after which progress is printed
chosen: list[forms.Form] = []  # copied into the processes, since forms cannot be pickled


def faults_of(index: int) -> tuple[str, list[str]]:
    """Return the name and the faults of one of the chosen forms."""
    return chosen[index].name, forms.faults_of(chosen[index])


def main() -> None:
    """Print the faults of the forms with these words in their name."""
    wanted = sys.argv[1:]
    chosen[:] = [form for form in forms.every_form() if all(word in form.name for word in wanted)]
    bad = 0
    with multiprocessing.get_context("fork").Pool(len(os.sched_getaffinity(0))) as processes:
        results = processes.imap(faults_of, range(len(chosen)))
        for done, (name, faults) in enumerate(results, start=1):
            bad += bool(faults)
            for fault in faults[:SHOWN]:
                print(name, fault, sep=": ", flush=True)  # noqa: T201
            if done % STEP == 0:
                print(f"{done} of {len(chosen)} forms", flush=True)  # noqa: T201
    print(f"{len(chosen)} forms, {bad} of them with faults")  # noqa: T201
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()
