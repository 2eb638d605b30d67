"""The pages of the stages: defined, confirmed, taken back, and members replaced."""

from __future__ import annotations

import re
from io import BytesIO
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from openpyxl import load_workbook

from scoring.stages.selection import Quota
from tests import cast, stages
from tests.api import base, staff
from tests.cast import in_english
from tests.tournaments.printing import page_faults
from tournaments.models import Presence, Session, Sitting, Stage, Tournament
from tournaments.queries.clocks import ClockSettings
from tournaments.queries.events import Event
from tournaments.queries.standings import Standing
from tournaments.services import adjustments, closing, ranking, seating, sessions
from tournaments.services.presence import mark_presence
from tournaments.services.publications import publish, show_live
from tournaments.services.stages import NotTheLastStage, replace_member, take_back_members
from tournaments.services.table_players import change_players
from tournaments.tables.standings import StandingsTable

WINNERS = stages.plan(stages.WINNERS)
LINES = {"quota-TOTAL_FORMS": "3", "quota-INITIAL_FORMS": "0"}


def url(name: str, tournament: Tournament, *numbers: int) -> str:
    return reverse(name, args=[tournament.slug, *numbers])


@pytest.fixture
def played(tournament: Tournament) -> Sitting:
    """A table at which 2, 4 and 5 have 1 point."""
    sitting = cast.make_sitting(tournament)
    cast.record(sitting)
    return sitting


@pytest.mark.parametrize("is_planned_before", [True, False])
def test_final_confirmed_after_the_publication_is_named_on_every_public_page(
    client: Client, played: Sitting, *, is_planned_before: bool
) -> None:
    """The public sees the current seats of a later session, and results as they were published."""
    tournament = played.session.tournament
    sessions.end_session(played.session, stopping={1}, by=cast.SOMEBODY)
    stage = stages.make_stage(tournament, wanted=WINNERS) if is_planned_before else None
    publish(tournament, by=cast.SOMEBODY)
    stages.confirm(stage or stages.make_stage(tournament, wanted=WINNERS))
    final = seating.open_session(tournament, [list(tournament.entries.all())], by=cast.SOMEBODY)
    cast.start_clock(final, ClockSettings(3600))
    named = [tournament.get_absolute_url(), final.get_absolute_url()]
    named += [url("seats", tournament), url("clock", tournament)]
    others = [final.sittings.get().get_absolute_url(), url("player", tournament, 1)]
    others += [url("standings", tournament), url("standings", tournament) + "?wall=1"]

    def stages_in(page: str) -> set[tuple[str, str]]:
        """Return which sessions a page names with which stages."""
        text = re.sub(r"(?s)<[^>]*>", " ", client.get(page).text)
        return set(re.findall(r"第(\d)回戦\s+(予選|決勝)", text))

    def check() -> None:
        assert [page for page in named if ("2", "決勝") not in stages_in(page)] == []
        for page in named + others:
            assert stages_in(page) <= {("1", "予選"), ("2", "決勝")}, page
        assert stages_in(played.session.get_absolute_url()) == {("1", "予選")}

    check()
    cast.record(final.sittings.get())
    check()
    publish(tournament, by=cast.SOMEBODY)
    Stage.objects.update(first_session=9)  # not as published
    assert stages_in(final.get_absolute_url()) == {("2", "決勝")}


def test_final_is_defined(director: Client, tournament: Tournament) -> None:
    cast.make_entries(tournament, 6)
    page = director.get(url("edit-stage", tournament, 2))
    assert "一般" in page.content.decode()
    typed = {
        "seen": "0",
        "name": "決勝",
        "carry": "half",
        "at_line": "lot",
        "quota-0-division": "一般",
        "quota-0-places": "2",
        "quota-1-at_least": "-3",
        "quota-1-group": "B決勝",
    }
    answer = director.post(url("edit-stage", tournament, 2), LINES | typed)
    assert answer.status_code == 302, answer.content.decode()
    stage = Stage.objects.get()
    assert stage.read_quotas() == [Quota("", "一般", 2), Quota("B決勝", "", None, at_least=-3)]
    assert (stage.carry, stage.at_line) == ("half", "lot")
    assert stage.seed > 0
    listed = director.get(url("stages", tournament)).content.decode()
    assert "一般" in listed
    assert "上位2名" in listed


