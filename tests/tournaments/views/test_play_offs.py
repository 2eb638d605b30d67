"""The page that seats a play-off, and where a play-off is shown."""

from __future__ import annotations

import re
from io import BytesIO
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from openpyxl import load_workbook
from playwright.sync_api import Page, ViewportSize, expect
from pytest_django.live_server_helper import LiveServer

from scoring.stages.places import Carry
from scoring.stages.selection import AtLine, Quota
from tests import cast, stages
from tests.api import base
from tournaments import verification
from tournaments.models import Draw, Presence, Session, Sitting, Tournament
from tournaments.queries.events import Event
from tournaments.queries.presence import status_of
from tournaments.queries.progress import current_session
from tournaments.queries.stages import stage_of_session, stage_standings
from tournaments.queries.ties import ties_of
from tournaments.services import ranking, seating, sessions
from tournaments.services.play_offs import open_play_off
from tournaments.services.presence import mark_presence

pytestmark = pytest.mark.django_db

PHONE: ViewportSize = {"width": 360, "height": 740}


@pytest.fixture
def tournament() -> Tournament:
    """Players 2, 4 and 5 have a point, 1, 3 and 6 minus one; 7 and 8 have not played."""
    sitting = cast.make_sitting()
    cast.record(sitting)
    cast.make_entries(sitting.session.tournament, 2)
    return sitting.session.tournament


@pytest.fixture
def director(director: Client) -> Client:
    return cast.in_english(director)


def typed_in(page: Client, url: str) -> dict[str, Any]:
    """Return the hidden fields of the form, and the number of rounds."""
    form = page.get(url).context["form"]
    return {name: form[name].value() for name in ("number", "seed", "rounds")}


def test_tied_players_play_their_places_off(tournament: Tournament, director: Client) -> None:
    ties = director.get(reverse("ties", args=[tournament.slug])).content.decode()
    assert "?tied=2-4-5" in ties
    url = reverse("play-off", args=[tournament.slug])
    sent = typed_in(director, f"{url}?tied=2-4-5") | {"tied": "2-4-5", "rounds": 1}
    filled = {f"fill_{seat}": name for seat, name in enumerate(("1", "7", "8"), 1)}
    Presence.objects.create(
        entry=tournament.entries.get(number=6), session_number=1, status="withdrawn"
    )
    withdrew = director.post(url, sent | filled | {"fill_1": "6"}).content.decode()
    assert "late, absent or have withdrawn" in withdrew
    is_tied = director.post(url, sent | filled | {"fill_1": "4"}).content.decode()
    assert "competing for a place" in is_tied
    for wrong in ({}, filled | {"fill_2": "1"}, filled | {"fill_2": "4"}, filled | {"seed": "5"}):
        assert director.post(url, sent | wrong).status_code == 422
    proposed = director.get(url, sent | filled)
    assert not Session.objects.filter(number=2).exists()
    assert proposed.text.count(">stand-in<") == 3
    stale = director.post(url, sent | filled | {"shown": "1 2 4 5 7 8"})
    assert (stale.status_code, stale.context["tables"]) == (409, proposed.context["tables"])
    sent["shown"] = proposed.context["shown"]
    for _ in range(2):  # a double click
        answer = director.post(url, sent | filled)
        assert answer.status_code == 302
    on = director.get(reverse("ties", args=[tournament.slug]))
    again = director.get(f"{url}?tied=2-4-5")
    for told in (on, again):
        assert "A play-off of these players is seated and not over yet." in told.text
        assert answer["Location"] in told.text
    assert "?tied=2-4-5" not in on.text
    assert 'name="lot"' not in on.text.partition('id="tie-2-4-5"')[2].partition("</section>")[0]
    assert director.post(url, sent | filled | {"number": 3}).status_code == 422
    (session,) = tournament.sessions.filter(tied__isnull=False)
    assert (session.tied, session.rounds_planned) == ([2, 4, 5], 1)
    assert seating.seating_of(session) == proposed.context["tables"]
    assert {entry.number for entry in seating.seating_of(session)[0]} == {1, 2, 4, 5, 7, 8}
    page = director.get(answer["Location"]).content.decode()
    assert page.count("stand-in") == 3
    assert Draw.objects.get(session=session).answer["quality"]["meetings"]["2"] == 6  # 1, 2, 4, 5
    assert "Its points do not count in any total" in page
    assert "reseat" not in page
    sitting = session.sittings.get()
    # Whatever seats were drawn, the tied players are not all on one side.
    cast.record(sitting, {**cast.plain_round(sitting), "dealer": "1", "kankei": ["2", "4"]})
    named = {"player": [2], "session": [2], "board": [], "seats": []}
    for name in ("tournament", "standings", "history", *named):
        address = reverse(name, args=[tournament.slug, *named.get(name, [])])
        shown = director.get(address).content.decode()
        assert "Play-off" in shown, name
        assert "Session 2" not in shown, name
        assert "sits out this session" not in shown, name
    workbook = director.get(reverse("standings-workbook", args=[tournament.slug])).content
    rows = load_workbook(BytesIO(workbook))["Play-offs"].iter_rows(min_row=2, values_only=True)
    assert {row[1] for row in rows} == {2, 4, 5}
    gone = director.post(url, sent | filled | {"tied": "1-2"})
    assert gone.status_code == 422
    assert "no longer tied" in gone.content.decode()


