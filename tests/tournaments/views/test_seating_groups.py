"""Groups of a stage have tables of their own."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from scoring.stages.selection import AtLine, Quota
from tests import cast, stages
from tests.api import base, code, director_of, json_of
from tests.cast import SOMEBODY
from tests.proposals import assign, propose
from tournaments import draws
from tournaments.models import Draw, Entry, Session, Stage, Tournament
from tournaments.queries import stages as stage_queries
from tournaments.queries.presence import Status
from tournaments.queries.seat_draws import Choices, draw_seats
from tournaments.queries.stages import players_of_session
from tournaments.services import presence, seating, sessions, substitutions
from tournaments.services import stages as service

GROUPS = stages.plan(Quota("A決勝", "", 6), Quota("B決勝", "", 6), at_line=AtLine.LOT)


@pytest.fixture
def final(tournament: Tournament) -> Tournament:
    """A final of two groups of six, places 1-6 and 7-12 of 18 players."""
    session = cast.make_session(tournament, tables=3)
    for sitting in session.sittings.all():
        cast.record(sitting)
    sessions.end_session(session, stopping=[1, 2, 3], by=SOMEBODY)
    stage = stages.make_stage(tournament, wanted=GROUPS)
    stages.confirm(stage)
    return tournament


def groups_of(tournament: Tournament) -> list[set[str]]:
    [stage] = tournament.stages.all()
    return [set(each.players) for each in stage.read_members()]


def seat(director: Client, tournament: Tournament, tables: list[list[str]] | None = None) -> str:
    """Assign the seats that are proposed, or these; return the page that follows."""
    address = reverse("seat-session", args=[tournament.slug])
    typed = "\n".join(map(" ".join, tables)) if tables else None
    answer = assign(director, propose(cast.in_english(director), address), typed)
    return director.get(answer.headers["Location"]).text


def test_program_is_told_of_mixed_groups_and_may_not_choose_sizes(final: Tournament) -> None:
    program, url = director_of(final), f"{base(final)}/sessions"
    answer = program.post(url, {"sizes": [6, 6], "number": 2})
    assert code(answer) == (422, "sizes_with_groups")
    assert json_of(program.post(url, {"number": 2, "pins": False})).get("mixed_tables") is None
    told = program.get(f"{url}/2/seats")
    first, second = ([seat["number"] for seat in sitting["seats"]] for sitting in told["sittings"])
    assert told["mixed_tables"] == []
    first[0], second[0] = second[0], first[0]
    body = {"tables": [first, second], "seen": told["version"]}
    assert json_of(program.put(f"{url}/2/seats", body))["mixed_tables"] == [1, 2]


def test_each_group_is_drawn_by_itself_and_the_draw_can_be_repeated(
    director: Client, final: Tournament
) -> None:
    page = seat(director, final)
    assert "share a table" not in page
    session = Session.objects.get(number=2)
    tables = [{entry.key for entry in table} for table in seating.seating_of(session)]
    assert tables == groups_of(final)
    stored = Draw.objects.get(session=session)
    again = draws.draw(draws.read_request(stored.request), lambda: 0.0)
    assert again.as_json() == stored.answer


def test_mixed_groups_are_warned_of(director: Client, final: Tournament) -> None:
    one, two = map(sorted, groups_of(final))
    page = seat(director, final, [[two[0], *one[1:]], [one[0], *two[1:]]])
    assert "Players of several groups share a table: 1, 2." in page
    address = reverse("reseat-session", args=[final.slug, 2])
    board = propose(director, address, hand="1").context["board"]
    assert '"groups":{' in board


def test_only_members_are_listed(director: Client, final: Tournament) -> None:
    seat(director, final)
    members = set.union(*groups_of(final))
    reseat = propose(director, reverse("reseat-session", args=[final.slug, 2]), hand="1")
    assert {entry.key for entry in reseat.context["roll"].statuses} == members
    overview = director.get(reverse("tournament", args=[final.slug]))
    assert {entry.key for entry in overview.context["roll"].statuses} == members


def test_substitutes_are_chosen_among_those_outside_the_stage(
    director: Client, final: Tournament
) -> None:
    members = set.union(*groups_of(final))
    address = reverse("substitute", args=[final.slug, 2, int(min(members))])
    choices = director.get(address).context["form"].players.by_key.values()
    assert {entry.key for entry in choices} == {str(n) for n in range(1, 19)} - members
    other = min({str(n) for n in range(1, 19)} - members)
    assert director.get(reverse("substitute", args=[final.slug, 2, int(other)])).status_code == 404


def test_substitute_is_drawn_in_the_group_of_whom_he_plays_for(final: Tournament) -> None:
    one, _two = groups_of(final)
    absent = final.entries.get(number=int(min(one)))
    presence.mark_presence(absent, 2, Status.ABSENT, seen_status=Status.EXPECTED, by=SOMEBODY)
    row = substitutions.add_substitute(absent, 2, {"name": "代理"}, by=SOMEBODY)
    playing = [each for each in players_of_session(final, 2) if each != absent]
    drawn = draw_seats(final, 2, playing, Choices("lot", separates_clubs=True, seed=1))
    assert drawn is not None
    [table, _other] = drawn.tables
    assert {each.key for each in table} == {*one, row.substitute.key} - {absent.key}


def test_run_sheet_asks_who_goes_on(director: Client, final: Tournament) -> None:
    [stage] = final.stages.all()
    page = director.get(final.get_absolute_url())
    assert page.context["next_step"] != "confirm_stage"
    parts = page.context["run_sheet"].sessions
    assert [(part.number, part.stage.name) for part in parts] == [(1, ""), (2, "決勝")]
    service.take_back_members(stage, by=SOMEBODY)
    page = director.get(final.get_absolute_url())
    assert page.context["next_step"] == "confirm_stage"
    assert page.text.count(reverse("stage-members", args=[final.slug, 2])) == 2


def test_standings_of_a_stage_tell_the_points_carried_over(
    director: Client, final: Tournament
) -> None:
    address = reverse("api-standings", args=[final.slug])
    rows = director.get(address, {"stage": "2.1"}).json()["standings"]
    assert {str(row["number"]) for row in rows} == groups_of(final)[0]
    assert all([line["item"] for line in row["lines"]] == ["carried"] for row in rows)
    assert director.get(address, {"stage": "9"}).status_code == 404
    assert not any(row["lines"] for row in director.get(address).json()["standings"])
    page = director.get(reverse("standings", args=[final.slug]), {"stage": "2.1"})
    assert "carried" in page.context["table"].columns.names()
    page = director.get(reverse("standings", args=[final.slug]))
    assert "carried" not in page.context["table"].columns.names()


def test_standings_of_a_stage_and_of_its_groups_count_what_the_stage_played(
    director: Client, final: Tournament
) -> None:
    """In the final A決勝 plays three rounds, B決勝 one; the qualifying had three."""
    (one, two), everybody = groups_of(final), {str(number) for number in range(1, 19)}
    tables = [[final.entries.get(number=int(key)) for key in group] for group in (one, two)]
    first, second = seating.open_session(final, tables, by=SOMEBODY).sittings.order_by("number")
    for sitting, number in ((first, 1), (first, 2), (first, 3), (second, 1)):
        cast.record(sitting, number=number)
    for stage, players, rounds in (("1", everybody, 3), ("2", one | two, 4), ("2.1", one, 4)):
        document = director.get(
            reverse("api-standings", args=[final.slug]), {"stage": stage}
        ).json()
        rows, counted = document["standings"], document["rounds_counted"]
        page = director.get(reverse("standings", args=[final.slug]), {"stage": stage})
        table, progress = page.context["table"], page.context["progress"]
        wall = director.get(reverse("standings", args=[final.slug]), {"stage": stage, "wall": "1"})
        told = [row["number"] for row in rows]
        assert told == [row.entry.number for row in table.data]
        assert told == [row.entry.number for row in wall.context["page"].object_list]
        assert {str(number) for number in told} == players
        assert counted == progress.counted == wall.context["progress"].counted == rounds
        for row in rows:
            expected = 3 if stage != "1" and str(row["number"]) in one else 1
            counts = row["rounds_played"], row["sessions_played"], row["absences"]
            assert counts == (expected, 1, []), (stage, row)
            assert table.played[str(row["number"])] == 1


def withdraw(entry: Entry, session: int) -> None:
    withdrawn, expected = Status.WITHDRAWN, Status.EXPECTED
    presence.mark_presence(entry, session, withdrawn, seen_status=expected, by=SOMEBODY)


def test_member_who_cannot_play_is_replaced_before_seats_are_assigned(
    director: Client, final: Tournament
) -> None:
    """The overview, the board and the page of seats say so, as the refusal of a draw does."""
    Tournament.objects.update(sessions_planned=1)
    cast.in_english(director)
    replace = reverse("stage-members", args=[final.slug, 2])
    seats, board = (reverse(name, args=[final.slug]) for name in ("seat-session", "board"))

    def led_to(page: str) -> list[str]:
        text = director.get(page).text
        assert ("Advanced, but cannot play:" in text) == (replace in text)
        return re.findall(r'class="button button-primary"\s+href="([^"]+)"', text)

    assert (led_to(final.get_absolute_url()), led_to(seats)) == ([seats], [])
    one, _two = groups_of(final)
    leaving = final.entries.get(number=int(max(one)))
    withdraw(leaving, 2)
    assert (led_to(final.get_absolute_url()), led_to(seats)) == ([replace], [replace])
    assert f'href="{seats}"' not in director.get(board).text
    stage = Stage.objects.get()
    following = stage_queries.next_in_line(stage).reserves[0].entry
    service.replace_member(stage, leaving, following, by=SOMEBODY)
    assert (led_to(final.get_absolute_url()), led_to(seats)) == ([seats], [])
    assert f'href="{seats}"' in director.get(board).text


def test_draw_for_a_final_of_five_is_refused_as_the_page_says(
    director: Client, tournament: Tournament
) -> None:
    sitting = cast.make_sitting(tournament)
    cast.record(sitting)
    sessions.end_session(sitting.session, stopping={1}, by=SOMEBODY)
    stages.make_confirmed(tournament, stages.plan(Quota("", "", 6)))
    withdraw(tournament.entries.get(number=4), 2)
    address = reverse("seat-session", args=[tournament.slug])
    answers = cast.in_english(director).get(address), director.post(address)
    assert [each.status_code for each in answers] == [200, 422]
    for answer in answers:
        assert [each.number for each in answer.context["missing_members"]] == [4]
        assert "Advanced, but cannot play:" in answer.text
        assert "5 players cannot all be seated" in answer.text


def test_members_are_missing_where_the_others_of_their_group_do_not_fill_tables(
    final: Tournament,
) -> None:
    stage, (one, two) = Stage.objects.get(), groups_of(final)

    def missing() -> list[int]:
        roll = stage_queries.roll_call_of(final, 2)
        return [each.number for each in stage_queries.missing_members(stage, roll)]

    first, second = (final.entries.get(number=int(min(group))) for group in (one, two))
    assert missing() == []
    withdraw(first, 2)
    withdraw(second, 2)
    assert missing() == sorted([first.number, second.number])
    row = substitutions.add_substitute(first, 2, {"name": "代理"}, by=SOMEBODY)
    assert missing() == [second.number]
    absent = Status.ABSENT
    presence.mark_presence(row.substitute, 2, absent, seen_status=Status.PRESENT, by=SOMEBODY)
    assert missing() == sorted([row.substitute.number, second.number])
    assert stage.members is not None
    stage.members[0]["players"].pop()  # a group that fills no table anyway
    assert missing() == [second.number]