@pytest.mark.parametrize(
    "typed",
    [
        {},
        {"quota-0-group": "A"},
        {"quota-0-places": "0"},
        {"quota-0-places": "2", "name": ""},
        {"quota-0-places": "2", "quota-TOTAL_FORMS": "x"},
    ],
)
def test_incomplete_definition_is_shown_again(
    director: Client, tournament: Tournament, typed: dict[str, str]
) -> None:
    usual = {"seen": "0", "name": "決勝", "carry": "none", "at_line": "open"}
    answer = director.post(url("edit-stage", tournament, 2), LINES | usual | typed)
    assert answer.status_code == 422
    assert not Stage.objects.exists()


def test_who_goes_on_is_confirmed(director: Client, played: Sitting) -> None:
    tournament = played.session.tournament
    stages.make_stage(tournament, wanted=WINNERS)
    Tournament.objects.update(sessions_planned=3)
    page = director.get(url("stage-members", tournament, 2))
    assert "このステージの前にあと2回戦あります" in page.text
    Tournament.objects.update(sessions_planned=1)
    assert "このステージの前に" not in director.get(url("stage-members", tournament, 2)).text
    sent = {"members": page.context["members"], "chosen": "", "do": "confirm"}
    answer = director.post(url("stage-members", tournament, 2), sent, follow=True)
    assert Stage.objects.get().members == [{"group": "", "players": [2, 4, 5]}]
    assert "第2回戦からこのステージです" in answer.content.decode()
    again = director.post(url("stage-members", tournament, 2), sent, follow=True)
    assert "進出者を確定しました" in again.text  # two presses are one act
    # The draw of the next session seats the members only.
    seats = director.get(url("seat-session", tournament))
    assert {entry.number for entry in seats.context["entries"]} == {2, 4, 5}


def test_roll_of_a_final_is_that_of_its_members(director: Client, played: Sitting) -> None:
    tournament = played.session.tournament
    stages.make_confirmed(tournament, WINNERS)
    program = staff(cast.make_staff(tournament, "keeper"))
    for session, players in ((1, {1, 2, 3, 4, 5, 6}), (2, {2, 4, 5})):
        page = director.get(url("roll-call", tournament, session))
        assert {line.entry.number for line in page.context["lines"]} == players
        told = program.get(f"{base(tournament)}/sessions/{session}/presence")
        assert {int(number) for number in told["statuses"]} == players


def test_no_roll_is_called_before_it_is_confirmed_who_goes_on(
    scorekeeper: Client, played: Sitting
) -> None:
    tournament = played.session.tournament
    sessions.end_session(played.session, stopping={1}, by=cast.SOMEBODY)
    roll_call = url("roll-call", tournament, 2)
    assert roll_call in scorekeeper.get(tournament.get_absolute_url()).text
    Tournament.objects.update(sessions_planned=1)
    assert roll_call not in scorekeeper.get(tournament.get_absolute_url()).text  # all are played
    stage = stages.make_stage(tournament, wanted=WINNERS)
    assert roll_call not in scorekeeper.get(tournament.get_absolute_url()).text
    stages.confirm(stage)
    assert roll_call in scorekeeper.get(tournament.get_absolute_url()).text


def test_scorekeeper_is_led_to_the_roll_call_that_is_counted(
    scorekeeper: Client, played: Sitting
) -> None:
    """That of the session that is on, not of the next, of which it is not known who plays."""
    tournament = played.session.tournament
    Tournament.objects.update(sessions_planned=1)
    planned = stages.plan(stages.WINNERS, sessions_planned=1)
    stage = stages.make_stage(tournament, wanted=planned)
    overview = tournament.get_absolute_url()
    for number in (1, 2):
        page = scorekeeper.get(overview)
        [own] = re.findall(r'class="button" href="[^"]*/sessions/(\d+)/roll-call/"', page.text)
        assert (int(own), page.context["roll"].session) == (number, number)
        if number == 1:
            sessions.end_session(played.session, stopping={1}, by=cast.SOMEBODY)
            assert "/roll-call/" not in scorekeeper.get(overview).text
            stages.confirm(stage)
            everybody = list(tournament.entries.all())
            seating.open_session(tournament, [everybody], by=cast.SOMEBODY)
    [final] = tournament.sessions.filter(number=2)
    cast.record(final.sittings.get())
    sessions.end_session(final, stopping={final.sittings.get().number}, by=cast.SOMEBODY)
    assert "/roll-call/" not in scorekeeper.get(overview).text  # nothing is to come


