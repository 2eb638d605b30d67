"""Season tables: what counts for whom, the workbook, and what empty pages say."""

from collections.abc import Sequence
from datetime import date
from io import BytesIO

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from openpyxl import load_workbook

from scoring.stages.places import places_by_stage
from scoring.stages.selection import AtLine, Quota
from tests import cast, series, stages
from tests.cast import SOMEBODY
from tournaments.i18n.sentences import listed
from tournaments.i18n.series import STEPS
from tournaments.models import Entry, Series, Tournament
from tournaments.queries.events import Event
from tournaments.queries.season import Season, State, season_of
from tournaments.services import closing, publications, same_players, seating

pytestmark = pytest.mark.django_db


def totals(season: Season) -> dict[str, float]:
    return {person.name: float(person.row.total) for person in season.people}


@pytest.fixture
def events() -> list[Tournament]:
    """Three tournaments: two announced, of which one is closed, and one that is not."""
    spring, summer, autumn = (
        series.make_played("春の大会", 4),
        series.make_played("夏の大会", 7, series.SECOND),
        series.make_played("秋の大会", 10),
    )
    series.announce(spring)
    series.announce(summer, closes=False)
    return [spring, summer, autumn]


@pytest.mark.both
def test_only_announced_events_count_but_their_staff_sees_all(events: list[Tournament]) -> None:
    found = series.make_series(*reversed(events))
    assert series.link_everybody(found) == 12
    public = season_of(found, ())
    assert [(event.name, event.state) for event in public.events] == [
        ("春の大会", State.FINAL),
        ("夏の大会", State.PROVISIONAL),
    ]
    points = {result.name: result.points for result in public.events[0].results.values()}
    later = {result.name: result.points for result in public.events[1].results.values()}
    assert totals(public) == {name: points[name] + later[name] for name in points}
    for_staff = season_of(found, {events[2].pk})
    assert [event.state for event in for_staff.events][2:] == [State.STAFF]
    assert totals(for_staff) == {name: 2 * points[name] + later[name] for name in points}


def test_an_event_shown_as_it_is_played_counts_once_it_is_closed(
    events: list[Tournament],
) -> None:
    found = series.make_series(events[2])
    publications.show_live(events[2], by=SOMEBODY)
    assert [event.state for event in season_of(found, ()).events] == [State.WAITING]
    Tournament.objects.filter(pk=events[2].pk).update(closed_at=events[2].created_at)
    assert [event.state for event in season_of(found, ()).events] == [State.FINAL]


def test_players_stand_in_rows_of_their_own_until_linked(events: list[Tournament]) -> None:
    found = series.make_series(*events[:2])
    assert len(season_of(found, ()).people) == 12
    series.link_everybody(found)
    assert len(season_of(found, ()).people) == 6


def test_a_corrected_announcement_counts_at_once(events: list[Tournament]) -> None:
    found = series.make_series(events[1])
    before = totals(season_of(found, ()))
    sitting = events[1].sessions.get().sittings.get()
    cast.record(sitting, seen=1, reason="写しまちがい")
    assert totals(season_of(found, ())) == before
    publications.publish(events[1], by=SOMEBODY)
    assert totals(season_of(found, ())) != before


def test_results_that_lack_a_round_do_not_count_as_final(events: list[Tournament]) -> None:
    found = series.make_series(events[0])
    cast.record(events[0].sessions.get().sittings.get(), number=2)
    assert [event.state for event in season_of(found, ()).events] == [State.PROVISIONAL]
    publications.publish(events[0], by=SOMEBODY)
    assert [event.state for event in season_of(found, ()).events] == [State.FINAL]


def test_the_page_marks_what_does_not_count(events: list[Tournament], client: Client) -> None:
    found = series.make_series(*events, best=1, least=3, counting="places")
    series.link_everybody(found)
    page = cast.in_english(client).get(found.get_absolute_url()).text
    assert "<h1>" in page
    assert "<del>" in page
    assert "1 more tournament to be ranked" in page
    assert "Of each player’s results, the best 1 count." in page
    assert "Players who share a place split the points" in page
    assert "秋の大会" not in page
    assert "2026年度" in page


