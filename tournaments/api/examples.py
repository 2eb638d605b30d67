"""A request for every operation that takes a body, as the OpenAPI document shows it.

A test sends them all, from nothing to a round corrected.
"""

from __future__ import annotations

from typing import Any

TOURNAMENTS = "/api/tournaments"
TOURNAMENT = f"{TOURNAMENTS}/{{slug}}"
SESSION = f"{TOURNAMENT}/sessions/{{session}}"
SCHEDULE = f"{TOURNAMENT}/schedule"
STAGE = f"{TOURNAMENT}/stages/{{stage}}"
ARCHIVE = f"{TOURNAMENT}/archive"
ALL_SERIES = "/api/series"
SERIES = f"{ALL_SERIES}/{{series}}"
SAME_PLAYERS = f"{SERIES}/same-players"
IN_SERIES = f"{TOURNAMENT}/series/{{series}}"
SITTING = "/api/sittings/{sitting}"
ROUND = f"{SITTING}/rounds/{{number}}"

REQUESTS: dict[tuple[str, str], dict[str, Any]] = {
    ("post", "/api/token"): {"username": "director", "password": "shamisen-neputa-7"},
    ("post", "/api/account/password"): {
        "password": "shamisen-neputa-7",
        "new_password": "tsugaru-karuta-31",
    },
    ("patch", "/api/accounts/{account}"): {"active": True, "may_create": True},
    ("post", TOURNAMENTS): {
        "name": "新春大会",
        "rule_set": "goninkan-association",
        "held_on": "2031-02-11",
        "accepting": "same",
    },
    ("post", f"{TOURNAMENT}/publish"): {"seen_version": 41, "published": True},
    ("post", f"{TOURNAMENT}/staff"): {
        "username": "kiroku",
        "password": "aomori-ringo-42",
        "role": "scorekeeper",
    },
    ("post", f"{TOURNAMENT}/entries"): {
        "entries": [
            {"name": "成田 キヨ", "club": "なかよし村", "contact": "090-1", "birth_year": 1948},
            {"name": "工藤 正"},
        ]
    },
    ("post", f"{TOURNAMENT}/entries/preview"): {"entries": [{"name": "成田 キヨ"}]},
    ("patch", f"{TOURNAMENT}/entries/{{entry}}"): {"contact": "090-2", "notes": "", "seen": 0},
    ("post", f"{TOURNAMENT}/sessions"): {
        "seen_version": 41,
        "tables": [[1, 2, 3, 4, 5, 6]],
        "number": 1,
    },
    ("put", f"{TOURNAMENT}/private-data"): {"until": "2031-12-31", "seen": 0},
    ("put", SCHEDULE): {
        "seen_version": 41,
        "sessions": 3,
        "method": "fewest_repeats",
        "seed": 20261122,
        "seen": 0,
    },
    ("put", f"{SCHEDULE}/{{session}}"): {
        "seen_version": 41,
        "tables": [[6, 5, 4, 3, 2, 1]],
        "seen": 1,
    },
    ("put", f"{SESSION}/seats"): {
        "seen_version": 41,
        "tables": [[6, 5, 4, 3, 2, 1]],
        "seen": 1,
        "reason": "遅刻",
    },
    ("post", f"{SESSION}/exchange"): {"one": 1, "other": 2, "seen": "", "reason": "席の取り違え"},
    ("post", f"{SESSION}/end"): {"seen_version": 41, "stopping": [1], "reason": "時間切れ"},
    ("put", f"{TOURNAMENT}/seats"): {"seen_version": 41, "shown": True},
    ("post", f"{SESSION}/resume"): {"seen_version": 41, "reason": "一卓まだ打っている"},
    ("post", f"{TOURNAMENT}/close"): {"seen_version": 41},
    ("post", f"{TOURNAMENT}/reopen"): {"seen_version": 41, "reason": "決勝を追加"},
    ("put", f"{SESSION}/clock"): {"seconds": 5400, "last_round": 600, "extra": {}, "seen": 0},
    ("post", f"{SESSION}/clock/{{act}}"): {"seen": 0},
    ("put", f"{SESSION}/presence/{{entry}}"): {"status": "late", "seen": "expected"},
    ("post", f"{SESSION}/presence/restart"): {"seen": 0, "reason": "昼休みのあと"},
    ("put", f"{SESSION}/substitutes/{{entry}}"): {
        "person": {"name": "山田 太郎", "reading": "やまだ たろう"},
        "reason": "",
    },
    ("post", f"{TOURNAMENT}/adjustments"): {
        "number": 1,
        "player": 3,
        "points": -5,
        "reason": "遅刻",
    },
    ("post", f"{TOURNAMENT}/decisions"): {"number": 1, "order": [2, 1], "reason": "じゃんけん"},
    ("post", f"{TOURNAMENT}/decisions/lot"): {"number": 1, "tied": [2, 1]},
    ("post", f"{TOURNAMENT}/play-offs"): {
        "seen_version": 41,
        "number": 2,
        "tied": [2, 1],
        "tables": [[1, 2, 3, 4, 5, 6]],
        "rounds": 1,
    },
    ("put", f"{TOURNAMENT}/registrations/settings"): {
        "open": True,
        "closes_at": "2031-01-31T18:00:00+09:00",
        "capacity": 40,
        "divisions": ["一般", "初心者"],
        "text": "参加費 1,000円",
        "seen": 0,
    },
    ("post", f"{TOURNAMENT}/register"): {
        "key": "q3Zt8LwYx1cV5bN7mK2pR4sT",
        "name": "山田 太郎",
        "reading": "やまだ たろう",
        "club": "なかよし村",
        "division": "一般",
        "contact": "090-0000-0000",
        "consent": True,
    },
    ("post", f"{TOURNAMENT}/registrations"): {
        "state": "approved",
        "registrations": [{"number": 1, "seen": "pending"}],
    },
    ("put", f"{TOURNAMENT}/plan"): {"sessions_planned": 4, "seen": 41},
    ("put", f"{TOURNAMENT}/ranking"): {
        "tie_breaks": ["points", "skunks", "head_to_head", "lot"],
        "withdrawn": "listed",
        "missed": "fixed",
        "missed_points": -5,
        "absences": {"late": -2, "sat_out": "own_average"},
        "lot_seed": "2026-11-21",
        "seen": 0,
    },
    ("put", STAGE): {
        "seen_version": 41,
        "name": "決勝",
        "quotas": [
            {"division": "有段者", "places": 2},
            {"at_least": 1},
        ],
        "carry": "half",
        "at_line": "lot",
        "seed": 20261121,
        "seen": 0,
    },
    ("post", f"{STAGE}/confirm"): {
        "seen_version": 41,
        "members": [{"group": "", "players": [2, 4, 5]}],
        "decided": [],
    },
    ("post", f"{STAGE}/replace"): {
        "seen_version": 41,
        "leaving": 2,
        "following": 1,
        "reason": "辞退",
    },
    ("post", f"{STAGE}/take-back"): {"seen_version": 41, "reason": "記入漏れ"},
    ("post", ALL_SERIES): {
        "name": "五所川原シリーズ",
        "season": "2026年度",
        "rules": {"counting": "places", "place_points": [10, 7, 5, 3, 2, 1], "best": 3},
    },
    ("put", SERIES): {"name": "五所川原シリーズ", "rules": {"best": 4, "least": 2}, "seen": 2},
    ("put", f"{SERIES}/owners"): {"username": "owner", "may_edit": True},
    ("post", SAME_PLAYERS): {
        "pairs": [
            {
                "first": {"tournament": "7q2m-x4kd", "player": 1},
                "second": {"tournament": "c3hv-9wpt", "player": 4},
            }
        ]
    },
    ("post", "/api/join"): {
        "tournament": "7q2m-x4kd",
        "session": 1,
        "table": 1,
        "pin": "123456",
    },
    ("put", ROUND): {
        "facts": {
            "dealer": "6",
            "kankei": ["1", "3"],
            "deals": [{"kankei": 4, "mukankei": 9}],
        },
        "seen": 1,
        "reason": "数え違い",
    },
    ("put", f"{ROUND}/deals/{{deal}}"): {
        "deal": {"kankei": 5, "mukankei": 9},
        "round": {"dealer": "6", "kankei": ["1", "3"]},
        "seen": 0,
    },
    ("post", f"{ROUND}/accept"): {"version": 1},
    ("put", f"{SITTING}/totals"): {
        "points": {"1": 13, "2": 13, "3": -13, "4": 13, "5": -13, "6": -13},
        "seen": 0,
    },
    ("put", f"{SITTING}/players"): {
        "players": [1, 2, 3, 4, 5, 7],
        "seen": [1, 2, 3, 4, 5, 6],
        "reason": "早退",
    },
    ("post", f"{SITTING}/calls"): {"kind": "director", "words": "札が足りない"},
}

ROUND_ANSWERED: dict[str, Any] = {
    "number": 1,
    "version": 1,
    "facts": {"dealer": "6", "kankei": ["1", "3"], "deals": [{"kankei": 5, "mukankei": 9}]},
    "reason": "",
    "recorded_at": "2026-11-21T12:26:40.123456+09:00",
    "complete": True,
    "points": {"1": -1, "2": 1, "3": -1, "4": 1, "5": 1, "6": -1},
    "lines": [{"deal": 1, "item": "deal_lost", "points": -1}],
    "accepted": False,
    "by_desk": False,
}
