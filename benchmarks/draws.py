"""What draws reach in 10 seconds: repeats beside their bound, and the processor time they took.

Run it with ``.venv/bin/python benchmarks/draws.py``; it prints the table of `docs/benchmarks.md`.
"""

import platform
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tournaments import draws

SECONDS = 10
CASES = [  # players, table sizes, sessions
    (12, (6,), 3),
    (24, (6,), 4),
    (30, (6,), 4),
    (36, (6,), 3),
    (34, (5, 6), 4),
    (60, (6,), 6),
    (342, (6,), 8),
    (1000, (6,), 8),
    (42, (6,), 7),
    (28, (5, 6), 4),
    (36, (6,), 4),
    (40, (5,), 6),
    (54, (6,), 6),
    (66, (6,), 8),
    (43, (6,), 4),
]


def line(count: int, sizes: tuple[int, ...], sessions: int) -> str:
    """Draw, and return a row of the table."""
    players = [draws.Player(str(i)) for i in range(count)]
    request = draws.Request(players, sizes, sessions=sessions, seed=1, seconds=SECONDS)
    started = time.process_time()
    drawn = draws.draw(request, time.monotonic)
    took = time.process_time() - started
    tables = drawn.sessions[0].tables
    kinds = sorted({len(table) for table in tables}, reverse=True)
    mix = " + ".join(f"{sum(len(table) == kind for table in tables)} × {kind}" for kind in kinds)
    quality = drawn.quality
    return (
        f"| {count:,} | {mix} | {sessions} | {quality.repeats} | {quality.bound} "
        f"| {took:.2f} s | {drawn.how} |"
    )


def main() -> None:
    print(f"Python {platform.python_version()}, {platform.machine()}, one core, seed 1:\n")
    print("| players | tables | sessions | repeats | bound | processor time | how |")
    print("| ---: | --- | ---: | ---: | ---: | ---: | --- |")
    for case in CASES:
        print(line(*case), flush=True)


if __name__ == "__main__":
    main()
