"""The stages after the first: who goes on is derived until it is confirmed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from pytest_django import DjangoDbBlocker

from scoring.stages.places import Carry
from scoring.stages.selection import AtLine, Quota
from tests import cast, stages
from tests.cast import SOMEBODY
from tests.events import lifted
from tournaments import verification
from tournaments.i18n.sentences import isolated
from tournaments.i18n.stages import quota_words
from tournaments.models import AuditEntry, Entry, Session, SittingTotals, Stage, Tournament
from tournaments.queries import stages as stage_queries
from tournaments.queries.events import Event
from tournaments.queries.presence import Status
from tournaments.queries.publications.events import PublishedEvent
from tournaments.queries.ranking_facts import ranking_facts
from tournaments.queries.season import _published_results, live_results
from tournaments.queries.selection_changes import selection_changes
from tournaments.queries.standings import Standing
from tournaments.queries.ties import ties_of
from tournaments.services import adjustments, closing, presence, seating, totals
from tournaments.services import stages as services
from tournaments.services.publications import publish


def entries_of(tournament: Tournament, *numbers: int) -> list[Entry]:
    by_number = {entry.number: entry for entry in tournament.entries.all()}
    return [by_number[number] for number in numbers]


def play(tournament: Tournament, tables: list[dict[int, int]]) -> Session:
    """Seat these players in a new session, and enter their points as totals."""
    seats = [entries_of(tournament, *points) for points in tables]
    session = seating.open_session(tournament, seats, by=SOMEBODY)
    for sitting, points in zip(session.sittings.all(), tables, strict=True):
        typed = {str(number): own for number, own in points.items()}
        totals.enter_totals(sitting, typed, seen_version=0, by=SOMEBODY)
    return session


@pytest.fixture(scope="module")
def lasting_tournament(lasting_database: DjangoDbBlocker) -> int:
    """Twelve players after a session: 1 has 20 points, 2 has 16, 3 and 4 have 9, then fewer."""
    with lasting_database.unblock():
        made = cast.make_tournament("goninkan-nakayoshi", totals_only=True)
        cast.make_entries(made, 12)
        play(
            made,
            [
                {1: 20, 5: 3, 6: 1, 7: -4, 8: -9, 9: -11},
                {2: 16, 3: 9, 4: 9, 10: -7, 11: -12, 12: -15},
            ],
        )
        return made.pk


@pytest.fixture
def tournament(lasting_tournament: int, db: None) -> Tournament:
    """As `lasting_tournament`; changes are rolled back."""
    return Tournament.objects.get(pk=lasting_tournament)


def names(tournament: Tournament) -> list[tuple[int | None, int]]:
    """Return rank and number of every player who has a place, in order."""
    rows = cast.standings_for(tournament)
    return [(row.place.rank, row.entry.number) for row in rows if row.place]


def members_of(stage: Stage) -> list[dict[str, Any]]:
    return stage_queries.going_on(stage).members


def test_members_are_those_who_go_on_as_things_stand(tournament: Tournament) -> None:
    stage = stages.make_stage(tournament)
    assert members_of(stage) == [{"group": "", "players": [1, 2, 3, 4]}]
    confirmed = stages.confirm(stage)
    assert confirmed.first_session == 2
    assert confirmed.read_members()[0].players == ("1", "2", "3", "4")


def test_others_who_would_go_on_by_now_are_named(tournament: Tournament) -> None:
    """Who replaced a member by hand is one; who had withdrawn is passed over."""
    session = tournament.sessions.get()
    withdrawn = entries_of(tournament, 3)[0]
    presence.mark_presence(withdrawn, 2, Status.WITHDRAWN, seen_status=Status.EXPECTED, by=SOMEBODY)
    quotas = Quota("A", "", 2), Quota("B", "", 2)
    stage = stages.make_confirmed(tournament, stages.plan(*quotas))  # 1 and 2; 4 and 5
    services.replace_member(stage, *entries_of(tournament, 4, 6), by=SOMEBODY)

    def changes(table: int, **corrected: int) -> list[list[int]]:
        """Return joining, leaving, regrouped and tied after a correction of totals."""
        sitting = session.sittings.get(number=table)
        stored = SittingTotals.objects.filter(sitting=sitting).latest("version")
        points = stored.points | {each[1:]: own for each, own in corrected.items()}
        totals.enter_totals(
            sitting, points, seen_version=stored.version, by=SOMEBODY, reason="訂正"
        )
        found = selection_changes(ranking_facts(tournament))
        for change in found:
            assert change.tied or [
                (leaving.number, following and following.number)
                for leaving, following in change.replaced
            ] == [(4, 6)]
        return [[entry.number for entry in each] for change in found for each in change[1:5]]

    assert changes(2, _4=2, _10=0) == []  # 5 before 4
    assert changes(2, _4=-5, _10=7) == [[10], [6], [], []]
    assert changes(2, _2=9, _4=16, _10=-7) == [[], [], [2, 6], []]
    assert changes(1, _5=-9, _7=1, _8=-2) == [[], [], [], [6, 7]]
    assert changes(2, _2=16, _4=9) == [[], [], [], [6, 7]]
    # The one who replaces goes on by the results, so that the next in line replaces.
    assert changes(1, _5=3, _6=10, _7=-4, _8=-9) == []
    assert changes(1, _5=-3, _7=4) == [[7], [5], [], []]
    assert selection_changes(ranking_facts(tournament), since_session=2) == []


@pytest.mark.parametrize("is_confirmed", [False, True])
def test_decision_of_the_stage_before_does_not_decide_a_later_tie(
    tournament: Tournament, is_confirmed: bool
) -> None:
    """3 and 4 are equal in the first stage and in the final."""
    stage = stages.make_stage(tournament, wanted=stages.plan(Quota("", "", 6)))
    if is_confirmed:
        stages.confirm(stage)

    def of_list(rows: Sequence[Standing]) -> list[tuple[int, bool]]:
        return [(row.entry.number, bool(row.place and row.place.tied)) for row in rows]

    adjustments.decide_tie(tournament, 1, [4, 3], by=SOMEBODY, reason="札を引いた")
    assert of_list(Event(tournament).standings[2:4]) == [(4, False), (3, False)]
    if not is_confirmed:
        stages.confirm(stage)
    play(tournament, [{1: -4, 2: -6, 3: 5, 4: 5, 5: 0, 6: 0}])
    assert of_list(Event(tournament).standings[:2]) == [(3, True), (4, True)]
    event = Event(tournament)
    assert [tie.former for tie in ties_of(event.standings[:2], event.ranking_facts)] == [[]]
    made = adjustments.decide_tie(tournament, 2, [3, 4], by=SOMEBODY, reason="じゃんけん")
    assert made == adjustments.decide_tie(tournament, 2, [3, 4], by=SOMEBODY, reason="じゃんけん")
    assert of_list(Event(tournament).standings[:2]) == [(3, False), (4, False)]
    first, final = stage_queries.stage_standings(ranking_facts(tournament))
    assert of_list(first.rows[2:4]) == [(4, False), (3, False)]
    assert of_list(final.rows[:2]) == [(3, False), (4, False)]
    publication = publish(tournament, by=SOMEBODY)
    assert [each["stage"] for each in publication.content["decisions"]] == [2, 1]
    published = PublishedEvent(publication).standings[:2]
    assert [row.place for row in published] == [row.place for row in final.rows[:2]]
    assert verification.verify(tournament) == []


def test_open_tie_is_decided_by_the_director(tournament: Tournament) -> None:
    stage = stages.make_stage(tournament, wanted=stages.plan(Quota("", "", 3)))
    found = stage_queries.going_on(stage)
    assert found.tie is not None
    assert (found.tie.tied, found.tie.open_places) == (("3", "4"), 1)
    with pytest.raises(services.TieAtTheLine):
        stages.confirm(stage)
    assert stages.confirm(stage, "4").members == [{"group": "", "players": [1, 2, 4]}]


def test_tie_at_the_line_is_told_if_it_is_another_than_was_decided(
    tournament: Tournament,
) -> None:
    """A decision holds for those who were tied then, and for some of them."""
    stage = stages.confirm(stages.make_stage(tournament, wanted=stages.plan(Quota("", "", 3))), "4")

    def tied_after(**points: int) -> list[int]:
        """Return who is said to be tied after a correction of the first table's totals."""
        stored = SittingTotals.objects.filter(sitting__number=1).latest("version")
        changed = stored.points | {each[1:]: own for each, own in points.items()}
        totals.enter_totals(
            stored.sitting, changed, seen_version=stored.version, by=SOMEBODY, reason="訂正"
        )
        found = selection_changes(ranking_facts(tournament))
        return [entry.number for change in found for entry in change.tied]

    assert tied_after(_5=4, _6=0) == []
    assert tied_after(_5=9, _6=-5) == [3, 4, 5]
    assert tied_after(_1=16, _5=4, _6=4) == []
    services.take_back_members(stage, by=SOMEBODY)
    again = stages.confirm(Stage.objects.get(), "4")
    with lifted():  # as earlier versions confirmed it
        entry = AuditEntry.objects.filter(kind="stage_confirmed").latest("number")
        stored: Any = entry.new
        del stored["tied"]
        AuditEntry.objects.filter(pk=entry.pk).update(new=stored)
    assert again.read_members()[0].players == ("1", "2", "4")
    assert tied_after(_1=20, _5=9, _6=-5) == []


