"""The rounds in a backup of SQLite, without restoring it."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from tournaments.backups import restoration, storage
from tournaments.backups.errors import Damaged

NEWEST = """
SELECT sitting.key, tournament.name, session.number, sitting.number, round.number, round.facts
FROM tournaments_round AS round
JOIN tournaments_sitting AS sitting ON sitting.id = round.sitting_id
JOIN tournaments_session AS session ON session.id = sitting.session_id
JOIN tournaments_tournament AS tournament ON tournament.id = session.tournament_id
WHERE round.version = (
  SELECT max(version) FROM tournaments_round AS other
  WHERE other.sitting_id = round.sitting_id AND other.number = round.number
)
ORDER BY tournament.id, session.number, sitting.number, round.number
"""


class HeldRound(NamedTuple):
    """The newest version of a round; `place` names its event, session and table."""

    sitting_key: str
    place: str
    number: int
    facts: dict[str, Any]


def rounds_in(path: Path) -> list[HeldRound]:
    """Return the rounds in a backup. Raises `RestoreRefused`.

    A backup of a version without keys of sittings is refused as damaged.
    """
    with storage.locked() as folder, storage.temporary_folder(folder) as temporary:
        restoration.unpack_and_check(path, temporary)
        with closing(sqlite3.connect(temporary / "database")) as opened:
            try:
                rows = opened.execute(NEWEST).fetchall()
            except sqlite3.Error as error:
                raise Damaged(str(error)) from error
    return [
        HeldRound(key, f"{event} {session}–{table}", number, json.loads(facts))
        for key, event, session, table, number, facts in rows
    ]
