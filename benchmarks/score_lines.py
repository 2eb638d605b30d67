"""Rounds per second of `manage.py score --lines`, relative to reading and writing alone.

Run it with ``.venv/bin/python benchmarks/score_lines.py``; it prints the table of
`docs/benchmarks.md`. Everything counts: starting Python, reading JSON, scoring, printing JSON. The
baseline is a program that only reads the same lines with Python's `json` and writes them again:
compare the ratio of the two, which hardly depends on the machine.
"""

import json
import os
import platform
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
RECORDS, ROUNDS, RUNS = 5000, 10, 7
PLAYERS = tuple("ABCDEF")

SCORE = ["manage.py", "score", "--lines"]
COPY = r"""
import json, sys
for line in open(sys.argv[1], "rb"):
    copy = json.dumps(json.loads(line), ensure_ascii=False)
    sys.stdout.buffer.write(copy.encode() + b"\n")
    sys.stdout.buffer.flush()
"""
BASELINE = ["-c", COPY]


def record(chance: random.Random) -> dict[str, Any]:
    """Return a sitting of ten rounds as the association plays them."""
    rounds = [random_round(chance, PLAYERS[i % len(PLAYERS)]) for i in range(ROUNDS)]
    return {"ruleset": "goninkan-association", "players": PLAYERS, "rounds": rounds}


def random_round(chance: random.Random, dealer: str) -> dict[str, Any]:
    """Return a round in which the kankei win two deals out of three."""
    kankei = chance.sample([player for player in PLAYERS if player != dealer], 2)
    deals: list[dict[str, Any]] = []
    for target in (9, 8, 9):
        draw = chance.random()
        if draw < 0.6:
            deals.append({"kankei": target, "mukankei": chance.randint(0, 16 - target)})
        elif draw < 0.66 and deals:
            deals.append({"kankei": 16, "mukankei": 0, "declaration": "juroku"})
        else:
            deals.append({"kankei": chance.randint(0, target - 1), "mukankei": 17 - target})
            break
    return {"dealer": dealer, "kankei": kankei, "deals": deals}


def seconds(program: list[str], file: Path) -> float:
    """Return the seconds that a program takes for the records, from start to exit."""
    started = time.perf_counter()
    subprocess.run(  # noqa: S603  our own programs
        [sys.executable, *program, str(file)], cwd=ROOT, check=True, stdout=subprocess.DEVNULL
    )
    return time.perf_counter() - started


def row(name: str, times: list[float]) -> str:
    """Return a row of the table: rounds a second, in the median and the slowest run."""
    rates = [RECORDS * ROUNDS / each for each in (statistics.median(times), max(times))]
    return f"| {name} | {rates[0]:,.0f} | {rates[1]:,.0f} | {statistics.median(times):.2f} s |"


def main() -> None:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    chance = random.Random(1)  # noqa: S311  the same records every time
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "records.jsonl"
        with file.open("w", encoding="utf-8") as lines:
            lines.writelines(json.dumps(record(chance)) + "\n" for _ in range(RECORDS))
        for program in (SCORE, BASELINE):
            seconds(program, file)  # fills the caches of the disk and of Python
        pairs = [(seconds(SCORE, file), seconds(BASELINE, file)) for _ in range(RUNS)]
    scoring, copying = (list(times) for times in zip(*pairs, strict=True))
    ratio = statistics.median(ours / theirs for ours, theirs in pairs)
    print(f"Python {platform.python_version()}, {platform.machine()}, one core, {RUNS} runs each:")
    print()
    print("| program | rounds a second, median | slowest run | median time |")
    print("| --- | ---: | ---: | ---: |")
    print(row("`manage.py score --lines`", scoring))
    print(row("`json` read and written only", copying))
    print()
    print(f"Scoring takes {ratio:.1f} times as long as reading and writing the same records.")


if __name__ == "__main__":
    main()