def test_ties_at_all_lines_are_told(tournament: Tournament) -> None:
    tournament.entries.filter(number__in=[1, 2, 5]).update(division="有段者")
    tournament.entries.filter(division="").update(division="一般")
    quotas = Quota("A", "有段者", 2), Quota("B", "一般", 1)
    stages.confirm(stages.make_stage(tournament, wanted=stages.plan(*quotas)), "3")
    sitting = SittingTotals.objects.get(sitting__number=1)
    points = sitting.points | {"1": 17, "5": 5, "6": 2}
    totals.enter_totals(sitting.sitting, points, seen_version=1, by=SOMEBODY, reason="訂正")
    assert selection_changes(ranking_facts(tournament)) == []
    points |= {"1": 16, "5": 16, "6": 9, "7": -21}
    totals.enter_totals(sitting.sitting, points, seen_version=2, by=SOMEBODY, reason="訂正")
    (change,) = selection_changes(ranking_facts(tournament))
    assert [entry.number for entry in change.tied] == [1, 2, 3, 4, 5, 6]


def test_withdrawn_players_do_not_go_on(tournament: Tournament) -> None:
    stage = stages.make_stage(tournament)
    presence.mark_presence(
        entries_of(tournament, 2)[0],
        2,
        Status.WITHDRAWN,
        seen_status=Status.EXPECTED,
        by=SOMEBODY,
    )
    found = stage_queries.going_on(stage)
    assert found.members == [{"group": "", "players": [1, 3, 4, 5]}]
    assert [entry.number for entry in found.withdrawn] == [2]


