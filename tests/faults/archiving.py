"""Make or import events, and print what is exported of each.

    python -m tests.faults.archiving

reads steps line by line, each a JSON list of environment variables, of which DATABASE_URL names a
database without events, and of arguments: `make FOLDER`, or `move FROM TO`. Each step has a process
of its own, forked from this one, which loads the program once (without POSIX: started with the step
as its argument). It prints a line of JSON. Every event is archived into the last folder.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import subprocess
import sys
from collections.abc import Iterable
from itertools import cycle
from pathlib import Path
from typing import Any

import django
from django.core.management import call_command

import scoring
from tests import forked_commands

VALIDATION = "tests.openapi_validation.OpenAPIValidationMiddleware"  # has tests of its own
# One of each game: archives hold a round's facts without regard to the rules.
RULE_SETS = {scoring.choose(each).game.kind: each.slug for each in scoring.RULE_SETS}.values()


def make() -> None:
    """Create an event with rows of every model for each game."""
    from tests import events  # noqa: PLC0415  needs settings

    for rule_set in RULE_SETS:
        events.full_event(rule_set)


def import_all(folder: Path) -> None:
    for file in sorted(folder.glob("*.zip")):
        call_command("read_archive", file, director="owner", stdout=io.StringIO())


def exported(folder: Path) -> dict[str, Any]:
    """Export every event; return its exports and the problems found by verification.

    The workbook of each event is in one language, of all events in every language.
    """
    from django.contrib.auth.models import User  # noqa: PLC0415

    from tests import cast, event_exports  # noqa: PLC0415
    from tournaments import verification  # noqa: PLC0415
    from tournaments.models import Tournament  # noqa: PLC0415

    browser = cast.browser_of(User.objects.get(username="owner"))
    found = {}
    for event, language in zip(Tournament.objects.order_by("slug"), cycle(event_exports.LANGUAGES)):
        (folder / f"{event.slug}.zip").unlink(missing_ok=True)
        call_command(
            *("archive", event.slug, folder / f"{event.slug}.zip", "--with-private"),
            stdout=io.StringIO(),
        )
        said = event_exports.exports_of(event, browser, [language]) | {
            "history.xlsx": event_exports.history_before(event)
        }
        found[event.slug] = {
            "said": {name: comparable(value) for name, value in said.items()},
            "faults": verification.verify(event),
        }
    return found


def comparable(value: Any) -> Any:
    return hashlib.sha256(value).hexdigest() if isinstance(value, bytes) else value


def main(what: str, *folders: str) -> None:
    """Run one step, and print the resulting exports."""
    from django.conf import settings  # noqa: PLC0415
    from django.contrib.auth.models import User  # noqa: PLC0415

    settings.MIDDLEWARE.remove(VALIDATION)
    User.objects.create_superuser("owner", password="owner")
    if what == "make":
        make()
    else:
        import_all(Path(folders[0]))
    sys.stdout.write(json.dumps(exported(Path(folders[-1]))))


def do(step: str) -> None:
    environment, arguments = json.loads(step)
    os.environ |= environment
    django.setup()
    main(*arguments)
    sys.stdout.write("\n")


def do_all(steps: Iterable[str]) -> None:
    """Do each step in a process of its own."""
    if not hasattr(os, "fork"):
        for step in steps:
            subprocess.run([sys.executable, "-m", "tests.faults.archiving", step], check=True)
        return
    forked_commands.load("tests.event_exports", "tests.events", "tournaments.urls")
    for step in steps:
        process = os.fork()
        if not process:
            do(step)
            return
        _, status = os.waitpid(process, 0)
        if status:
            sys.exit(f"{step}: wait status {status}")


if __name__ == "__main__":
    if sys.argv[1:]:
        do(sys.argv[1])
    else:
        do_all(sys.stdin)
