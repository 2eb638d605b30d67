"""Players join and leave a table, before its first round and after rounds."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest
from django.apps import apps

from scoring import InvalidRecord
from scoring.variants.gong_zhu import scoring_cards
from tests import cast
from tests.cast import SOMEBODY
from tests.changed_tables import change, entries_of, make_table, play, points, seated
from tests.races import race
from tournaments import archives, audit, verification
from tournaments.exceptions import ConflictError
from tournaments.i18n.audit_entries import entry_context, subject_words
from tournaments.models import AuditEntry, Clock, Sitting, Tournament
from tournaments.queries import live_events, progress, round_validation
from tournaments.queries import presence as presence_queries
from tournaments.queries.clocks import ClockSettings
from tournaments.queries.corrections import correction_of
from tournaments.queries.events import Event
from tournaments.queries.presence import Status, status_of
from tournaments.queries.publications.events import published_progress
from tournaments.queries.seat_draws import earlier_seats
from tournaments.queries.seated_tables import last_continuation
from tournaments.queries.sheets import sheet_of, sheets_for
from tournaments.services import (
    clocks,
    closing,
    phones,
    presence,
    publications,
    rounds,
    seating,
    sessions,
    substitutions,
    table_links,
    table_players,
    tournaments,
    versions,
)
from tournaments.services.table_players import change_players

pytestmark = pytest.mark.django_db
Kind = AuditEntry.Kind


@pytest.fixture
def table() -> Sitting:
    return make_table()


def test_player_joins_before_the_first_round(table: Sitting) -> None:
    for _ in range(2):
        assert change(table, 1, 2, 6, 3, 4, 5) == table
    assert seated(table) == ["1", "2", "6", "3", "4", "5"]
    [told] = AuditEntry.objects.filter(kind=Kind.PLAYERS_CHANGED)
    assert (told.old, told.new) == (
        {"1": ["1", "2", "3", "4", "5"]},
        {"1": ["1", "2", "6", "3", "4", "5"]},
    )
    play(table, 1)
    assert verification.verify(table.session.tournament) == []


def test_player_joins_after_rounds(table: Sitting) -> None:
    tournament = table.session.tournament
    play(table, 3)
    before = points(tournament)
    goes_on = change(table, 1, 2, 6, 3, 4, 5)
    assert (goes_on.number, goes_on.continues) == (2, table)
    assert seated(table) == ["1", "2", "3", "4", "5"]
    assert seated(goes_on) == ["1", "2", "6", "3", "4", "5"]
    assert points(tournament) == before  # earlier rounds stay with who played them
    play(goes_on, 2)
    after = points(tournament)
    assert {number: rounds for number, (_points, rounds) in after.items()} == {
        **dict.fromkeys(range(1, 6), 5),
        6: 2,
    }
    assert sum(own for own, _rounds in after.values()) != 0  # five and six score by their own rules
    assert verification.verify(tournament) == []


def test_extra_time_stays_with_the_table(table: Sitting) -> None:
    session = table.session
    settings = ClockSettings(3600, None, {"1": 300, "7": 60})
    clocks.set_clock(session, settings, seen_version=0, by=SOMEBODY)
    play(table, 1)
    change(table, 1, 2, 6, 3, 4, 5)
    assert Clock.objects.get().extra == {"1": 300, "7": 60}  # by the table's number
    assert verification.verify(session.tournament) == []


def test_round_dealer_and_trump_go_on(table: Sitting) -> None:
    play(table, 3)
    before = sheet_of(table).next_round
    assert before is not None
    assert (before.round_number, before.trump) == (4, "clubs")
    goes_on = change(table, 1, 2, 3, 4, 6)  # 6 takes the seat of 5
    assert sheet_of(goes_on).next_round == before._replace(
        seats=tuple("6" if each == "5" else each for each in before.seats),
        dealer="6" if before.dealer == "5" else before.dealer,
    )
    play(goes_on, 1)
    again = change(goes_on, 1, 2, 3, 4, 5)  # 5 comes back
    sheet = sheet_of(again)
    assert sheet.next_round is not None
    assert (sheet.next_round.round_number, sheet.next_round.trump) == (5, "diamonds")
    assert [each.sitting for each in sheet.at_table] == [table, goes_on, again]
    assert [each.values["round"] for each in sheet.advice if each.code == "trump"] == [5]
    assert (again.shown_number, again.rounds_before) == (1, 4)
    assert sheet.totals_at_table == {
        str(number): own for number, (own, _rounds) in points(table.session.tournament).items()
    }


def test_rounds_before_stay_with_the_table_beside_a_session_with_totals_only(
    table: Sitting,
) -> None:
    play(table, 3)
    goes_on = sheet_of(change(table, 1, 2, 3, 4, 6))
    tournament = table.session.tournament
    Tournament.objects.update(totals_only=True)
    seating.open_session(tournament, [entries_of(table, 1, 2, 3, 4, 5)], by=SOMEBODY)
    assert [each.at_table for each in sheets_for(tournament)][1] == goes_on.at_table


def test_points_of_who_left_stay_in_the_column_of_their_seat(table: Sitting) -> None:
    """Unless a seat came or went: then the columns are others on the paper, too."""
    play(table, 1)
    before = sheet_of(table).score.totals
    goes_on = change(table, 1, 2, 3, 4, 6)
    assert sheet_of(goes_on).took_seat_of["6"].key == "5"
    assert sheet_of(goes_on).totals_by_seat["6"] == before["5"]
    goes_on = change(goes_on, 1, 2, 3, 4, 5, 6)
    assert sheet_of(goes_on).took_seat_of == {}


def test_who_joins_has_the_seat_of_who_sat_there_last(table: Sitting) -> None:
    side_by_side = {"kankei": ["1", "2"], "deals": [{"kankei": 9, "mukankei": 4}] * 3}
    cast.record(table, cast.plain_round(table) | side_by_side)
    assert [entry.key for entry in sheet_of(table).seated_now] == ["1", "3", "2", "4", "5"]
    goes_on = sheet_of(change(table, 1, 6, 7, 4, 5))
    assert {new: old.key for new, old in goes_on.took_seat_of.items()} == {"6": "3", "7": "2"}


def test_change_is_undone_before_the_next_round(table: Sitting) -> None:
    play(table, 2)
    before = sheet_of(table).next_round
    goes_on = change(table, 1, 2, 6, 3, 4, 5)
    assert change(goes_on, 1, 2, 3, 4, 5) == goes_on
    sheet = sheet_of(goes_on)
    assert (sheet.next_round, sheet.joined, sheet.left) == (before, (), ())
    changes = AuditEntry.objects.filter(kind=Kind.PLAYERS_CHANGED)
    context = entry_context(table.session.tournament)
    assert {subject_words(each.subject, context) for each in changes} == {"第1回戦 · 第1卓"}
    assert verification.verify(table.session.tournament) == []


def test_correction_of_an_earlier_round_moves_the_dealer(table: Sitting) -> None:
    play(table, 1)
    tournament = table.session.tournament
    goes_on = change(table, 1, 2, 3, 4, 6)
    seen = live_events.events.current(tournament).sheet(1, goes_on.number)
    assert seen.next_round is not None
    assert seen.next_round.dealer != "4"
    facts = {**table.rounds.get().facts, "dealer": "3", "kankei": ["1", "4"]}
    cast.record(table, facts, seen=1, reason="親")
    tournament.refresh_from_db()
    now = live_events.events.current(tournament).sheet(1, goes_on.number)
    assert now.next_round is not None
    assert now.next_round.dealer == sheet_of(goes_on).next_round.dealer  # type: ignore[union-attr]
    assert now.next_round != seen.next_round


def test_phones_and_link_stay_with_the_table(table: Sitting) -> None:
    joined = phones.join(table.token)
    play(table, 1)
    goes_on = change(table, 1, 2, 6, 3, 4, 5)
    assert phones.refresh_phone(goes_on, joined.phone) == joined.phone
    second = phones.join(goes_on.first.token).phone
    assert (second.sitting, second.is_writer) == (table, False)
    table_links.revoke_link(goes_on, by=SOMEBODY)
    with pytest.raises(phones.PhoneEnded):
        phones.refresh_phone(goes_on, joined.phone)
    assert Sitting.objects.get(pk=goes_on.pk).is_link_revoked
    assert verification.verify(table.session.tournament) == []


def test_planned_rounds_are_divided(table: Sitting) -> None:
    play(table, 3)
    goes_on = change(table, 1, 2, 6, 3, 4, 5)
    assert (sheet_of(table).planned, sheet_of(goes_on).planned) == (3, 7)
    assert sheet_of(table).is_finished
    with pytest.raises(round_validation.Finished):
        cast.record(table, number=4)
    play(goes_on, 7)
    assert sheet_of(goes_on).is_finished
    [session] = progress.sessions_of(table.session.tournament)
    assert session.progress.tables == 1
    assert (session.progress.planned, session.progress.recorded) == (10, 10)
    assert [each.progress for each in Event(table.session.tournament).sessions] == [
        session.progress
    ]


def test_player_leaves_a_table_of_six(table: Sitting) -> None:
    change(table, 1, 2, 3, 4, 5, 6)
    play(table, 2)
    goes_on = change(table, 1, 2, 3, 4, 6)
    assert seated(goes_on) == ["1", "2", "3", "4", "6"]
    play(goes_on, 1)
    assert points(table.session.tournament)[5][1] == 2
    change(goes_on, 1, 2, 3, 4, 7)
    tables, met = earlier_seats(table.session.tournament, 2)
    assert tables == [(("1", "2", "3", "4", "7"), ("5",), ("6",))]  # who left has not sat out
    assert met == sorted([("5", "6"), *((one, two) for two in "56" for one in "1234")])
    assert verification.verify(table.session.tournament) == []


def test_players_change_twice(table: Sitting) -> None:
    play(table, 1)
    second = change(table, 1, 2, 3, 4, 5, 6)
    play(second, 1)
    third = change(second, 1, 2, 3, 4, 6)
    assert [each.number for each in (table, second, third)] == [1, 2, 3]
    assert sheet_of(third).planned == 8
    assert verification.verify(table.session.tournament) == []


def test_same_change_again_writes_nothing(table: Sitting) -> None:
    play(table, 1)
    assert change(table, 1, 2, 3, 4, 5, 6) == change(table, 1, 2, 3, 4, 5, 6)
    assert AuditEntry.objects.filter(kind=Kind.PLAYERS_CHANGED).count() == 1
    with pytest.raises(ConflictError):
        change(table, 1, 2, 3, 4, 7)


def test_unseen_players_are_not_replaced(table: Sitting) -> None:
    change(table, 1, 2, 3, 4, 5, 6)
    with pytest.raises(ConflictError):
        change_players(
            table, entries_of(table, 1, 2, 3, 4, 7), seen_players=list("12345"), by=SOMEBODY
        )


def test_four_or_seven_do_not_play(table: Sitting) -> None:
    for numbers in ((1, 2, 3, 4), (1, 2, 3, 4, 5, 6, 7)):
        with pytest.raises(table_players.WrongTableSize):
            change(table, *numbers)


def test_nobody_sits_at_two_tables() -> None:
    tournament = cast.make_tournament("goninkan-classic")
    players = cast.make_entries(tournament, 10)
    session = seating.open_session(tournament, [players[:5], players[5:]], by=SOMEBODY)
    [table, _other] = session.sittings.all()
    for numbers in ((1, 2, 3, 4, 5, 6), (1, 2, 3, 4, 5, 5)):
        with pytest.raises(table_players.SeatedElsewhere):
            change(table, *numbers)


def test_players_who_are_away_or_replaced_do_not_join(table: Sitting) -> None:
    """The change itself may mark a player as present, but not one who has a substitute."""
    sixth, seventh = entries_of(table, 6, 7)
    expected = Status.EXPECTED
    presence.mark_presence(sixth, 1, Status.ABSENT, seen_status=expected, by=SOMEBODY)
    for play_first in (False, True):
        if play_first:
            play(table, 1)
        with pytest.raises(seating.PlayersAway):
            change(table, 1, 2, 3, 4, 5, 6)
    substitutions.add_substitute(sixth, 1, seventh, by=SOMEBODY)
    for withdraw in (None, False):
        with pytest.raises(seating.PlayersReplaced):
            change(table, 1, 2, 3, 4, 5, 6, withdraw=withdraw)
    assert seated(table) == ["1", "2", "3", "4", "5"]
    assert status_of(sixth, 1) == Status.ABSENT


def test_players_change_between_two_rounds_only(table: Sitting) -> None:
    unfinished = cast.plain_round(table) | {"deals": [{"kankei": 9, "mukankei": 4}]}
    cast.record(table, unfinished)
    with pytest.raises(table_players.RoundUnderWay):
        change(table, 1, 2, 3, 4, 5, 6)


def test_no_player_joins_after_the_last_round(table: Sitting) -> None:
    sessions.end_session(table.session, stopping=[1], by=SOMEBODY)
    with pytest.raises(table_players.TableIsOver):
        change(table, 1, 2, 3, 4, 5, 6)


def test_players_of_a_closed_event_stay(table: Sitting) -> None:
    closing.close(table.session.tournament, by=SOMEBODY)
    with pytest.raises(closing.EventClosed):
        change(table, 1, 2, 3, 4, 5, 6)


def gong_zhu_deal(*players: str) -> dict[str, Any]:
    """The first takes the pig and the ace of hearts, and loses 250."""
    first, second, third, fourth = players
    spots = list(scoring_cards(4)[4:])
    taken = {first: ["SQ", "HA"], second: ["DJ"], third: ["C10"], fourth: spots}
    return {"captured": taken, "exposed": ["SQ"]}


@pytest.fixture
def gong_zhu() -> Sitting:
    """A table at which 1 has lost 750 in three deals, and 5 has taken the seat of 2 since."""
    tournament = cast.make_tournament("gong-zhu")
    players = cast.make_entries(tournament, 5)
    session = seating.open_session(tournament, [players[:4]], by=SOMEBODY)
    table = session.sittings.get()
    for number in (1, 2, 3):
        cast.record(table, gong_zhu_deal(*"1234"), number=number)
    return change(table, 1, 5, 3, 4)


def test_limit_of_a_game_counts_from_its_first_deal(gong_zhu: Sitting) -> None:
    cast.record(gong_zhu, gong_zhu_deal(*"1534"))
    sheet = sheet_of(gong_zhu)
    assert [(each.code, each.values) for each in sheet.advice] == [("game_over", {"points": -1000})]
    assert sheet.is_finished
    assert sheet.seated_now == sheet.entries
    with pytest.raises(InvalidRecord) as refused:
        cast.record(gong_zhu, gong_zhu_deal(*"1534"), number=2)
    assert [(each.at, each.params) for each in refused.value.problems] == [
        ("rounds[1]", {"deal": 4})
    ]
    with pytest.raises(table_players.TableIsOver):
        change(gong_zhu, 1, 2, 3, 4)
    assert verification.verify(gong_zhu.session.tournament) == []


def test_correction_that_ends_a_game_sets_later_players_rounds_aside(gong_zhu: Sitting) -> None:
    first, tournament = gong_zhu.first, gong_zhu.session.tournament
    cast.record(gong_zhu, gong_zhu_deal(*"5134"))
    cast.record(gong_zhu, gong_zhu_deal(*"4135"), number=2)
    before = points(tournament)
    most = [card for card in scoring_cards(4) if card != "H3"]
    ruin = {"captured": {"1": most, "2": ["H3"]}, "exposed": ["SQ", "C10", "HA"]}
    foreseen = correction_of(sheet_of(first), 3, ruin)
    assert foreseen is not None
    arguments: dict[str, Any] = {"number": 3, "seen": 1, "reason": "数え直し"}
    with pytest.raises(InvalidRecord) as refused:
        cast.record(first, ruin, **arguments)
    assert [(each.at, each.params) for each in refused.value.problems] == [
        ("rounds[3]", {"deal": 3})
    ]
    [fourth, fifth] = [row.pk for row in gong_zhu.rounds.all()]
    after_end = round_validation.rounds_after_end(sheet_of(first), 3, ruin)
    assert [row.pk for row in after_end] == [fourth, fifth]
    rounds.record_round(
        first, 3, ruin, seen_version=1, set_aside=True, by=SOMEBODY, reason="数え直し"
    )
    assert sheet_of(gong_zhu).rows == ()
    assert points(tournament) != before
    after = {move.after.entry.number: move.after.place for move in foreseen.moves}
    assert after.pop(5) is None  # nothing that 5 has played counts
    assert {number: place and place.points for number, place in after.items()} == {
        number: own for number, (own, _rounds) in points(tournament).items()
    }
    assert verification.verify(tournament) == []


def test_correction_that_does_not_end_a_game_keeps_later_players_rounds(gong_zhu: Sitting) -> None:
    cast.record(gong_zhu, gong_zhu_deal(*"5134"))
    cast.record(gong_zhu.first, gong_zhu_deal(*"2134"), number=3, seen=1, reason="数え直し")
    assert len(sheet_of(gong_zhu).rows) == 1


def test_nothing_is_set_aside_after_a_round_that_comes_after_the_end(gong_zhu: Sitting) -> None:
    cast.record(gong_zhu, gong_zhu_deal(*"1534"))
    sheet = sheet_of(gong_zhu)
    deal = gong_zhu_deal(*"1534")
    assert round_validation.without_rounds_after_end(sheet, 2, deal) is sheet


def test_who_left_may_sit_down_elsewhere(table: Sitting) -> None:
    change(table, 1, 2, 3, 4, 5, 6)
    play(table, 1)
    change(table, 1, 2, 3, 4, 5)
    [sixth] = entries_of(table, 6)
    seen = Status.EXPECTED
    presence.mark_presence(sixth, 1, Status.PRESENT, seen_status=seen, by=SOMEBODY)
    roll = presence_queries.roll_call(table.session.tournament, 1)
    unseated = presence_queries.seats_to_change(roll, table.session.tournament).unseated
    assert [entry.number for entry in unseated] == [6]


@pytest.mark.parametrize(("rounds", "left"), [(4, 1), (3, 0), (2, 0), (12, 9), (None, None)])
def test_changed_number_of_rounds_holds_for_who_goes_on(
    table: Sitting, rounds: int | None, left: int | None
) -> None:
    """Whether it is lowered, below what is recorded too, or raised."""
    play(table, 1)
    goes_on = change(table, 1, 2, 3, 4, 6)
    play(goes_on, 2)
    last = change(goes_on, 1, 2, 3, 4, 5)
    tournament = Tournament.objects.get()
    tournament.rounds_per_session = rounds
    tournaments.change_rules(
        tournament, tournament.rules, seen_version=versions.version_of(tournament), by=SOMEBODY
    )
    sheet = sheet_of(Sitting.objects.get(pk=last.pk))
    assert (sheet.planned, sheet.is_finished) == (left, left == 0)
    assert [each.planned for each in sheet.earlier] == [1, 2]
    event = live_events.events.current(Tournament.objects.get())
    assert event.sheet(1, last.number).planned == left
    assert verification.verify(tournament) == []


def test_changed_players_are_published_and_archived(table: Sitting) -> None:
    tournament = table.session.tournament
    play(table, 1)
    play(change(table, 1, 2, 3, 4, 5, 6), 1)
    publication = publications.publish(tournament, by=SOMEBODY)
    [stopped, goes_on] = publication.content["sessions"][0]["tables"]
    assert (stopped["rounds_planned"], "continues" in stopped) == (1, False)
    assert (goes_on["continues"], "rounds_planned" in goes_on) == (1, False)
    Tournament.objects.update(showing=Tournament.Showing.PUBLISHED)
    (listed,) = published_progress(Tournament.objects.all()).values()
    assert not listed.is_more_to_come
    assert verification.verify(tournament) == []
    archive = archives.export_archive(tournament, with_private=True)
    Tournament.every.filter(pk=tournament.pk).update(slug="old-one")
    read = archives.import_archive(archive, by=audit.Actor(None, "somebody"))
    [first, second] = Sitting.objects.filter(session__tournament=read).order_by("number")
    assert (second.continues, second.rounds_planned, first.rounds_planned) == (first, None, 1)
    assert points(read) == points(tournament)


def test_number_stored_by_earlier_versions_is_cleared(table: Sitting) -> None:
    play(table, 1)
    goes_on = change(table, 1, 2, 3, 4, 6)
    Sitting.objects.filter(pk=goes_on.pk).update(rounds_planned=9)
    migration = import_module("tournaments.migrations.0048_rounds_of_who_goes_on")
    migration.leave_the_number_to_the_session(apps, None)
    planned = Sitting.objects.order_by("number").values_list("rounds_planned", flat=True)
    assert list(planned) == [1, None]
    assert verification.verify(table.session.tournament) == []


@pytest.mark.parametrize("change_row", [{"continues": None}, {"rounds_planned": 8}])
def test_changed_row_is_detected(table: Sitting, change_row: dict[str, Any]) -> None:
    play(table, 1)
    goes_on = change(table, 1, 2, 3, 4, 5, 6)
    Sitting.objects.filter(pk=goes_on.pk).update(**change_row)
    assert verification.verify(table.session.tournament) != []


@pytest.mark.usefixtures("shared_database")
def test_concurrent_change_and_round_agree() -> None:
    tournament = cast.make_tournament("goninkan-classic")
    players = cast.make_entries(tournament, 6)
    table = seating.open_session(tournament, [players[:5]], by=SOMEBODY).sittings.get()
    facts = cast.plain_round(table)

    def act(number: int) -> object:
        if number:
            return rounds.record_round(table, 1, facts, seen_version=0, by=SOMEBODY)
        return change_players(table, players, seen_players=list("12345"), by=SOMEBODY)

    race(2, act)
    goes_on = last_continuation(table)
    assert len(seated(goes_on)) == 6
    assert verification.verify(tournament) == []