def test_the_workbook_has_the_same_numbers(events: list[Tournament], client: Client) -> None:
    found = series.make_series(*events[:2], counting="places", best=1)
    series.link_everybody(found)
    answer = client.get(reverse("series-workbook", args=[found.slug]))
    sheet = load_workbook(BytesIO(answer.content)).active
    assert sheet is not None
    rows = list(sheet.iter_rows(values_only=True))
    people = season_of(found, ()).people
    assert [row[1] for row in rows[1:]] == [person.name for person in people]
    assert [row[3] for row in rows[1:]] == pytest.approx(
        [float(person.row.total) for person in people], abs=0.005
    )
    assert "1 春の大会" in [" ".join(str(label).split()) for label in rows[0]]


def test_people_of_one_name_and_club_have_the_number_of_their_latest_event(
    events: list[Tournament], client: Client
) -> None:
    """People of one name and different clubs are told apart by the clubs."""
    for event in events[:2]:
        event.entries.filter(number__in=(2, 5, 6)).update(name="工藤 正", club="弘前")
        event.entries.filter(number=6).update(club="青森")
        publications.publish(event, by=SOMEBODY)
    found = series.make_series(*events[:2])
    spring, summer = (list(event.entries.all()) for event in events[:2])
    pairs = list(zip(spring, summer, strict=True))
    same_players.link_players(found, pairs, by=SOMEBODY)
    shown = {"夏の大会 2番", "夏の大会 5番"}
    page = client.get(found.get_absolute_url())
    assert [row.number for row in page.context["rows"]].count("") == 4
    assert all(f'<small class="muted">{words}</small>' in page.text for words in shown)
    answer = client.get(reverse("series-workbook", args=[found.slug]))
    sheet = load_workbook(BytesIO(answer.content)).active
    assert sheet is not None
    [header, *rows] = sheet.iter_rows(values_only=True)
    column = header.index("番号")
    assert {row[column] for row in rows} == {None, *shown}


def test_what_decided_is_said_alike_on_the_page_and_in_the_workbook(
    events: list[Tournament], client: Client
) -> None:
    """Of two players with the same total both rows name the step."""
    found = series.make_series(*events[:2], tie_breaks=["latest"])
    series.link_everybody(found)
    answer = client.get(reverse("series-workbook", args=[found.slug]))
    sheet = load_workbook(BytesIO(answer.content)).active
    assert sheet is not None
    in_workbook = [row[-1] for row in sheet.iter_rows(min_row=2, values_only=True)]
    rows = client.get(found.get_absolute_url()).context["rows"]
    assert in_workbook == [listed(row.decided_by) or None for row in rows]
    people = season_of(found, ()).people
    decided = [
        {n, n - 1} for n, person in enumerate(people) if person.row.separated_by
    ]  # the two rows of each decision
    assert decided
    assert {n for n, cell in enumerate(in_workbook) if cell} == set().union(*decided)


def test_each_class_has_ranks_of_its_own(events: list[Tournament], client: Client) -> None:
    for number in (2, 5):
        events[1].entries.filter(number=number).update(division="有段者")
    publications.publish(events[1], by=SOMEBODY)
    found = series.make_series(*events[:2])
    series.link_everybody(found)
    people = season_of(found, ()).people
    assert {person.division for person in people} == {"一般", "有段者"}
    page = cast.in_english(client).get(f"{found.get_absolute_url()}?class=有段者")
    shown = [row.person for row in page.context["rows"]]
    assert shown == [person for person in people if person.division == "有段者"]
    assert [person.rank_in_class for person in shown] == [1, 2]
    in_class = [row.ranked for row in page.context["rows"]]
    assert [(row.rank, row.tied) for row in in_class] == [(1, False), (2, False)]
    # Only what decides within the class is named, not what decides against others.
    assert in_class[0].separated_by is None
    assert in_class[1].separates is None
    assert [row.decided_by for row in page.context["rows"]] == [
        [STEPS[code] for code in row.deciding_steps] for row in in_class
    ]
    for unknown in ("二段", "\0"):
        assert client.get(found.get_absolute_url(), {"class": unknown}).status_code == 404


def test_another_event_takes_no_more_queries(events: list[Tournament]) -> None:
    one, more = series.make_series(events[0]), series.make_series(*events[:2])
    counts = []
    for found in (one, more, one, more):
        with CaptureQueriesContext(
            connection,
        ) as captured:
            season_of(found, ())
        counts.append(len(captured))
    assert counts[2] == counts[3] <= 3


