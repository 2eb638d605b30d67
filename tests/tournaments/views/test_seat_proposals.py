"""A proposal of seats has a number and a digest: what is confirmed is what stands on the page."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from tests import cast, stages
from tests.cast import SOMEBODY
from tests.proposals import Page, assign, form_of, numbers, propose
from tests.undoing import undone
from tournaments.models import Entry, SeatProposal, Session, Tournament
from tournaments.queries.presence import Status, status_of
from tournaments.services import (
    entries,
    presence,
    schedules,
    seat_proposals,
    seating,
    sessions,
    substitutions,
)


@pytest.fixture
def players(tournament: Tournament) -> list[Entry]:
    """Thirteen players without clubs, which draws would search long to separate."""
    cast.make_entries(tournament, 13)
    tournament.entries.update(club="")
    return list(tournament.entries.all())


@pytest.fixture
def address(tournament: Tournament, players: list[Entry]) -> str:
    return reverse("seat-session", args=[tournament.slug])


@pytest.fixture
def second(tournament: Tournament) -> Client:
    return cast.browser_of(cast.make_staff(tournament, "second", "director"))


def mark(entry: Entry, status: Status) -> None:
    seen = status_of(entry, 1)
    presence.mark_presence(entry, 1, status, seen_status=seen, by=SOMEBODY)


def reload(browser: Client, page: Page) -> Page:
    return browser.get(page.request["PATH_INFO"])


def move(browser: Client, page: Page, tables: list[list[int]]) -> int:
    """Store moved names as the board does; return the status of the response."""
    sent = form_of(page) | {"tables": as_text(tables), "save": "1"}
    return browser.post(page.request["PATH_INFO"], sent).status_code


def as_text(tables: list[list[int]]) -> str:
    return "\n".join(" ".join(map(str, table)) for table in tables)


def seated() -> list[list[int]]:
    return numbers(seating.seating_of(Session.objects.latest("number")))


def exchanged(page: Page) -> list[list[int]]:
    """Return the tables of a page with the first players of two tables exchanged."""
    one, other, *rest = numbers(page.context["tables"])
    return [[other[0], *one[1:]], [one[0], *other[1:]], *rest]


def test_nothing_is_drawn_or_stored_by_looking(director: Client, address: str) -> None:
    page = director.get(address)
    assert page.status_code == 200
    assert not SeatProposal.objects.exists()
    shown = propose(director, address)
    for _ in range(2):
        again = director.get(address, follow=True)
        assert again.context["tables"] == shown.context["tables"]
        assert again.request["PATH_INFO"] == f"{address}1/"
    other = propose(director, address, out="")
    assert other.request["PATH_INFO"] == f"{address}2/"


def test_reload_back_and_a_second_director_see_the_moves(
    director: Client, second: Client, address: str
) -> None:
    page = propose(director, address)
    moved = exchanged(page)
    assert [move(director, page, moved) for _ in range(2)] == [200, 200]
    for browser in (director, second):
        assert numbers(reload(browser, page).context["tables"]) == moved
        assert numbers(browser.get(address, follow=True).context["tables"]) == moved
    assert assign(second, reload(second, page)).status_code == 302
    assert seated() == moved


def test_only_what_stands_on_the_page_is_confirmed(
    director: Client, second: Client, address: str
) -> None:
    """Neither the seats before somebody else's move, nor later moves."""
    page = propose(director, address)
    moved = exchanged(page)
    assert move(second, page, moved) == 200
    assert move(director, page, exchanged(page)[::-1]) == 409
    stale = assign(director, page)
    assert stale.status_code == 409
    assert not Session.objects.exists()
    assert numbers(stale.context["tables"]) == moved  # the page has what stands now
    for digest in ("", "x", "x-", stale.context["proposal"].digest[:-3]):
        assert assign(director, stale, digest=digest).status_code in {302, 409}
        assert Session.objects.count() == 0 or seated() == moved
    assert assign(director, stale).status_code == 302
    assert seated() == moved


def test_two_presses_are_one_act(director: Client, second: Client, address: str) -> None:
    page = propose(director, address)
    for browser in (director, second):
        assert assign(browser, page).headers["Location"].endswith("/sessions/1/")
    assert Session.objects.count() == 1
    assert reload(director, page).headers["Location"].endswith("/sessions/1/")


