"""The points of every round, and what is beside rounds: every row adds up to the total."""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import BytesIO
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.translation import override
from openpyxl import load_workbook

from scoring.stages.places import Carry, carried_points
from scoring.stages.selection import AtLine, Quota
from tests import cast, stages
from tests.cast import SOMEBODY
from tournaments.models import Tournament
from tournaments.queries.events import Event
from tournaments.queries.presence import Status
from tournaments.queries.round_points import points_by_session
from tournaments.queries.stages import stage_standings
from tournaments.services import adjustments, presence, ranking, seating
from tournaments.services import sessions as session_service
from tournaments.services.substitutions import add_substitute
from tournaments.services.table_players import change_players
from tournaments.tables import AbsencesTable, PointsTable

pytestmark = pytest.mark.django_db

Row = dict[str, Any]
FIRST_COLUMNS = ("Rank", "Number", "Name", "Points")


@pytest.fixture(autouse=True)
def _in_english() -> Iterator[None]:
    with override("en"):
        yield


def checked_rows(tournament: Tournament) -> dict[int, Row]:
    """Return the rows by player number, after checking that the cells of each sum to its total."""
    event = Event(Tournament.objects.get(pk=tournament.pk))
    header, *lines = PointsTable(event.standings, event.ranking_facts).as_values()
    rows = [dict(zip(header, line, strict=True)) for line in lines]
    for row in rows:
        cells = [row[label] or 0 for label in header if label not in FIRST_COLUMNS]
        assert sum(cells) == (row["Points"] or 0), row
    return {
        row["Number"]: {
            label: cell for label, cell in row.items() if label not in FIRST_COLUMNS[:3]
        }
        for row in rows
    }


def test_every_round_has_a_column() -> None:
    sitting = cast.make_sitting()
    cast.make_entries(sitting.session.tournament, 1)
    cast.record(sitting)
    cast.record(sitting, number=2)
    rows = checked_rows(sitting.session.tournament)
    assert rows[2] == {"Points": 2, "Session 1 Round 1": 1, "Session 1 Round 2": 1}
    assert set(rows[7].values()) == {None}


def test_missed_sessions_and_adjustments_have_columns() -> None:
    tournament = cast.make_tournament()
    *six, absent, never = cast.make_entries(tournament, 8)
    presence.mark_presence(never, 1, Status.ABSENT, seen_status=Status.EXPECTED, by=SOMEBODY)
    presence.mark_presence(absent, 1, Status.ABSENT, seen_status=Status.EXPECTED, by=SOMEBODY)
    [sitting] = seating.open_session(tournament, [six], by=SOMEBODY).sittings.all()
    cast.record(sitting)
    session_service.end_session(sitting.session, stopping=[sitting.number], by=SOMEBODY)
    presence.mark_presence(absent, 2, Status.PRESENT, seen_status=Status.ABSENT, by=SOMEBODY)
    session = seating.open_session(tournament, [[*six[:5], absent]], by=SOMEBODY)
    cast.record(session.sittings.get())
    chosen = {"missed": "fixed", "missed_points": -3}
    ranking.set_ranking(tournament, chosen, seen_version=0, by=SOMEBODY)
    entry = tournament.entries.get(number=2)
    adjustments.adjust_points(tournament, 1, entry, -5, by=SOMEBODY, reason="遅刻")
    rows = checked_rows(tournament)
    assert rows[7]["Missed sessions"] == -3
    [unplaced] = [each for each in Event(tournament).standings if each.place is None]
    assert (unplaced.entry, unplaced.missed, unplaced.adjusted) == (never, None, None)
    assert (rows[2]["Given or deducted"], rows[2]["Missed sessions"]) == (-5, None)


@pytest.fixture
def with_final(tournament: Tournament) -> Tournament:
    """Player 7 missed session 1 of two, player 1 the final, session 3; both count as −3."""
    *six, absent = cast.make_entries(tournament, 7)
    presence.mark_presence(absent, 1, Status.ABSENT, seen_status=Status.EXPECTED, by=SOMEBODY)
    [sitting] = seating.open_session(tournament, [six], by=SOMEBODY).sittings.all()
    cast.record(sitting)
    session_service.end_session(sitting.session, stopping=[sitting.number], by=SOMEBODY)
    presence.mark_presence(absent, 2, Status.PRESENT, seen_status=Status.ABSENT, by=SOMEBODY)
    cast.record(seating.open_session(tournament, [[*six[:5], absent]], by=SOMEBODY).sittings.get())
    chosen = {"missed": "fixed", "missed_points": -3}
    ranking.set_ranking(tournament, chosen, seen_version=0, by=SOMEBODY)
    stages.make_confirmed(tournament, stages.plan(Quota("", "", 7)))
    presence.mark_presence(six[0], 3, Status.ABSENT, seen_status=Status.EXPECTED, by=SOMEBODY)
    final = seating.open_session(tournament, [[*six[1:], absent]], by=SOMEBODY).sittings.get()
    cast.record(final)
    session_service.end_session(final.session, stopping=[final.number], by=SOMEBODY)
    return Tournament.objects.get(pk=tournament.pk)