def test_empty_series_says_what_to_do(creator: Client, client: Client) -> None:
    listed = cast.in_english(creator).get(reverse("all-series")).text
    assert "There is no series yet. Create one, then add tournaments to it." in listed
    owner = User.objects.get(username="creator")
    found = series.make_series(owner=owner)
    assert "Add the first one." in creator.get(found.get_absolute_url()).text
    seen = cast.in_english(client).get(found.get_absolute_url())
    assert "No tournament of this series is public yet." in seen.text
    assert not client.get(reverse("all-series")).context["listed"]
    assert Series.objects.get() in creator.get(reverse("all-series")).context["listed"]


def test_the_page_of_a_tournament_leads_to_its_series(
    events: list[Tournament], client: Client
) -> None:
    found = series.make_series(events[0])
    assert f'href="{found.get_absolute_url()}"' in client.get(events[0].get_absolute_url()).text
    assert date(2026, 4, 1) == season_of(found, ()).events[0].held_on


def play(tournament: Tournament, *tables: Sequence[Entry]) -> None:
    """Play a session of one round."""
    for sitting in seating.open_session(tournament, tables, by=SOMEBODY).sittings.all():
        cast.record(sitting)


def play_class_finals() -> tuple[Tournament, list[list[Entry]]]:
    """Return a tournament whose two classes have a final of four each, and the finalists."""
    tournament = cast.make_tournament("yoninkan", name="春の大会", rounds_per_session=1)
    entries = cast.make_entries(tournament, 12)
    tournament.entries.filter(number__lte=6).update(division="有段者")
    play(tournament, entries[:4], entries[4:8], entries[8:])
    quotas = [Quota("有段者決勝", "有段者", 4), Quota("一般決勝", "一般", 4)]
    final = stages.make_confirmed(tournament, stages.plan(*quotas, at_line=AtLine.LOT))
    by_key = {entry.key: entry for entry in entries}
    finalists = [[by_key[key] for key in group.players] for group in final.read_members()]
    play(tournament, *finalists)
    return Tournament.objects.get(pk=tournament.pk), finalists


@pytest.mark.parametrize("is_live", [False, True])
def test_each_class_with_a_final_has_a_winner(client: Client, *, is_live: bool) -> None:
    """The champion of the second class is first there, not below all finalists of the first."""
    event, finalists = play_class_finals()
    if is_live:
        publications.show_live(event, by=SOMEBODY)
        closing.close(event, by=SOMEBODY)
    else:
        series.announce(event)
    points = [10, 7, 5, 3, 2, 1]
    shown = series.make_series(event, counting="places", place_points=points)
    season = season_of(shown, ())
    [counted] = season.events
    rows = {person.results[0].number: person.row for person in season.people if person.results[0]}
    for group in finalists:
        of_class = [rows[entry.number] for entry in group]
        assert sum(row.total for row in of_class) == sum(points[:4])
        assert min(cell.rank or 0 for row in of_class for cell in row.cells if cell) == 1
        assert {counted.results[entry.number].class_of_final for entry in group} == {
            division_of(event, group)
        }
    others = counted.results.keys() - {entry.number for group in finalists for entry in group}
    overall = {row.entry.number: row.place for row in cast.standings_for(event)}
    for number in others:
        place = overall[number]
        assert place is not None
        assert counted.results[number].rank == place.rank
        assert rows[number].total == 0
    assert "クラス別の決勝があった大会" in client.get(shown.get_absolute_url()).text


def test_points_stand_beside_the_place_in_the_class() -> None:
    """Points before the final count, also with its places beside them."""
    event, finalists = play_class_finals()
    series.announce(event)
    season = season_of(series.make_series(event), ())
    [counted] = season.events
    for group in finalists:
        results = [counted.results[entry.number] for entry in group]
        assert min(result.rank or 0 for result in results) == 1
        before = Event(event).ranking_facts
        [first_stage, _final] = places_by_stage(before.contest, before.played_stages)
        points = {place.who: place.points for place in first_stage[0].places}
        assert [result.points for result in results] == [points[entry.key] for entry in group]


def division_of(event: Tournament, group: Sequence[Entry]) -> str:
    [division] = {event.entries.get(number=entry.number).division for entry in group}
    return division