@pytest.mark.parametrize("drawing", [{}, {"number": 2, "seed": "a", "rounds": 1}])
def test_only_what_was_sent_is_said_not_to_have_been_saved(
    tournament: Tournament, director: Client, drawing: dict[str, Any]
) -> None:
    url = reverse("play-off", args=[tournament.slug])
    for tied in ("1-2", "", "99", "x"):
        opened = director.get(url, {"tied": tied} | drawing)
        assert (opened.status_code, "no longer tied" in opened.text) == (200, True)
        assert "Nothing has been saved" not in opened.text
        sent = director.post(url, {"tied": tied} | drawing)
        assert sent.status_code == 422
        assert "no longer tied. Nothing has been saved." in sent.text


def test_places_shared_with_somebody_who_has_withdrawn_are_not_played_off(
    tournament: Tournament, director: Client
) -> None:
    Tournament.objects.update(sessions_planned=1)
    sessions.end_session(tournament.sessions.get(), stopping={1}, by=cast.SOMEBODY)
    stages.make_stage(tournament, wanted=stages.plan(Quota("", "", 1)))
    url = f"{reverse('play-off', args=[tournament.slug])}?tied=2-4-5"
    overview = tournament.get_absolute_url()
    assert url in director.get(overview).text
    fourth = tournament.entries.get(number=4)
    expected, withdrawn = Presence.Status.EXPECTED, Presence.Status.WITHDRAWN
    mark_presence(fourth, 2, withdrawn, seen_status=expected, by=cast.SOMEBODY)
    assert url not in director.get(overview).text
    page = director.get(url)
    assert (page.status_code, "cannot be played off" in page.text) == (200, True)
    assert fourth.name in page.text
    assert director.post(url, {"tied": "2-4-5"}).status_code == 422


@pytest.mark.parametrize(("session", "status"), [(1, "absent"), (2, "late")])
def test_tied_player_who_was_away_is_present_in_the_play_off(
    tournament: Tournament, director: Client, session: int, status: str
) -> None:
    """Nothing is changed of the sessions before it."""
    second = tournament.entries.get(number=2)
    seen, mark = status_of(second, session), Presence.Status(status)
    mark_presence(second, session, mark, seen_status=seen, by=cast.SOMEBODY)
    url = reverse("play-off", args=[tournament.slug])
    for page in (reverse("ties", args=[tournament.slug]), f"{url}?tied=2-4-5"):
        assert director.get(page).text.count("A play-off marks them as present") == 1
    assert "A play-off marks them" not in director.get(f"{url}?tied=1-3-6").text
    sent = typed_in(director, f"{url}?tied=2-4-5") | {"tied": "2-4-5", "rounds": 1}
    sent |= {f"fill_{seat}": name for seat, name in enumerate("178", 1)}
    sent["shown"] = director.get(url, sent).context["shown"]
    for _ in range(2):  # a double click
        assert director.post(url, sent).status_code == 302
    assert status_of(second, 2) == Presence.Status.PRESENT
    if session == 1:
        assert status_of(second, 1) == status
    assert verification.verify(tournament) == []


