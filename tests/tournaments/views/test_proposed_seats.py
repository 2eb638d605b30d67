"""Draws that the pages of seats propose, and who sits out."""

from itertools import combinations

import pytest
from django.test import Client
from django.urls import reverse

from scoring.stages.selection import AtLine, Quota
from tests import cast, stages
from tests.cast import SOMEBODY
from tests.proposals import assign, propose
from tests.tournaments.views.test_seating import seated
from tournaments.models import Tournament
from tournaments.services.entries import add_entries
from tournaments.services.seating import open_session
from tournaments.services.sessions import end_session


@pytest.fixture
def address(tournament: Tournament) -> str:
    return reverse("seat-session", args=[tournament.slug])


def test_drawing_again_draws_anew(director: Client, tournament: Tournament, address: str) -> None:
    cast.make_entries(tournament, 12)
    first, second = (propose(director, address).context["form"]["tables"].value() for _ in range(2))
    assert first != second


def test_proposal_stands_before_the_choices_of_the_draw(
    director: Client, tournament: Tournament, address: str
) -> None:
    cast.make_entries(tournament, 12)
    text = propose(director, address).text
    assert text.index('id="seating-board"') < text.index('id="draw-options"')
    assert '<button class="button" form="draw-options">' in text


def test_pairs_who_meet_again_are_counted_as_on_the_board(
    director: Client, tournament: Tournament, address: str
) -> None:
    entries = cast.make_entries(tournament, 12)
    open_session(tournament, [entries[:6], entries[6:]], by=SOMEBODY)
    drawn = propose(cast.in_english(director), address).context["draw"]
    before = pairs([[each.number for each in table] for table in (entries[:6], entries[6:])])
    again = pairs([[each.number for each in table] for table in drawn.tables]) & before
    assert drawn.meeting_again == len(again)


def test_few_pairs_are_not_called_the_fewest_where_some_met_twice(
    director: Client, tournament: Tournament, address: str
) -> None:
    """The bound is one of repeats: to seat who met twice would make fewer pairs."""
    entries = cast.make_entries(tournament, 12)
    for _ in range(2):
        open_session(tournament, [entries[:6], entries[6:]], by=SOMEBODY)
    page = propose(cast.in_english(director), address)
    assert page.context["draw"].quality.optimal
    assert "Repeats cannot be fewer (a third meeting counts as two)." in page.text
    assert "It cannot be less" not in page.text


def test_too_few_players_are_explained(
    director: Client, tournament: Tournament, address: str
) -> None:
    cast.make_entries(tournament, 5)
    page = propose(cast.in_english(director), address)
    assert page.context["nearest"] == (0, 6)
    assert "5 players cannot all be seated" in page.text
    assert "alert-error" in page.text
    assert "Draw the seats" in page.text  # nothing is drawn yet that could be drawn again


@pytest.mark.parametrize(("present", "in_words"), [(5, "With 6 players"), (7, "6 or 12 players")])
def test_players_of_a_stage_are_its_members(
    director: Client, tournament: Tournament, address: str, present: int, in_words: str
) -> None:
    """Who is added to the tournament is no player of the final: a member is replaced or marked."""
    everybody = cast.make_entries(tournament, 12)
    session = open_session(tournament, [everybody[:6], everybody[6:]], by=SOMEBODY)
    for sitting in session.sittings.all():
        cast.record(sitting)
    end_session(session, stopping=[1, 2], by=SOMEBODY)
    stages.make_confirmed(tournament, stages.plan(Quota("", "", present), at_line=AtLine.LOT))
    page = cast.in_english(director).get(address)
    told = page.text[page.text.index('class="alert alert-') :].split("</div>")[0]
    assert in_words in told
    assert reverse("stage-members", args=[tournament.slug, 2]) in told
    assert reverse("roll-call", args=[tournament.slug, 2]) in told
    assert reverse("entries", args=[tournament.slug]) not in told


def test_who_finds_no_table_sits_out_in_turn(
    director: Client, tournament: Tournament, address: str
) -> None:
    cast.make_entries(tournament, 8)
    choices = director.get(address)
    assert "6人が着席し、2人が抜け番になります" in choices.text
    assert "全員は着席できません" not in choices.text
    out: list[int] = []
    for _ in range(4):
        page = propose(director, address)
        assert page.context["nearest"] == (6, 12)
        assert ("出なかった回戦の少ない人" in page.text) == bool(out)  # the first are drawn by lot
        out += [entry.number for entry in page.context["left_out"]]
        assert assign(director, page).status_code == 302
    assert sorted(out) == [1, 2, 3, 4, 5, 6, 7, 8]


def pairs(tables: list[list[int]]) -> set[tuple[int, int]]:
    return {pair for table in tables for pair in combinations(sorted(table), 2)}


def test_seats_are_drawn_so_that_nobody_meets_anybody_twice(
    director: Client, tournament: Tournament, address: str
) -> None:
    cast.make_entries(tournament, 36)
    met: set[tuple[int, int]] = set()
    for _ in range(3):
        page = propose(cast.in_english(director), address)
        assert "Nobody meets anybody again." in page.text
        assign(director, page)
        assert not met & pairs(seated())
        met |= pairs(seated())


def test_number_of_a_draw_repeats_it(
    director: Client, tournament: Tournament, address: str
) -> None:
    people = [{"name": f"選手{number}", "club": f"会{number % 6}"} for number in range(36)]
    add_entries(tournament, people, by=SOMEBODY)
    for method in ("lot", "fewest_repeats", "level", "mixed"):
        sent = {"out": "7", "method": method, "separates_clubs": "on"}
        first = propose(director, address, **sent)
        seed = first.context["draw"].choices.seed
        again = propose(director, address, **sent, seed=str(seed))
        assert again.context["tables"] == first.context["tables"]
        assert again.context["draw"].choices.method == method


@pytest.mark.parametrize("sent", [{"method": "x"}, {"seed": "-1"}, {"seed": "x"}])
def test_bad_choices_are_explained_and_nothing_is_drawn(
    director: Client, tournament: Tournament, address: str, sent: dict[str, str]
) -> None:
    cast.make_entries(tournament, 6)
    page = propose(director, address, out="", **sent)
    assert page.status_code == 422
    assert page.context["draw_form"].errors


def test_clubmates_are_seated_apart(director: Client, tournament: Tournament, address: str) -> None:
    people = [{"name": f"選手{number}", "club": f"会{number % 6}"} for number in range(36)]
    add_entries(tournament, people, by=SOMEBODY)
    page = propose(director, address)
    assert page.context["draw"].quality.clubmates == 0
