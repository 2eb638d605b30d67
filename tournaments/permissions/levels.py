"""Who may use which address: one table, which the API enforces, publishes and is tested by.

The pages ask `rights`, each for itself; a test asks every one of them whether this table is right.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver

ROLES = ("anonymous", "elsewhere", "table", "scorekeeper", "director", "owner")


class Level(Enum):
    """Which roles may: `elsewhere` has an account but nothing to do in this tournament.

    The `owner` of the installation directs every tournament.

    What those who may `SEE` a tournament see, everybody sees once it is published.
    """

    ANYBODY = "anybody", ROLES
    SEE = "see", ROLES[2:]
    RECORD = "record", ROLES[2:]
    PHONE = "phone", ("table",)
    ACCOUNT = "account", ("elsewhere", *ROLES[3:])
    STAFF = "staff", ROLES[3:]
    DIRECT = "direct", ROLES[4:]
    CREATE = "create", ROLES[5:]  # and accounts to which the owner gives the right
    OWNER = "owner", ROLES[5:]

    @property
    def roles(self) -> tuple[str, ...]:
        """Return the roles, in the usual order."""
        roles: tuple[str, ...] = self.value[1]
        return roles


READ = {"GET": Level.ANYBODY}
FORM = {"GET": Level.ANYBODY, "POST": Level.ANYBODY}
SEE = {"GET": Level.SEE}
DIRECTORS = {"GET": Level.DIRECT, "POST": Level.DIRECT}

MAY: dict[str, dict[str, Level]] = {
    "home": READ,
    "healthz": READ,
    "service-worker": READ,
    "script": READ,
    "hand-over": FORM,
    "set-language": FORM,
    "log-in": FORM,
    "log-out": {"POST": Level.ANYBODY},
    "account": {"GET": Level.ACCOUNT, "POST": Level.ACCOUNT},
    "change-password": {"GET": Level.ACCOUNT, "POST": Level.ACCOUNT},
    "accounts": {"GET": Level.OWNER, "POST": Level.OWNER},
    "backups": {"GET": Level.OWNER, "POST": Level.OWNER},
    "upload-backup": {"POST": Level.OWNER},
    "download-backup": {"GET": Level.OWNER},
    "restore-backup": {"GET": Level.OWNER, "POST": Level.OWNER},
    "rules": READ,
    "rule-set": READ,
    "chart": READ,
    "chart-pdf": READ,
    "sheet": READ,
    "sheet-pdf": READ,
    "start-table": FORM,
    "join": FORM,
    "join-table": READ,
    "choose-rules": {"GET": Level.CREATE},
    "create-tournament": {"GET": Level.CREATE, "POST": Level.CREATE},
    "read-archive": {"GET": Level.CREATE, "POST": Level.CREATE},
    "archive": {"GET": Level.DIRECT},
    "tournament": SEE,
    "edit-tournament": DIRECTORS,
    "publish": DIRECTORS,
    "close": DIRECTORS,
    "remove-tournament": DIRECTORS,
    "staff": DIRECTORS,
    "entries": {"GET": Level.SEE, "POST": Level.DIRECT},
    "edit-entry": DIRECTORS,
    "seat-session": DIRECTORS,
    "reseat-session": DIRECTORS,
    "end-session": {"GET": Level.STAFF, "POST": Level.STAFF},
    "remove-session": DIRECTORS,
    "session": SEE,
    "session-sheets": {"GET": Level.STAFF},
    "table-cards": {"GET": Level.STAFF, "POST": Level.STAFF},
    "sitting": SEE,
    "record-round": {"GET": Level.RECORD, "POST": Level.RECORD},
    "preview-round": {"POST": Level.RECORD},
    "exchange-players": {"GET": Level.STAFF, "POST": Level.STAFF},
    "round-history": {"GET": Level.STAFF},
    "history": {"GET": Level.STAFF},
    "history-workbook": {"GET": Level.STAFF},
    "enter-totals": {"GET": Level.STAFF, "POST": Level.STAFF},
    "paper": {"GET": Level.STAFF, "POST": Level.STAFF},
    "preview-paper": {"POST": Level.STAFF},
    "play-table": {"GET": Level.RECORD},
    "play-chart": {"GET": Level.RECORD},
    "go-on": {"POST": Level.PHONE},  # a club's one table, which has no staff
    "play-again": {"POST": Level.PHONE},
    "take-over": {"GET": Level.PHONE, "POST": Level.PHONE},
    "standings": SEE,
    "standings-workbook": SEE,
    "player": SEE,
    "tournament-chart": SEE,
    "tournament-chart-pdf": SEE,
    "tournament-sheet": SEE,
    "tournament-sheet-pdf": SEE,
    "board": {"GET": Level.STAFF},
    "board-tables": {"GET": Level.STAFF},
    "answer-call": {"POST": Level.STAFF},
    "settle-disagreement": {"GET": Level.STAFF, "POST": Level.STAFF},
    "api-openapi": READ,
    "api-urls": READ,
    "api-token": {"GET": Level.ACCOUNT, "POST": Level.ANYBODY, "DELETE": Level.ACCOUNT},
    "api-password": {"POST": Level.ACCOUNT},
    "api-accounts": {"GET": Level.OWNER},
    "api-account": {"PATCH": Level.OWNER},
    "api-tournaments": {"GET": Level.ANYBODY, "POST": Level.CREATE},
    "api-read-archive": {"POST": Level.CREATE},
    "api-archive": {"GET": Level.DIRECT},
    "api-tournament": {"GET": Level.SEE, "DELETE": Level.DIRECT},
    "api-staff": {"POST": Level.DIRECT},
    "api-publish": {"POST": Level.DIRECT},
    "api-close": {"POST": Level.DIRECT},
    "api-reopen": {"POST": Level.DIRECT},
    "api-publications": SEE,
    "api-publication": SEE,
    "api-entries": {"GET": Level.SEE, "POST": Level.DIRECT},
    "api-entry": {"PATCH": Level.DIRECT},
    "api-import-entries": {"POST": Level.DIRECT},
    "api-sessions": {"GET": Level.SEE, "POST": Level.DIRECT},
    "api-session": {"DELETE": Level.DIRECT},
    "api-end-session": {"POST": Level.STAFF},
    "api-resume-session": {"POST": Level.STAFF},
    "api-standings": SEE,
    "api-audit": {"GET": Level.STAFF},
    "api-join": {"POST": Level.ANYBODY},
    "api-sitting": SEE,
    "api-rounds": SEE,
    "api-round": {"GET": Level.SEE, "PUT": Level.RECORD},
    "api-deal": {"PUT": Level.RECORD},
    "api-accept": {"POST": Level.RECORD},
    "api-call": {"POST": Level.RECORD},
    "api-one-call": {"DELETE": Level.RECORD},
    "api-take-over": {"POST": Level.PHONE},
    "api-pin": {"POST": Level.STAFF},
    "api-link": {"GET": Level.STAFF, "POST": Level.STAFF, "DELETE": Level.STAFF},
}


def addresses() -> Iterator[tuple[str, URLPattern, str]]:
    """Return name, pattern and route of every address there is."""
    return _walk(get_resolver().url_patterns, "/")


def _walk(patterns: list[Any], above: str) -> Iterator[tuple[str, URLPattern, str]]:
    for pattern in patterns:
        route = f"{above}{pattern.pattern}"
        if isinstance(pattern, URLResolver):
            yield from _walk(pattern.url_patterns, route)
        else:
            yield pattern.name or "", pattern, route
