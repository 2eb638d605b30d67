"""The state of a table, its calls of the desk and its disputes."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from ninja import Field
from typing_extensions import TypedDict

import scoring
from tournaments.api.schemas.fields import Role, one_of
from tournaments.api.schemas.rounds import rounds_as_json
from tournaments.api.schemas.sessions import SeatOut, seats_as_json
from tournaments.api.schemas.tournaments import TournamentOut, tournament_as_json
from tournaments.i18n import sentences
from tournaments.models import Call, Disagreement, Sitting
from tournaments.permissions import rights
from tournaments.queries.round_documents import Facts, Moment, Player, RoundOut, no_other_keys
from tournaments.queries.seated_tables import last_continuation
from tournaments.queries.sheets import Sheet
from tournaments.services import epochs


@no_other_keys
class NextOut(TypedDict):
    """The next deal of a table; `version` is the `seen` of the next write."""

    round: int
    version: int
    deal: int
    finished: bool
    seats: Annotated[
        list[Player], Field(description="The players in seat order, after changes of seats.")
    ]
    dealer: Annotated[
        str | None,
        Field(description="Null while it is to be drawn, and in games without dealers."),
    ]
    trump: str | None


def next_as_json(sheet: Sheet) -> NextOut:
    """Return the next deal of a table: in the unfinished round, or the first deal of a new round.

    Seats, dealer and trump are those of that round. If `finished`, no deal follows.
    """
    state = _state_before_next_deal(sheet)
    return {
        "round": sheet.next_number,
        "version": sheet.rows[-1].version if sheet.has_unfinished_round and sheet.rows else 0,
        "deal": len(sheet.rows[-1].facts.get("deals", [])) + 1 if sheet.has_unfinished_round else 1,
        "finished": sheet.is_finished,
        "seats": state.seats,
        "dealer": state.dealer,
        "trump": state.trump,
    }


class _TableState(NamedTuple):
    """The players in seat order, the dealer and the trump.

    Dealer and trump are None if the game has none, or if they are still to be drawn.
    """

    seats: list[str]
    dealer: str | None = None
    trump: str | None = None


def _state_before_next_deal(sheet: Sheet) -> _TableState:
    """Return seats, dealer and trump of the unfinished round or, without one, of the next round."""
    finished_rounds = (
        sheet.record.rounds[:-1] if sheet.has_unfinished_round else sheet.record.rounds
    )
    state = sheet.round_after(finished_rounds)
    if state is None:
        return _TableState(list(sheet.players))
    dealer: str | None = state.dealer
    trump: str | None = state.trump
    if sheet.has_unfinished_round:
        dealer = sheet.rows[-1].facts.get("dealer", dealer)
        trump = sheet.rows[-1].facts.get("trump", trump)
    return _TableState(list(state.seats), dealer, trump)


@no_other_keys
class AdviceOut(TypedDict):
    """Advice on what the table does next: a code, its players and values, and the sentence."""

    code: str
    sentence: str
    players: dict[str, str]
    values: dict[str, int | str]


def advice_as_json(advice: scoring.Advice, sheet: Sheet) -> AdviceOut:
    return {
        "code": advice.code,
        "sentence": sentences.advice_sentence(advice, sheet.names, sheet.rules),
        "players": dict(advice.players),
        "values": dict(advice.values),
    }


@no_other_keys
class CallOut(TypedDict):
    """An open call: the desk has not answered it yet."""

    id: int
    kind: Annotated[str, one_of(Call.Kind)]
    words: str
    at: Moment


def call_as_json(call: Call) -> CallOut:
    return {
        "id": call.pk,
        "kind": call.kind,
        "words": call.words,
        "at": timezone.localtime(call.at).isoformat(),
    }


@no_other_keys
class TakenBackOut(TypedDict):
    """A call that is no longer open."""

    id: int
    open: bool


@no_other_keys
class DisagreementOut(TypedDict):
    """A dispute: facts that differ from the recorded round, until the desk decides."""

    id: int
    round: int
    facts: Facts
    at: Moment


def disagreement_as_json(disagreement: Disagreement) -> DisagreementOut:
    return {
        "id": disagreement.pk,
        "round": disagreement.number,
        "facts": disagreement.facts,
        "at": timezone.localtime(disagreement.at).isoformat(),
    }


@no_other_keys
class YouOut(TypedDict):
    """The client at this table: its role or phone, and whether it may record and correct."""

    role: Role | None
    phone: int | None
    is_writer: bool | None
    may_record: bool
    may_correct: bool
    is_known: Annotated[
        bool,
        Field(
            description="False for a reader who never was a phone at this table, nor staff, as far"
            " as this database knows; it may go on from a copy made before the phone joined."
        ),
    ]


def you_as_json(request: HttpRequest, sitting: Sitting) -> YouOut:
    """Return the reader's role in the tournament, phone at the table, and rights there."""
    phone = rights.phone_at(request, sitting)
    may_record = rights.may_record(request, sitting)
    return {
        "role": rights.role_in(request, sitting.session.tournament),
        "phone": phone.pk if phone else None,
        "is_writer": phone.is_writer if phone else None,
        "may_record": may_record,
        "may_correct": rights.may_correct(request, sitting),
        "is_known": may_record or rights.former_phone_at(request, sitting) is not None,
    }