def test_a_missed_session_counts_in_its_stage(with_final: Tournament) -> None:
    event = Event(with_final)
    _header, *lines = AbsencesTable(
        event.standings, event.absences, with_final, stage_standings(event.ranking_facts)
    ).as_values()
    points = {(number, session): points for number, _name, session, _why, points in lines}
    assert points[7, "Session 1 Qualifying"] == -3
    assert points[1, "Session 3 Final"] == -3


def test_columns_of_one_stage_say_so_beside_those_of_all(
    with_final: Tournament, client: Client
) -> None:
    """The players' pages name the stage of each session, too. The points by round are of all."""
    assert checked_rows(with_final)[1]["Missed sessions"] == -3
    Tournament.objects.update(showing=Tournament.Showing.LIVE)
    cast.in_english(client)
    for query, is_of_all in (("", True), ("?stage=1", False), ("?stage=2", False)):
        page = client.get(reverse("standings", args=[with_final.slug]) + query).text
        assert ("Missed sessions (in the stage)" in page) == is_of_all
        assert "Missed sessions" in page
    for number, words in ((7, "Session 1 Qualifying, not played"), (1, "Session 3 Final, not")):
        page = client.get(reverse("player", args=[with_final.slug, number])).text
        assert words in re.sub("</?bdi>", "", page)


@pytest.mark.parametrize("choice", ["substitute", "place", "nobody"])
def test_rounds_stand_with_who_is_credited(tournament: Tournament, choice: str) -> None:
    absent, *others = cast.make_entries(tournament, 6)
    presence.mark_presence(absent, 1, Status.ABSENT, seen_status=Status.EXPECTED, by=SOMEBODY)
    substitute = add_substitute(absent, 1, {"name": "山田 花"}, by=SOMEBODY).substitute
    session = seating.open_session(tournament, [[substitute, *others]], by=SOMEBODY)
    cast.record(session.sittings.get())
    ranking.set_ranking(tournament, {"substitutes": choice}, seen_version=0, by=SOMEBODY)
    credited = [
        number for number, row in checked_rows(tournament).items() if row["Session 1 Round 1"]
    ]
    expected = {"substitute": [substitute.number], "place": [absent.number], "nobody": []}
    assert sorted(credited) == sorted([each.number for each in others] + expected[choice])


def test_rounds_of_a_table_that_goes_on_are_numbered_on() -> None:
    tournament = cast.make_tournament("goninkan-classic")
    players = cast.make_entries(tournament, 6)
    table = seating.open_session(tournament, [players[:5]], by=SOMEBODY).sittings.get()
    for number in (1, 2):
        cast.record(table, number=number)
    seen = [each.key for each in players[:5]]
    goes_on = change_players(table, players, seen_players=seen, by=SOMEBODY, reason="途中参加")
    cast.record(goes_on)
    rows = checked_rows(tournament)
    assert [label for label, cell in rows[1].items() if cell is not None] == [
        "Points",
        *(f"Session 1 Round {number}" for number in (1, 2, 3)),
    ]


@pytest.mark.parametrize(
    ("carry", "earlier"), [(Carry.NONE, -2), (Carry.HALF, -1), (Carry.ALL, None)]
)
def test_what_earlier_stages_leave_has_a_column(carry: Carry, earlier: int | None) -> None:
    sitting = cast.make_sitting()
    tournament = sitting.session.tournament
    cast.record(sitting)
    cast.record(sitting, number=2)
    stages.make_confirmed(tournament, stages.plan(Quota("", "", 6), carry=carry))
    final = seating.open_session(tournament, [list(tournament.entries.all())], by=SOMEBODY)
    cast.record(final.sittings.get())
    assert checked_rows(tournament)[2].get("Change on carrying over") == earlier


@pytest.mark.parametrize("carry", Carry)
def test_points_given_or_missed_before_a_final_are_no_change_on_carrying_over(
    tournament: Tournament, carry: Carry
) -> None:
    """Columns have the points of all stages, like the rounds beside them."""
    rules = {"missed": "fixed", "missed_points": -2}
    ranking.set_ranking(tournament, rules, seen_version=0, by=SOMEBODY)
    players = cast.make_entries(tournament, 7)
    absent, late = players[:2]
    for number, seated in enumerate((players[:6], players[1:]), 1):
        if number == 2:
            seen = Status.EXPECTED
            presence.mark_presence(absent, 2, Status.ABSENT, seen_status=seen, by=SOMEBODY)
        sitting = seating.open_session(tournament, [seated], by=SOMEBODY).sittings.get()
        cast.record(sitting)
        session_service.end_session(sitting.session, stopping=[sitting.number], by=SOMEBODY)
    adjustments.adjust_points(tournament, 1, late, -3, by=SOMEBODY, reason="遅刻")
    before = {
        each.entry.number: each.place.points
        for each in cast.standings_for(tournament)
        if each.place
    }
    stages.make_confirmed(tournament, stages.plan(Quota("", "", 7), carry=carry))
    adjustments.adjust_points(tournament, 2, late, 1, by=SOMEBODY, reason="訂正")
    final = seating.open_session(tournament, [players[1:]], by=SOMEBODY)
    cast.record(final.sittings.get())
    rows = checked_rows(tournament)
    assert rows[late.number]["Given or deducted"] == -3 + 1
    assert rows[absent.number]["Missed sessions"] == -2
    for number in (late.number, absent.number):
        change = carried_points(before[number], carry) - before[number]
        assert rows[number].get("Change on carrying over") == (change or None)
    assert not any("stage" in label for label in rows[1])


