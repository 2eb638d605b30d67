"""What must be true after each round of `soak.py`, whatever has happened."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from soak_phones import Phone, is_complete

from tests.faults import power_cut
from tests.faults.soak import totals_of

ROOT = Path(__file__).resolve().parent.parent
ROUNDS = """
SELECT sitting.key, round.number, version, facts FROM tournaments_round AS round
JOIN tournaments_sitting AS sitting ON sitting.id = round.sitting_id
"""
ACCEPTANCES = ROUNDS.replace("facts FROM", "1 FROM tournaments_acceptance AS a JOIN").replace(
    "AS round", "AS round ON round.id = a.round_id"
)
ACTS = """
SELECT count(*) FROM tournaments_act
WHERE kind IN ('round_recorded', 'round_continued', 'round_corrected')
"""


def at(place_and_facts: tuple[tuple[str, int, int], Any]) -> tuple[str, int, int]:
    return place_and_facts[0]


class Checks:
    """Compares databases with what phones were told. `wrong` has what was found."""

    def __init__(self, folder: Path) -> None:
        """Start a program that verifies copies of the database, which are in this folder."""
        self.copy, self.wrong = folder / "look.sqlite3", list[str]()
        self.verifier = subprocess.Popen(  # noqa: S603  our own program
            [sys.executable, "-m", power_cut.__name__, "look"],
            cwd=ROOT,
            env={"PATH": os.environ["PATH"], "DJANGO_SETTINGS_MODULE": "tournaments.settings"}
            | {"DATA_DIR": str(folder), "SECRET_KEY": "only-for-benchmarks"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def of(self, database: Path, phones: Sequence[Phone], standings: Any) -> Counter[str]:
        """Compare everything that phones were told since the first round; return what was found."""
        self.copy.unlink(missing_ok=True)
        with (
            closing(sqlite3.connect(database)) as source,
            closing(sqlite3.connect(self.copy)) as copy,
        ):
            source.backup(copy)
            rows = copy.execute(ROUNDS).fetchall()
            accepted = Counter(row[:3] for row in copy.execute(ACCEPTANCES))
            keys = Counter(key for (key,) in copy.execute("SELECT key FROM tournaments_receipt"))
            acts = copy.execute(ACTS).fetchone()[0]
            disputes = copy.execute("SELECT count(*) FROM tournaments_disagreement").fetchone()[0]
        stored = {(of, number, version): json.loads(facts) for of, number, version, facts in rows}
        made = {place: facts for phone in phones for place, facts in phone.rounds().items()}
        items = [item for phone in phones for item in phone.items if item.told]
        rounds = [item for item in items if item.kind == "round"]
        lost = [i for i in rounds if stored.get(i.stored_as) != i.body["facts"]]
        lost += [i for i in rounds if keys[i.key] != 1]
        lost += [i for i in items if i.kind == "accept" and accepted[i.stored_as] != 1]
        others = [place for place, facts in stored.items() if made.get(place) != facts]
        self.wrong += [f"lost: {item.kind} {item.stored_as}" for item in lost[:3]]
        self.wrong += [f"at another table: {place}" for place in others[:3]]
        self.wrong += wrong_standings(phones, standings)
        self.wrong += [f"verification: {each}" for each in self._verified()]
        doubled = len(rows) - len(stored) + acts - len(rows)
        found = {"told": len(items), "lost": len(lost), "doubled": doubled}
        return Counter(found | {"elsewhere": len(others), "disputes": disputes})

    def _verified(self) -> Any:
        print(self.copy, file=self.verifier.stdin, flush=True)
        return json.loads(next(self.verifier.stdout or iter(())))["wrong"]


def wrong_standings(phones: Sequence[Phone], standings: Any) -> Iterator[str]:
    """Compare the standings with a recomputation from what the phones recorded."""
    totals = Counter[str]()
    for phone in phones:
        latest = {place[:2]: facts for place, facts in sorted(phone.rounds().items(), key=at)}
        by_players = defaultdict[tuple[str, ...], list[Any]](list)
        for (of, _number), facts in latest.items():
            if is_complete(facts):
                by_players[tuple(phone.players_of(of))].append(facts)
        for players, rounds in by_players.items():
            totals.update(totals_of(players, rounds))
    for row in standings:
        if (row["points"] or 0) != totals[str(row["number"])]:  # None before the first round
            of = f"player {row['number']} has {row['points']}"
            yield f"{of}, not {totals[str(row['number'])]}"