def test_repeated_writes_change_nothing(tournament: Tournament) -> None:
    stage = stages.make_stage(tournament)
    members = members_of(stage)
    stages.confirm(stage)
    first, sixth = entries_of(tournament, 1, 5)
    services.replace_member(stage, first, sixth, by=SOMEBODY)
    last = tournament.audit_entries.count()
    services.replace_member(stage, first, sixth, by=SOMEBODY)
    services.set_stage(tournament, 2, stages.plan(), seen_version=0, by=SOMEBODY)
    assert tournament.audit_entries.count() == last
    services.take_back_members(stage, by=SOMEBODY)
    services.confirm_members(stage, members, by=SOMEBODY)
    services.confirm_members(stage, members, by=SOMEBODY)
    assert tournament.audit_entries.count() == last + 2


def test_selection_that_has_changed_since_is_refused(tournament: Tournament) -> None:
    stage = stages.make_stage(tournament)
    members = members_of(stage)
    sitting = tournament.sessions.get().sittings.first()
    assert sitting is not None
    typed = {"1": 1, "5": 22, "6": 1, "7": -4, "8": -9, "9": -11}
    totals.enter_totals(sitting, typed, seen_version=1, by=SOMEBODY, reason="逆")
    with pytest.raises(services.StageChanged):
        services.confirm_members(stage, members, by=SOMEBODY)