def test_who_leaves_during_the_final_changes_nothing_in_who_advanced(played: Sitting) -> None:
    """Also where who withdraws is listed below everybody else, without a place."""
    tournament = played.session.tournament
    ranking.set_ranking(tournament, {"withdrawn": "listed"}, seen_version=0, by=cast.SOMEBODY)
    stages.make_confirmed(tournament, WINNERS)
    seating.open_session(tournament, [list(tournament.entries.all())], by=cast.SOMEBODY)
    finalist = tournament.entries.get(number=4)
    expected, withdrawn = Presence.Status.EXPECTED, Presence.Status.WITHDRAWN
    mark_presence(finalist, 2, withdrawn, seen_status=expected, by=cast.SOMEBODY)
    event = Event(Tournament.objects.get(pk=tournament.pk))
    assert 4 not in [row.entry.number for row in event.standings if row.place and row.place.rank]
    assert event.selection_changes == []


def test_resumed_session_takes_no_later_stage_back(director: Client, played: Sitting) -> None:
    tournament = played.session.tournament
    Tournament.objects.update(sessions_planned=1)
    sessions.end_session(played.session, stopping={1}, by=cast.SOMEBODY)
    stages.make_confirmed(tournament, WINNERS)
    final = seating.open_session(tournament, [list(tournament.entries.all())], by=cast.SOMEBODY)
    cast.record(final.sittings.get())
    sessions.end_session(final, stopping={final.sittings.get().number}, by=cast.SOMEBODY)

    def states() -> list[str]:
        page = director.get(tournament.get_absolute_url())
        return [each.state for each in page.context["run_sheet"].stages]

    assert states() == ["done", "done"]
    sessions.resume_session(Session.objects.get(number=1), by=cast.SOMEBODY)
    assert states() == ["next", "done"]


def test_tie_at_the_line_is_decided_on_the_page(director: Client, played: Sitting) -> None:
    tournament = played.session.tournament
    stages.make_stage(tournament, wanted=stages.plan(Quota("", "", 2)))
    page = in_english(director).get(url("stage-members", tournament, 2))
    assert "Tied at the line" in page.content.decode()
    assert "Confirm:" not in page.content.decode()
    # Rank, then number, so that the rank is not read as a player's number.
    assert sorted(re.findall(r"Rank 1, No. (\d+)\s+<bdi>", page.text)) == ["2", "4", "5"]
    assert "Tick exactly" not in page.text
    for ticked in ([], ["2"], ["2", "4", "5"]):
        asked = {"tie": page.context["tie_key"], "chosen": ticked}
        again = director.get(url("stage-members", tournament, 2), asked)
        assert "Tick exactly 2 players." in again.text
        assert again.text.count(" checked") == len(ticked)
    page = director.get(url("stage-members", tournament, 2) + "?chosen=2&chosen=4")
    sent = {"members": page.context["members"], "chosen": "2 4", "reason": "決定戦"}
    assert director.post(url("stage-members", tournament, 2), sent).status_code == 302
    assert Stage.objects.get().members == [{"group": "", "players": [2, 4]}]
    assert tournament.audit_entries.latest("number").reason == "決定戦"


def test_tie_at_the_line_of_a_class_tells_ranks_in_it(director: Client, played: Sitting) -> None:
    tournament = played.session.tournament
    tournament.entries.filter(number__in=[2, 4, 5]).update(division="有段者")
    stages.make_stage(tournament, wanted=stages.plan(Quota("", "一般", 2)))
    page = director.get(url("stage-members", tournament, 2))
    assert [row.place.rank for row in page.context["found"].tied if row.place] == [4, 4, 4]
    assert len(re.findall(r"1位 \d+番\s+<bdi>", page.text)) == 3


def test_tie_at_the_line_of_a_class_is_told_of_those_at_the_line_alone(
    director: Client, played: Sitting
) -> None:
    """2 is safely through in the other class, and shares the rank of 4 and 5."""
    tournament = played.session.tournament
    Tournament.objects.update(sessions_planned=1)
    sessions.end_session(played.session, stopping={1}, by=cast.SOMEBODY)
    tournament.entries.filter(number__in=[4, 5]).update(division="有段者")
    quotas = Quota("", "有段者", 1), Quota("", "一般", 1)
    stages.make_stage(tournament, wanted=stages.plan(*quotas))
    names = {each.number: each.name for each in tournament.entries.all()}
    members, play_off = url("stage-members", tournament, 2), "?tied=4-5"

    def told() -> list[str]:
        found = []
        for name in ("tournament", "board", "publish", "awards"):
            page = director.get(url(name, tournament))
            (alert,) = re.findall(r'(?s)<div class="alert alert-warning screen.*?</div>', page.text)
            assert "有段者：上位1名" in alert
            assert "このうち1人が進出します" in alert
            assert [names[number] in alert for number in (2, 4, 5)] == [False, True, True]
            found.append(alert)
        return found

    for alert in told():
        assert members in alert
        assert "?tied=" not in alert
    assert "?tied=" not in director.get(members).text
    adjustments.adjust_points(
        tournament, 1, tournament.entries.get(number=2), 1, by=cast.SOMEBODY, reason="手伝い"
    )
    for alert in told():
        assert play_off in alert
        assert members not in alert
    assert play_off in director.get(members).text


