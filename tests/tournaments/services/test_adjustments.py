"""Points given and deducted, and ties decided."""

from __future__ import annotations

import pytest

import scoring
from tests import cast
from tests.cast import SOMEBODY, standings_for
from tests.events import lifted
from tournaments import verification
from tournaments.models import AuditEntry, Entry, Sitting, Tournament
from tournaments.queries.presence import Status
from tournaments.queries.publications import showing
from tournaments.queries.publications.events import published_event
from tournaments.services import adjustments, closing, presence, ranking, versions
from tournaments.services.adjustments import AlreadyDecided, NotTied, NumberTaken
from tournaments.services.entries import StaysOnRecord, remove_entry
from tournaments.services.play_offs import open_play_off
from tournaments.services.publications import publish
from tournaments.services.seating import PlayOffPlan

pytestmark = pytest.mark.django_db


@pytest.fixture
def sitting() -> Sitting:
    """A table of six that has played one round: players 2, 4 and 5 have a point, the others −1."""
    sitting = cast.make_sitting()
    cast.record(sitting)
    return sitting


def adjust(tournament: Tournament, number: int, player: int, points: int) -> None:
    entry = tournament.entries.get(number=player)
    adjustments.adjust_points(tournament, number, entry, points, by=SOMEBODY, reason="遅刻")


def ranks(tournament: Tournament) -> dict[int, int | None]:
    rows = standings_for(tournament)
    return {row.entry.number: row.place.rank for row in rows if row.place}


def test_points_are_deducted_until_taken_back(sitting: Sitting) -> None:
    tournament = sitting.session.tournament
    before = ranks(tournament)
    adjust(tournament, 1, player=2, points=-5)
    (row,) = [row for row in standings_for(tournament) if row.entry.number == 2]
    assert row.place is not None
    assert (row.place.points, row.adjusted, row.place.rank) == (-4, -5, 6)
    for _ in range(2):
        adjustments.take_back_adjustment(tournament, 1, by=SOMEBODY, reason="誤り")
    assert ranks(tournament) == before
    assert verification.verify(tournament) == []
    kinds = AuditEntry.objects.filter(kind__startswith="adjustment_ended")
    assert [entry.reason for entry in kinds] == ["誤り"]


def test_the_same_adjustment_again_is_made_once(sitting: Sitting) -> None:
    tournament = sitting.session.tournament
    for _ in range(2):
        adjust(tournament, 1, player=2, points=-5)
    with pytest.raises(NumberTaken):
        adjust(tournament, 1, player=3, points=-5)
    with pytest.raises(NumberTaken):
        adjust(tournament, 3, player=3, points=-5)
    assert tournament.adjustments.count() == 1


def test_decision_orders_the_tied_and_is_taken_back(sitting: Sitting) -> None:
    tournament = sitting.session.tournament
    assert ranks(tournament)[2] == ranks(tournament)[4] == ranks(tournament)[5] == 1
    for _ in range(2):
        adjustments.decide_tie(tournament, 1, [5, 2, 4], by=SOMEBODY, reason="じゃんけん")
    decided = ranks(tournament)
    assert [decided[number] for number in (5, 2, 4, 1)] == [1, 2, 3, 4]
    for again in (adjustments.decide_tie, adjustments.draw_lot):
        with pytest.raises(AlreadyDecided):
            again(tournament, 2, [4, 5], by=SOMEBODY, reason="くじ")
    table, plan = [list(tournament.entries.all())], PlayOffPlan([4, 5], rounds=1)
    with pytest.raises(AlreadyDecided):
        open_play_off(tournament, plan, table, number=2, by=SOMEBODY)
    adjust(tournament, 1, player=2, points=-1)  # the others are among those decided upon
    assert [ranks(tournament)[number] for number in (5, 4)] == [1, 2]
    adjustments.take_back_decision(tournament, 1, by=SOMEBODY)
    assert ranks(tournament)[5] == ranks(tournament)[4] == 1
    assert verification.verify(tournament) == []