def test_stale_definition_is_refused(tournament: Tournament) -> None:
    stages.make_stage(tournament)
    with pytest.raises(services.StageChanged):
        stages.make_stage(tournament, wanted=stages.plan(name="準決勝"))


def test_confirmed_stage_is_neither_changed_nor_removed(tournament: Tournament) -> None:
    stage = stages.make_confirmed(tournament)
    seen = stage_queries.stage_version(tournament, 2)
    with pytest.raises(services.StageConfirmed):
        services.set_stage(
            tournament, 2, stages.plan(name="準決勝"), seen_version=seen, by=SOMEBODY
        )
    with pytest.raises(services.StageConfirmed):
        services.remove_stage(stage, by=SOMEBODY)


def test_members_are_confirmed_once_and_replaced_afterwards_only(tournament: Tournament) -> None:
    stage = stages.make_stage(tournament)
    with pytest.raises(services.StageNotConfirmed):
        services.replace_member(stage, *entries_of(tournament, 1, 5), by=SOMEBODY)
    stages.confirm(stage)
    with pytest.raises(services.StageConfirmed):
        services.confirm_members(stage, [{"group": "", "players": [1]}], by=SOMEBODY)


def test_stage_needs_somebody_who_goes_on(tournament: Tournament) -> None:
    stage = stages.make_stage(tournament, wanted=stages.plan(Quota("", "三段", 4)))
    with pytest.raises(services.NobodyGoesOn):
        services.confirm_members(stage, members_of(stage), by=SOMEBODY)


def test_members_are_settled_once_seats_are_assigned(tournament: Tournament) -> None:
    wanted = stages.plan(Quota("", "", 6))
    stage = stages.make_confirmed(tournament, wanted)
    seating.open_session(tournament, [entries_of(tournament, 1, 2, 3, 4, 5, 6)], by=SOMEBODY)
    with pytest.raises(services.StageBegun):
        services.take_back_members(stage, by=SOMEBODY)
    with pytest.raises(services.StageBegun):
        services.replace_member(stage, *entries_of(tournament, 1, 7), by=SOMEBODY)


def test_only_candidates_are_said_to_be_left_out_as_they_withdrew(tournament: Tournament) -> None:
    """Those of the second final are the members of the first."""
    stages.make_confirmed(tournament, stages.plan(Quota("", "", 6), name="準決勝"))
    final = stages.make_stage(tournament, 3)
    play(tournament, [{1: 5, 2: 4, 3: 0, 4: -1, 5: -3, 6: -5}])
    for entry in entries_of(tournament, 5, 12):
        expected = Status.EXPECTED
        presence.mark_presence(entry, 3, Status.WITHDRAWN, seen_status=expected, by=SOMEBODY)
    assert [each.number for each in stage_queries.going_on(final).withdrawn] == [5]


def test_replaced_member_must_be_in_line(tournament: Tournament) -> None:
    stage = stages.make_confirmed(tournament)
    for leaving, following in ((5, 6), (1, 2)):
        with pytest.raises(services.NotInLine):
            services.replace_member(stage, *entries_of(tournament, leaving, following), by=SOMEBODY)
    replaced = services.replace_member(stage, *entries_of(tournament, 2, 5), by=SOMEBODY)
    assert replaced.members == [{"group": "", "players": [1, 5, 3, 4]}]