def test_nobody_tied_at_another_line_is_next_in_line(director: Client, played: Sitting) -> None:
    tournament = played.session.tournament
    tournament.entries.filter(number__in=[2, 4, 5]).update(division="有段者")
    quotas = Quota("", "有段者", 1), Quota("", "一般", 1)
    stages.make_stage(tournament, wanted=stages.plan(*quotas))

    def shown(query: str = "") -> tuple[list[int], list[int]]:
        found = director.get(url("stage-members", tournament, 2) + query).context
        return tuple(
            [row.entry.number for row in rows]
            for rows in (found["found"].tied, found["next_in_line"])
        )  # type: ignore[return-value]

    assert shown() == ([2, 4, 5], [])
    assert shown("?chosen=2") == ([1, 3, 6], [4, 5])
    assert shown("?chosen=2&chosen=3") == ([], [4, 5, 1, 6])


def test_workbook_of_a_class_leaves_out_stages_without_its_players(
    director: Client, played: Sitting
) -> None:
    tournament = played.session.tournament
    tournament.entries.filter(number=1).update(division="有段者")
    stages.make_confirmed(tournament, WINNERS)
    for division, is_there in (("", True), ("一般", True), ("有段者", False)):
        answer = director.get(url("standings-workbook", tournament), {"class": division})
        assert ("決勝" in load_workbook(BytesIO(answer.content)).sheetnames) is is_there, division


def test_selection_that_changed_is_shown_again(director: Client, played: Sitting) -> None:
    tournament = played.session.tournament
    stages.make_stage(tournament, wanted=WINNERS)
    for members in ("[]", "{", '[{"group": "", "players": [1]}]', "[[[[", "3"):
        sent = {"members": members, "chosen": ""}
        assert director.post(url("stage-members", tournament, 2), sent).status_code == 422
    assert not Stage.objects.get().is_confirmed


def test_member_is_replaced_and_all_is_taken_back(director: Client, played: Sitting) -> None:
    tournament = played.session.tournament
    stages.make_confirmed(tournament, WINNERS)
    address = url("stage-members", tournament, 2)
    assert director.post(address, {"do": "replace", "leaving": "2"}).status_code == 422
    sent = {"do": "replace", "leaving": "2", "following": "1", "reason": "辞退"}
    for _pressed_twice in range(2):
        assert "進出者を差し替えました" in director.post(address, sent, follow=True).text
    assert director.post(address, sent | {"following": "3"}).status_code == 422
    stage = Stage.objects.get()
    history = director.get(url("history", tournament)).context["table"]
    assert {row.get_cell("where") for row in history.rows} >= {stage.name}
    assert stage.members == [{"group": "", "players": [1, 4, 5]}]
    removal = url("remove-session", tournament, 2)
    roll_call = url("roll-call", tournament, 2)
    assert address not in director.get(roll_call).text
    assert removal not in director.get(address).text
    fields = re.findall(r' id="(id_\w+|undo_\w+)"', director.get(address).text)
    assert len({*fields}) == len(fields) == 4  # a reason each, to replace and to undo
    entries = list(tournament.entries.all())
    seating.open_session(tournament, [entries], by=cast.SOMEBODY)
    assert removal in director.get(address).text
    assert address in director.get(roll_call).text  # reassigning seats replaces no member
    assert director.post(removal, {"reason": "入れ替え"}).status_code == 302
    for _pressed_twice in range(2):
        again = director.post(address, {"do": "take-back"}, follow=True)
        assert (again.status_code, "進出者の確定を取り消しました" in again.text) == (200, True)
    assert not Stage.objects.get().is_confirmed
    removed = director.post(url("edit-stage", tournament, 2), {"do": "remove"})
    assert removed.status_code == 302
    assert not Stage.objects.exists()


