"""Limits of request bodies in bytes, by the name of the URL pattern.

`USUAL` is more than most forms need. Limits are lower where no log-in is needed, so that even the
largest body is cheap to read and answer. Limits above `USUAL` are for files and long texts; only
requests with a log-in or a token get them (`middleware`).
"""

from __future__ import annotations

from tournaments.spreadsheets.sheets import LARGEST

USUAL = 64_000
A_FEW_WORDS = 4_000  # a name and a password, a link, a PIN
NAMES = 8_000  # six players in any script, as a form sends them
APPLICATION = 12_000  # the fields of a player in any script
ROUND_FORM = 5_700  # with a reason of 500 characters
ROUND = 16_000  # as JSON
LONG_FORM = 256_000  # the sheets of a table, or the seats of a thousand by name
HAND_OVER = 1_000_000  # an evening of several phones, as text
ENTRIES = LARGEST * 4 // 3 + 100_000  # a file, which a page sends again as base64, and its form
ARCHIVE = 2_000_000 + 100_000
BACKUP = 10**10

LIMITS = {
    **dict.fromkeys(("log-in", "log-out", "set-language", "join"), A_FEW_WORDS),
    **dict.fromkeys(("api-token", "api-join", "api-accept", "api-call"), A_FEW_WORDS),
    **dict.fromkeys(("go-on", "play-again", "take-over", "api-take-over"), A_FEW_WORDS),
    **dict.fromkeys(("record-round", "preview-round"), ROUND_FORM),
    "start-table": NAMES,
    **dict.fromkeys(("register", "api-register"), APPLICATION),
    **dict.fromkeys(("registration", "api-registration"), A_FEW_WORDS),
    **dict.fromkeys(("api-round", "api-deal", "api-totals"), ROUND),
    **dict.fromkeys(("enter-sheet", "preview-sheet", "seat-session", "reseat-session"), LONG_FORM),
    **dict.fromkeys(("seat-proposal", "planned-seats", "stage-members"), LONG_FORM),
    "hand-over": HAND_OVER,
    **dict.fromkeys(("entries", "api-entries", "api-import-entries"), ENTRIES),
    **dict.fromkeys(("read-archive", "api-read-archive", "api-remove-with-archive"), ARCHIVE),
    "upload-backup": BACKUP,
}


def limit_of(name: str | None) -> int:
    """Return the limit in bytes for the URL pattern of this name, by default `USUAL`."""
    return LIMITS.get(name or "", USUAL)
