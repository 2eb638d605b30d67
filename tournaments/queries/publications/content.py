"""The content of a publication, made of the rows of its tournament.

A publication contains the facts in force and the standings derived from them. It has a number and a
digest and never changes: corrections appear in the next publication.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from typing import Any

import scoring
from scoring.ranking.absence import Absence
from tournaments import audit
from tournaments.models import (
    Acceptance,
    Round,
    Session,
    Substitution,
    Tournament,
)
from tournaments.models.adjustments import AdjustmentFacts
from tournaments.models.tournament import public_settings
from tournaments.queries import progress
from tournaments.queries.progress import SessionProgress
from tournaments.queries.ranking_facts import RankingFacts, ranking_facts
from tournaments.queries.sheets import Sheet
from tournaments.queries.standings import standings_of


def digest_of(content: Any) -> str:
    """Return the SHA-256 of a publication's content in canonical form, in hexadecimal."""
    return hashlib.sha256(audit.canonical_json(content)).hexdigest()


def content_of(tournament: Tournament) -> dict[str, Any]:
    """Return the content of a publication of the tournament as it is now.

    It has the shape of `schema.Content`: settings, players, seats, facts in force and
    standings, without private fields of players and without names of those who recorded rounds.
    """
    accepted = _accepted_rounds(tournament)
    return content_from(
        tournament,
        ranking_facts(tournament),
        sessions=tournament.sessions.all(),
        is_accepted=lambda row: row.pk in accepted,
    )


def content_from(
    tournament: Tournament,
    facts: RankingFacts,
    sessions: Iterable[Session],
    is_accepted: Callable[[Round], bool],
) -> dict[str, Any]:
    """Return the content of a publication with these facts and sessions; see `content_of`.

    `is_accepted` returns whether the other side has accepted this version of a round.
    """
    with_sheets = [(each, _sheets_of_session(each, facts.sheets)) for each in sessions]
    progresses = [
        SessionProgress(each, progress.progress_of_sheets(tables)) for each, tables in with_sheets
    ]
    return {
        "tournament": {
            "slug": tournament.slug,
            **public_settings(tournament),
            "ranking": tournament.ranking,
        },
        "entries": [entry.public_values() for entry in facts.entries],
        "sessions": [_session_content(each, tables, is_accepted) for each, tables in with_sheets],
        **_substitutions_content(facts.substitutions),
        **_away_content(facts),
        **_rulings_content(facts),
        **({"stages": [each.as_json() for each in facts.stages]} if facts.stages else {}),
        "progress": progress.total_progress(progresses)._asdict(),
        "standings": standings_content(facts),
    }


def _substitutions_content(substitutions: Iterable[Substitution]) -> dict[str, Any]:
    """Return the substitutions as `schema.PlayedFor`; without the key if none."""
    rows = [each.as_json() for each in substitutions]
    return {"substitutions": rows} if rows else {}


def _away_content(facts: RankingFacts) -> dict[str, Any]:
    """Return who was not there, as `schema.AwayFrom`; without the key if not known."""
    if facts.away is None:
        return {}
    rows = [
        {"session": session, "player": int(player), "reason": reason.value}
        for session, players in sorted(facts.away.items())
        for player, reason in sorted(players.items(), key=lambda each: int(each[0]))
    ]
    return {"away": rows}


def _rulings_content(facts: RankingFacts) -> dict[str, Any]:
    """Without the keys of empty lists."""
    content: dict[str, Any] = {
        "withdrawn": [
            {"player": entry.number, "session": facts.withdrawn[entry.key]}
            for entry in facts.entries
            if entry.key in facts.withdrawn
        ],
        "adjustments": [AdjustmentFacts.json_of(each) for each in facts.adjustments],
        "decisions": [each.as_json() for each in facts.decisions],
    }
    return {name: value for name, value in content.items() if value}


def _sheets_of_session(session: Session, sheets: Iterable[Sheet]) -> list[Sheet]:
    return [each for each in sheets if each.sitting.session.number == session.number]


def _accepted_rounds(tournament: Tournament) -> set[int]:
    """Return the primary keys of the rows."""
    acceptances = Acceptance.objects.filter(round__sitting__session__tournament=tournament)
    return set(acceptances.values_list("round_id", flat=True))


def _session_content(
    session: Session, sheets: Iterable[Sheet], is_accepted: Callable[[Round], bool]
) -> dict[str, Any]:
    rounds = {} if session.rounds_planned is None else {"rounds_planned": session.rounds_planned}
    return {
        "number": session.number,
        "totals_only": session.totals_only,
        "ended_at": session.ended_at.isoformat() if session.ended_at else None,
        **({"tied": session.tied, "rounds_planned": None} if session.is_play_off else {}),
        **rounds,
        "tables": [_table_content(sheet, is_accepted) for sheet in sheets],
    }


def _table_content(sheet: Sheet, is_accepted: Callable[[Round], bool]) -> dict[str, Any]:
    sitting = sheet.sitting
    if_players_changed = {
        "continues": sitting.continues.number if sitting.continues else None,
        "rounds_planned": sitting.rounds_planned,
    }
    return {
        "number": sitting.number,
        **{key: value for key, value in if_players_changed.items() if value is not None},
        "players": [entry.number for entry in sheet.entries],
        "rounds": [_round_content(row, is_accepted=is_accepted(row)) for row in sheet.rows],
        "totals": dict(sheet.typed_totals.points) if sheet.typed_totals else None,
    }


def _round_content(row: Round, *, is_accepted: bool) -> dict[str, Any]:
    return {
        "version": row.version,
        "facts": row.facts,
        "reason": row.reason,
        "accepted": is_accepted,
        "recorded_at": row.recorded_at.isoformat(),
    }


def standings_content(facts: RankingFacts) -> list[dict[str, Any]]:
    """Without players who have no place."""
    return [
        {
            "number": row.entry.number,
            "rank_in_class": row.rank_in_class,
            **_place_content(row.place),
        }
        for row in standings_of(facts)
        if row.place is not None
    ]


def _place_content(place: scoring.Place) -> dict[str, Any]:
    """Return a place as JSON without `separates`, which is `separated_by` of the next place.

    `lines` is left out if empty.
    """
    fields = place._asdict() | {"values": list(place.values)}
    del fields["separates"]
    lines = [_line_content(line) for line in fields.pop("lines")]
    return {**fields, "lines": lines} if lines else fields


def _line_content(line: scoring.SumLine) -> list[Any]:
    """Return a line as JSON; a reason that is not known is left out, as earlier versions did."""
    *fields, reason = line
    return fields if reason in {None, Absence.UNKNOWN} else [*fields, reason.value]