@pytest.mark.parametrize("on_board", [True, False])
@pytest.mark.parametrize("again", [True, False])
def test_only_the_seats_on_the_page_are_called_assigned(
    director: Client, second: Client, address: str, *, again: bool, on_board: bool
) -> None:
    """For new seats and for seats chosen again; whether others were moved on the board or typed."""
    if again:
        assign(director, propose(director, address))
        session = Session.objects.get()
        address = reverse("reseat-session", args=[session.tournament.slug, session.number])
    page = old = propose(director, address)
    moved = exchanged(old)
    if on_board:
        assert move(director, old, moved) == 200
        page = reload(director, old)
    for browser in (director, second):  # two presses
        assert "success" in told_after_assigning(browser, page, as_text(moved))
        assert seated() == moved
    for seats in (None, as_text(exchanged(old)[::-1])):
        told = told_after_assigning(second, old, seats)
        assert "別の席に決まっています" in told.pop("warning")
        assert not told
        assert seated() == moved


def told_after_assigning(browser: Client, page: Page, tables: str | None) -> dict[str, str]:
    """Press the button; return the messages of the session's page by level."""
    location = assign(browser, page, tables).headers["Location"]
    assert location == Session.objects.get().get_absolute_url()
    return {each.level_tag: str(each) for each in browser.get(location).context["messages"]}


def test_old_proposals_are_not_confirmed_and_deleted_at_last(
    director: Client, address: str, tournament: Tournament
) -> None:
    first = propose(director, address)
    assign(director, propose(director, address, out=""))
    assert Session.objects.count() == 1
    assign(director, first)
    assert Session.objects.count() == 1
    for _ in range(seat_proposals.KEPT - 1):
        director.post(address, {"method": "lot", "out": ""})
    last = propose(director, address, method="lot", out="")
    assert tournament.seat_proposals.count() == seat_proposals.KEPT
    assert last.request["PATH_INFO"] == f"{address}{seat_proposals.KEPT + 2}/"
    assert reload(director, first).status_code == 404


def test_form_of_an_old_page_proposes_nothing(director: Client, address: str) -> None:
    """Both drawing again and the button of the roll call send the number of their session."""
    page = propose(director, address)
    roll_call = director.get(address.replace("new", "1/roll-call"))
    assign(director, page)
    for shown in (page, roll_call):
        forms = set(re.findall(rf'action="({address}\?[^"]*)"', shown.text))
        assert forms == {f"{address}?session=1"}
        assert f'action="{address}"' not in shown.text
        told = director.post(forms.pop(), {"out": ""}, follow=True)
        assert told.request["PATH_INFO"] == Session.objects.get().get_absolute_url()
        assert "第1回戦の席はすでに決まっています" in told.text
    assert SeatProposal.objects.count() == 1


@pytest.mark.parametrize("change", ["absent", "present", "removed", "replaced"])
def test_a_change_of_the_roll_call_is_told_and_mended(
    director: Client, address: str, players: list[Entry], change: str
) -> None:
    """The page names what no longer fits, before anything is assigned."""
    late = players[12]
    mark(late, Status.LATE)
    page = propose(director, address)
    gone = page.context["tables"][0][0]
    if change == "present":
        mark(late, Status.PRESENT)
    elif change == "removed":
        entries.remove_entry(gone, by=SOMEBODY)
    else:
        mark(gone, Status.ABSENT)
    if change == "replaced":
        mark(late, Status.PRESENT)
        substitutions.add_substitute(gone, 1, late, by=SOMEBODY)
    answer = assign(director, page)
    assert answer.status_code in {409, 422}
    assert not Session.objects.exists()
    misfits = answer.context["proposal"].misfits
    assert misfits.exist
    mended = director.post(page.request["PATH_INFO"], {"mend": "1"}, follow=True)
    assert mended.request["PATH_INFO"] == f"{address}2/"
    if change == "present":  # for 13 there are no tables: who sits out is seen and confirmed
        assert [each.key for each in mended.context["sitting_out"]]
        assert late.key not in mended.context["draw_form"]["out"].value().split()  # drawn again
    assert assign(director, mended).status_code == 302
    keys = {number for table in seated() for number in table}
    assert (gone.number in keys) == (change == "present")
    assert late.number in keys or change in {"absent", "removed", "present"}


def test_who_came_is_acknowledged_by_confirming_again(
    director: Client, address: str, players: list[Entry]
) -> None:
    mark(players[12], Status.LATE)
    page = propose(director, address)
    mark(players[12], Status.PRESENT)
    told = assign(director, page)
    assert told.status_code == 409
    assert told.context["proposal"].misfits.unseated == [(players[12], Status.PRESENT)]
    assert "席がありません" in told.text
    assert assign(director, told).status_code == 302
    assert seated() == numbers(page.context["tables"])


