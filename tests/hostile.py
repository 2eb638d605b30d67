"""Records that are as expensive to read as a text of their size can be."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from tests.scoring.records import GOOD, HEARTS

SIZE = 100_000  # bytes, approximately

ROUNDS = (
    *("1", "{}", "[]", '{"a":1}', '{"kankei":[]}', '{"captured":{}}', '{"captured":{"A":[]}}'),
    *('{"deals":[]}', '{"deals":[{}]}', '{"finish":["A"]}', '{"teams":[["A"],["B"]]}'),
    '{"dealer":"C","kankei":["A","B"],"deals":[{"kankei":0,"mukankei":9}]}',
    json.dumps({"captured": {"A": ["SQ", "DJ", "C10", *HEARTS]}}, separators=(",", ":")),
    '{"finish":["A","B","C","D","E","F"]}',
)
INSIDE = (
    ('{"kankei":[', '"A"', '],"deals":[{}]}'),
    ('{"kankei":["A","B"],"deals":[', '{"kankei":0,"mukankei":9}', "]}"),
    ('{"captured":{"A":[', '"SQ"', "]}}"),
    ('{"captured":{"A":[', '"x"', "]}}"),
    ('{"captured":{},"exposed":[', '"SQ"', "]}"),
    ('{"finish":[', '"A"', "]}"),
    ('{"teams":[', '["A"]', "]}"),
)


def filled(before: str, unit: str, after: str, size: int) -> str:
    """Return a text of this size: units, separated by commas, between two texts."""
    return before + ",".join([unit] * max(1, size // (len(unit) + 1))) + after


def keys(size: int, length: int = 6) -> str:
    """Return an object of this size with distinct keys of this length."""
    return "{" + ",".join(f'"{i:0{length}}":1' for i in range(size // (length + 5))) + "}"


def records(size: int = SIZE) -> Iterator[tuple[str, str]]:
    """Yield names and texts of records."""
    yield "unknown keys", keys(size)
    yield "long unknown keys", keys(size, 1000)
    yield "one key as long as the text", f'{{"{"k" * size}":1}}'
    for good in GOOD:
        yield from _of(good, size)
    yield "one number", "9" * size
    yield "long numbers", filled("[", "9" * 4300, "]", size)
    yield "one fraction", "1." + "1" * size
    yield "nested", "[" * size
    yield "nested as deeply as is read", filled("[", "[" * 300 + "]" * 300, "]", size)
    yield "a key twice, again and again", filled("{", '"a":1', "}", size)
    yield "halves of characters", '"' + "\\ud800" * (size // 6) + '"'


def _of(good: dict[str, Any], size: int) -> Iterator[tuple[str, str]]:
    slug, half = good["ruleset"], size // 2
    many = json.dumps([f"p{i}" for i in range(half // 8)])
    same = filled("[", '"a"', "]", half)
    long = json.dumps([*good["players"][:-1], "Z" * half])
    for unit in ROUNDS:
        yield f"{slug}: rounds of {unit}", _record(slug, good["players"], unit, size)
        for players in (many, same, long):
            start = f'{{"ruleset":"{slug}","players":{players},"rounds":['
            yield f"{slug}: {players[:9]}…, rounds of {unit}", filled(start, unit, "]}", half)
    for before, unit, after in INSIDE:
        one = filled(before, unit, after, size)
        yield f"{slug}: one round, {before}{unit}…", _record(slug, good["players"], one, 0)


def _record(slug: str, players: list[str], unit: str, size: int) -> str:
    start = f'{{"ruleset":"{slug}","players":{json.dumps(players)},"rounds":['
    return filled(start, unit, "]}", size)
