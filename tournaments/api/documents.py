"""What rows look like as JSON. Public facts only, but for what the name says is the staff's."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.http import HttpRequest
from django.utils import timezone

import scoring
from tournaments.i18n import sentences
from tournaments.models import (
    Acceptance,
    AuditEntry,
    Call,
    Disagreement,
    Entry,
    Publication,
    Sitting,
    Tournament,
)
from tournaments.permissions import rights
from tournaments.queries.round_documents import round_as_json
from tournaments.queries.sheets import Sheet
from tournaments.queries.standings import Standing


def tournament_as_json(tournament: Tournament) -> dict[str, Any]:
    """Return a tournament and the rules it is played by."""
    rules = tournament.rules
    return {
        "slug": tournament.slug,
        "name": tournament.name,
        "held_on": str(tournament.held_on),
        "venue": tournament.venue,
        "kind": tournament.kind,
        "rule_set": tournament.rule_set,
        "options": tournament.options,
        "points": tournament.points,
        "partners": tournament.partners,
        "rounds_per_session": tournament.rounds_per_session,
        "accepting": tournament.accepting,
        "game": rules.game.kind,
        "fingerprint": rules.fingerprint,
        "published": tournament.is_public,
        "showing": tournament.showing,
        "closed_at": tournament.closed_at.isoformat() if tournament.closed_at else None,
    }


def entry_as_json(entry: Entry) -> dict[str, Any]:
    """Return what anybody may know of an entry."""
    return entry.public_facts()


def entry_for_staff(entry: Entry, version: int = 0) -> dict[str, Any]:
    """Return an entry with its private fields, which only its tournament's staff may see.

    `version` is what whoever puts it right names as seen.
    """
    return {**entry.public_facts(), **entry.private_facts(), "version": version}


def rounds_as_json(sheet: Sheet) -> list[dict[str, Any]]:
    """Return the rounds in force of a table."""
    agreed = _agreed(sheet)
    return [
        round_as_json(played, is_accepted=played.row.number in agreed) for played in sheet.rounds
    ]


def _agreed(sheet: Sheet) -> set[int]:
    """Return the numbers of the rounds to which the other side has agreed.

    Rounds that were announced stand in no table, and bring their acceptance with them.
    """
    announced = [row for row in sheet.rows if row._state.adding]
    stored = [row.pk for row in sheet.rows if not row._state.adding]
    acceptances = Acceptance.objects.filter(round__in=stored)
    return {row.number for row in announced if hasattr(row, "acceptance")} | set(
        acceptances.values_list("round__number", flat=True)
    )


def seats_as_json(entries: Iterable[Entry]) -> list[dict[str, Any]]:
    """Return who sits where, in seat order; `player` is how records name them."""
    return [
        {
            "position": position,
            "player": entry.key,
            "number": entry.number,
            "name": entry.name,
        }
        for position, entry in enumerate(entries, 1)
    ]


def advice_as_json(advice: scoring.Advice, names: dict[str, str]) -> dict[str, Any]:
    """Return what the table does next: a code and its values, and the sentence."""
    return {
        "code": advice.code,
        "sentence": sentences.advice_sentence(advice, names),
        "players": dict(advice.players),
        "values": dict(advice.values),
    }


def sitting_as_json(request: HttpRequest, sheet: Sheet) -> dict[str, Any]:
    """Return a table as it stands: everything a phone has to know to take down what follows."""
    sitting = sheet.sitting
    session, tournament = sitting.session, sitting.session.tournament
    state = _state(sheet)
    calls, disagreements = Call.objects.none(), Disagreement.objects.none()
    if rights.may_record(request, sitting):  # between the table and the desk, for nobody else
        calls = sitting.calls.filter(answered_at=None)
        disagreements = sitting.disagreements.filter(settled_at=None)
    return {
        "id": sitting.pk,
        "tournament": tournament_as_json(tournament),
        "session": session.number,
        "table": sitting.number,
        "totals_only": session.totals_only,
        "seats": seats_as_json(sheet.entries),
        "rounds": rounds_as_json(sheet),
        "totals": sheet.score.totals,
        "team_totals": list(sheet.score.team_totals) if sheet.score.team_totals else None,
        "next": {
            "round": sheet.next_number,
            "version": sheet.rows[-1].version if sheet.goes_on and sheet.rows else 0,
            "deal": len(sheet.rows[-1].facts.get("deals", [])) + 1 if sheet.goes_on else 1,
            "finished": sheet.is_finished,
            **state,
        },
        "advice": [advice_as_json(advice, sheet.names) for advice in sheet.advice],
        "calls": [call_as_json(call) for call in calls],
        "disagreements": [disagreement_as_json(each) for each in disagreements],
        "you": you_as_json(request, sitting),
    }


def _state(sheet: Sheet) -> dict[str, Any]:
    """Return whose turn it is: the order of seats, dealer and trump of the round to be taken down.

    While a round goes on they are that round's. A dealer who is still to be drawn is null.
    """
    game = sheet.rules.game
    state_after = getattr(game, "state_after", None)
    if state_after is None:
        return {"seats": list(sheet.players), "dealer": None, "trump": None}
    before = sheet.record.rounds[:-1] if sheet.goes_on else sheet.record.rounds
    state = state_after(before, sheet.players, sheet.planned)
    dealer, trump = state.dealer, getattr(state, "trump", None)
    if sheet.goes_on:
        dealer = sheet.rows[-1].facts.get("dealer", dealer)
        trump = sheet.rows[-1].facts.get("trump", trump)
    return {"seats": list(state.seats), "dealer": dealer, "trump": trump}


def you_as_json(request: HttpRequest, sitting: Sitting) -> dict[str, Any]:
    """Return who asks, seen from the table."""
    phone = rights.phone_at(request, sitting)
    return {
        "role": rights.role_in(request, sitting.session.tournament),
        "phone": phone.pk if phone else None,
        "is_writer": phone.is_writer if phone else None,
        "may_record": rights.may_record(request, sitting),
        "may_correct": rights.may_correct(request, sitting),
    }


def call_as_json(call: Call) -> dict[str, Any]:
    """Return a call that the desk has not answered."""
    return {
        "id": call.pk,
        "kind": call.kind,
        "words": call.words,
        "at": timezone.localtime(call.at).isoformat(),
    }


def disagreement_as_json(each: Disagreement) -> dict[str, Any]:
    """Return facts that differ from the recorded ones and wait for the desk."""
    return {
        "id": each.pk,
        "round": each.number,
        "facts": each.facts,
        "at": timezone.localtime(each.at).isoformat(),
    }


def standing_as_json(standing: Standing) -> dict[str, Any]:
    """Return an entry's place; null until a round of theirs counts."""
    place = standing.place
    return {
        **standing.entry.public_facts(),
        "place": place.rank if place else None,
        "place_in_class": standing.rank_in_class,
        "points": place.points if place else None,
        "rounds_played": place.rounds_played if place else 0,
        "separated_by": place.separated_by if place else None,
    }


def publication_as_json(request: HttpRequest, publication: Publication) -> dict[str, Any]:
    """Return what was announced, but for the facts: its number, when, and its digest.

    By whom is for the staff alone: it is the name of an account.
    """
    is_staff = rights.role_in(request, publication.tournament) is not None
    return {
        "number": publication.number,
        "at": publication.at.isoformat(),
        "who": publication.who if is_staff else None,
        "digest": publication.digest,
    }


def act_as_json(act: AuditEntry) -> dict[str, Any]:
    """Return an act of the audit trail."""
    return {
        "number": act.number,
        "at": act.at.isoformat(),
        "who": act.who,
        "kind": act.kind,
        "subject": act.subject,
        "old": act.old,
        "new": act.new,
        "reason": act.reason,
        "previous": act.previous,
        "digest": act.digest,
    }
