"""The programs of `test_power_cut.py`: one records rounds, one checks what is left.

They run with the settings of the app, in separate processes, without what the tests change for
speed.

    python -m tests.faults.power_cut prepare ROUNDS | write ROUNDS | look
"""

from __future__ import annotations

import json
import os
import sqlite3
import sys
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import django

FILE = "makiyaku.sqlite3"


def prepare(rounds: int) -> None:
    """The table, of six players, plays this number of rounds."""
    from tests import cast  # noqa: PLC0415  needs settings

    # One more than is recorded, so that the session never ends and takes no backup.
    cast.make_sitting(cast.make_tournament(rounds_per_session=rounds + 1))


def write(rounds: int) -> None:
    """Record rounds, and print each one when it is stored."""
    from django.db import connection  # noqa: PLC0415

    from tests import cast  # noqa: PLC0415
    from tournaments.models import Sitting  # noqa: PLC0415
    from tournaments.services import idempotency  # noqa: PLC0415

    dice = Random(1)  # noqa: S311
    for number in range(1, rounds + 1):
        sitting = Sitting.objects.select_related("session__tournament").get()
        players = cast.keys(sitting)
        dealer = players.pop(dice.randrange(len(players)))
        facts = {
            "dealer": dealer,
            "kankei": dice.sample(players, 2),
            "deals": [{"kankei": 9, "mukankei": 3}, {"kankei": dice.randint(1, 7), "mukankei": 9}],
        }

        def act(
            _locked: Any, number: int = number, facts: Any = facts, sitting: Any = sitting
        ) -> Any:
            cast.record(sitting, facts, number=number)
            return idempotency.Answer(201, {"number": number})

        idempotency.run_once(sitting.session.tournament, f"key {number}", facts, act)
        connection.close()  # as after every request
        os.write(1, json.dumps({"round": number, "facts": facts}).encode())


def look() -> None:
    """Read paths of databases line by line; print the content and problems of each.

    Many are equal once SQLite has rolled back what was unfinished: each content is checked once.
    """
    from django.db import connection  # noqa: PLC0415

    known: dict[bytes, dict[str, Any]] = {}
    for line in sys.stdin:
        path = Path(line.strip())
        connection.close()
        connection.settings_dict["NAME"] = path
        connection.settings_dict["OPTIONS"]["init_command"] = "PRAGMA synchronous=OFF"
        try:
            with closing(sqlite3.connect(path)) as opened:
                content = sha256(opened.serialize()).digest()
            if content not in known:
                known[content] = _content(path)
            found = known[content]
        except sqlite3.DatabaseError as error:
            found = {"wrong": [str(error)], "rounds": {}, "receipts": 0}
        os.write(1, json.dumps(found).encode() + b"\n")


def _content(path: Path) -> dict[str, Any]:
    from tournaments import verification  # noqa: PLC0415
    from tournaments.models import Receipt, Round, Tournament  # noqa: PLC0415

    opened = sqlite3.connect(path)
    wrong = [row[0] for row in opened.execute("PRAGMA integrity_check") if row[0] != "ok"]
    opened.close()
    if wrong:
        return {"wrong": wrong, "rounds": {}, "receipts": 0}
    return {
        "wrong": [str(fault) for fault in verification.verify(Tournament.objects.get())],
        "rounds": {row.number: row.facts for row in Round.objects.all()},
        "receipts": Receipt.objects.count(),
    }


if __name__ == "__main__":
    django.setup()
    match sys.argv[1:]:
        case ["prepare", rounds]:
            prepare(int(rounds))
        case ["write", rounds]:
            write(int(rounds))
        case ["look"]:
            look()
