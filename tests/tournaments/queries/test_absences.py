"""Why players did not play: by roll call, list of players, seats and stages, live and published."""

import pytest

from scoring.stages.selection import Quota
from tests import cast, stages
from tests.cast import SOMEBODY
from tournaments import verification
from tournaments.models import Entry, Tournament
from tournaments.queries.events import Event
from tournaments.queries.live_events import LiveEvents
from tournaments.queries.presence import Status
from tournaments.queries.publications.events import PublishedEvent
from tournaments.queries.ranking_facts import RankingFacts, ranking_facts
from tournaments.queries.season import _published_results, live_results
from tournaments.queries.seat_draws import earlier_seats
from tournaments.queries.stages import candidates
from tournaments.services import presence, publications, seating, sessions
from tournaments.services.substitutions import add_substitute
from tournaments.services.table_players import change_players
from tournaments.views.sessions import without_seat

pytestmark = pytest.mark.django_db


def mark(entry: Entry, status: Status, session: int) -> None:
    presence.mark_presence(entry, session, status, seen_status=Status.EXPECTED, by=SOMEBODY)


def absences(facts: RankingFacts) -> dict[int, dict[int, str]]:
    return {
        int(player): {session: reason.value for session, reason in own.items()}
        for player, own in facts.absences.items()
    }


def play_a_day() -> Tournament:
    """Play a session in which most things happen, and seat a final of those who played in it.

    1 to 5 play with a substitute (19) for 13, and 5 leaves; the table of 7 to 12 does not play, and
    10 leaves it; 6, 17 and 18 have no seat; 20 comes during the session. 16 withdraws and comes
    back, 14 stays away.
    """
    tournament = cast.make_tournament("goninkan-nakayoshi")
    entries = cast.make_entries(tournament, 18)
    for number, status in ((13, Status.ABSENT), (14, Status.ABSENT), (15, Status.LATE)):
        mark(entries[number - 1], status, 1)
    mark(entries[15], Status.WITHDRAWN, 1)
    mark(entries[16], Status.WITHDRAWN, 1)
    substitute = add_substitute(entries[12], 1, {"name": "山田"}, by=SOMEBODY).substitute
    tables = [[*entries[:5], substitute], entries[6:12]]
    session = seating.open_session(tournament, tables, by=SOMEBODY)
    cast.record(session.sittings.get(number=1))
    for number in (5, 10):
        mark(entries[number - 1], Status.ABSENT, 1)
    cast.make_entries(tournament, 1)
    sessions.end_session(session, stopping=[1, 2], by=SOMEBODY)
    for number, seen in ((5, Status.ABSENT), (16, Status.WITHDRAWN)):
        presence.mark_presence(
            entries[number - 1], 2, Status.PRESENT, seen_status=seen, by=SOMEBODY
        )
    stages.make_confirmed(tournament, stages.plan(Quota("", "", 6)))
    seating.open_session(tournament, [entries[:5]], by=SOMEBODY)
    return tournament


def test_each_player_has_one_reason_per_session_live_and_published() -> None:
    tournament = play_a_day()
    facts = ranking_facts(tournament)
    told = absences(facts)
    not_drawn = {6: "sat_out", 14: "absent", 15: "late", 16: "withdrawn", 18: "sat_out"}
    not_played = dict.fromkeys((7, 8, 9, 11, 12), "table_not_played") | {10: "absent"}
    later = {13: "replaced", 20: "joined_later"}
    assert told == {
        number: {1: reason, 2: "not_in_stage"}
        for number, reason in (not_drawn | not_played | later | {17: "withdrawn"}).items()
    }
    publications.publish(tournament, by=SOMEBODY)
    published = PublishedEvent(tournament.publications.get())
    assert absences(published.ranking_facts) == told
    assert verification.verify(tournament) == []


def test_mark_of_the_roll_call_changes_the_live_event(tournament: Tournament) -> None:
    entries = cast.make_entries(tournament, 7)
    seating.open_session(tournament, [entries[:6]], by=SOMEBODY)
    events = LiveEvents()
    tournament.refresh_from_db()
    assert absences(events.get(tournament).ranking_facts) == {7: {1: "sat_out"}}
    mark(entries[6], Status.LATE, 1)
    tournament.refresh_from_db()
    assert absences(events.get(tournament).ranking_facts) == {7: {1: "late"}}
    presence.mark_presence(entries[6], 1, Status.PRESENT, seen_status=Status.LATE, by=SOMEBODY)
    tournament.refresh_from_db()
    assert absences(events.get(tournament).ranking_facts) == {7: {1: "late"}}  # found no seat
    assert events.get(tournament).sitting_out(1) == set()


