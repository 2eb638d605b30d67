"""The page that chooses how places are decided."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from tests import cast
from tournaments.i18n.ranking import ranking_in_words
from tournaments.models import Tournament
from tournaments.services import ranking

pytestmark = pytest.mark.django_db

CHOICE = {
    "step_1": "points",
    "step_2": "skunks",
    "step_4": "head_to_head",
    "withdrawn": "listed",
    "missed": "fixed",
    "missed_points": "-5",
    "substitutes": "place",
    "seen": "0",
    "reason": "要項のとおり",
}


@pytest.fixture
def director(director: Client) -> Client:
    return cast.in_english(director)


def address(tournament: Tournament) -> str:
    return reverse("ranking", args=[tournament.slug])


def test_director_chooses_steps(tournament: Tournament, director: Client) -> None:
    page = director.get(address(tournament)).content.decode()
    assert '<option value="rounds_won" selected>' in page
    assert "Players without a round have no place" in page
    assert director.post(address(tournament), CHOICE).status_code == 302
    assert Tournament.objects.get().ranking == {
        "tie_breaks": ["points", "skunks", "head_to_head"],
        "withdrawn": "listed",
        "missed": "fixed",
        "missed_points": -5,
        "substitutes": "place",
    }
    page = director.get(reverse("tournament", args=[tournament.slug])).content.decode()
    assert "Points → Number of skunks → Points at shared tables" in page


def test_each_reason_of_absence_counts_as_chosen(tournament: Tournament, director: Client) -> None:
    """A reason without a choice counts like `absent`."""
    chosen = {
        **CHOICE,
        "absence_late": "fixed",
        "absence_late_points": "−2",
        "absence_sat_out": "own_average",
        "absence_withdrawn": "nothing",
    }
    assert director.post(address(tournament), chosen).status_code == 302
    absences = {"late": -2, "sat_out": "own_average"}
    assert Tournament.objects.get().ranking["absences"] == absences
    page = director.get(address(tournament)).content.decode()
    assert '<option value="own_average" selected>' in page
    assert 'name="absence_late_points" value="-2"' in page
    assert '<details class="field" open>' in page
    told = ranking_in_words({"absences": absences}, tournament.rules)
    assert told.endswith("：遅刻：−2、抜け番：本人の1回戦あたりの平均")
    wrong = {**chosen, "seen": "1", "absence_late_points": "1000"}
    assert list(director.post(address(tournament), wrong).context["form"].errors) == [
        "absence_late_points"
    ]


def test_problem_stands_beside_its_step(tournament: Tournament, director: Client) -> None:
    answer = director.post(address(tournament), {**CHOICE, "step_4": "points"})
    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == ["step_4"]
    assert Tournament.objects.get().ranking == {}


def test_change_made_since_is_shown(tournament: Tournament, director: Client) -> None:
    chosen = {"tie_breaks": ["points"]}
    ranking.set_ranking(tournament, chosen, seen_version=0, by=cast.SOMEBODY)
    answer = director.post(address(tournament), CHOICE)
    assert answer.status_code == 409
    assert "Places are decided by: Points" in answer.content.decode()
    assert Tournament.objects.get().ranking == chosen


def test_game_without_skunks_offers_none(director: Client) -> None:
    tournament = cast.make_tournament("gong-zhu", name="拱猪")
    director.force_login(cast.make_staff(tournament, "another", "director"))
    page = director.get(address(tournament)).content.decode()
    assert 'value="skunks"' not in page
    assert director.post(address(tournament), CHOICE).status_code == 422


def test_what_counts_for_a_team_is_asked_where_there_are_teams(
    tournament: Tournament, director: Client
) -> None:
    assert 'name="teams"' not in director.get(address(tournament)).content.decode()
    cast.make_entries(tournament, 1, team="青")
    assert 'name="teams"' in director.get(address(tournament)).content.decode()
    chosen = {**CHOICE, "teams": "best", "team_members": "0"}
    answer = director.post(address(tournament), chosen)
    assert list(answer.context["form"].errors) == ["team_members"]
    assert director.post(address(tournament), {**chosen, "team_members": "3"}).status_code == 302
    tournament.refresh_from_db()
    assert (tournament.ranking["teams"], tournament.ranking["team_members"]) == ("best", 3)


def test_club_table_has_no_such_page(director: Client) -> None:
    club = cast.make_tournament(kind=Tournament.Kind.TABLE)
    director.force_login(cast.make_staff(club, "host", "director"))
    assert director.get(address(club)).status_code == 404