def test_first_reserve_is_chosen_before_who_gave_up(director: Client, played: Sitting) -> None:
    """The page and the API list the same players in the same order."""
    tournament = played.session.tournament
    stages.make_confirmed(tournament, WINNERS)
    address = url("stage-members", tournament, 2)
    program = staff(cast.make_staff(tournament, "program", "director"))
    words = {"ja": "辞退", "en": "gave up the place", "zh-hans": "已放弃"}

    def offered() -> tuple[list[int], list[int], str]:
        """Return all in line, those said to have given up, and who is chosen at first."""
        in_line = program.get(f"{base(tournament)}/stages/2")["next_in_line"]
        gave_up = []
        for language, word in words.items():
            director.cookies["django_language"] = language
            form = director.get(address).context["form"]
            choices = form.fields["following"].choices[:-1]
            assert [number for number, _name in choices] == in_line
            gave_up.append([number for number, name in choices if name.endswith(f" / {word}")])
        assert gave_up[0] == gave_up[1] == gave_up[2]
        page = director.get(address).text.partition('name="following"')[2]
        found = re.search(r'<option value="(\d*)" selected', page)
        return in_line, gave_up[0], found[1] if found else "the first"

    def replace(leaving: int, following: int | str) -> None:
        sent = {"do": "replace", "leaving": leaving, "following": following, "reason": "辞退"}
        for _pressed_twice in range(2):
            assert director.post(address, sent).status_code == 302

    assert offered() == ([1, 3, 6], [], "1")
    replace(2, 1)
    assert offered() == ([3, 6, 2], [2], "3")
    replace(4, 3)
    replace(5, 6)
    assert offered() == ([2, 4, 5], [2, 4, 5], "")  # nobody is chosen
    replace(6, 5)
    replace(3, "")
    assert offered() == ([6, 2, 4, 3], [2, 4, 3], "6")  # 6 made room for 5


