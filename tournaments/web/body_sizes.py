"""How many bytes the body of a request may have: one table, by the name of the address.

What is not listed takes `USUAL`, which is more than any form or document of ours needs. Less stands
where anybody may ask, so that reading and answering the worst body costs little; more only where a
file or much text is expected, and only of those who have logged in (`middleware`).
"""

from __future__ import annotations

from tournaments.spreadsheets import entry_lists

USUAL = 64_000
A_FEW_WORDS = 4_000  # a name and a password, a link, a PIN
NAMES = 8_000  # six players in any script, as a form sends them
ROUND_FORM = 5_700  # with a reason of 500 characters
ROUND = 16_000  # as JSON
TYPED = 256_000  # the sheets of a table, or the seats of a thousand by name
HAND_OVER = 1_000_000  # an evening of several phones, as text
ENTRIES = entry_lists.LARGEST + 100_000  # a file, and the form around it
ARCHIVE = 2_000_000 + 100_000
BACKUP = 10**10

MOST = {
    **dict.fromkeys(("log-in", "log-out", "set-language", "join"), A_FEW_WORDS),
    **dict.fromkeys(("api-token", "api-join", "api-accept", "api-call"), A_FEW_WORDS),
    **dict.fromkeys(("go-on", "play-again", "take-over", "api-take-over"), A_FEW_WORDS),
    **dict.fromkeys(("record-round", "preview-round"), ROUND_FORM),
    "start-table": NAMES,
    **dict.fromkeys(("api-round", "api-deal"), ROUND),
    **dict.fromkeys(("paper", "preview-paper", "seat-session", "reseat-session"), TYPED),
    "hand-over": HAND_OVER,
    **dict.fromkeys(("entries", "api-entries", "api-import-entries"), ENTRIES),
    **dict.fromkeys(("read-archive", "api-read-archive"), ARCHIVE),
    "upload-backup": BACKUP,
}


def most(name: str | None) -> int:
    """Return how many bytes are taken at the address of this name."""
    return MOST.get(name or "", USUAL)
