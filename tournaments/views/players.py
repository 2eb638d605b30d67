"""The page of a player: rounds with their score lines, and the rank explained."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext

import scoring
from scoring.ranking.absence import Absence
from scoring.ranking.contest import points_by_session
from scoring.ranking.rules import NOTHING, OWN_AVERAGE, PLACE
from scoring.stages.places import credit_of_substitutes
from tournaments.i18n.facts_in_words import labelled
from tournaments.i18n.ranking import ABSENCES, counts_as_words, credit_words
from tournaments.models import Entry, Substitution
from tournaments.permissions import door, rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.queries import running_score
from tournaments.queries.events import Event
from tournaments.queries.player_rounds import PlayerRound, by_table, rounds_of, totals_of
from tournaments.queries.ranking_facts import RankingFacts
from tournaments.queries.sections import Section
from tournaments.queries.stages import StageStandings, stage_standings
from tournaments.queries.standings import (
    Standing,
    compare_tie_breaks,
)
from tournaments.web.public_pages import cached_for_spectators

ROWS_A_PAGE = 100
ROWS_ON_WALL = 17  # in each of two columns: they fill a projector's picture


@requires(GET=Level.SEE)
@cached_for_spectators
def player(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    event = door.event_of(request, allow_older=True)
    tournament, sheets = event.tournament, event.sheets
    entry = event.entry(number)
    in_stages = _stages_of(stage_standings(event.ranking_facts), entry)
    carried = {stage.sessions: row.carried or 0 for stage, row in in_stages[1:]}
    facts = event.ranking_facts
    replaced = event.results_substitutions
    credited = scoring.credits_of(facts.contest.substitutes, facts.rules)
    rounds = rounds_of(entry.key, sheets, carried, credited, facts.played_stages)
    standing = _standing_context(event, number)
    rows = [row for _stage, row in in_stages] or [standing["standing"]]
    context = {
        "tournament": tournament,
        "publication": event.publication,
        "rules_fingerprint": tournament.rules.fingerprint,
        "breadcrumbs": [
            (tournament.get_absolute_url(), tournament.name),
            (reverse("standings", args=[slug]), gettext("Standings")),
        ],
        "entry": entry,
        "names": event.names,
        **standing,
        "role": rights.role_in(request, tournament),
        "stages": in_stages,
        "replaced_by": _with_credit(facts, [e for e in replaced if e.entry.number == number]),
        "plays_for": _with_credit(facts, [e for e in replaced if e.substitute.number == number]),
        "tables": by_table(entry.key, rounds, replaced),
        "typed": totals_of(entry.key, sheets, credited, facts.played_stages),
        "lines": _lines_beside_rounds(event, rows),
        "absences": _absences_without_points(event, entry, rows),
        "chart": running_score.running_score(_totals_by_session(rounds)),
        "rules": tournament.rules,
    }
    return render(request, "player.html", context)


def _with_credit(
    facts: RankingFacts, substitutions: Sequence[Substitution]
) -> list[tuple[Substitution, str]]:
    """Return each substitution with the words for whom its points count."""
    return [
        (each, credit_words(credit_of_substitutes(session, facts.played_stages, facts.rules)))
        for each in substitutions
        for session in [each.session_number]
    ]


def _standing_context(event: Event, number: int) -> dict[str, Any]:
    """Return the template context of a player's row in the standings.

    - `standing`: the row; None for a substitute or newcomer who is not in the standings
    - `above`, `below`: the rows next to it with which the tie-breaks compare it: those with a rank
      in the same stage and group; else None
    - `first`: the section of the row above if it is another, whose members come first
    - `steps`: how the tie-breaks compare the player with these rows
    """
    rows = event.standings
    index = next((i for i, row in enumerate(rows) if row.entry.number == number), None)
    if index is None:
        return {"standing": None, "above": None, "below": None, "first": None, "steps": ()}
    own = rows[index]
    above = rows[index - 1] if index > 0 and _has_rank(own) else None
    below = next((row for row in rows[index + 1 : index + 2] if _has_rank(row)), None)
    is_first = above is None or above.section == own.section
    return {
        "standing": own,
        "above": above if is_first else None,
        "below": below if below and below.section == own.section else None,
        "first": None if is_first or above is None else above.section,
        "steps": compare_tie_breaks(rows, index, event.ranking_facts.steps),
    }


def _has_rank(row: Standing) -> bool:
    return row.place is not None and row.place.rank is not None


def _stages_of(
    stages: Sequence[StageStandings], entry: Entry
) -> list[tuple[StageStandings, Standing]]:
    return [(each, row) for each in stages for row in each.rows if row.entry.number == entry.number]


def _absences_without_points(
    event: Event, entry: Entry, rows: Sequence[Standing | None]
) -> list[tuple[int, str]]:
    """Return the sessions that a player did not play and that count nothing so far, in sentences.

    Those that count points have a line in one of the player's `rows`, or the points of a
    substitute. A session counts points once it is over and the player has a result. To close the
    event ends none: results that were published in mid-session, or lack sheets, stay as they are.
    """
    facts = event.ranking_facts
    rules, over = facts.rules, facts.contest.sessions_over
    is_credited = rules.substitutes == PLACE
    without_points = [
        (session, reason)
        for session, reason in event.absences.get(entry.key, {}).items()
        if all(row is None or row.missed_points(session) is None for row in rows)
        and not (is_credited and reason == Absence.REPLACED)
    ]
    if not without_points:
        return []
    is_closed = event.tournament.closed_at is not None
    return [
        (
            session,
            _absence_without_points(reason, rules, is_over=session in over, is_closed=is_closed),
        )
        for session, reason in without_points
    ]


def _absence_without_points(
    reason: Absence, rules: scoring.RankingRules, *, is_over: bool, is_closed: bool
) -> str:
    """Return why a session was missed, and that it counts nothing, or what it will count as.

    Who has played nothing gets no points for a session that is over.
    """
    counts_as = rules.counts_as(reason)
    if counts_as == NOTHING:
        return gettext("%(reason)s, no points.") % {"reason": ABSENCES[reason]}
    if is_over:
        return gettext("%(reason)s, no points without a round.") % {"reason": ABSENCES[reason]}
    if is_closed:
        words = gettext(
            "%(reason)s, no points, as these results do not have all of this session (counts as: "
            "%(points)s)."
        )
    else:
        words = gettext("%(reason)s, no points yet (counts as: %(points)s).")
    return words % {"reason": ABSENCES[reason], "points": counts_as_words(counts_as)}


def _lines_beside_rounds(
    event: Event, rows: Sequence[Standing | None]
) -> list[tuple[scoring.SumLine, str, Section | None]]:
    """Return the lines of a player's totals besides rounds, each with its reason in words.

    They are missed sessions and adjustments. Each is in the points of one row only, whose section
    is told if the player is in several stages: the next stage may carry over a share.
    """
    facts = event.ranking_facts
    reasons = {each.number: each.reason for each in facts.adjustments}
    return [
        (
            line,
            _absence_words(line.reason, row.place.who, facts)
            if line.reason
            else reasons.get(line.adjustment or 0, ""),
            row.section if len(rows) > 1 else None,
        )
        for row in rows
        if row and row.place
        for line in row.place.lines
    ]


def _absence_words(reason: Absence, player: str, facts: RankingFacts) -> str:
    """Return why a session was missed and, unless points are fixed, what it counts as."""
    counts_as = facts.rules.counts_as(reason)
    if isinstance(counts_as, int):
        return str(ABSENCES[reason])
    words = labelled(str(ABSENCES[reason]), counts_as_words(counts_as))
    if counts_as != OWN_AVERAGE:
        return words
    played = points_by_session(facts.contest).get(player, {})
    if played and not played.keys() & set(facts.contest.sessions_over):
        return gettext("%(absence)s (no session that the player played is over yet)") % {
            "absence": words
        }
    return words


def _totals_by_session(rounds: Sequence[PlayerRound]) -> list[list[int]]:
    """Return a player's totals after complete rounds, a list for each session, no play-offs.

    Rounds that the player's total leaves out are left out.
    """
    counting = [
        each for each in rounds if each.is_complete and each.counts and not each.sheet.is_play_off
    ]
    return [
        [each.total for each in rounds_of_session]
        for _pk, rounds_of_session in groupby(counting, lambda each: each.sheet.sitting.session_id)
    ]
