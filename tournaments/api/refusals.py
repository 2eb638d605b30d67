"""Refusals: a status, a code for programs, and a sentence in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

import scoring
from scoring.problems import MOST_LISTED
from tournaments import archives
from tournaments.audit import StateChanged, actors
from tournaments.i18n import sentences
from tournaments.models.field_types import YEARS
from tournaments.queries import round_validation
from tournaments.services import (
    acceptances,
    adjustments,
    calls,
    clocks,
    closing,
    entries,
    idempotency,
    phones,
    plans,
    presence,
    registrations,
    rounds,
    same_players,
    schedules,
    seating,
    series,
    sessions,
    staff,
    stages,
    submissions,
    substitutions,
    table_codes,
    table_players,
    tournaments,
)
from tournaments.web import json_responses

# Exceptions of the services: pages and the API show the same code and sentence of each.
OPERATION_REFUSALS = (
    *(archives.Damaged, archives.Foreign, archives.AlreadyExists),
    *(archives.Newer, archives.Inconsistent, archives.OtherRules),
    *(clocks.ClockChanged, clocks.ClockNotSet, clocks.ClockNotStarted),
    *(closing.EventClosed, closing.EventOver, sessions.NotLastSession, sessions.Unfinished),
    plans.PlanChanged,
    *(tournaments.HasRecords, seating.HasBegun, presence.RollCallChanged),
    *(adjustments.AlreadyDecided, seating.PlayersAway, seating.PlayersReplaced),
    *(adjustments.NumberTaken, adjustments.NotTied, adjustments.NoSuchTeam, adjustments.NoPoints),
    *(seating.TiedNotSeated, seating.TiedLeave),
    *(registrations.RegistrationClosed, registrations.TooManyRegistrations),
    registrations.WrongCode,
    *(registrations.NoSuchDivision, registrations.RegistrationChanged, registrations.NoVacancy),
    *(stages.StageChanged, stages.StageConfirmed, stages.StageNotConfirmed, stages.StageBegun),
    *(stages.NotTheLastStage, stages.TieAtTheLine, stages.NobodyGoesOn, stages.NotInLine),
    *(staff.AlreadyOnStaff, staff.ConfusingName, seating.AlreadySeated, schedules.NotPlanned),
    *(
        series.SeriesChanged,
        series.LastOwner,
        same_players.NotInSeries,
        same_players.PlayedTogether,
    ),
    *(seating.NotSeatedBefore, seating.OneTable, seating.BeyondPlan, entries.TooManyEntries),
    *(substitutions.NotAway, substitutions.AlreadyReplaced, substitutions.NotFree),
    *(table_players.RoundUnderWay, table_players.TableIsOver, table_players.WrongTableSize),
    *(
        table_players.SeatedElsewhere,
        phones.NotTheWriter,
        phones.PhoneEnded,
        phones.WrongPin,
    ),
    *(table_codes.CodeEnded, table_codes.WrongCode),
    *(
        idempotency.KeyReused,
        round_validation.Finished,
        rounds.AfterChange,
        rounds.NeedsDesk,
        round_validation.NotNext,
    ),
    *(round_validation.OnlyTotals, rounds.ReasonNeeded, submissions.OnlyDeskCorrects),
    *(acceptances.SecondPhoneNeeded, calls.CallsWaiting, acceptances.NothingToAccept),
)

SENTENCES = {
    **json_responses.SENTENCES,
    **{each.code: each.sentence for each in (*OPERATION_REFUSALS, StateChanged)},
    "busy": _("The server is busy. Wait a few seconds and try again."),
    "crowded": _("Many people are logging in right now. Try again in a moment."),
    "csrf": _("This request did not come from one of our pages. Load the page anew."),
    "entry_changed": _("The player has been changed meanwhile. Both versions are shown."),
    "event_removed": _(
        "This table has been removed: nothing more can be stored from this phone. "
        "What is still on it can be copied."
    ),
    "has_played": _("This player has a seat and stays on record."),
    "key_missing": _(
        "Name this write in the header Idempotency-Key: "
        "a new key for each, of at most 200 characters."
    ),
    "marked_otherwise": _("Somebody else has marked this player meanwhile. Check the mark first."),
    "method": _("This address does not take that method."),
    "may_not_create": _(
        "This account may not create tournaments. Ask the owner of this server for the right."
    ),
    "missing": _("This is missing; add it."),
    "name_taken": _("There is an account of this name: choose another."),
    actors.RESERVED: actors.WHY_RESERVED,
    "no_account": _("There is no account of this name: correct it, or make it."),
    "no_deals": _("This game is not played in deals. Send the whole round."),
    "no_entry": _("No player of this tournament has that number."),
    "not_json": _("This is not JSON; check quotation marks and commas."),
    "not_kept": _("There is a character in this which cannot be kept: a NUL, or half of one."),
    "not_one_choice": _("Say one of these: published true, published false, live true."),
    "not_seated": _("Neither of the two has a seat in this session."),
    "open_disputes": _("Decide first which is right, then exchange the players"),
    "players_changed": _(
        "The players of this table have changed meanwhile. Check who they are, and try again."
    ),
    "range": _("This is too much, too little, too long or too short."),
    "ranking_changed": _("The ranking has been set otherwise meanwhile. Read it again first."),
    "planned_stale": _(
        "Others play in this session than were planned. Name the tables, or draw the rest anew."
    ),
    "seats_changed": _("The seats have been changed meanwhile. Read them again first."),
    "play_off_by_lot": _("The seats of a play-off are drawn by lot: leave out the other choices."),
    "same_player": _("Name two different players."),
    "sizes_with_groups": _(
        "This stage has groups, each with tables of its own: leave out the sizes of tables."
    ),
    "code_needed": _("This account needs the present code of its app, or a recovery code."),
    "registration_set_since": _(
        "The registration has been set otherwise meanwhile. Read it again first."
    ),
    "seen_missing": _("Say which version you saw: in `seen`, or in the header If-Match."),
    "seen_twice": _("`seen` and the header If-Match name two versions. Say which one you saw."),
    "series_of_others": _("Your account may not edit this series. Ask somebody who may."),
    "settled": _("It is decided which version of the round counts."),
    "stale": _("The round has been recorded otherwise meanwhile. Both versions are shown."),
    "sum_not_zero": _(
        "The totals do not sum to 0, as they do in this game. "
        "If the table says so, say it in `despite_sum`."
    ),
    "throttled": _("Too many wrong attempts. Wait a moment."),
    "totals_changed": _("The totals have been typed otherwise meanwhile. Both versions are shown."),
    "too_many_today": _("So many applications have come from here today. Ask the organiser."),
    "token_unknown": _("This token is not known here, or no longer."),
    "type": _("Something of another kind is expected here."),
    "unknown_key": _("This is not known here; remove it or correct its spelling."),
    "only_rounds": _("In this session rounds are recorded, no totals."),
    "own_account": _("Nobody disables their own account. Ask another owner of this server."),
    "year": YEARS,
    "weak_password": _("Choose a longer password, and one that is not easily guessed."),
    "wrong_password": _("The name or the password is wrong."),
}


class Refused(Exception):
    """Answered with this status, code and the sentence of the code.

    `at` is the path of the problem in the request, `more` are further keys of the JSON object.
    """

    def __init__(
        self,
        status: int,
        code: str,
        *,
        at: str = "",
        headers: Mapping[str, str] | None = None,
        **more: Any,
    ) -> None:
        super().__init__(status, code)
        self.status = status
        self.code = code
        self.at = at
        self.headers = headers
        self.more = more


class Invalid(Exception):
    """Answered 422 with these problems, each with the keys `at`, `code` and `message`.

    `unlisted` is the number of further problems that are not in `errors`.
    """

    def __init__(self, errors: Sequence[Mapping[str, str]], unlisted: int = 0) -> None:
        super().__init__(len(errors) + unlisted)
        self.errors = [dict(error) for error in errors]
        self.unlisted = unlisted


def refusal(code: str, *, at: str = "", **more: Any) -> dict[str, Any]:
    """Return the JSON object of a refusal. `at` and `more` as in `Refused`."""
    return json_responses.refusal(code, SENTENCES[code], at=at, **more)


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


def invalid_record(invalid: scoring.InvalidRecord, names: Mapping[str, str]) -> Invalid:
    """Return the API's exception for an invalid record. `names` of players are by `Entry.key`."""
    return Invalid(problems_as_json(invalid.problems, names), unlisted=invalid.unlisted)


def problems_as_json(
    problems: Sequence[scoring.Problem], names: Mapping[str, str]
) -> list[dict[str, str]]:
    """Return a record's problems as JSON, with sentences in the active language.

    English sentences are those of `manage.py score`, with the players' numbers. Other languages
    get the players' `names`, which are by `Entry.key`.
    """
    if (get_language() or "en").startswith("en"):
        return [problem.as_json() for problem in problems]
    return [
        problem.as_json() | {"message": sentences.problem_sentence(problem, names)}
        for problem in problems
    ]