def test_member_is_replaced_by_a_player_of_the_class(tournament: Tournament) -> None:
    tournament.entries.filter(number__lte=3).update(division="dan")
    tournament.entries.filter(number__gt=3).update(division="kyu")
    wanted = stages.plan(Quota("dan", "dan", 2), Quota("kyu", "kyu", 2))
    assert quota_words(wanted.quotas[0]) == f"{isolated('dan')}：上位2名"
    stage = stages.make_confirmed(tournament, wanted)
    with pytest.raises(services.NotInLine):
        services.replace_member(stage, *entries_of(tournament, 4, 3), by=SOMEBODY)
    services.replace_member(stage, *entries_of(tournament, 4, 6), by=SOMEBODY)
    replaced = services.replace_member(stage, *entries_of(tournament, 1, 3), by=SOMEBODY)
    assert [each["players"] for each in replaced.members or ()] == [[3, 2], [6, 5]]


def in_line(stage: Stage) -> list[list[int]]:
    """Return the reserves, and those who gave up, as the API lists them, too."""
    stage.refresh_from_db()
    found = stage_queries.next_in_line(stage)
    assert stage_queries.going_on(stage).next_in_line == found.rows
    return [[row.entry.number for row in rows] for rows in found]


@pytest.mark.parametrize(
    ("replaced", "reserves", "gave_up"),
    [
        ([], [5, 6, 7], []),
        ([(3, 5)], [6, 7], [3]),
        ([(3, None)], [5, 6, 7], [3]),
        ([(4, 5), (2, 6)], [7], [2, 4]),
        ([(3, 5), (5, 6)], [7], [3, 5]),
        ([(3, 5), (2, 3)], [6, 7], [2]),  # 3 has changed their mind
        ([(3, 5), (5, 3)], [5, 6, 7], []),  # 5 made room for 3
        ([(3, 5), (5, 6), (6, 3)], [6, 7], [5]),
        ([(3, 5), (5, 3), (3, 6)], [5, 7], [3]),
    ],
)
def test_who_gave_up_is_last_in_line(
    tournament: Tournament,
    replaced: list[tuple[int, int | None]],
    reserves: list[int],
    gave_up: list[int],
) -> None:
    """Whoever is listed may follow, and a new confirmation forgets who gave up before."""
    stage = stages.make_confirmed(tournament)
    by_number = {entry.number: entry for entry in tournament.entries.all()}
    for leaving, following in replaced:
        entry = by_number[following] if following else None
        services.replace_member(stage, by_number[leaving], entry, by=SOMEBODY)
    stage.refresh_from_db()
    members = [number for group in stage.members or () for number in group["players"]]
    found = in_line(stage)
    assert [found[0][: len(reserves)], found[1]] == [reserves, gave_up]
    assert sorted([*members, *found[0], *found[1]]) == [*range(1, 13)]
    last = by_number[[*found[0], *found[1]][-1]]
    services.replace_member(stage, by_number[members[0]], last, by=SOMEBODY)
    services.take_back_members(stage, by=SOMEBODY)
    stages.confirm(stage)
    assert in_line(stage) == [[5, 6, 7, 10, 8, 9, 11, 12], []]


def test_who_gave_up_and_withdrew_is_not_in_line(tournament: Tournament) -> None:
    tournament.entries.filter(number__lte=3).update(division="dan")
    quotas = Quota("dan", "dan", 2), Quota("kyu", "一般", 2)
    stage = stages.make_confirmed(tournament, stages.plan(*quotas))
    first, third, fourth = entries_of(tournament, 1, 3, 4)
    services.replace_member(stage, first, third, by=SOMEBODY)
    services.replace_member(stage, fourth, None, by=SOMEBODY)
    assert in_line(stage) == [[6, 7, 10, 8, 9, 11, 12], [1, 4]]
    stage = Stage.objects.get()
    for member, following in ((third, [[], [1]]), (first, [[], []])):
        found = stage_queries.next_in_line(stage, in_place_of=member)
        assert [[row.entry.number for row in rows] for rows in found] == following
    presence.mark_presence(first, 2, Status.WITHDRAWN, seen_status=Status.EXPECTED, by=SOMEBODY)
    assert in_line(stage) == [[6, 7, 10, 8, 9, 11, 12], [4]]
    with pytest.raises(services.NotInLine):
        services.replace_member(stage, third, first, by=SOMEBODY)


