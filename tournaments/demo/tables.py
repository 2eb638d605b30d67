"""A table whose rounds are simulated and recorded deal by deal, as a phone does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import scoring
from tournaments.audit import THE_TABLE, Actor
from tournaments.demo.simulation import Company, Mistake, Strengths, as_json, play_round
from tournaments.models import Sitting
from tournaments.services import rounds

OVER = {"finished", "game_over"}  # codes of advice
AT_THE_TABLE = Actor(None, THE_TABLE)


class Table:
    """One sitting. `rounds` are the rounds as played, not as recorded with mistakes."""

    def __init__(self, rng: Random, sitting: Sitting, strengths: Strengths) -> None:
        self.rng = rng
        self.sitting = sitting
        tournament = sitting.session.tournament
        self.rules = tournament.rules
        self.company = Company(
            tuple(seat.entry.key for seat in sitting.seats.select_related("entry")),
            strengths,
            tournament.rounds_per_session,
        )
        self.rounds: list[Any] = []
        self.versions: dict[int, int] = {}  # the newest version of each round, by round number

    @property
    def is_finished(self) -> bool:
        players, planned_rounds = self.company.players, self.company.planned_rounds
        advice = self.rules.game.advice(self.rounds, players, planned_rounds)
        return any(each.code in OVER for each in advice)

    def play(self, count: int, mistakes: Sequence[Mistake] = ()) -> None:
        """Play and record `count` rounds, some with mistakes."""
        for number in range(1, count + 1):
            played = recorded = self._play_round()
            for mistake in mistakes:
                if mistake.round_number == number:
                    recorded = mistake.falsify(self.rng, self.rules, played, self.company.players)
            self._record_deals(number, recorded)
            self.rounds.append(played)

    def play_to_end(self) -> None:
        """Play and record until the game is over."""
        while not self.is_finished:
            facts = self._play_round()
            self._record_deals(len(self.rounds) + 1, facts)
            self.rounds.append(facts)

    def play_unfinished_round(self, *, out_of_time: bool = False) -> None:
        """Record only the first deal of a longer round, and perhaps that time ran out."""
        facts = self._play_round()
        while len(facts.deals) == 1:
            facts = self._play_round()
        facts = facts._replace(deals=facts.deals[:1])
        number = len(self.rounds) + 1
        self._record_deals(number, facts)
        if out_of_time:
            self._record(number, facts._replace(cut_off=True))

    def correct(self, mistake: Mistake, *, by: Actor) -> None:
        """Replace the round recorded with a mistake by the round that was played."""
        number = mistake.round_number
        self._record(number, self.rounds[number - 1], by=by, reason=mistake.reason)

    def _play_round(self) -> Any:
        return play_round(self.rng, self.rules, self.rounds, self.company)

    def _record_deals(self, number: int, facts: Any) -> None:
        for so_far in _deal_by_deal(facts):
            self._record(number, so_far)

    def _record(
        self, number: int, facts: Any, *, by: Actor = AT_THE_TABLE, reason: str = ""
    ) -> None:
        """Record facts as the next version of a round."""
        seen = self.versions.get(number, 0)
        rounds.record_round(
            self.sitting, number, as_json(facts), seen_version=seen, by=by, reason=reason
        )
        self.versions[number] = seen + 1


def _deal_by_deal(facts: Any) -> Iterator[Any]:
    """Yield a round as it stands after each of its deals."""
    if not isinstance(facts, scoring.Round):
        yield facts
        return
    for count in range(1, len(facts.deals) + 1):
        yield facts._replace(deals=facts.deals[:count])
