"""Progress of sessions and tournaments; a round under way is not counted as recorded."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests import cast, events
from tests.changed_tables import change
from tournaments import archives, audit, verification
from tournaments.models import Sitting, Tournament
from tournaments.queries import run_sheet
from tournaments.queries.events import Event
from tournaments.queries.progress import progress_of, sessions_of
from tournaments.queries.publications.events import PublishedEvent
from tournaments.services import ranking, seating, sessions, totals, versions
from tournaments.services.publications import publish
from tournaments.services.tournaments import change_rules

pytestmark = pytest.mark.django_db

UNDER_WAY = {"kankei": ["1", "3"], "dealer": "6", "deals": [{"kankei": 9, "mukankei": 7}]}


def counted(tournament: Tournament) -> tuple[int, int]:
    """Return rounds recorded and under way, equal on the front page and the overview."""
    [found] = progress_of(Tournament.objects.filter(pk=tournament.pk))
    sessions = sessions_of(tournament)
    assert found.progress.recorded == sum(each.progress.recorded for each in sessions)
    assert found.progress.under_way == sum(each.progress.under_way for each in sessions)
    return found.progress.recorded, found.progress.under_way


def test_round_is_counted_when_it_is_over() -> None:
    sitting = cast.make_sitting()
    tournament = sitting.session.tournament
    assert counted(tournament) == (0, 0)
    cast.record(sitting)
    assert counted(tournament) == (1, 0)
    cast.record(sitting, UNDER_WAY, number=2)
    assert counted(tournament) == (1, 1)
    won = [*UNDER_WAY["deals"], {"kankei": 4, "mukankei": 9}]
    cast.record(sitting, UNDER_WAY | {"deals": won}, number=2, seen=1)
    assert counted(tournament) == (2, 0)


def test_round_cut_off_is_counted() -> None:
    sitting = cast.make_sitting()
    cast.record(sitting, UNDER_WAY | {"cut_off": True})
    assert counted(sitting.session.tournament) == (1, 0)


def test_round_of_three_deals_is_counted() -> None:
    sitting = cast.make_sitting()
    deals = [
        {"kankei": 9, "mukankei": 7},
        {"kankei": 9, "mukankei": 7},
        {"kankei": 9, "mukankei": 7},
    ]
    cast.record(sitting, UNDER_WAY | {"deals": deals})
    assert counted(sitting.session.tournament) == (1, 0)


@pytest.mark.parametrize("rule_set", ["gong-zhu", "gouji"])
def test_round_of_one_deal_is_never_under_way(rule_set: str) -> None:
    sitting = cast.make_sitting(cast.make_tournament(rule_set))
    cast.record(sitting)
    assert counted(sitting.session.tournament) == (1, 0)


@pytest.mark.parametrize("planned", [None, 6])
@pytest.mark.parametrize("rule_set", ["goninkan-association", "gong-zhu"])
def test_session_of_totals_is_complete_when_every_table_has_totals(
    rule_set: str, planned: int | None
) -> None:
    """The number of planned rounds does not matter: no rounds are recorded."""
    tournament = cast.make_tournament(rule_set, totals_only=True, rounds_per_session=planned)
    entries = cast.make_entries(tournament, 12)
    size = tournament.table_sizes[0]
    tables = [entries[:size], entries[size : 2 * size]]
    first, second = seating.open_session(tournament, tables, by=cast.SOMEBODY).sittings.all()
    assert states(tournament) == ("waiting", False)
    type_totals(first)
    assert counted(tournament) == (1, 0)
    assert states(tournament) == ("playing", False)
    type_totals(second)
    type_totals(second, first=20, seen=1)
    assert counted(tournament) == (2, 0)
    assert states(tournament) == ("done", True)


@pytest.mark.parametrize("changes_players", [False, True])
def test_rounds_beyond_a_lowered_number_do_not_stand_for_those_of_another_table(
    changes_players: bool,
) -> None:
    tournament = cast.make_tournament(rounds_per_session=3)
    entries = cast.make_entries(tournament, 13)
    session = seating.open_session(tournament, [entries[:6], entries[6:12]], by=cast.SOMEBODY)
    first, second = session.sittings.all()
    for number in (1, 2):
        cast.record(first, number=number)
    if changes_players:
        last = change(first, 1, 2, 3, 4, 5, 13)
        cast.record(last)
    else:
        cast.record(first, number=3)
    Tournament.objects.update(rounds_per_session=1)
    tournament.refresh_from_db()

    def numbers() -> tuple[int, int | None, bool]:
        [found], [live] = sessions_of(tournament), Event(tournament).sessions
        assert live.progress == found.progress
        return found.progress.recorded, found.progress.planned, found.is_over

    assert numbers() == (3, 4, False)
    assert Event(tournament).tally.planned == 4
    cast.record(second)
    assert numbers() == (4, 4, True)


@pytest.mark.parametrize("changes_players", [False, True])
def test_session_is_on_while_a_round_beyond_a_lowered_number_is_under_way(
    director: Client, tournament: Tournament, *, changes_players: bool
) -> None:
    """So that the number can be raised again, as long as the round is not over."""
    change_rounds(tournament, 3)
    entries = cast.make_entries(tournament, 13)
    session = seating.open_session(tournament, [entries[:6], entries[6:12]], by=cast.SOMEBODY)
    first, second = session.sittings.all()
    cast.record(first)
    cast.record(second)
    cast.record(second, number=2)
    if changes_players:
        first, begun = change(first, 1, 2, 3, 4, 5, 13), 1
    else:
        cast.record(first, number=2)
        begun = 3
    players = cast.keys(first)
    under_way = {"kankei": [players[0], players[2]], "dealer": players[-1]}
    won = {"kankei": 9, "mukankei": 7}
    lost = {"kankei": 4, "mukankei": 9}
    cast.record(first, under_way | {"deals": [won]}, number=begun)
    lowered = 1 if changes_players else 2
    complete = 3 if changes_players else 4

    def told() -> tuple[int, int | None, bool]:
        event = Event(Tournament.objects.get())
        [found] = event.sessions
        [published] = PublishedEvent(publish(tournament, by=cast.SOMEBODY)).sessions
        assert (published.progress, published.is_over) == (found.progress, found.is_over)
        assert verification.verify(tournament) == []
        [listed] = progress_of(Tournament.objects.all())
        assert (listed.state == "done") == found.is_over
        assert event.tally.planned == found.progress.planned
        assert all(sheet.is_over for sheet in event.sheets) == found.is_over
        is_on = run_sheet.next_step(run_sheet.day_of(event, timezone.now())) in run_sheet.PLAYING
        assert is_on != found.is_over
        return found.progress.recorded, found.progress.planned, found.is_over

    for rounds in (lowered, 5, lowered):
        assert change_rounds(tournament, rounds) == {}
        assert told()[2] is False
    assert told() == (complete, complete + 1, False)
    unfinished = director.get(reverse("publish", args=[tournament.slug])).context["unfinished"]
    assert [each.session for each in unfinished] == [session]
    cast.record(first, under_way | {"deals": [won, lost]}, number=begun, seen=1)
    assert told() == (complete + 1, complete + 1, True)
    assert change_rounds(tournament, 5) == {"1": lowered}


def change_rounds(tournament: Tournament, rounds: int) -> dict[str, int]:
    """Change the number of rounds; return what the sessions that are over keep."""
    tournament.refresh_from_db()
    tournament.rounds_per_session = rounds
    seen = versions.version_of(tournament)
    return change_rules(tournament, tournament.rules, seen_version=seen, by=cast.SOMEBODY)


@pytest.mark.parametrize("rounds", [1, 3, None])
def test_sessions_that_are_over_keep_their_number_of_rounds(rounds: int | None) -> None:
    """The first is played to its end, the second was ended by the desk, the third is on."""
    tournament = cast.make_tournament(rounds_per_session=2)
    ranking.set_ranking(tournament, {"missed": "own_average"}, seen_version=0, by=cast.SOMEBODY)
    entries = cast.make_entries(tournament, 13)
    for number, seated in enumerate((entries[:6], entries[6:12], entries[1:7]), 1):
        table = seating.open_session(tournament, [seated], by=cast.SOMEBODY).sittings.get()
        cast.record(table)
        if number == 1:
            cast.record(table, number=2)
    second = tournament.sessions.get(number=2)
    sessions.end_session(second, stopping=[1], by=cast.SOMEBODY)

    def told() -> list[object]:
        of_all = sessions_of(Tournament.objects.get())
        return [(each.progress.planned, each.is_over) for each in of_all]

    def standings() -> list[object]:
        return [(row.entry.number, row.place) for row in cast.standings_for(tournament)]

    before = standings()
    assert told() == [(2, True), (2, True), (2, False)]
    tournament.refresh_from_db()
    tournament.rounds_per_session = rounds
    seen = versions.version_of(tournament)
    change_rules(tournament, tournament.rules, seen_version=seen, by=cast.SOMEBODY)
    assert told()[:2] == [(2, True), (2, True)]
    assert told()[2] == ((rounds, rounds == 1) if rounds else (None, False))
    if rounds != 1:  # the third is still on
        assert standings() == before
    event = Event(Tournament.objects.get())
    assert [each.progress for each in event.sessions] == [
        each.progress for each in sessions_of(event.tournament)
    ]
    publication = publish(tournament, by=cast.SOMEBODY)
    published = PublishedEvent(publication).sessions
    assert [(each.progress.planned, each.is_over) for each in published] == told()
    assert verification.verify(tournament) == []
    content = archives.export_archive(tournament, with_private=True)
    events.forget(tournament)
    archives.import_archive(content, by=audit.Actor(None, "owner"))
    assert told()[:2] == [(2, True), (2, True)]


def test_session_of_rounds_after_sessions_of_totals_is_complete_by_its_rounds() -> None:
    tournament = cast.make_tournament(totals_only=True, rounds_per_session=1)
    type_totals(cast.make_sitting(tournament))
    tournament.totals_only = False
    tournament.save()
    final = cast.make_sitting(tournament)
    assert [each.progress.is_complete for each in sessions_of(tournament)] == [True, False]
    cast.record(final)
    assert [each.progress.is_complete for each in sessions_of(tournament)] == [True, True]
    assert states(tournament) == ("done", True)


@pytest.mark.parametrize("name", ["session", "sitting", "tournament", "board"])
def test_pages_of_an_event_of_totals_do_not_mention_rounds(
    director: Client, tournament: Tournament, name: str
) -> None:
    tournament.totals_only = True
    tournament.save()
    sitting = cast.make_sitting(tournament)
    place = [tournament.slug, sitting.session.number, sitting.number]
    address = reverse(name, args=place[: {"session": 2, "sitting": 3}.get(name, 1)])
    for is_typed in (False, True):
        page = cast.in_english(director).get(address).content.decode()
        assert not re.search(r"\d+ of \d+ rounds|\d+ rounds? recorded|Round <b>", page)
        if not is_typed:
            type_totals(sitting)
    if name == "tournament":
        assert "totals entered for 1 of 1 table" in page


def states(tournament: Tournament) -> tuple[str, bool]:
    """Return the state shown on the front page, and whether the last session is complete."""
    [found] = progress_of(Tournament.objects.filter(pk=tournament.pk))
    last = sessions_of(tournament)[-1].progress
    assert last.planned
    return found.state, last.is_complete


def type_totals(sitting: Sitting, first: int = 10, seen: int = 0) -> None:
    players = cast.keys(sitting)
    points = dict.fromkeys(players, 0) | {players[0]: first, players[1]: -first}
    totals.enter_totals(sitting, points, seen_version=seen, by=cast.SOMEBODY, reason="misread")


def test_tournament_with_its_first_round_under_way_is_playing() -> None:
    sitting = cast.make_sitting()
    cast.record(sitting, UNDER_WAY)
    [found] = progress_of(Tournament.objects.all())
    assert found.state == "playing"
