"""Make events, or bring them in from their files; tell what is exported of each.

    python -m tests.faults.archiving make FOLDER
    python -m tests.faults.archiving move FROM TO

Run in a process and on a database of its own, which DATABASE_URL names; prints JSON. Every event
is archived into the last folder.
"""

from __future__ import annotations

import hashlib
import io
import json
import sys
from pathlib import Path
from typing import Any

import django
from django.core.management import call_command

import scoring

RULE_SETS = [rule_set.slug for rule_set in scoring.RULE_SETS]


def make() -> None:
    """Make the demo, and for every rule set an event with something of everything."""
    from tests import events  # noqa: PLC0415  needs settings

    call_command("demo", stdout=io.StringIO())
    for rule_set in RULE_SETS:
        events.full_event(rule_set)


def bring_in(folder: Path) -> None:
    """Bring in every event there is, as a command does."""
    for file in sorted(folder.glob("*.zip")):
        call_command("read_archive", file, director="owner", stdout=io.StringIO())


def told(folder: Path) -> dict[str, Any]:
    """Archive every event and return what is said of it, and what does not fit in it."""
    from django.contrib.auth.models import User  # noqa: PLC0415

    from tests import cast, events  # noqa: PLC0415
    from tournaments import verification  # noqa: PLC0415
    from tournaments.models import Tournament  # noqa: PLC0415

    browser = cast.browser_of(User.objects.get(username="owner"))
    found = {}
    for event in Tournament.objects.order_by("slug"):
        (folder / f"{event.slug}.zip").unlink(missing_ok=True)
        call_command(
            *("archive", event.slug, folder / f"{event.slug}.zip", "--with-private"),
            stdout=io.StringIO(),
        )
        said = events.said_of(event, browser) | {"history.xlsx": events.history_before(event)}
        found[event.slug] = {
            "said": {name: comparable(value) for name, value in said.items()},
            "faults": verification.verify(event),
        }
    return found


def comparable(value: Any) -> Any:
    return hashlib.sha256(value).hexdigest() if isinstance(value, bytes) else value


def main(what: str, *folders: str) -> None:
    """Do one step and print what there is afterwards."""
    from django.contrib.auth.models import User  # noqa: PLC0415

    call_command("migrate", verbosity=0)
    User.objects.create_superuser("owner", password="owner")
    if what == "make":
        make()
    else:
        bring_in(Path(folders[0]))
    sys.stdout.write(json.dumps(told(Path(folders[-1]))))


if __name__ == "__main__":
    django.setup()
    main(*sys.argv[1:])