def test_who_gave_up_twice_changes_no_selection(tournament: Tournament) -> None:
    """The members are those who were confirmed, replaced one after the other."""
    stage = stages.make_confirmed(tournament)
    first, third, fifth, sixth = entries_of(tournament, 1, 3, 5, 6)
    pairs = [(third, fifth), (fifth, third), (third, fifth), (first, third), (third, sixth)]
    for leaving, following in pairs:
        services.replace_member(stage, leaving, following, by=SOMEBODY)
        assert selection_changes(ranking_facts(tournament)) == []


def test_stages_follow_each_other(tournament: Tournament) -> None:
    with pytest.raises(services.NotTheLastStage):
        stages.make_stage(tournament, 3)
    stage = stages.make_stage(tournament)
    final = stages.make_stage(tournament, 3)
    with pytest.raises(services.NotTheLastStage):
        services.remove_stage(stage, by=SOMEBODY)
    with pytest.raises(services.StageNotConfirmed):
        services.confirm_members(final, [], by=SOMEBODY)


def test_closed_event_takes_no_stage(tournament: Tournament) -> None:
    closing.close(tournament, by=SOMEBODY)
    with pytest.raises(closing.EventClosed):
        stages.make_stage(Tournament.objects.get(pk=tournament.pk))


def test_only_members_play_in_the_sessions_of_a_stage(tournament: Tournament) -> None:
    stages.make_confirmed(tournament)
    for session, players in ((1, [*range(1, 13)]), (2, [1, 2, 3, 4])):
        found = stage_queries.players_of_session(tournament, session)
        assert [entry.number for entry in found] == players


def test_finalists_stand_above_all_others(tournament: Tournament) -> None:
    stages.make_confirmed(tournament, stages.plan(Quota("", "", 6), carry=Carry.HALF))
    before = names(tournament)
    assert before[:4] == [(1, 1), (2, 2), (3, 3), (3, 4)]
    # Half carried over: 10, 8, 5, 5, 2, 1.
    play(tournament, [{1: -20, 2: 0, 3: 1, 4: 2, 5: 8, 6: 9}])
    rows = cast.standings_for(tournament)
    assert [(row.entry.number, row.place.points) for row in rows[:7] if row.place] == [
        *((5, 10), (6, 10), (2, 8), (4, 7), (3, 6), (1, -10)),
        (7, -4),
    ]
    assert names(tournament)[4:7] == [(5, 3), (6, 1), (7, 7)]
    assert rows[6].place is not None
    assert rows[6].place.separated_by == "stage"


@pytest.mark.parametrize(
    ("carry", "points"), [(Carry.NONE, [0, 0]), (Carry.HALF, [5, 5]), (Carry.ALL, [9, 9])]
)
def test_points_are_carried_over_as_chosen(
    tournament: Tournament, carry: Carry, points: list[int]
) -> None:
    groups = stages.plan(Quota("", "", 6), carry=carry)
    stages.make_confirmed(tournament, groups)
    play(tournament, [{1: 0, 2: 0, 3: 0, 4: 0, 5: 0, 6: 0}])
    (_first, final) = stage_queries.stage_standings(ranking_facts(tournament))
    own = {row.entry.number: row.place.points for row in final.rows if row.place}
    assert [own[3], own[4]] == points
    assert sum(own.values()) == {"none": 0, "half": 31, "all": 58}[carry]


