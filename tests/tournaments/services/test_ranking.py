"""Choosing how places are decided."""

from __future__ import annotations

import pytest

import scoring
from tests import cast
from tests.cast import SOMEBODY
from tournaments import verification
from tournaments.models import AuditEntry, Tournament
from tournaments.services import clones, closing, ranking, tournaments, versions
from tournaments.services.versions import VersionConflict

pytestmark = pytest.mark.django_db

CHOSEN = {"tie_breaks": ["points", "best_session"], "withdrawn": "listed"}


def test_only_what_differs_is_stored(tournament: Tournament) -> None:
    usual = {"tie_breaks": ["points", "rounds_won", "best_round"], "missed": "nothing"}
    ranking.set_ranking(tournament, usual, seen_version=0, by=SOMEBODY)
    assert not AuditEntry.objects.filter(kind="ranking_set").exists()
    ranking.set_ranking(tournament, CHOSEN, seen_version=0, by=SOMEBODY, reason="要項")
    assert Tournament.objects.get().ranking == CHOSEN
    entry = AuditEntry.objects.get(kind="ranking_set")
    assert (entry.old, entry.new, entry.reason) == ({}, CHOSEN, "要項")


def test_the_same_choice_again_changes_nothing(tournament: Tournament) -> None:
    for _ in range(2):
        ranking.set_ranking(tournament, CHOSEN, seen_version=0, by=SOMEBODY)
    assert AuditEntry.objects.filter(kind="ranking_set").count() == 1


def test_choice_made_since_is_not_overwritten(tournament: Tournament) -> None:
    ranking.set_ranking(tournament, CHOSEN, seen_version=0, by=SOMEBODY)
    with pytest.raises(VersionConflict) as conflict:
        ranking.set_ranking(tournament, {}, seen_version=0, by=SOMEBODY)
    assert conflict.value.version == versions.ranking_version(tournament)
    ranking.set_ranking(tournament, {}, seen_version=conflict.value.version, by=SOMEBODY)
    assert Tournament.objects.get().ranking == {}


def test_lots_get_a_seed_that_stays(tournament: Tournament) -> None:
    with_lots = {"tie_breaks": ["points", "lot"]}
    seed = ranking.set_ranking(tournament, with_lots, seen_version=0, by=SOMEBODY).lot_seed
    assert len(seed) == 2 * ranking.SEED_BYTES
    seen = versions.ranking_version(tournament)
    more = {**with_lots, "withdrawn": "listed"}
    again = ranking.set_ranking(tournament, more, seen_version=seen, by=SOMEBODY)
    assert again.lot_seed == seed


def test_closed_event_is_not_ranked_otherwise(tournament: Tournament) -> None:
    closing.close(tournament, by=SOMEBODY)
    with pytest.raises(closing.EventClosed):
        ranking.set_ranking(tournament, CHOSEN, seen_version=0, by=SOMEBODY)


def test_copied_event_is_ranked_alike_with_lots_of_its_own() -> None:
    source = cast.make_tournament()
    chosen = {"tie_breaks": ["points", "lot"], "lot_seed": "2025"}
    ranking.set_ranking(source, chosen, seen_version=0, by=SOMEBODY)
    copy = clones.copy_of_settings(Tournament.objects.get())
    tournaments.create_tournament(copy, copy.rules, by=SOMEBODY)
    assert copy.ranking_rules.tie_breaks == ("points", "lot")
    assert copy.ranking_rules.lot_seed not in {"", "2025"}
    assert verification.verify(copy) == []


def test_ranking_that_cannot_be_followed_is_refused(tournament: Tournament) -> None:
    with pytest.raises(scoring.BadRanking):
        ranking.set_ranking(tournament, {"withdrawn": "gone"}, seen_version=0, by=SOMEBODY)
    assert Tournament.objects.get().ranking == {}
