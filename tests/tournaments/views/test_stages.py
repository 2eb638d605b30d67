"""The pages of the stages: defined, confirmed, and taken back."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from scoring.stages.selection import AtLine, Quota
from tests import cast, stages
from tests.api import base, staff
from tests.cast import in_english
from tests.stages import url
from tournaments.models import Session, Sitting, Stage, Tournament
from tournaments.services import adjustments, closing, seating, sessions
from tournaments.services.stages import NotTheLastStage, replace_member, take_back_members

WINNERS = stages.plan(stages.WINNERS)
LINES = {"quota-TOTAL_FORMS": "3", "quota-INITIAL_FORMS": "0"}


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


@pytest.mark.parametrize("at_line", AtLine)
def test_who_advances_of_those_tied_is_told_with_the_lot(
    director: Client, played: Sitting, at_line: AtLine
) -> None:
    """Before and after it is confirmed, and in the history; nothing where nobody was chosen."""
    tournament = played.session.tournament
    stage = stages.make_stage(tournament, wanted=stages.plan(at_line=at_line, seed=77))
    decided = {AtLine.OPEN: ["3"]}.get(at_line, [])
    address = url("stage-members", tournament, 2)
    before = director.get(address, {"chosen": decided}).text
    stages.confirm(stage, *decided)
    by_number = {entry.number: entry for entry in tournament.entries.all()}
    members = {int(key) for key in Stage.objects.get().read_members()[0].players}
    pages = [before, director.get(address).text, director.get(url("history", tournament)).text]
    for page in pages:
        told = re.search(r"当落線上の同順位：([^。]*)。([^。：]*)：([^。<]*)。", page)
        assert bool(told) == (at_line in {AtLine.OPEN, AtLine.LOT})
        if told:
            tied, how, chosen = told.groups()
            assert [n for n, each in by_number.items() if each.name in tied] == [1, 3, 6]
            advancing = [n for n, each in by_number.items() if each.name in chosen]
            assert advancing == sorted(members & {1, 3, 6})
            assert len(advancing) == 1
            assert ("抽選" in how and "77" in how) == (at_line == AtLine.LOT)
    replace_member(Stage.objects.get(), by_number[2], None, by=cast.SOMEBODY, reason="欠席")
    assert ("当落線上の同順位：1" in director.get(address).text) == bool(told)


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


def test_selection_that_changed_is_shown_again(director: Client, played: Sitting) -> None:
    tournament = played.session.tournament
    stages.make_stage(tournament, wanted=WINNERS)
    for members in ("[]", "{", '[{"group": "", "players": [1]}]', "[[[[", "3"):
        sent = {"members": members, "chosen": ""}
        assert director.post(url("stage-members", tournament, 2), sent).status_code == 422
    assert not Stage.objects.get().is_confirmed


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
