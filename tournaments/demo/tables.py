"""A table at play: simulates its rounds and takes them down as its phone would, deal by deal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import scoring
from tournaments.audit import THE_TABLE, Actor
from tournaments.demo.play import Company, Slip, Strengths, as_json, play_round
from tournaments.models import Sitting
from tournaments.services import rounds

OVER = {"finished", "game_over"}
AT_THE_TABLE = Actor(None, THE_TABLE)


class Table:
    """One sitting. `rounds` are what was really played; what stands on record may be a slip."""

    def __init__(self, dice: Random, sitting: Sitting, strengths: Strengths) -> None:
        self.dice = dice
        self.sitting = sitting
        tournament = sitting.session.tournament
        self.rules = tournament.rules
        self.company = Company(
            tuple(seat.entry.key for seat in sitting.seats.select_related("entry")),
            strengths,
            tournament.rounds_per_session,
        )
        self.rounds: list[Any] = []
        self.versions: dict[int, int] = {}

    @property
    def is_finished(self) -> bool:
        players, planned = self.company.players, self.company.planned
        told = self.rules.game.advice(self.rounds, players, planned)
        return any(advice.code in OVER for advice in told)

    def play(self, count: int, slips: Sequence[Slip] = ()) -> None:
        """Play so many rounds; those of `slips` are taken down wrongly."""
        for number in range(1, count + 1):
            facts = written = self._play_round()
            for slip in slips:
                if slip.number == number:
                    written = slip.wrong(self.dice, self.rules, facts, self.company.players)
            self._take_down(number, written)
            self.rounds.append(facts)

    def play_out(self) -> None:
        """Play until nothing more is to be played."""
        while not self.is_finished:
            facts = self._play_round()
            self._take_down(len(self.rounds) + 1, facts)
            self.rounds.append(facts)

    def begin_round(self, *, cut_off: bool = False) -> None:
        """Play the first deal of a round that goes on, or that the clock cuts off there."""
        facts = self._play_round()
        while len(facts.deals) == 1:
            facts = self._play_round()
        facts = facts._replace(deals=facts.deals[:1])
        number = len(self.rounds) + 1
        self._take_down(number, facts)
        if cut_off:
            self._record(number, facts._replace(cut_off=True))

    def put_right(self, slip: Slip, by: Actor) -> None:
        """Correct a slip: put on record what was really played."""
        self._record(slip.number, self.rounds[slip.number - 1], by=by, reason=slip.reason)

    def _play_round(self) -> Any:
        return play_round(self.dice, self.rules, self.rounds, self.company)

    def _take_down(self, number: int, facts: Any) -> None:
        for so_far in _deal_by_deal(facts):
            self._record(number, so_far)

    def _record(
        self, number: int, facts: Any, *, by: Actor = AT_THE_TABLE, reason: str = ""
    ) -> None:
        seen = self.versions.get(number, 0)
        rounds.record_round(self.sitting, number, as_json(facts), seen=seen, by=by, reason=reason)
        self.versions[number] = seen + 1


def _deal_by_deal(facts: Any) -> Iterator[Any]:
    """Yield a round as it stands after each of its deals."""
    if not isinstance(facts, scoring.Round):
        yield facts
        return
    for count in range(1, len(facts.deals) + 1):
        yield facts._replace(deals=facts.deals[:count])