def test_sessions_are_numbered_without_play_offs(tournament: Tournament, director: Client) -> None:
    everybody = list(tournament.entries.all())
    plan = seating.PlayOffPlan([2, 4], rounds=1)
    open_play_off(tournament, plan, [everybody[:6]], number=2, by=cast.SOMEBODY)
    seating.open_session(tournament, [everybody[:6]], by=cast.SOMEBODY)
    plan = seating.PlayOffPlan([1, 3], rounds=1)
    open_play_off(tournament, plan, [everybody[:6]], number=4, by=cast.SOMEBODY)
    shown = director.get(reverse("tournament", args=[tournament.slug])).content.decode()
    assert all(name in shown for name in ("Session 2", "Play-off 2", "Assign seats for session 3"))
    assert "Session 4" not in shown
    titles = [
        director.get(reverse("session", args=[tournament.slug, number])).content.decode()
        for number in (2, 3, 4)
    ]
    for title, page in zip(("Play-off", "Session 2", "Play-off 2"), titles, strict=True):
        assert re.search(rf"<h1>{title}\s*<", page)
    assert verification.verify(tournament) == []
    Tournament.objects.filter(pk=tournament.pk).update(play_off_numbers=[2])
    assert [fault.what for fault in verification.verify(Tournament.objects.get())] == [
        "tournament play_off_numbers"
    ]


def test_play_off_between_confirmation_and_final_belongs_to_the_qualifying(
    tournament: Tournament, director: Client
) -> None:
    """It takes the number that the first session of the final was to have."""
    sessions.end_session(tournament.sessions.get(), stopping={1}, by=cast.SOMEBODY)
    stages.make_confirmed(tournament, stages.plan(stages.WINNERS))
    everybody = list(tournament.entries.all())

    def texts(*names: str, **more: int) -> list[str]:
        pages = [(name, [tournament.slug, *more.values()]) for name in names]
        answers = (director.get(reverse(name, args=args)) for name, args in pages)
        return [re.sub(r"(?s)<[^>]*>|\s+", " ", answer.text) for answer in answers]

    def members() -> str:
        (text,) = texts("stage-members", stage=2)
        return re.sub(" +", " ", text)

    before = members()
    assert "Session 2 is the first of this stage" in before
    session = open_play_off(
        tournament,
        seating.PlayOffPlan([1, 3, 6], rounds=1),
        [everybody[:6]],
        number=2,
        by=cast.SOMEBODY,
    )
    cast.record(session.sittings.get())
    assert "Session 2 is the first of this stage" in members()
    assert "Assign seats for session 2" in members()
    (history,) = texts("history")
    assert "From session 2 on" in history
    event = Event(Tournament.objects.get(pk=tournament.pk))
    assert [each.sessions.start for each in stage_standings(event.ranking_facts)] == [1, 3]
    [told] = director.get(f"{base(tournament)}/stages").json()["stages"]
    assert told["first_session"] == 3
    assert stage_of_session(event.tournament, 2) is None
    assert stage_of_session(event.tournament, 3) is not None
    pages = [
        *texts("tournament", "board", "seats"),
        *texts("session", session=2),
        *texts("player", number=1),
    ]
    for text in pages:
        assert "Play-off" in text
        assert not re.search(r"Play-off +決勝|Play-off +Final", text)
        assert re.search(r"Play-off +Qualifying", text)


def test_play_off_for_lower_places_after_the_final_began_is_not_called_the_finals(
    tournament: Tournament, director: Client
) -> None:
    stages.make_confirmed(tournament, stages.plan(stages.WINNERS))
    everybody = list(tournament.entries.all())
    final = seating.open_session(tournament, [everybody[:6]], by=cast.SOMEBODY)
    cast.record(final.sittings.get())
    open_play_off(
        tournament,
        seating.PlayOffPlan([1, 3, 6], rounds=1),
        [everybody[:6]],
        number=3,
        by=cast.SOMEBODY,
    )
    pages = [reverse("session", args=[tournament.slug, 3]), tournament.get_absolute_url()]
    for page in pages:
        text = re.sub(r"(?s)<[^>]*>|\s+", " ", director.get(page).text)
        assert "Play-off" in text
        assert not re.search(r"Play-off +(決勝|Final)", text)