@no_other_keys
class GoesOnOut(TypedDict):
    """The sitting of those who play at the table now."""

    table: Annotated[int, Field(description="Its number in addresses.")]
    link: Annotated[
        str | None,
        Field(
            description="The path where its rounds are recorded, with the same phones; null if the "
            "link is closed, or if you may not record."
        ),
    ]


def goes_on_as_json(sitting: Sitting, *, may_record: bool) -> GoesOnOut | None:
    """Return the sitting at the table now, or None if nobody joined or left after this one.

    The link is left out unless `may_record`. Makes no query for a table that was never stopped.
    """
    if sitting.rounds_planned is None:
        return None
    last = last_continuation(sitting)
    if last == sitting:
        return None
    url_args = (last.session.tournament.slug, last.session.number, last.number)
    has_link = may_record and not last.is_link_revoked
    return {
        "table": last.number,
        "link": reverse("play-table", args=url_args) if has_link else None,
    }


@no_other_keys
class SittingOut(TypedDict):
    """The state of a table: everything that a phone needs to record what follows."""

    id: int
    key: Annotated[
        str,
        Field(description="Never changes; a phone sends it in the header Makiyaku-Table."),
    ]
    sends_again: Annotated[
        bool,
        Field(
            description="Whether phones send again what they have sent and is missing here, since"
            " the server goes on from a copy."
        ),
    ]
    tournament: TournamentOut
    session: int
    table: Annotated[int, Field(description="The number in addresses; see `shown_table`.")]
    shown_table: Annotated[
        int, Field(description="The table's number for people: joining and leaving keep it.")
    ]
    rounds_before: Annotated[
        int, Field(description="Rounds that others played at the table before these rounds.")
    ]
    rounds_planned: Annotated[
        int | None,
        Field(description="Rounds that these players are to play; null if that is not fixed."),
    ]
    rounds_of_table: Annotated[
        int | None,
        Field(
            description="Rounds planned at the table, whoever sits there: with some rules the last"
            " one has a trump of its own. Null if that is not fixed."
        ),
    ]
    totals_only: bool
    seats: list[SeatOut]
    rounds: list[RoundOut]
    totals: dict[str, int]
    team_totals: list[int] | None
    next: NextOut
    goes_on: Annotated[
        GoesOnOut | None,
        Field(
            description="Where the next rounds are recorded if players joined or left after a"
            " round, also if that was taken back; else null."
        ),
    ]
    advice: list[AdviceOut]
    calls: list[CallOut]
    disagreements: list[DisagreementOut]
    you: YouOut


def sitting_as_json(request: HttpRequest, sheet: Sheet) -> SittingOut:
    """Only readers who may record there get its calls and disputes."""
    sitting = sheet.sitting
    session, tournament = sitting.session, sitting.session.tournament
    calls, disagreements = Call.objects.none(), Disagreement.objects.none()
    may_record = rights.may_record(request, sitting)
    if may_record:
        calls = sitting.calls.filter(answered_at=None)
        disagreements = sitting.disagreements.filter(settled_at=None)
    return {
        "id": sitting.pk,
        "key": sitting.key,
        "sends_again": epochs.cached_epoch().sends_again,
        "tournament": tournament_as_json(tournament),
        "session": session.number,
        "table": sitting.number,
        "shown_table": sitting.shown_number,
        "rounds_before": sheet.rounds_before,
        "rounds_planned": sheet.planned,
        "rounds_of_table": sheet.rounds_of_table,
        "totals_only": session.totals_only,
        "seats": seats_as_json(sheet.entries),
        "rounds": rounds_as_json(sheet),
        "totals": dict(sheet.score.totals),
        "team_totals": list(sheet.score.team_totals) if sheet.score.team_totals else None,
        "next": next_as_json(sheet),
        "goes_on": goes_on_as_json(sitting, may_record=may_record),
        "advice": [advice_as_json(advice, sheet) for advice in sheet.advice],
        "calls": [call_as_json(call) for call in calls],
        "disagreements": [disagreement_as_json(disagreement) for disagreement in disagreements],
        "you": you_as_json(request, sitting),
    }


@no_other_keys
class JoinedOut(TypedDict):
    """A phone's bearer token, which only this response contains, and its table."""

    token: str
    sitting: int
    is_writer: bool
