"""A table whose rounds are simulated and recorded deal by deal, as a phone does."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

import scoring
from tournaments.audit import THE_TABLE, Actor
from tournaments.game_kinds import SimulatedTable, kind_of
from tournaments.models import Sitting
from tournaments.services import rounds

END_CODES = {"finished", "game_over"}  # codes of the advice at the end of a sitting
AT_THE_TABLE = Actor(None, THE_TABLE)


class Mistake(NamedTuple):
    """A round that is first recorded with wrong facts; `falsify` makes them of the right facts."""

    round_number: int
    falsify: Callable[[Random, scoring.Rules, scoring.Round, Sequence[str]], scoring.Round]
    reason: str  # given with the correction


class Table:
    """Plays and records one sitting. `rounds` are as played, not as recorded with mistakes."""

    def __init__(self, rng: Random, sitting: Sitting, strengths: Mapping[str, float]) -> None:
        self.rng = rng
        self.sitting = sitting
        tournament = sitting.session.tournament
        self.rules = tournament.rules
        self.kind = kind_of(self.rules.game)
        self.table = SimulatedTable(
            tuple(seat.entry.key for seat in sitting.seats.select_related("entry")),
            strengths,
            tournament.rounds_per_session,
        )
        self.rounds: list[Any] = []
        self.versions: dict[int, int] = {}  # the newest version of each round, by round number

    @property
    def is_finished(self) -> bool:
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
            self._record(number, self.kind.as_recorded(facts._replace(cut_off=True))[-1])

    def correct(self, mistake: Mistake, *, by: Actor) -> None:
        number = mistake.round_number
        facts = self.kind.as_recorded(self.rounds[number - 1])[-1]
        self._record(number, facts, by=by, reason=mistake.reason)

    def _play_round(self) -> Any:
        """Return the facts of the next round, which is not recorded yet."""
        return self.kind.simulate(self.rng, self.rules.game, self.rounds, self.table)

    def _record_deals(self, number: int, facts: Any) -> None:
        """Record a round after each of its deals, as its next version."""
        for recorded in self.kind.as_recorded(facts):
            self._record(number, recorded)

    def _record(
        self, number: int, facts: dict[str, Any], *, by: Actor = AT_THE_TABLE, reason: str = ""
    ) -> None:
        newest = self.versions.get(number, 0)
        rounds.record_round(self.sitting, number, facts, seen_version=newest, by=by, reason=reason)
        self.versions[number] = newest + 1
