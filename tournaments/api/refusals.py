"""Refusals: a status, a code for programs, and a sentence in the reader's language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

from django.http import HttpResponse
from django.utils.functional import Promise
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

import scoring
from scoring.problems import MOST_LISTED
from tournaments.audit import StateChanged, actors
from tournaments.exceptions import CHANGED_SINCE, OperationRefused
from tournaments.i18n import sentences
from tournaments.models.field_types import YEARS
from tournaments.web import json_responses

# The refusals that only the API knows: by status and code, the sentence.
OWN: dict[int, dict[str, Promise]] = {
    401: {
        "event_removed": _(
            "This table has been removed: nothing more can be saved from this phone. Copy "
            "what is still on it."
        ),
        "token_unknown": _("This token is unknown or has expired. Get a new one."),
        "wrong_password": _("The name or the password is wrong. Check both."),
    },
    403: {
        "csrf": _(
            "This request did not come from one of Makiyaku’s pages. Reload the page and "
            "send it again."
        ),
        "may_not_create": _(
            "This account may not create tournaments. Ask the owner of this server for permission."
        ),
    },
    405: {
        "method": _(
            "This address does not accept that method. Use one listed in the header Allow."
        ),
    },
    409: {
        "entry_changed": _(
            "The player has changed since you read it. Compare the two versions, then send "
            "the right one."
        ),
        "name_taken": _("There is already an account with this name: choose another."),
        "planned_stale": _(
            "The line-up of this session differs from the plan. Send the tables, or draw "
            "the rest again."
        ),
        "players_changed": _(
            "The players of this table have changed since you read them. Check who they are, "
            "and try again."
        ),
        "private_end_set_since": _(
            "The day on which private data is erased has changed since you read it. Read it again "
            "first."
        ),
        "ranking_changed": _(
            "The ranking rules have changed since you read them. Read them again first."
        ),
        "registration_set_since": _(
            "The registration has changed since you read it. Read it again first."
        ),
        "seats_changed": _("The seats have changed since you read them. Read them again first."),
        "series_of_others": _("Your account may not edit this series. Ask somebody who may."),
        "settled": _(
            "The dispute about this round has been decided already. Read the round again."
        ),
        "stale": _(
            "The round has been recorded differently since you read it. Compare the two "
            "versions, then send the right one."
        ),
        "totals_changed": _(
            "The totals have been entered differently since you read them. Compare the two "
            "versions, then send the right one."
        ),
        StateChanged.code: CHANGED_SINCE,
    },
    422: {
        "missing": _("This is missing; add it."),
        "no_account": _(
            "There is no account with this name: correct the name, or create the account."
        ),
        "no_deals": _("This game is not played in deals. Send the whole round."),
        "no_entry": _("No player of this tournament has that number. Correct it."),
        "not_json": _("This is not JSON; check quotation marks and commas."),
        "not_kept": _(
            "This contains a character that cannot be stored (a NUL or half a surrogate pair). "
            "Remove it."
        ),
        "not_one_choice": _(
            "These values contradict each other. Send one of these: published true, published "
            "false, live true."
        ),
        "only_rounds": _("In this session rounds are recorded, not totals. Send the rounds."),
        "own_account": _("You cannot disable your own account. Ask another owner of this server."),
        "play_off_by_lot": _(
            "The seats of a play-off are drawn by lot: leave out the other choices."
        ),
        "range": _("The value is outside the allowed range. Correct it."),
        "same_player": _("One player is entered twice. Enter two different players."),
        "seen_twice": _(
            "`seen` and the header If-Match name different versions. Send only the one that you "
            "saw."
        ),
        "sizes_with_groups": _(
            "This stage has groups, each with tables of its own: leave out the table sizes."
        ),
        "sum_not_zero": _(
            "In this game the totals must add up to 0, and these do not. Correct them, or send "
            "`despite_sum` if the table insists."
        ),
        "type": _("A different type of value is expected here. Correct it."),
        "unknown_key": _("This name is not recognised; remove it or correct its spelling."),
        "weak_password": _(
            "This password is too weak. Choose a longer one that is not easily guessed."
        ),
        "year": YEARS,
        actors.RESERVED: actors.WHY_RESERVED,
    },
    428: {
        "key_missing": _(
            "The header Idempotency-Key is missing or too long. Send a new key for each "
            "write, of at most 200 characters."
        ),
        "seen_missing": _(
            "The version that you saw is missing. Send it in `seen` or in the header If-Match."
        ),
    },
    503: {
        "busy": _("The server is busy. Wait a few seconds and try again."),
    },
}
OWN_BY_CODE = json_responses.REFUSALS | {
    code: (status, sentence) for status, own in OWN.items() for code, sentence in own.items()
}


class Refused(OperationRefused):
    """A refusal by its code: `at` is the path of the problem in the request."""

    def __init__(self, code: str, *, at: str = "", **more: Any) -> None:
        super().__init__(code)
        self.code, self.at, self.more = code, at, more
        self.status, self.sentence = statuses_and_sentences()[code]


class Invalid(Exception):
    """Answered 422 with these problems, each with the keys `at`, `code` and `message`.

    `unlisted` is the number of further problems that are not in `errors`.
    """

    def __init__(self, errors: Sequence[Mapping[str, str]], unlisted: int = 0) -> None:
        super().__init__(len(errors) + unlisted)
        self.errors = [dict(error) for error in errors]
        self.unlisted = unlisted


@contextmanager
def placed(at: str, *kinds: type[OperationRefused]) -> Iterator[None]:
    """Set `at`, the path in the request, on refusals of these kinds raised inside."""
    try:
        yield
    except kinds as refused:
        refused.at = at
        raise


def kinds_of_refusals(
    of: type[OperationRefused] = OperationRefused,
) -> list[type[OperationRefused]]:
    """Return only classes that have a code of their own."""
    below = [kind for each in of.__subclasses__() for kind in kinds_of_refusals(each)]
    return [of, *below] if "code" in vars(of) else below


@cache
def statuses_and_sentences() -> dict[str, tuple[int, str | Promise]]:
    """Return the status and the sentence of every code: the services' and the API's own."""
    own = {
        kind.code: (kind.status, kind.sentence_over_api or kind.sentence)
        for kind in kinds_of_refusals()
    }
    return own | OWN_BY_CODE


def refusal(code: str, *, at: str = "", **more: Any) -> dict[str, Any]:
    """Return the JSON object of a refusal: `at` is the path, `more` are further keys."""
    return json_responses.refusal(code, statuses_and_sentences()[code][1], at=at, **more)


def problem(code: str, at: str) -> dict[str, str]:
    return {"at": at, "code": code, "message": str(statuses_and_sentences()[code][1])}


def refuse(refused: OperationRefused) -> HttpResponse:
    headers = {"Retry-After": str(refused.more["seconds"])} if "seconds" in refused.more else {}
    document = refusal(refused.code, at=refused.at, **refused.more)
    return json_responses.reply(document, refused.status, headers)


def refusals(errors: Sequence[Mapping[str, str]], unlisted: int = 0) -> dict[str, Any]:
    """Return the JSON object of a refusal with several problems. Its code is that of the first.

    At most `MOST_LISTED` problems are listed. The key `more` is the number of all other problems,
    including the `unlisted` ones; without other problems the key is left out.
    """
    listed = [dict(error) for error in errors[:MOST_LISTED]]
    left_out = len(errors) - len(listed) + unlisted
    summary = {"code": listed[0]["code"], "message": listed[0]["message"]}
    document = {"ok": False, **summary, "errors": listed}
    return document | ({"more": left_out} if left_out else {})


def invalid_record(
    invalid: scoring.InvalidRecord, names: Mapping[str, str], rules: scoring.Rules
) -> Invalid:
    """Return the API's exception for an invalid record. `names` of players are by `Entry.key`."""
    return Invalid(problems_as_json(invalid.problems, names, rules), unlisted=invalid.unlisted)


def problems_as_json(
    problems: Sequence[scoring.Problem],
    names: Mapping[str, str],
    rules: scoring.Rules | None = None,
) -> list[dict[str, str]]:
    """Return a record's problems as JSON, with sentences in the active language.

    English sentences are those of `manage.py score`, with the players' numbers. Other languages
    get the players' `names`, which are by `Entry.key`.
    """
    if (get_language() or "en").startswith("en"):
        return [problem.as_json() for problem in problems]
    return [
        problem.as_json() | {"message": sentences.problem_sentence(problem, names, rules)}
        for problem in problems
    ]
