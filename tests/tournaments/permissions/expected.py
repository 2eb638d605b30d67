"""What every role gets at every address: the table that the tests of this folder compare with.

A new address fails `test_every_url.py` until it is listed here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tests.visiting import NOBODY, NOT_ALLOWED, ROLES, World


class Row(NamedTuple):
    """What the roles get, in their order, from GET and from an empty POST.

    `public` is GET's where publishing the tournament makes a difference. Who owns the installation
    gets what the director gets, unless there is one more.
    """

    get: str
    post: str
    public: str = ""


ANYBODY = "200 200 200 200 200"
MEMBERS = "404 404 200 200 200"  # staff, and tables by their link
STAFF = "404 404 404 200 200"
DIRECTOR = "404 404 404 404 200"
UNFIT = "422 422 422 422 422"
API_DIRECTOR = "401 404 404 404 422"
API_MEMBERS = "401 404 200 200 200"  # as above; whoever is nobody is told to log in
OWNER = "404 404 404 404 404 200"
CREATORS = "302 403 302 403 403 200"  # and accounts with that right: test_accounts.py
REDIRECTED = "302 302 302 302 302"

PAGE = Row(ANYBODY, NOT_ALLOWED)
API_PAGE = Row(API_MEMBERS, "405 405 405 405 405", public="200 200 200 200 200")
TOURNAMENT_PAGE = Row(MEMBERS, NOT_ALLOWED, public=ANYBODY)
DIRECTORS_FORM = Row(DIRECTOR, "404 404 404 404 422")

EXPECTED = {
    "home": PAGE,
    "healthz": PAGE,
    "service-worker": PAGE,
    "script": PAGE,
    "hand-over": Row(ANYBODY, UNFIT),
    "set-language": Row(REDIRECTED, REDIRECTED),
    "log-in": Row(ANYBODY, ANYBODY),
    "log-out": Row(NOT_ALLOWED, REDIRECTED),
    "cancel-job": Row(NOT_ALLOWED, REDIRECTED),
    "second-step": Row("302 302 302 302 302", "302 302 302 302 302"),
    "second-factor": Row("302 200 302 200 200", "302 422 302 422 422"),
    "account": Row("302 200 302 200 200", "302 422 302 422 422"),
    "change-password": Row("302 200 302 200 200", "302 422 302 422 422"),
    "accounts": Row(OWNER, "404 404 404 404 404 422"),
    "backups": Row(OWNER, "404 404 404 404 404 302"),
    "upload-backup": Row(NOT_ALLOWED, "404 404 404 404 404 422"),
    "set-sends-again": Row(NOT_ALLOWED, "404 404 404 404 404 302"),
    "choose-standby": Row(NOT_ALLOWED, "404 404 404 404 404 422"),
    "remove-standby": Row(NOT_ALLOWED, "404 404 404 404 404 302"),
    "pair-standby": Row(NOT_ALLOWED, "404 404 404 404 404 302"),
    "pair-follower": Row(NOT_ALLOWED, UNFIT),  # over https, by a code
    "follow-pages": Row(NOT_ALLOWED, UNFIT),  # over https, by a token
    "begin-standby-again": Row(NOT_ALLOWED, "404 404 404 404 404 302"),
    "download-backup": Row(OWNER, NOT_ALLOWED),
    "restore-backup": Row(OWNER, "404 404 404 404 404 422"),
    "take-over-backup": Row(NOT_ALLOWED, "404 404 404 404 404 302"),
    **dict.fromkeys(("guides", "guide", "guide-pdf"), PAGE),
    "tournament-guide": Row(STAFF, NOT_ALLOWED),
    "rules": PAGE,
    "rule-set": PAGE,
    "chart": PAGE,
    "chart-pdf": PAGE,
    "sheet": PAGE,
    "sheet-pdf": PAGE,
    "start-table": Row(ANYBODY, REDIRECTED),
    "join-table": Row(REDIRECTED, NOT_ALLOWED),
    "join": Row(ANYBODY, UNFIT),
    "go-on": Row(NOT_ALLOWED, NOBODY),
    "play-again": Row(NOT_ALLOWED, NOBODY),
    "take-over": Row("404 404 200 404 404", "404 404 302 404 404"),
    "api-openapi": PAGE,
    "api-urls": PAGE,
    "api-token": Row("401 200 401 200 200", UNFIT),
    "api-password": Row(NOT_ALLOWED, "401 422 401 422 422"),
    "api-accounts": Row("401 404 401 404 404 200", NOT_ALLOWED),
    "api-account": Row(NOT_ALLOWED, NOT_ALLOWED),
    "api-tournaments": Row(ANYBODY, "401 403 401 403 403 422"),
    "api-tournament": API_PAGE,
    "api-publish": Row(NOT_ALLOWED, API_DIRECTOR),
    "api-archive": Row("401 404 404 404 200", NOT_ALLOWED),
    "api-read-archive": Row(NOT_ALLOWED, "401 403 401 403 403 422"),
    "api-remove-with-archive": Row(NOT_ALLOWED, API_DIRECTOR),
    "api-private-data": Row("401 404 404 404 200", NOT_ALLOWED),
    "api-close": Row(NOT_ALLOWED, "401 404 404 404 409"),  # sessions are still to come
    "api-reopen": Row(NOT_ALLOWED, "401 404 404 404 200"),
    "api-publications": API_PAGE,
    "api-publication": Row("401 404 404 404 404", NOT_ALLOWED, public=NOBODY),  # none is there yet
    "api-staff": Row(NOT_ALLOWED, API_DIRECTOR),
    "api-entries": Row(API_MEMBERS, API_DIRECTOR, public=ANYBODY),
    "api-entry": Row(NOT_ALLOWED, NOT_ALLOWED),
    "api-import-entries": Row(NOT_ALLOWED, API_DIRECTOR),
    "api-preview-entries": Row(NOT_ALLOWED, API_DIRECTOR),
    "api-sessions": Row(API_MEMBERS, "401 404 404 404 409", public=ANYBODY),  # no seats are named
    "api-session": Row(NOT_ALLOWED, NOT_ALLOWED),
    "api-draw": API_PAGE,
    "api-session-seats": Row("401 404 404 200 200", NOT_ALLOWED),
    "api-exchange": Row("401 404 404 422 422", "401 404 404 422 422"),
    "api-schedule": Row("401 404 404 200 200", NOT_ALLOWED),
    "api-planned-seats": Row(NOT_ALLOWED, NOT_ALLOWED),
    "api-end-session": Row(NOT_ALLOWED, "401 404 404 409 409"),
    "api-resume-session": Row(NOT_ALLOWED, "401 404 404 200 200"),
    "api-clock": API_PAGE,
    "api-seats": API_PAGE,
    "api-run-clock": Row(NOT_ALLOWED, "401 404 404 422 422"),
    "api-presence": Row("401 404 404 200 200", NOT_ALLOWED),
    "api-mark-presence": Row(NOT_ALLOWED, NOT_ALLOWED),
    "api-restart-roll-call": Row(NOT_ALLOWED, "401 404 404 422 422"),
    "api-substitutes": API_PAGE,
    "api-substitute": Row(NOT_ALLOWED, NOT_ALLOWED),
    "api-table-players": Row(NOT_ALLOWED, NOT_ALLOWED),
    "api-stages": API_PAGE,
    "api-play-offs": Row(NOT_ALLOWED, API_DIRECTOR),
    "api-stage": Row("401 404 404 404 200", NOT_ALLOWED),
    "api-confirm-members": Row(NOT_ALLOWED, API_DIRECTOR),
    "api-take-back-members": Row(NOT_ALLOWED, "401 404 404 404 200"),
    "api-replace-member": Row(NOT_ALLOWED, API_DIRECTOR),
    "api-all-series": Row(ANYBODY, "401 403 401 403 403 422"),
    "api-series": PAGE,
    "api-series-owners": Row(NOT_ALLOWED, NOT_ALLOWED),
    "api-tournament-series": Row(NOT_ALLOWED, NOT_ALLOWED),
    "api-same-players": Row("401 404 404 404 404 200", "401 404 404 404 404 422"),
    "api-same-player": Row(NOT_ALLOWED, NOT_ALLOWED),
    "api-registration": Row(ANYBODY, NOT_ALLOWED),
    "api-registrations": Row("401 404 404 200 200", API_DIRECTOR),
    **dict.fromkeys(
        ("api-registration-settings", "api-applicants-player", "api-applicants-contacts"),
        Row(*[NOT_ALLOWED] * 2),
    ),
    "api-standings": API_PAGE,
    "api-teams": API_PAGE,
    "api-awards": API_PAGE,
    "api-ranking": API_PAGE,
    "api-plan": Row("401 404 404 200 200", NOT_ALLOWED),
    "api-adjustments": Row("401 404 404 200 200", API_DIRECTOR),
    "api-adjustment": Row(NOT_ALLOWED, NOT_ALLOWED),
    "api-lot": Row(NOT_ALLOWED, API_DIRECTOR),
    "api-decisions": Row("401 404 404 200 200", API_DIRECTOR),
    "api-decision": Row(NOT_ALLOWED, NOT_ALLOWED),
    "api-audit": Row("401 404 404 200 200", NOT_ALLOWED),
    "api-join": Row(NOT_ALLOWED, UNFIT),
    "api-sitting": API_PAGE,
    "api-rounds": API_PAGE,
    "api-round": Row("401 404 404 404 404", NOT_ALLOWED),  # nothing is recorded yet
    "api-deal": Row(NOT_ALLOWED, NOT_ALLOWED),
    "api-totals": Row("401 404 404 200 200", NOT_ALLOWED),
    "api-accept": Row(NOT_ALLOWED, "401 404 404 404 404"),
    "api-call": Row(NOT_ALLOWED, "401 404 422 422 422"),
    "api-one-call": Row(NOT_ALLOWED, NOT_ALLOWED),  # taken back by DELETE
    "api-take-over": Row(NOT_ALLOWED, "401 404 200 404 404"),
    "api-pin": Row(NOT_ALLOWED, "401 404 404 201 201"),
    "api-link": Row("401 404 404 200 200", "401 404 404 201 201"),
    "choose-rules": Row(CREATORS, "302 403 302 403 403 405"),
    "read-archive": Row(CREATORS, "302 403 302 403 403 422"),
    "archive": Row(DIRECTOR, NOT_ALLOWED),
    "create-tournament": Row(CREATORS, "302 403 302 403 403 422"),
    "tournament": TOURNAMENT_PAGE,
    "ranking": DIRECTORS_FORM,
    "adjustments": Row(STAFF, "404 404 404 404 422"),
    "ties": DIRECTORS_FORM,
    "play-off": DIRECTORS_FORM,
    "awards": TOURNAMENT_PAGE,
    "award-list": Row(STAFF, NOT_ALLOWED),
    "certificates": Row(STAFF, NOT_ALLOWED),
    "edit-tournament": DIRECTORS_FORM,
    "publish": Row(DIRECTOR, "404 404 404 404 302"),
    "close": Row(DIRECTOR, "404 404 404 404 302"),
    "private-data": Row(DIRECTOR, "404 404 404 404 302"),  # blank is the default
    "remove-tournament": Row(DIRECTOR, "404 404 404 404 302"),
    "staff": DIRECTORS_FORM,
    "entries": Row(MEMBERS, "404 404 404 404 422", public=ANYBODY),
    "edit-entry": DIRECTORS_FORM,
    "copy-entries": Row(DIRECTOR, DIRECTOR),  # without a tournament to copy from
    "draw-file": TOURNAMENT_PAGE,
    "start-search": Row(NOT_ALLOWED, "404 404 404 404 302"),
    "draw-search": Row("404 404 404 404 302", "404 404 404 404 302"),  # none is running
    "seat-list": Row(STAFF, NOT_ALLOWED),
    "seat-changes": Row(STAFF, NOT_ALLOWED),
    "reseat-session": Row("404 404 404 404 302", "404 404 404 404 302"),  # the table has called
    "seat-session": Row("404 404 404 404 302", "404 404 404 404 302"),  # there is a proposal
    "seat-proposal": Row(DIRECTOR, "404 404 404 404 422"),
    "schedule": Row(DIRECTOR, "404 404 404 404 302"),
    "planned-seats": Row("404 404 404 404 302", "404 404 404 404 302"),  # seated already
    "schedule-draw": Row(DIRECTOR, NOT_ALLOWED),
    "schedule-list": Row(STAFF, NOT_ALLOWED),
    "schedule-cards": Row(STAFF, NOT_ALLOWED),
    "session": TOURNAMENT_PAGE,
    "end-session": Row(STAFF, "404 404 404 422 422"),
    "remove-session": DIRECTORS_FORM,  # the table has called
    "clock": TOURNAMENT_PAGE,
    "seats": TOURNAMENT_PAGE,
    **dict.fromkeys(("register", "api-register"), Row(ANYBODY, UNFIT)),
    "registration": Row(ANYBODY, REDIRECTED),
    "registrations": Row(STAFF, "404 404 404 404 409"),
    "registration-settings": DIRECTORS_FORM,
    **dict.fromkeys(
        ("registration-poster", "seats-poster", "event-poster"), Row(STAFF, NOT_ALLOWED)
    ),
    "believe-clock": Row(NOT_ALLOWED, "404 404 404 302 302"),
    "set-clock": Row(STAFF, "404 404 404 422 422"),
    "roll-call": Row(STAFF, "404 404 404 422 422"),
    "roll-call-marks": Row(STAFF, NOT_ALLOWED),
    "restart-roll-call": Row(STAFF, "404 404 404 422 422"),
    "substitute": Row(STAFF, "404 404 404 422 422"),
    "name-cards": Row(STAFF, NOT_ALLOWED),
    "name-card": Row("404 404 302 302 302", NOT_ALLOWED, public=REDIRECTED),
    "session-sheets": Row(STAFF, NOT_ALLOWED),
    "table-cards": Row(STAFF, STAFF),
    "sitting": TOURNAMENT_PAGE,
    "table-players": Row(STAFF, "404 404 404 422 422"),
    "record-round": Row(MEMBERS, "404 404 422 422 422"),
    "play-table": Row(MEMBERS, NOT_ALLOWED),
    "play-chart": Row(MEMBERS, NOT_ALLOWED),
    "preview-round": Row(NOT_ALLOWED, MEMBERS),
    "board": Row(STAFF, NOT_ALLOWED),
    "board-tables": Row(STAFF, NOT_ALLOWED),
    "answer-call": Row(NOT_ALLOWED, "404 404 404 302 302"),
    "exchange-players": Row(STAFF, "404 404 404 422 422"),
    "round-history": Row(STAFF, NOT_ALLOWED),
    "continued": Row(NOBODY, NOT_ALLOWED),  # until the tournament goes on from a standby copy
    "history": Row(STAFF, NOT_ALLOWED),
    "history-workbook": Row(STAFF, NOT_ALLOWED),
    "enter-totals": Row("404 404 404 302 302", "404 404 404 302 302"),
    "enter-sheet": Row(STAFF, "404 404 404 422 422"),
    "preview-sheet": Row(NOT_ALLOWED, STAFF),
    "settle-disagreement": Row(STAFF, "404 404 404 422 422"),
    "edit-plan": DIRECTORS_FORM,
    "stages": TOURNAMENT_PAGE,
    "edit-stage": DIRECTORS_FORM,
    "stage-members": DIRECTORS_FORM,
    "all-series": PAGE,
    "create-series": Row(CREATORS, "302 403 302 403 403 422"),
    "series": PAGE,
    "series-workbook": PAGE,
    "edit-series": Row(OWNER, "404 404 404 404 404 422"),
    "series-players": Row(OWNER, "404 404 404 404 404 422"),
    "tournament-series": DIRECTORS_FORM,
    "standings": TOURNAMENT_PAGE,
    "event-mark": TOURNAMENT_PAGE,
    "standings-workbook": TOURNAMENT_PAGE,
    "teams": TOURNAMENT_PAGE,
    "player": TOURNAMENT_PAGE,
    "tournament-chart": TOURNAMENT_PAGE,
    "tournament-chart-pdf": TOURNAMENT_PAGE,
    "tournament-sheet": TOURNAMENT_PAGE,
    "tournament-sheet-pdf": TOURNAMENT_PAGE,
}

NOTHING_THERE_YET = {
    "api-round",
    "api-publication",
    "api-accept",
    "continued",
    "go-on",
    "play-again",
}  # by itself a table is no club table

# A publication and a recorded round exist at the addresses that name one.
ONCE_PUBLISHED = {"api-publication": ANYBODY}
ONCE_RECORDED = {"api-round": ANYBODY}


def published(name: str) -> str:
    """Return what the roles get from GET after a publication."""
    row = EXPECTED[name]
    return ONCE_PUBLISHED.get(name) or row.public or row.get


def by_role(statuses: str) -> dict[str, str]:
    listed = statuses.split()
    return dict(zip(ROLES, [*listed, *listed[-1:]], strict=False))


def assert_statuses(
    world: World, method: str, url: str, statuses: str, roles: Sequence[str]
) -> None:
    listed = by_role(statuses)
    answers = {role: str(world.ask(role, method, url)) for role in roles}
    assert answers == {role: listed[role] for role in roles}, method