def test_rounds_in_a_final_of_others_are_in_no_column(tournament: Tournament) -> None:
    """Who joined for a member after a round has no points in it, and nothing carried over."""
    players = cast.make_entries(tournament, 7)
    [sitting] = seating.open_session(tournament, [players[:6]], by=SOMEBODY).sittings.all()
    cast.record(sitting)
    session_service.end_session(sitting.session, stopping=[sitting.number], by=SOMEBODY)
    presence.mark_presence(players[6], 2, Status.PRESENT, seen_status=Status.EXPECTED, by=SOMEBODY)
    session = seating.open_session(tournament, [[*players[1:]]], by=SOMEBODY).sittings.get()
    cast.record(session)
    session_service.end_session(session.session, stopping=[session.number], by=SOMEBODY)
    stages.make_confirmed(tournament, stages.plan(Quota("", "", 6), at_line=AtLine.LOT))
    [stage] = tournament.stages.all()
    members = [player for player in players if player.key in stage.as_played().members]
    [other] = set(players) - set(members)
    final = seating.open_session(tournament, [members], by=SOMEBODY).sittings.get()
    cast.record(final)
    goes_on = change_players(
        final, [other, *members[1:]], seen_players=cast.keys(final), withdraw=True, by=SOMEBODY
    )
    cast.record(goes_on)
    rows = checked_rows(tournament)
    own = rows[other.number]
    assert own.get("Change on carrying over") is None
    assert own["Session 3 Round 1"] is own["Session 3 Round 2"] is None
    assert rows[members[0].number]["Session 3 Round 1"] is not None
    assert rows[members[0].number]["Session 3 Round 2"] is None
    event = Event(Tournament.objects.get(pk=tournament.pk))
    points = points_by_session(event.ranking_facts)
    assert 3 not in points[other.key]
    assert 3 in points[members[0].key]


def test_round_of_who_joined_later_has_its_number(tournament: Tournament) -> None:
    players = cast.make_entries(tournament, 7)
    table = seating.open_session(tournament, [players[:6]], by=SOMEBODY).sittings.get()
    cast.record(table)
    seen = [each.key for each in players[:6]]
    cast.record(change_players(table, players[1:], seen_players=seen, by=SOMEBODY))
    own = checked_rows(tournament)[7]
    assert own["Session 1 Round 1"] is None
    assert own["Session 1 Round 2"] is not None


def test_remarks_name_substitutes_as_the_page_does(tournament: Tournament, client: Client) -> None:
    """On the sheet of all, and on that of the stage in which they played."""
    players = cast.make_entries(tournament, 6)
    [first] = seating.open_session(tournament, [players], by=SOMEBODY).sittings.all()
    cast.record(first)
    session_service.end_session(first.session, stopping=[first.number], by=SOMEBODY)
    stages.make_confirmed(tournament, stages.plan(Quota("", "", 6)))
    absent, *others = players
    presence.mark_presence(absent, 2, Status.WITHDRAWN, seen_status=Status.EXPECTED, by=SOMEBODY)
    row = add_substitute(absent, 2, {"name": "山田 花"}, by=SOMEBODY)
    final = seating.open_session(tournament, [[row.substitute, *others]], by=SOMEBODY)
    cast.record(final.sittings.get())
    Tournament.objects.update(showing=Tournament.Showing.LIVE)
    answer = cast.in_english(client).get(reverse("standings-workbook", args=[tournament.slug]))
    book = load_workbook(BytesIO(answer.content))
    remarks = {}
    for title in ("Standings", "Qualifying", "Final"):
        label, *cells = zip(*book[title].iter_rows(values_only=True), strict=True)
        columns = {column[0]: column[1:] for column in (label, *cells)}
        by_name = dict(zip(columns["Name"], columns["Remarks"], strict=True))
        remarks[title] = re.sub("[\u2066-\u2069]", "", by_name[absent.name])
        assert {by_name[each.name] for each in others} == {None}
    told = "Withdrawn, replaced by 山田 花"
    assert remarks == {"Standings": told, "Qualifying": "Withdrawn", "Final": told}