def test_groups_have_standings_of_their_own(tournament: Tournament) -> None:
    quotas = [Quota("A", "", 5), Quota("B", "", 5)]
    stages.make_confirmed(tournament, stages.plan(*quotas, carry=Carry.NONE, at_line=AtLine.LOT))
    play(tournament, [{1: 0, 2: 1, 3: 2, 4: 3, 5: -6}, {6: 9, 7: 8, 8: 0, 9: 0, 10: -17}])
    first, group_a, group_b = stage_queries.stage_standings(ranking_facts(tournament))
    assert [each.code for each in (first, group_a, group_b)] == ["1", "2.1", "2.2"]
    assert [row.entry.number for row in group_b.rows] == [6, 7, 8, 9, 10]
    assert [row.entry.number for row in group_a.rows] == [4, 3, 2, 1, 5]
    assert [number for _rank, number in names(tournament)][4:7] == [5, 6, 7]
    both = stage_queries.standings_of_stage(ranking_facts(tournament), "2")
    assert both is not None
    told = [
        (row.place.rank, row.entry.number, row.section.code)
        for row in both.rows
        if row.place and row.section
    ]
    assert [number for _rank, number, _code in told] == [4, 3, 2, 1, 5, 6, 7, 8, 9, 10]
    assert told[5:7] == [(6, 6, "2.2"), (7, 7, "2.2")]
    assert verification.verify(tournament) == []


def test_members_of_a_third_stage_come_from_the_second(tournament: Tournament) -> None:
    stages.make_confirmed(tournament, stages.plan(Quota("", "", 6), name="準決勝"))
    play(tournament, [{1: -99, 2: 0, 3: 10, 4: 20, 5: 30, 6: 39}])
    final = stages.confirm(stages.make_stage(tournament, 3, stages.plan(Quota("", "", 5))))
    assert final.members == [{"group": "", "players": [6, 5, 4, 3, 2]}]
    assert final.first_session == 3
    play(tournament, [{2: 0, 3: 0, 4: 0, 5: 0, 6: 0}])
    assert [number for _rank, number in names(tournament)][:7] == [6, 5, 4, 3, 2, 1, 7]


def test_adjustments_count_in_the_stage_in_which_they_were_made(tournament: Tournament) -> None:
    first, seventh = entries_of(tournament, 1, 7)
    adjustments.adjust_points(tournament, 1, first, -2, by=SOMEBODY, reason="遅刻")
    stages.make_confirmed(tournament, stages.plan(Quota("", "", 6)))
    adjustments.adjust_points(tournament, 2, first, -3, by=SOMEBODY, reason="遅刻")
    adjustments.adjust_points(tournament, 3, seventh, 1, by=SOMEBODY, reason="訂正")
    play(tournament, [{1: 0, 2: 0, 3: 0, 4: 0, 5: 0, 6: 0}])
    qualifying, final = (
        {row.entry.number: row.place.points for row in each.rows if row.place}
        for each in stage_queries.stage_standings(ranking_facts(tournament))
    )
    assert (qualifying[1], qualifying[7]) == (18, -3)
    assert final[1] == 18 // 2 - 3
    assert verification.verify(tournament) == []


def test_series_by_points_punishes_nobody_for_reaching_the_final(tournament: Tournament) -> None:
    """The four finalists keep the points of the first stage, live and in the publication."""
    stages.make_confirmed(tournament, stages.plan(Quota("", "", 6)))
    play(tournament, [{1: -20, 2: 5, 3: 4, 4: 4, 5: 4, 6: 3}])
    tournament.refresh_from_db()
    publish(tournament, by=SOMEBODY)
    row = tournament.publications.get()
    for found in (live_results(tournament), _published_results(row.pk, row.digest)):
        points = {number: result.points for number, result in found.results.items()}
        assert (points[1], points[2], points[6], points[7]) == (20, 16, 1, -4)
        assert found.results[1].rank == 6