def test_who_sits_out_is_not_told_of_again_when_checked(
    director: Client, address: str, tournament: Tournament, players: list[Entry]
) -> None:
    """Neither who was drawn to sit out, nor who was added since and for whom there was no place."""
    page = propose(director, address)
    (out,) = page.context["sitting_out"]
    mark(out, Status.PRESENT)
    assert not reload(director, page).context["proposal"].misfits.exist
    (added,) = entries.add_entries(tournament, [{"name": "後から来た人"}], by=SOMEBODY)
    told = reload(director, page)
    assert told.context["proposal"].misfits.unseated == [(added, Status.EXPECTED)]
    assert "未確認 席がありません" in " ".join(told.text.split())
    mended = director.post(page.request["PATH_INFO"], {"mend": "1"}, follow=True)
    assert added in mended.context["sitting_out"]
    mark(added, Status.PRESENT)
    assert not reload(director, mended).context["proposal"].misfits.exist


def test_a_player_moved_away_by_hand_needs_no_second_look(
    director: Client, address: str, players: list[Entry]
) -> None:
    """The move resolves the difference that the page showed."""
    mark(players[12], Status.LATE)
    tables = propose(director, address).context["tables"]
    mark(tables[1][5], Status.ABSENT)
    mark(players[12], Status.PRESENT)
    page = director.get(address, follow=True)
    assert page.context["proposal"].misfits.exist
    moved = numbers(tables)
    moved[1][5] = 13
    assert move(director, page, moved) == 200
    now = reload(director, page).context["proposal"]
    assert not now.misfits.exist
    shown = form_of(page)["digest"].partition("-")[2]
    digest = f"{now.digest.partition('-')[0]}-{shown}"  # as the board puts it together
    assert assign(director, page, as_text(moved), digest=digest).status_code == 302
    assert seated() == moved


def test_drawing_again_seats_who_came(director: Client, address: str, players: list[Entry]) -> None:
    mark(players[12], Status.LATE)
    propose(director, address, out="12 13")
    mark(players[12], Status.PRESENT)
    form = director.get(address, follow=True).context["draw_form"]
    assert form["out"].value() == "12"


def test_drawing_again_says_where_the_moves_by_hand_are(director: Client, address: str) -> None:
    first = propose(director, address)
    assert move(director, first, exchanged(first)) == 200
    again = propose(director, address, seed="5")
    former = first.request["PATH_INFO"]
    assert f'href="{former}"' in again.text
    assert numbers(director.get(former).context["tables"]) == exchanged(first)
    assert f'href="{former}"' not in propose(director, address, seed="6").text


@pytest.mark.parametrize("proposed", ["drawn", "as planned"])
def test_only_moves_by_hand_are_called_so(
    director: Client, tournament: Tournament, address: str, players: list[Entry], proposed: str
) -> None:
    """Seats that were mended for who plays now differ from the draw, too."""
    if proposed == "as planned":
        facts = cast.drawn_facts(tournament, 1, sessions=2)
        schedules.store_schedule(tournament, 1, facts, seen_version=0, by=SOMEBODY)
        mark(players[2], Status.ABSENT)
    chosen = {} if proposed == "as planned" else {"out": "13"}
    first = propose(director, address, **chosen)
    assert bool(first.context["moved"]) == (proposed == "as planned")
    drawn = numbers(first.context["tables"])
    for moves in ("none", "one", "and back"):
        with undone():
            page = first
            if moves != "none":
                assert move(director, page, exchanged(page)) == 200
            if moves == "and back":
                page = reload(director, page)
                assert move(director, page, drawn) == 200
            check_moves_are_named(director, address, page, players[4], are_there=moves == "one")


def check_moves_are_named(
    director: Client, address: str, unmended: Page, gone: Entry, *, are_there: bool
) -> None:
    """Check that a proposal made next names this one just if players were moved in it.

    Also if it is mended before, as one player is `gone`, and whether seats are drawn next or not.
    """
    for is_mended in (False, True):
        with undone():
            page = unmended
            if is_mended:
                mark(gone, Status.ABSENT)
                page = propose(director, page.request["PATH_INFO"], mend="1")
            assert page.context["former"] is None
            for chosen in ({"new": "1"}, {}):
                with undone():
                    other = propose(director, address, **chosen)
                is_named = f'href="{page.request["PATH_INFO"]}"' in other.text
                assert is_named == are_there, (is_mended, chosen)