def test_only_who_fills_up_a_play_off_may_leave_its_table(
    tournament: Tournament, director: Client
) -> None:
    plan, players = seating.PlayOffPlan([1, 3, 6], rounds=1), list(tournament.entries.all())[:6]
    session = open_play_off(tournament, plan, [players], number=2, by=cast.SOMEBODY)
    page = reverse("table-players", args=[tournament.slug, 2, session.sittings.get().number])
    choices = director.get(page).context["form"].fields["leaving"].choices
    assert [key for key, _name in choices] == ["", "2", "4", "5"]


def test_session_comes_before_a_play_off_if_neither_has_begun(tournament: Tournament) -> None:
    everybody = list(tournament.entries.all())
    sessions.end_session(tournament.sessions.get(), stopping=[1], by=cast.SOMEBODY)
    final = seating.open_session(tournament, [everybody[:6]], by=cast.SOMEBODY)
    plan = seating.PlayOffPlan([2, 4, 5], rounds=1)
    play_off = open_play_off(tournament, plan, [everybody[:6]], number=3, by=cast.SOMEBODY)
    assert current_session(Event(tournament).sessions) == final
    cast.record(play_off.sittings.get())
    assert current_session(Event(tournament).sessions) == final  # the play-off is over


def test_ties_say_that_a_play_off_is_on(tournament: Tournament, director: Client) -> None:
    """Its first round may have settled the tie for the moment."""
    plan, players = seating.PlayOffPlan([2, 4, 5], rounds=2), list(tournament.entries.all())[:6]
    session = open_play_off(tournament, plan, [players], number=2, by=cast.SOMEBODY)
    ties, told = reverse("ties", args=[tournament.slug]), "Play-off is still being played."
    cast.record(session.sittings.get())
    assert told in director.get(ties).text
    cast.record(session.sittings.get(), number=2)
    assert told not in director.get(ties).text


@pytest.mark.parametrize("steps", [["points"], ["points", "play_off", "rounds_won"]])
def test_only_play_offs_that_are_over_are_named_among_the_steps_that_compared(
    tournament: Tournament, steps: list[str]
) -> None:
    """Each round leaves players 2, 4 and 5 equal."""
    ranking.set_ranking(tournament, {"tie_breaks": steps}, seen_version=0, by=cast.SOMEBODY)

    def named(*tied: int) -> int:
        event = Event(Tournament.objects.get(pk=tournament.pk))
        ties = ties_of(event.standings, event.ranking_facts)
        [tie] = [tie for tie in ties if {each.number for each in tie.players} == {*tied}]
        return tie.compared.count("play_off")

    def play_off(*tied: int) -> Sitting:
        number, players = seating.next_session_number(tournament), tournament.entries.all()[:6]
        plan = seating.PlayOffPlan([*tied], rounds=2)
        opened = open_play_off(tournament, plan, [[*players]], number=number, by=cast.SOMEBODY)
        return opened.sittings.get()

    shown = [named(2, 4, 5)]
    for _again in range(2):
        table = play_off(2, 4, 5)
        shown.append(named(2, 4, 5))
        for number in (1, 2):
            cast.record(table, number=number)
            shown.append(named(2, 4, 5))
    assert shown == [0, *(0, 0, 1), *(1, 1, 1)]
    final = [Quota("", "", 6)]
    sessions.end_session(tournament.sessions.get(number=1), stopping=[1], by=cast.SOMEBODY)
    stages.make_confirmed(tournament, stages.plan(*final, at_line=AtLine.ALL, carry=Carry.NONE))
    everybody = list(tournament.entries.all())
    session = seating.open_session(tournament, [everybody[:6]], by=cast.SOMEBODY)
    cast.record(session.sittings.get())
    assert named(2, 4, 5) == 0  # those of the qualifying do not decide in the final
    cast.record(play_off(2, 4, 5))
    assert named(2, 4, 5) == 0