def test_lot_is_drawn_once_and_its_seed_gives_the_order(sitting: Sitting) -> None:
    tournament = sitting.session.tournament
    for _ in range(2):
        made = adjustments.draw_lot(tournament, 1, [2, 4, 5], by=SOMEBODY, reason="抽選")
    assert [str(each) for each in made.order] == scoring.order_by_lot(["2", "4", "5"], made.seed)
    rows = [row for row in standings_for(tournament) if row.entry.number in made.order]
    assert [row.entry.number for row in rows] == made.order
    assert [row.deciding_steps for row in rows] == [("lot",)] * 3
    announced = publish(tournament, by=SOMEBODY)
    published = published_event(announced, tournament)
    assert [row.place for row in published.standings[:3]] == [row.place for row in rows]
    assert verification.verify(tournament) == []
    forged = {"order": made.order[::-1], "seed": made.seed, "stage": made.stage}
    tournament.tie_decisions.update(**forged)
    with lifted():
        tournament.audit_entries.filter(kind="tie_decided").update(new=forged)
    faults = verification.verify(tournament)
    assert "is not the order that its seed gives" in [fault.wrong for fault in faults]


@pytest.mark.parametrize("order", [[2], [2, 2], [2, 99]])
def test_order_without_two_players_of_the_event_is_refused(
    sitting: Sitting, order: list[int]
) -> None:
    with pytest.raises(NotTied):
        adjustments.decide_tie(sitting.session.tournament, 1, order, by=SOMEBODY, reason="")


def test_closed_event_is_not_adjusted(sitting: Sitting) -> None:
    tournament = sitting.session.tournament
    closing.close(tournament, by=SOMEBODY)
    with pytest.raises(closing.EventClosed):
        adjust(tournament, 1, player=2, points=-5)


def test_adjusted_player_is_not_removed(tournament: Tournament) -> None:
    (entry,) = cast.make_entries(tournament, 1)
    adjust(tournament, 1, player=1, points=3)
    with pytest.raises(StaysOnRecord):
        remove_entry(Entry.objects.get(pk=entry.pk), by=SOMEBODY)


def test_publication_keeps_what_places_depend_on(sitting: Sitting) -> None:
    tournament = sitting.session.tournament
    chosen = {"withdrawn": "listed", "missed": "fixed", "missed_points": -3}
    ranking.set_ranking(tournament, chosen, seen_version=0, by=SOMEBODY)
    adjust(tournament, 1, player=2, points=-5)
    adjustments.decide_tie(tournament, 1, [5, 4], by=SOMEBODY, reason="じゃんけん")
    presence.mark_presence(
        tournament.entries.get(number=1),
        2,
        Status.WITHDRAWN,
        seen_status=Status.EXPECTED,
        by=SOMEBODY,
    )
    live = standings_for(tournament)
    announced = publish(tournament, by=SOMEBODY)
    seen = versions.ranking_version(tournament)
    ranking.set_ranking(tournament, {}, seen_version=seen, by=SOMEBODY)
    adjustments.take_back_adjustment(tournament, 1, by=SOMEBODY)
    assert showing.changes_since(announced).count() == 2
    published = published_event(announced, tournament)
    assert [row.place for row in published.standings] == [row.place for row in live]
    assert [row.is_withdrawn for row in published.standings] == [False] * 5 + [True]
    assert [row.place and row.place.rank for row in live][-1] is None
    assert verification.verify(tournament) == []


def test_withdrawing_changes_what_was_published(sitting: Sitting) -> None:
    tournament = sitting.session.tournament
    announced = publish(tournament, by=SOMEBODY)
    entry = tournament.entries.get(number=1)
    for seen, status in ((Status.EXPECTED, Status.PRESENT), (Status.PRESENT, Status.WITHDRAWN)):
        presence.mark_presence(entry, 2, status, seen_status=seen, by=SOMEBODY)
    (change,) = showing.changes_since(announced)
    assert change.new == {"number": 1, "status": "withdrawn"}
