"""Members of a stage who are replaced, leave and join, and for whom the points count."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from scoring.stages.selection import AtLine, Quota
from tests import cast, stages
from tests.api import base, staff
from tests.cast import in_english
from tests.pressing import press
from tests.proposals import assign
from tests.stages import url
from tournaments.models import Presence, Session, Sitting, Stage, Tournament
from tournaments.queries.events import Event
from tournaments.services import ranking, seating, sessions
from tournaments.services.presence import mark_presence
from tournaments.services.publications import publish
from tournaments.services.stages import replace_member
from tournaments.services.table_players import change_players

WINNERS = stages.plan(stages.WINNERS)


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


@pytest.mark.parametrize(
    ("quotas", "is_one_line"),
    [
        ([Quota("", "", 2)], True),
        ([Quota("A", "", 2), Quota("B", "", 2)], True),  # a second final
        ([Quota("A", "一般", 2), Quota("B", "一般", 1)], True),
        ([Quota("A", "一般", 2), Quota("B", "有段者", 1)], False),
        ([Quota("A", "一般", 2), Quota("B", "", 1)], False),
    ],
)
def test_form_as_shown_replaces_nobody(
    director: Client, played: Sitting, quotas: list[Quota], *, is_one_line: bool
) -> None:
    """It names nobody who leaves; who follows is chosen only where it is whoever leaves."""
    tournament = played.session.tournament
    tournament.entries.filter(number__in=(1, 3)).update(division="有段者")
    stages.make_confirmed(tournament, stages.plan(*quotas, at_line=AtLine.LOT))
    before = Stage.objects.get().read_members()
    address = url("stage-members", tournament, 2)
    typed = {"do": "replace", "reason": "欠席"}
    for leaving in ({}, {"leaving": before[0].players[0]}):
        page = director.get(address)
        answer = press(director, address, page, form_with="leaving", changes=typed | leaving)
        is_possible = bool(leaving) and is_one_line
        assert answer.status_code == (200 if is_possible else 422)
        assert (Stage.objects.get().read_members() == before) == (not is_possible)


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


def test_whoever_seats_a_stage_is_told_that_others_would_advance(
    director: Client, tournament: Tournament
) -> None:
    """By a correction after it was confirmed; on every page that leads to its seats."""
    session = cast.make_session(tournament, tables=2)
    for sitting in session.sittings.all():
        cast.record(sitting)
    sessions.end_session(session, stopping={1, 2}, by=cast.SOMEBODY)
    stages.make_confirmed(tournament, stages.plan(Quota("", "", None, at_least=1)))
    pages = [url("tournament", tournament), url("seat-session", tournament)]

    def told() -> list[bool]:
        found = [director.get(page, follow=True) for page in pages]
        return [bool(each.context["selections"]) and "変わります" in each.text for each in found]

    assert told() == [False, False]
    drawn = [{"kankei": 9, "mukankei": 4}, {"kankei": 4, "mukankei": 9}]
    facts = {"dealer": "6", "kankei": ["1", "3"], "deals": drawn}
    cast.record(session.sittings.get(number=1), facts, seen=1, reason="数え違い")
    assert told() == [True, True]
    proposed = director.post(pages[1], {"seat": "all"}, follow=True)
    assert proposed.context["proposal"].tables
    assert "変わります" in proposed.text
    assert assign(director, proposed).status_code == 302
    final = Session.objects.get(number=2)
    assert told()[0]
    cast.record(final.sittings.get())  # from now on the members stay
    assert "変わります" not in director.get(pages[0]).text
    assert "変わります" in director.get(url("stage-members", tournament, 2)).text