def test_typed_tables_are_confirmed_if_nobody_loses_a_seat(director: Client, address: str) -> None:
    """Otherwise the page shows who would sit out, and asks again."""
    page = propose(director, address, out="13")
    typed = exchanged(page)
    shorter = [[*typed[0][:5], 13], typed[1]]
    told = assign(director, page, as_text(shorter))
    assert told.status_code == 409
    assert [entry.number for entry in told.context["newly_out"]] == [typed[0][5]]
    assert numbers(told.context["tables"]) == shorter
    assert assign(director, told).status_code == 302
    assert seated() == shorter


def test_new_points_are_told_for_a_draw_by_the_standings(tournament: Tournament) -> None:
    director = cast.browser_of(cast.make_staff(tournament, "chief", "director"))
    sitting = cast.make_sitting(tournament)
    address = reverse("seat-session", args=[tournament.slug])
    page = propose(director, address, out="", method="level")
    assert not page.context["proposal"].misfits.exist
    cast.record(sitting)
    assert assign(director, page).context["proposal"].misfits.has_new_points
    assert Session.objects.count() == 1


def test_another_stage_or_session_ends_a_proposal(tournament: Tournament) -> None:
    director = cast.browser_of(cast.make_staff(tournament, "chief", "director"))
    session = cast.make_session(tournament, tables=3)
    for sitting in session.sittings.all():
        cast.record(sitting)
    sessions.end_session(session, stopping=[1, 2, 3], by=SOMEBODY)
    address = reverse("seat-session", args=[tournament.slug])
    page = propose(director, address)
    stages.make_confirmed(tournament, stages.plan(stages.WINNERS))
    assert assign(director, page).headers["Location"] == address
    assert director.get(address).status_code == 200  # nothing is proposed for the final yet
    assert Session.objects.count() == 1


def test_proposal_of_a_removed_session_leads_to_a_new_one(
    director: Client, address: str, tournament: Tournament
) -> None:
    """Whatever is done on its page, also once the session is seated again."""
    old = propose(director, address)
    assert move(director, old, exchanged(old)) == 200
    page = reload(director, old)
    path = page.request["PATH_INFO"]

    def check_it_is_over(place: str, told: str) -> None:
        assert move(director, page, exchanged(page)[::-1]) == 409
        for sent in (None, form_of(page), {"mend": "1"}):
            answer = director.get(path) if sent is None else director.post(path, sent)
            assert (answer.status_code, answer.headers["Location"]) == (302, place)
            assert told in director.get(place, follow=True).text

    assign(director, page)
    sessions.remove_session(tournament.sessions.get(), by=SOMEBODY)
    assert director.get(address).status_code == 200
    check_it_is_over(address, "この席の案はもう使えません")
    assert not Session.objects.exists()
    again = propose(director, address)
    assert again.request["PATH_INFO"] == f"{address}2/"
    assert path not in again.text  # where players were moved for seats that are over
    check_it_is_over(address, "この席の案はもう使えません")
    assign(director, again)
    check_it_is_over(Session.objects.get().get_absolute_url(), "決まっています")


def test_who_sat_out_fills_a_table_up(
    director: Client, tournament: Tournament, address: str, players: list[Entry]
) -> None:
    """Of thirteen players one sits out; where another is gone, nobody else has to."""
    page = propose(director, address)
    tables = numbers(page.context["tables"])
    (gone,) = tables[1][2:3]
    mark(players[gone - 1], Status.ABSENT)
    mended = director.post(page.request["PATH_INFO"], {"mend": "1"}, follow=True)
    (out,) = {each.number for each in players} - {number for table in tables for number in table}
    tables[1][2] = out
    assert numbers(mended.context["tables"]) == tables


def test_who_sits_out_by_hand_was_not_drawn(director: Client, address: str) -> None:
    page = propose(director, address)
    first, second = numbers(page.context["tables"])
    assert "抽選で選びました" in page.text
    assert move(director, page, [first, second[:5]]) == 200
    moved = reload(director, page).text
    assert "2人が抜け番になります。" in moved
    assert "人なので" not in moved
    assert "抽選で選びました" not in moved


def test_seat_of_who_withdrew_is_not_called_a_matter_of_numbers(
    director: Client, address: str, players: list[Entry]
) -> None:
    """Of thirteen players twelve are there, so a seat is missing only where one has it who left."""
    page = propose(director, address)
    assert "人なので、1人が抜け番になります。" in page.text
    mark(Entry.objects.get(pk=page.context["tables"][0][0].pk), Status.WITHDRAWN)
    left = reload(director, page)
    assert len(left.context["sitting_out"]) == 1
    assert "人なので" not in left.text
    assert "1人が抜け番になります。" in left.text
