"""A table whose rounds are simulated and recorded deal by deal, as a phone does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import scoring
from tournaments.audit import THE_TABLE, Actor
from tournaments.demo.simulation import Mistake, SimulatedTable, Strengths, as_json, play_round
from tournaments.models import Sitting
from tournaments.services import rounds

END_CODES = {"finished", "game_over"}  # codes of the advice at the end of a sitting
AT_THE_TABLE = Actor(None, THE_TABLE)


class Table:
    """Plays and records one sitting. `rounds` are as played, not as recorded with mistakes."""

    def __init__(self, rng: Random, sitting: Sitting, strengths: Strengths) -> None:
        self.rng = rng
        self.sitting = sitting
        tournament = sitting.session.tournament
        self.rules = tournament.rules
        self.table = SimulatedTable(
            tuple(seat.entry.key for seat in sitting.seats.select_related("entry")),
            strengths,
            tournament.rounds_per_session,
        )
        self.rounds: list[Any] = []
        self.versions: dict[int, int] = {}  # the newest version of each round, by round number

    @property
    def is_finished(self) -> bool:
        """Return whether the planned rounds are played, or the game is over."""
        players, planned_rounds = self.table.players, self.table.planned_rounds
        advice = self.rules.game.advice(self.rounds, players, planned_rounds)
        return any(each.code in END_CODES for each in advice)

    def play(self, count: int, mistakes: Sequence[Mistake] = ()) -> None:
        """Play and record rounds 1 to `count`, some of them with mistakes."""
        for number in range(1, count + 1):
            played = recorded = self._play_round()
            for mistake in mistakes:
                if mistake.round_number == number:
                    recorded = mistake.falsify(self.rng, self.rules, played, self.table.players)
            self._record_deals(number, recorded)
            self.rounds.append(played)

    def play_to_end(self) -> None:
        """Play and record rounds until the sitting is finished."""
        while not self.is_finished:
            facts = self._play_round()
            self._record_deals(len(self.rounds) + 1, facts)
            self.rounds.append(facts)

    def play_unfinished_round(self, *, is_cut_off: bool = False) -> None:
        """Record only the first deal of a longer round; with `is_cut_off`, that it was cut off."""
        facts = self._play_round()
        while len(facts.deals) == 1:
            facts = self._play_round()
        facts = facts._replace(deals=facts.deals[:1])
        number = len(self.rounds) + 1
        self._record_deals(number, facts)
        if is_cut_off:
            self._record(number, facts._replace(cut_off=True))

    def correct(self, mistake: Mistake, *, by: Actor) -> None:
        """Replace the round recorded with a mistake by the round that was played."""
        number = mistake.round_number
        self._record(number, self.rounds[number - 1], by=by, reason=mistake.reason)

    def _play_round(self) -> Any:
        """Return the facts of the next round, which is not recorded yet."""
        return play_round(self.rng, self.rules, self.rounds, self.table)

    def _record_deals(self, number: int, facts: Any) -> None:
        """Record a round after each of its deals, as its next version."""
        for facts_so_far in _deal_by_deal(facts):
            self._record(number, facts_so_far)

    def _record(
        self, number: int, facts: Any, *, by: Actor = AT_THE_TABLE, reason: str = ""
    ) -> None:
        """Record facts as the next version of a round."""
        newest = self.versions.get(number, 0)
        rounds.record_round(
            self.sitting, number, as_json(facts), seen_version=newest, by=by, reason=reason
        )
        self.versions[number] = newest + 1


def _deal_by_deal(facts: Any) -> Iterator[Any]:
    """Yield the facts of a round after each of its deals; other games have one deal a round."""
    if not isinstance(facts, scoring.Round):
        yield facts
        return
    for count in range(1, len(facts.deals) + 1):
        yield facts._replace(deals=facts.deals[:count])