def test_who_gave_up_is_offered_after_many_reserves(
    director: Client, played: Sitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tournaments.views.stages.NEXT_TO_CHOOSE", 1)
    tournament = played.session.tournament
    stage = stages.make_confirmed(tournament, WINNERS)
    leaving, following = (tournament.entries.get(number=number) for number in (2, 1))
    replace_member(stage, leaving, following, by=cast.SOMEBODY)
    form = director.get(url("stage-members", tournament, 2)).context["form"]
    assert [number for number, _name in form.fields["following"].choices] == [3, 2, ""]


def test_nothing_is_advised_on_a_stage_that_is_played(director: Client, played: Sitting) -> None:
    tournament = played.session.tournament
    semifinal = stages.make_confirmed(tournament, stages.plan(Quota("", "", 6), name="準決勝"))
    session = seating.open_session(tournament, [list(tournament.entries.all())], by=cast.SOMEBODY)
    address = url("stage-members", tournament, semifinal.number)
    advice = "Seats of this stage are assigned already."
    in_english(director)
    assert advice in director.get(address).text
    cast.record(session.sittings.get())
    sessions.end_session(session, stopping={1}, by=cast.SOMEBODY)
    assert advice not in director.get(address).text
    final = stages.confirm(stages.make_stage(tournament, 3, stages.plan(Quota("", "", 6))))
    seating.open_session(tournament, [list(tournament.entries.all())], by=cast.SOMEBODY)
    assert advice not in director.get(address).text
    assert advice in director.get(url("stage-members", tournament, final.number)).text
    with pytest.raises(NotTheLastStage):
        take_back_members(semifinal, by=cast.SOMEBODY)


def test_reopening_is_offered_only_where_something_follows(
    director: Client, played: Sitting
) -> None:
    tournament = played.session.tournament
    in_english(director)
    stages.make_confirmed(tournament, stages.plan(Quota("", "", 6)))
    session = seating.open_session(tournament, [list(tournament.entries.all())], by=cast.SOMEBODY)
    pages = [url("stage-members", tournament, 2), url("edit-stage", tournament, 2)]
    reopening, over = "Reopen the tournament", "This stage is over"

    def told() -> list[tuple[bool, bool]]:
        texts = [director.get(page).text for page in pages]
        return [(reopening in text, over in text) for text in texts]

    closing.close(tournament, by=cast.SOMEBODY)  # the final can still be played once it is reopened
    assert told() == [(True, False), (False, False)]
    closing.reopen(tournament, by=cast.SOMEBODY)
    cast.record(session.sittings.get())
    sessions.end_session(session, stopping={1}, by=cast.SOMEBODY)
    assert told() == [(False, True), (False, False)]
    closing.close(tournament, by=cast.SOMEBODY)
    assert told() == [(False, True), (False, False)]


def test_reopening_is_offered_for_ties_only_if_there_are_any(
    director: Client, tournament: Tournament
) -> None:
    in_english(director)
    table = cast.make_sitting(tournament)
    closing.close(tournament, by=cast.SOMEBODY)
    assert "Reopen the tournament" not in director.get(url("ties", tournament)).text
    cast.record(table)
    assert "Reopen the tournament" in director.get(url("ties", tournament)).text


def test_public_sees_who_goes_on(client: Client, played: Sitting) -> None:
    tournament = played.session.tournament
    Tournament.objects.update(showing=Tournament.Showing.LIVE)
    stages.make_confirmed(tournament, WINNERS)
    page = client.get(url("stages", tournament)).content.decode()
    assert "対馬" not in page
    assert "工藤" in page
    assert url("stage-members", tournament, 2) not in page


def assert_values_of_the_stage(table: StandingsTable, row: Standing) -> None:
    """Rounds are those of the event, and what decides places is of the final; headings say so."""
    assert row.place
    assert (row.place.values[1:3], row.rounds_played) == ((0, -1), 2)
    titles = [str(table.columns[code].header) for code in ("rounds_won", "best_round")]
    assert all("（このステージ）" in title for title in titles)


def explained_rank(answer: Any, row: Standing, *, is_first_below: bool) -> Any:
    """Return the context of a player's page.

    It compares players of one section; that finalists come first has its own words.
    """
    text = re.sub("<[^>]+>|[\u2066-\u2069]", "", answer.text)
    assert ("「A決勝」の選手は、得点にかかわらず上に並びます。" in text) == is_first_below
    compared = [answer.context[name] for name in ("above", "below")]
    assert {each.section for each in compared if each} == {row.section}
    return answer.context


def assert_finalists_are_printed_first(award_list: Any) -> None:
    printed = re.sub("[\u2066-\u2069]", "", page_faults.text_of(award_list.content))
    assert re.search("A決勝得点＝予選の半分＋A決勝1位.+予選7位", printed)


def test_finalists_are_first_and_apart_everywhere(
    client: Client, director: Client, tournament: Tournament
) -> None:
    """Six of two tables go on with half their points, and play; their points are explained."""
    show_live(tournament, by=cast.SOMEBODY)
    session = cast.make_session(tournament, tables=2)
    for sitting in session.sittings.all():
        cast.record(sitting)
    helper = tournament.entries.get(number=8)  # half of its 2 points is 1, as of the others' 1
    adjustments.adjust_points(tournament, 1, helper, 1, by=cast.SOMEBODY, reason="手伝い")
    quotas = [Quota("A決勝", "", 6, at_least=1)]
    stages.make_confirmed(tournament, stages.plan(*quotas))
    six = tournament.entries.filter(number__in=(2, 4, 5, 8, 10, 11))
    final = seating.open_session(tournament, [list(six)], by=cast.SOMEBODY)
    cast.record(final.sittings.get())
    points = {4: (2, 1, 1), 2: (0, 1, -1)}  # points, carried over, won in the final
    page = client.get(url("standings", tournament))
    table = page.context["table"]
    rows = {row.entry.number: row for row in table.data}
    assert [list(rows).index(number) < 6 for number in rows] == [True] * 6 + [False] * 6
    for number, expected in points.items():
        row = rows[number]
        assert (row.place.points, row.carried, row.won) == expected
    for number, row in rows.items():  # rounds are those of the event, totals follow the stages
        assert row.rounds_played == (2 if row.carried is not None else 1)
        player = explained_rank(
            client.get(url("player", tournament, number)),
            row,
            is_first_below=list(rows).index(number) == 6,
        )
        (own,) = player["tables"][-1].rounds
        assert (player["chart"].points[-1].total, own.total, own.carried) == (
            row.place.points,
            row.place.points,
            row.carried,
        )
        assert [line.points for line, *_ in player["lines"]] == [1] * (number == 8)
    assert_values_of_the_stage(table, rows[2])
    headings = [row.heading for row in table.page_rows() if row.heading]
    assert [re.sub("<[^>]+>|[\u2066-\u2069]", "", each) for each in headings] == [
        "A決勝 得点＝予選の半分＋A決勝",
        "予選 ",
    ]
    sorted_page = client.get(url("standings", tournament) + "?sort=number")
    assert "ledger-section" not in sorted_page.text
    for name, query in (
        ("standings", "?wall=1"),
        ("standings", "?class=一般"),
        ("awards", "?places=12"),
    ):
        text = client.get(url(name, tournament) + query).text
        assert text.count('class="ledger-section"') == 2, (name, query)
        assert re.search(r"[+]1.{0,200}[−]1", text, re.DOTALL)
    assert text.index("A決勝") < text.index("予選")
    assert not re.search("決勝 ?A?決勝", text + page.text)
    content = BytesIO(client.get(url("standings-workbook", tournament)).content)
    head, *cells = load_workbook(content, data_only=True).worksheets[0].values
    of_second = next(
        dict(zip(head, row, strict=True)) for row in cells if row[1] == rows[2].entry.name
    )
    assert of_second["ステージ"] == "A決勝"
    assert (of_second["得点"], of_second["持ち越し"], of_second["第2回戦"]) == points[2]
    assert_finalists_are_printed_first(director.get(url("award-list", tournament) + "?places=12"))
    for query, counted in (("", 3), ("?stage=1", 2), ("?stage=2", 1)):
        document = client.get(f"{base(tournament)}/standings{query}").json()
        assert document["rounds_counted"] == counted
        if query:  # rounds, sessions and absences are all those of the stage
            for row in document["standings"]:
                counts = row["rounds_played"], row["sessions_played"], row["absences"]
                assert counts == (1, 1, []), (query, row)
            played = client.get(url("standings", tournament) + query).context["table"].played
            assert set(played.values()) <= {0, 1}
    told = client.get(f"{base(tournament)}/standings").json()["standings"]
    assert [line["item"] for row in told for line in row["lines"]] == ["carried"] * 6
    publish(tournament, by=cast.SOMEBODY)
    assert list(client.get(url("standings", tournament)).context["table"].page_rows()) == list(
        table.page_rows()
    )


def test_player_page_shows_a_stage_as_the_standings_do(
    client: Client, director: Client, played: Sitting
) -> None:
    """No rank before a result, shared ranks as shared, and in which stage other points are."""
    tournament = played.session.tournament
    cast.in_english(client)
    show_live(tournament, by=cast.SOMEBODY)
    four = tournament.entries.get(number=4)
    two = tournament.entries.get(number=2)
    for number, entry in enumerate((two, four), 1):
        adjustments.adjust_points(tournament, number, entry, 4, by=cast.SOMEBODY, reason="手伝い")
    alone = client.get(url("player", tournament, 4))
    assert "in the points of" not in alone.text
    stages.make_confirmed(tournament, WINNERS)

    def text(number: int, part: str) -> str:
        page = client.get(url("player", tournament, number)).text
        plain = re.sub("[\u2066-\u2069]", "", re.sub("<[^>]+>", " ", page[page.index(part) :]))
        return " ".join(plain[: plain.index("At the table")].split())

    for number in (2, 4):
        shown = text(number, 'id="stages-title"')
        assert "Qualifying Rank 1 tied · +5" in shown
        assert "決勝 No result yet · Points carried over" in shown.replace("Final", "決勝")
        assert "手伝い +4 (in the points of Qualifying )" in text(number, "outside the")
    six = tournament.entries.filter(number__lt=7)
    final = seating.open_session(tournament, [list(six)], by=cast.SOMEBODY)
    cast.record(final.sittings.get())
    rows = client.get(url("standings", tournament) + "?stage=2").context["table"].data
    for row in rows:
        shown = text(row.entry.number, 'id="stages-title"').replace("Final", "決勝")
        assert row.place
        tied = " tied" if row.place.tied else ""
        assert f"決勝 Rank {row.place.rank}{tied} ·" in shown


def test_players_who_join_and_leave_a_final(director: Client, played: Sitting) -> None:
    """Who leaves keeps all rounds, and her place for another is no place of the final."""
    tournament = played.session.tournament
    one = tournament.entries.get(number=1)
    stages.make_confirmed(tournament, stages.plan(Quota("", "", 6)))
    joins = cast.make_entries(tournament, 1)[0]
    members = [*tournament.entries.filter(number__lt=7)]
    final = seating.open_session(tournament, [members], by=cast.SOMEBODY)
    table = final.sittings.get()
    cast.record(table)
    ranking.set_ranking(tournament, {"withdrawn": "listed"}, seen_version=0, by=cast.SOMEBODY)
    keys = [each.key for each in members]
    goes_on = change_players(
        table, [joins, *members[1:]], seen_players=keys, withdraw=True, by=cast.SOMEBODY
    )
    cast.record(goes_on)
    rows = director.get(url("standings", tournament)).context["table"].data
    left = next(row for row in rows if row.entry == one)
    assert left.place
    assert (left.place.rank, left.rounds_played, left.section) == (None, 2, None)
    assert left.won is not None
    page = director.get(url("player", tournament, joins.number))
    assert [own.counts for own in page.context["tables"][0].rounds] == [False]
    assert "合計には入りません" in page.text


def test_reserve_who_joins_a_final_is_said_to_count_for_nobody(
    director: Client, played: Sitting
) -> None:
    """Before it is confirmed, and on every page of the table, as on the player's own page."""
    tournament = played.session.tournament
    in_english(director)
    reserve, member = cast.make_entries(tournament, 2)
    words = "points count for nobody"
    played_by_all = url("table-players", tournament, 1, 1)
    assert words not in director.get(played_by_all).text
    final = stages.make_confirmed(tournament, stages.plan(Quota("", "", 6)))
    assert final.members
    final.members[0]["players"].append(member.number)
    final.save()
    session = seating.open_session(
        tournament, [[*tournament.entries.filter(number__lt=7)]], by=cast.SOMEBODY
    )
    table = session.sittings.get()
    cast.record(table)
    address = url("table-players", tournament, 2, table.number)
    page = director.get(address)
    groups = [group for _label, group in page.context["form"].fields["joining"].choices[1:]]
    told = {key for group in groups for key, label in group if words in label}
    assert told == {reserve.key}
    assert page.text.count(words) == 1
    seen = page.context["form"]["seen"].value()
    typed = {"seen": seen, "leaving": "1", "joining": reserve.key, "then": "withdraws"}
    assert director.post(address, typed).status_code == 302
    goes_on = table.continued_by
    cast.record(goes_on)
    own = director.get(url("player", tournament, reserve.number))
    assert "These points do not count for" in own.text
    for shown in (goes_on, session):
        text = director.get(shown.get_absolute_url()).text
        before, _after = text.split(words)  # said once
        assert before.rindex(reserve.name) > before.rindex("<li" if shown == session else "<tr")
    assert words not in director.get(played.get_absolute_url()).text
    assert words not in director.get(played.session.get_absolute_url()).text
    publish(tournament, by=cast.SOMEBODY)
    assert words in director.get(f"{goes_on.get_absolute_url()}?publication=1").text


def test_members_of_a_publication_do_not_judge_who_sits_in_the_final(
    client: Client, played: Sitting
) -> None:
    """Somebody gave the final up after the publication that the public still sees."""
    tournament = played.session.tournament
    [reserve] = cast.make_entries(tournament, 1)
    final = stages.make_confirmed(tournament, stages.plan(Quota("", "", 6)))
    publish(tournament, by=cast.SOMEBODY)
    assert final.members
    final.members[0]["players"][-1] = reserve.number
    final.save()
    members = [tournament.entries.get(number=each) for each in final.members[0]["players"]]
    session = seating.open_session(tournament, [members], by=cast.SOMEBODY)
    for shown in (session, session.sittings.get()):
        text = client.get(shown.get_absolute_url()).text
        assert (reserve.name in text, "だれにも付かない" in text) == (True, False)


def test_exchange_says_who_would_count_for_nobody(director: Client, played: Sitting) -> None:
    tournament = played.session.tournament
    in_english(director)
    [reserve] = cast.make_entries(tournament, 1)
    stages.make_confirmed(tournament, stages.plan(Quota("", "", 6)))
    seating.open_session(tournament, [[*tournament.entries.filter(number__lt=7)]], by=cast.SOMEBODY)
    for session, told in ((1, 0), (2, 1)):
        typed = {"one": "1", "other": reserve.key, "reason": "席の取り違え"}
        page = director.post(url("exchange-players", tournament, session), typed, follow=True)
        assert page.context["planned"]
        assert page.text.count("points count for nobody") == told


def test_standings_can_be_limited_to_a_stage(director: Client, played: Sitting) -> None:
    tournament = played.session.tournament
    stages.make_confirmed(tournament, WINNERS)
    page = director.get(url("standings", tournament) + "?stage=2")
    assert [row.entry.number for row in page.context["table"].data] == [2, 4, 5]
    assert page.context["progress"].counted == 0  # of the first stage, one
    for query in ("", "?stage=1", "?stage=1&wall=1", "?stage=2&wall=1"):
        assert director.get(url("standings", tournament) + query).status_code == 200
    assert director.get(url("standings", tournament) + "?stage=9").status_code == 404
    assert director.get(url("standings-workbook", tournament)).status_code == 200
    player = in_english(director).get(url("player", tournament, 2)).content.decode()
    assert "Points carried over: +1" in player
