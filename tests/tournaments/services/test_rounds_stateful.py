"""Random sequences of recording and correcting, compared with a model in memory."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

import scoring
from tests.cast import make_sitting, make_tournament, record
from tournaments.models import Round
from tournaments.queries.round_validation import Finished, NotNext
from tournaments.queries.sheets import sheet_of
from tournaments.services.rounds import ReasonNeeded, RoundConflict

Facts = dict[str, Any]

PLAYERS = tuple("123456")
PLANNED = 4  # few, so that sequences reach the last round
WON = {"kankei": 10, "mukankei": 3}  # in any deal
LOST = {"kankei": 4, "mukankei": 9}
REASONS = st.sampled_from(["", "数えちがい"])


@st.composite
def rounds(draw: st.DrawFn) -> Facts:
    """Return a legal round; it may be unfinished."""
    dealer, *kankei = draw(st.permutations(PLAYERS))[:3]
    won = draw(st.integers(0, 3))
    lost = won < 3 and (won == 0 or draw(st.booleans()))
    facts = {"dealer": dealer, "kankei": kankei, "deals": [WON] * won + [LOST] * lost}
    return facts | ({"cut_off": True} if is_unfinished(facts) and draw(st.booleans()) else {})


def is_unfinished(facts: Facts) -> bool:
    return len(facts["deals"]) < 3 and facts["deals"][-1] == WON and "cut_off" not in facts


def only_continues(before: Facts, after: Facts) -> bool:
    """Return whether `after` only adds to `before` at its end. The kankei are in no order."""
    before, after = (each | {"kankei": sorted(each["kankei"])} for each in (before, after))
    deals = len(before["deals"])
    same = all(before[key] == after[key] for key in ("dealer", "kankei"))
    kept = after["deals"][:deals] == before["deals"]
    stays_cut_off = "cut_off" not in before or "cut_off" in after
    return same and kept and stays_cut_off and before != after


class RecordingMachine(RuleBasedStateMachine):
    """The model is `versions`: all versions of every round, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.versions: list[list[Facts]] = []
        self.rolled_back = transaction.atomic()
        self.rolled_back.__enter__()
        self.sitting = make_sitting(make_tournament(rounds_per_session=PLANNED))

    def teardown(self) -> None:
        transaction.set_rollback(True)
        self.rolled_back.__exit__(None, None, None)

    @initialize(facts=rounds())
    def begin(self, facts: Facts) -> None:
        self.attempt(1, 0, facts, "")

    @rule(facts=rounds())
    def record_next(self, facts: Facts) -> None:
        self.attempt(len(self.versions) + 1, 0, facts, "")

    @precondition(lambda self: is_unfinished(self.versions[-1][-1]))
    @rule(deal=st.sampled_from([WON, LOST]))
    def continue_last(self, deal: Facts) -> None:
        facts = self.versions[-1][-1]
        number, seen = len(self.versions), len(self.versions[-1])
        self.attempt(number, seen, facts | {"deals": [*facts["deals"], deal]}, "")

    @rule(data=st.data(), facts=rounds(), reason=REASONS)
    def correct(self, data: st.DataObject, facts: Facts, reason: str) -> None:
        number = data.draw(st.integers(1, len(self.versions)))
        self.attempt(number, len(self.versions[number - 1]), facts, reason)

    @rule(number=st.integers(-1, 6), seen=st.integers(-1, 5), facts=rounds(), reason=REASONS)
    def record_or_correct_anything(self, number: int, seen: int, facts: Facts, reason: str) -> None:
        self.attempt(number, seen, facts, reason)

    @rule(facts=rounds())
    def record_an_impossible_count(self, facts: Facts) -> None:
        impossible = facts | {"deals": [{"kankei": 9, "mukankei": 8}]}
        with pytest.raises(scoring.InvalidRecord):
            record(self.sitting, impossible, number=len(self.versions) + 1)

    def attempt(self, number: int, seen: int, facts: Facts, reason: str) -> None:
        """Record a round; it is refused exactly if the model refuses it."""
        refusal = self.refusal(number, seen, facts, reason)
        if refusal is None:
            row = record(self.sitting, facts, number=number, seen=seen, reason=reason)
            assert row.version == seen + 1
            self.versions += [[]] * (number > len(self.versions))
            self.versions[number - 1] = [*self.versions[number - 1], facts]
            return
        with pytest.raises(refusal) as refused:
            record(self.sitting, facts, number=number, seen=seen, reason=reason)
        if isinstance(refused.value, RoundConflict):
            stored = refused.value.stored
            in_force = self.versions[number - 1][-1] if number <= len(self.versions) else None
            assert (stored.facts if stored else None) == in_force

    @property
    def is_finished(self) -> bool:
        return len(self.versions) >= PLANNED and not is_unfinished(self.versions[-1][-1])

    def refusal(self, number: int, seen: int, facts: Facts, reason: str) -> type[Exception] | None:
        if not 1 <= number <= len(self.versions) + 1:
            return NotNext
        versions = self.versions[number - 1] if number <= len(self.versions) else []
        if len(versions) != seen:
            return RoundConflict
        in_force = [each[-1] for each in self.versions]
        in_force[number - 1 : number] = [facts]
        if any(is_unfinished(each) for each in in_force[:-1]):
            return scoring.InvalidRecord
        if not versions and self.is_finished:
            return Finished
        if versions and not only_continues(versions[-1], facts) and not reason:
            return ReasonNeeded
        return None

    @invariant()
    def every_version_is_kept(self) -> None:
        stored = Round.objects.filter(sitting=self.sitting)
        assert list(stored.values_list("number", "version", "facts")) == [
            (number, version, facts)
            for number, versions in enumerate(self.versions, 1)
            for version, facts in enumerate(versions, 1)
        ]

    @invariant()
    def the_newest_is_in_force(self) -> None:
        sheet = sheet_of(self.sitting)
        assert [row.facts for row in sheet.rows] == [versions[-1] for versions in self.versions]
        assert [score.complete for score in sheet.score.rounds] == [
            not is_unfinished(versions[-1]) for versions in self.versions
        ]


@pytest.mark.django_db
def test_database_agrees_with_the_model() -> None:
    run_state_machine_as_test(
        RecordingMachine,
        settings=settings(
            max_examples=20,
            stateful_step_count=20,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow],
        ),
    )