@pytest.mark.parametrize("mistake", [Status.ABSENT, Status.LATE, Status.WITHDRAWN])
@pytest.mark.parametrize("undone", [Status.EXPECTED, Status.PRESENT])
def test_who_was_marked_by_mistake_when_seats_were_assigned_was_not_late(
    tournament: Tournament, mistake: Status, undone: Status
) -> None:
    """To mark somebody late as present says that the player came."""
    players = cast.make_entries(tournament, 7)
    mark(players[6], mistake, 1)
    seating.open_session(tournament, [players[:6]], by=SOMEBODY)
    presence.mark_presence(players[6], 1, undone, seen_status=mistake, by=SOMEBODY)
    tournament.refresh_from_db()
    told = "late" if (mistake, undone) == (Status.LATE, Status.PRESENT) else "sat_out"
    assert absences(ranking_facts(tournament)) == {7: {1: told}}
    event = Event(tournament)
    assert [each.number for each, _why in without_seat(event, 1, event.sheets)] == [7]


def test_who_got_up_before_the_first_round_has_not_sat_out(tournament: Tournament) -> None:
    """The draw had a seat for 1 and 2, but none for 13, 14 and 15, who take theirs; 13 leaves."""
    entries = cast.make_entries(tournament, 15)
    session = seating.open_session(tournament, [entries[:6], entries[6:12]], by=SOMEBODY)
    events = LiveEvents()
    table, other = session.sittings.all()
    seen = [entry.key for entry in entries[:6]]
    got_up = [entries[12], *entries[1:6]]
    change_players(table, got_up, seen_players=seen, by=SOMEBODY)
    seen = [entry.key for entry in got_up]
    change_players(table, [*entries[13:], *entries[2:6]], seen_players=seen, by=SOMEBODY)
    tournament.refresh_from_db()
    expected = {1: "table_not_played", 2: "table_not_played", 13: "sat_out"}

    def told() -> dict[int, str]:
        tournament.refresh_from_db()
        return {n: own[1] for n, own in absences(events.get(tournament).ranking_facts).items()}

    assert told() == expected
    assert events.get(tournament).sitting_out(1) == {13}
    event = events.get(tournament)
    listed = [entry.number for entry, _reason in without_seat(event, 1, event.sheets)]
    assert listed == [1, 2, 13]
    mark(entries[1], Status.ABSENT, 1)
    assert told() == expected | {2: "absent"}
    presence.mark_presence(entries[1], 1, Status.PRESENT, seen_status=Status.ABSENT, by=SOMEBODY)
    for sitting in (table, other):
        cast.record(sitting)
    seen = [entry.key for entry in entries[6:12]]
    change_players(other, [entries[0], *entries[7:12]], seen_players=seen, by=SOMEBODY)
    assert told() == {key: expected[key] for key in (2, 13)}  # 7 left after a round, for 1
    sessions.end_session(session, stopping=[1, 2, 3], by=SOMEBODY)
    assert told() == expected  # nothing was recorded after 1 joined
    publications.publish(tournament, by=SOMEBODY)
    published = PublishedEvent(tournament.publications.get()).ranking_facts
    assert {n: own[1] for n, own in absences(published).items()} == expected
    assert verification.verify(tournament) == []


def test_who_has_no_seat_after_the_seats_are_assigned_again_has_sat_out(
    tournament: Tournament,
) -> None:
    entries = cast.make_entries(tournament, 7)
    session = seating.open_session(tournament, [entries[:6]], by=SOMEBODY)
    seen = [entry.key for entry in entries[:6]]
    change_players(session.sittings.get(), entries[1:], seen_players=seen, by=SOMEBODY)
    assert absences(ranking_facts(tournament)) == {1: {1: "table_not_played"}}
    seen_version = seating.seats_version(session)
    seating.reseat(session, [entries[6:0:-1]], seen_version=seen_version, by=SOMEBODY)
    assert absences(ranking_facts(tournament)) == {1: {1: "sat_out"}}


def test_table_that_did_not_play_has_sat_out_in_the_next_draw(tournament: Tournament) -> None:
    entries = cast.make_entries(tournament, 12)
    session = seating.open_session(tournament, [entries[:6], entries[6:]], by=SOMEBODY)
    cast.record(session.sittings.get(number=1))
    assert [len(tables) for tables in earlier_seats(tournament, 2).tables] == [2]
    sessions.end_session(session, stopping=[1, 2], by=SOMEBODY)
    assert earlier_seats(tournament, 2).tables == [(("1", "2", "3", "4", "5", "6"),)]


def test_who_is_no_competitor_takes_no_place_no_reserve_and_no_season() -> None:
    tournament = play_a_day()
    rows = cast.standings_for(tournament)
    [substitute] = [row for row in rows if row.entry.is_substitute]
    assert substitute.place is not None
    assert (substitute.place.rank, substitute.rank_in_class) == (None, None)
    stage = tournament.stages.get()
    assert {row.entry.number for row in candidates(stage)} == {1, 2, 3, 4, 5}
    tournament.refresh_from_db()
    assert live_results(tournament).results.keys() == {1, 2, 3, 4, 5}
    publications.publish(tournament, by=SOMEBODY)
    publication = tournament.publications.get()
    assert _published_results(publication.pk, publication.digest).results.keys() == {1, 2, 3, 4, 5}