def test_smaller_play_off_after_a_larger_one_is_named_once_it_is_over(
    tournament: Tournament,
) -> None:
    """Players 2 and 4 stay equal; 5 comes after them in the first one, with all six."""
    players = list(tournament.entries.all())[:6]
    lost = {"dealer": "6", "kankei": ["1", "5"], "deals": [{"kankei": 5, "mukankei": 9}]}

    def named() -> list[tuple[set[int], int]]:
        event = Event(Tournament.objects.get(pk=tournament.pk))
        ties = ties_of(event.standings, event.ranking_facts)
        return [
            ({each.number for each in tie.players}, tie.compared.count("play_off")) for tie in ties
        ]

    def play_off(tied: list[int], number: int) -> Sitting:
        plan = seating.PlayOffPlan(tied, rounds=1)
        opened = open_play_off(tournament, plan, [players], number=number, by=cast.SOMEBODY)
        return opened.sittings.get()

    cast.record(play_off([2, 4, 5], 2), lost)
    assert ({2, 4}, 1) in named()
    table = play_off([2, 4], 3)
    assert ({2, 4}, 1) in named()
    cast.record(table)
    assert ({2, 4}, 2) in named()


def test_board_opens_on_the_session_that_goes_on_beside_a_play_off(
    tournament: Tournament, director: Client
) -> None:
    """Then on the play-off that goes on, and once all is over on what was seated last."""
    plan, players = seating.PlayOffPlan([1, 3, 6], rounds=1), list(tournament.entries.all())[:6]
    play_off = open_play_off(tournament, plan, [players], number=2, by=cast.SOMEBODY)
    board = reverse("board", args=[tournament.slug])
    shown = [director.get(board).context["session"].number]
    for session in (tournament.sessions.get(number=1), play_off):
        sessions.end_session(session, stopping=[1], by=cast.SOMEBODY)
        shown.append(director.get(board).context["session"].number)
    assert shown == [1, 2, 2]


def test_roll_call_of_a_play_off_is_called_so(tournament: Tournament, director: Client) -> None:
    sessions.end_session(tournament.sessions.get(), stopping=[1], by=cast.SOMEBODY)
    plan, players = seating.PlayOffPlan([1, 3, 6], rounds=1), list(tournament.entries.all())[:6]
    open_play_off(tournament, plan, [players], number=2, by=cast.SOMEBODY)
    absent, expected = Presence.Status.ABSENT, Presence.Status.EXPECTED
    mark_presence(players[0], 2, absent, seen_status=expected, by=cast.SOMEBODY)
    roll_call = reverse("roll-call", args=[tournament.slug, 2])
    text = director.get(tournament.get_absolute_url()).text
    [told] = re.findall(rf'<a class="button" href="{roll_call}">\s*([^<]*?)\s*</a>', text)
    assert told == "Roll call of the play-off"


def test_seats_of_a_play_off_are_not_drawn_again(tournament: Tournament, director: Client) -> None:
    url = reverse("play-off", args=[tournament.slug])
    sent = typed_in(director, f"{url}?tied=1-3-6") | {"tied": "1-3-6"}
    sent |= {"fill_1": "2", "fill_2": "4", "fill_3": "5"}
    director.post(url, sent | {"shown": director.get(url, sent).context["shown"]})
    session = reverse("session", args=[tournament.slug, 2])
    assert "/sessions/2/remove/" in director.get(session).content.decode()
    assert director.get(f"{session}seats/").status_code == 404


@pytest.mark.django_db(transaction=True)
def test_play_off_is_seated_by_typing_a_part_of_a_name(live_server: LiveServer, page: Page) -> None:
    sitting = cast.make_sitting()
    cast.record(sitting)
    tournament = sitting.session.tournament
    tournament.entries.filter(number=1).update(name="庄司 一平", reading="ショウジ イッペイ")
    browser = cast.browser_of(cast.make_staff(tournament, "director", "director"))
    cookie = {"name": "sessionid", "value": browser.cookies["sessionid"].value}
    page.context.add_cookies([cookie | {"url": live_server.url}])  # type: ignore[list-item]
    page.set_viewport_size(PHONE)
    page.goto(f"{live_server.url}{reverse('ties', args=[tournament.slug])}")
    page.locator("a[href$='tied=2-4-5']").click()
    for seat, typed, found in ((1, "syouzi", "1 庄司"), (2, "3", "3 "), (3, "6", "6 ")):
        page.fill(f"#id_fill_{seat}", typed)
        page.get_by_role("button", name=found).click()
    for _ in range(2):  # draw the seats, and assign them
        with page.expect_navigation():
            page.locator("main form .button-primary").click()
    expect(page.locator("h1")).to_have_text("決定戦")
    expect(page.locator(".sitting li .badge")).to_have_count(3)
