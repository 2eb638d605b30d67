"""The pages of points given and deducted, and of ties."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from scoring.stages.places import Carry
from scoring.stages.selection import AtLine, Quota
from tests import cast, stages
from tests.cast import standings_for
from tournaments.models import Presence, Sitting, Tournament
from tournaments.queries.events import Event
from tournaments.queries.ties import ties_of
from tournaments.services import adjustments, presence, ranking, seating, sessions
from tournaments.services.play_offs import open_play_off
from tournaments.services.totals import enter_totals

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament() -> Tournament:
    sitting: Sitting = cast.make_sitting()
    cast.record(sitting)
    return sitting.session.tournament


@pytest.fixture
def director(director: Client) -> Client:
    return cast.in_english(director)


def page(client: Client, name: str, tournament: Tournament, *more: object) -> str:
    return client.get(reverse(name, args=[tournament.slug, *more])).content.decode()


def test_points_are_deducted_listed_and_taken_back(
    tournament: Tournament, director: Client
) -> None:
    url = reverse("adjustments", args=[tournament.slug])
    assert 'value="2 ' in director.get(f"{url}?player=2").content.decode()
    typed = {"number": 1, "player": 2, "points": -5, "reason": "遅刻"}
    for _ in range(2):  # a double click
        assert director.post(url, typed).status_code == 302
    (row,) = tournament.adjustments.all()
    assert (row.points, row.who) == (-5, "director")
    for name in ("adjustments", "history"):
        assert "遅刻" in page(director, name, tournament)
    own = page(director, "player", tournament, 2)
    assert "遅刻" in own
    assert "−5" in own
    assert "−5" in page(director, "standings", tournament)
    assert director.post(url, {"take_back": 1, "reason": "誤り"}).status_code == 302
    assert "undone" in page(director, "adjustments", tournament)
    assert "遅刻" not in page(director, "player", tournament, 2)


def test_tie_break_about_an_earlier_stage_is_not_said_to_compare_in_the_first(
    tournament: Tournament,
) -> None:
    chosen = {"tie_breaks": ["points", "points_before"]}
    ranking.set_ranking(tournament, chosen, seen_version=0, by=cast.SOMEBODY)
    tournament.refresh_from_db()
    event = Event(tournament)
    assert {tie.compared for tie in ties_of(event.standings, event.ranking_facts)} == {("points",)}


def test_points_are_deducted_from_a_team(tournament: Tournament, director: Client) -> None:
    tournament.entries.filter(number__in=(1, 2)).update(team="青チーム")
    url = reverse("adjustments", args=[tournament.slug])
    typed = {"number": 1, "team": "青ﾁｰﾑ", "points": -3, "reason": "遅刻"}
    assert director.post(url, typed | {"player": "1"}).status_code == 422
    assert director.post(url, typed | {"team": "赤"}).status_code == 422
    assert director.post(url, typed).status_code == 302
    shown = page(director, "adjustments", tournament)
    assert "青チーム" in shown
    assert "Given to teams" in shown
    assert "遅刻" in page(director, "teams", tournament)
    assert "青チーム −3" in page(director, "history", tournament)
    tournament.entries.update(team="")
    assert "Nobody is in this team any more" in page(director, "adjustments", tournament)


def test_each_adjustment_names_the_stage_in_which_it_counts(
    tournament: Tournament, director: Client
) -> None:
    """A finalist's counts in the final if it is made since, other players' in the qualifying."""

    def deduct(number: int, player: int) -> None:
        entry = tournament.entries.get(number=player)
        adjustments.adjust_points(tournament, number, entry, -1, by=cast.SOMEBODY, reason="遅刻")

    def badges() -> list[str]:
        shown = page(director, "adjustments", tournament)
        return [each.strip() for each in re.findall(r'class="badge">([^<]*)<', shown)]

    deduct(1, 1)
    assert badges() == []
    assert "for the players of" not in page(director, "adjustments", tournament)
    stages.make_confirmed(tournament, stages.plan(stages.WINNERS))
    deduct(2, 2)
    deduct(3, 1)
    assert badges() == ["Qualifying", "Final", "Qualifying"]
    assert "for the players of" in page(director, "adjustments", tournament)


@pytest.mark.parametrize("wrong", [{"points": 0}, {"reason": ""}, {"player": 99}, {"number": 7}])
def test_wrong_adjustment_is_shown_again(
    tournament: Tournament, director: Client, wrong: dict[str, object]
) -> None:
    typed = {"number": 1, "player": 2, "points": -5, "reason": "遅刻"} | wrong
    answer = director.post(reverse("adjustments", args=[tournament.slug]), typed)
    assert answer.status_code == 422
    assert not tournament.adjustments.exists()


def test_director_decides_a_tie_and_takes_it_back(tournament: Tournament, director: Client) -> None:
    url = reverse("ties", args=[tournament.slug])
    shown = page(director, "ties", tournament)
    assert "3 players share place 1." in shown
    assert "Not recorded" not in shown
    typed = {"tied": "2-4-5", "number": 1, "reason": "じゃんけん"}
    order = {"place_5": 1, "place_2": 2, "place_4": 3}
    assert director.post(url, typed | order | {"place_4": 2}).status_code == 422
    assert director.post(url, typed | order).status_code == 302
    assert [row.entry.number for row in standings_for(tournament)][:3] == [5, 2, 4]
    assert "Director’s decision" in page(director, "standings", tournament)
    assert director.post(url, typed | order).status_code == 422  # no longer tied
    assert "It no longer decides anything" not in page(director, "ties", tournament)
    for number, points in ((4, 1), (5, 2)):  # parted
        entry = tournament.entries.get(number=number)
        adjustments.adjust_points(tournament, points, entry, points, by=cast.SOMEBODY, reason="x")
    assert "It no longer decides anything" in page(director, "ties", tournament)
    adjustments.take_back_adjustment(tournament, 2, by=cast.SOMEBODY)  # 2 and 5 are tied again
    assert "It no longer decides anything" not in page(director, "ties", tournament)
    adjustments.take_back_adjustment(tournament, 1, by=cast.SOMEBODY)
    director.post(url, {"take_back": 1})  # without a reason
    assert "Not undone yet" in page(director, "ties", tournament)
    assert "2-4-5" not in page(director, "ties", tournament)
    assert director.post(url, {"take_back": 1, "reason": "誤り"}).status_code == 302
    assert "2-4-5" in page(director, "ties", tournament)
    assert director.post(url, {"take_back": 9, "reason": "誤り"}).status_code == 404


def test_lot_decides_a_tie_by_one_button(tournament: Tournament, director: Client) -> None:
    url = reverse("ties", args=[tournament.slug])
    for _ in range(2):  # a double click
        assert director.post(url, {"tied": "2-4-5", "number": 1, "lot": "yes"}).status_code == 302
    made = tournament.tie_decisions.get()
    shown = page(director, "ties", tournament)
    assert "Decided by lot" in shown
    assert made.seed in shown
    assert made.seed in page(director, "history", tournament)
    for name, query in (("standings", ""), ("awards", ""), ("standings", "?wall=1")):
        told = director.get(reverse(name, args=[tournament.slug]) + query).content.decode()
        assert "Director’s decision" not in told
        assert ">Lot<" in told
    director.post(url, {"take_back": 1, "reason": "誤り"})
    old_page = director.post(url, {"tied": "2-4-5", "number": 1, "lot": "yes"})
    assert old_page.status_code == 422
    assert "An entry has been added since" in old_page.content.decode()
    chosen = {"tie_breaks": ["points", "play_off", "lot"]}
    ranking.set_ranking(tournament, chosen, seen_version=0, by=cast.SOMEBODY)
    assert "A play-off can decide the places from 4 on" in page(director, "ties", tournament)
    parted = director.post(url, {"tied": "1-3-6", "number": 2, "lot": "yes"})
    assert parted.status_code == 422
    parted = director.post(url, {"tied": "2-4-5", "number": 1, "lot": "yes"})
    assert parted.status_code == 422  # that lot was undone
    gone = director.post(url, {"tied": "1-2", "number": 2, "lot": "yes"})
    assert gone.status_code == 422
    assert "no longer tied" in gone.content.decode()


def test_totals_of_an_earlier_stage_do_not_keep_steps_of_a_final_from_being_compared(
    director: Client,
) -> None:
    tournament = cast.make_tournament(totals_only=True)
    cast.make_staff(tournament, "head", "director")
    sitting = cast.make_sitting(tournament)
    points = dict(zip(cast.keys(sitting), (2, 2, -1, -1, -1, -1), strict=True))
    enter_totals(sitting, points, seen_version=0, by=cast.SOMEBODY)
    final = stages.plan(Quota("", "", 6), carry=Carry.NONE, at_line=AtLine.ALL)
    stages.make_confirmed(tournament, final)
    Tournament.objects.update(totals_only=False)
    tournament.refresh_from_db()
    session = seating.open_session(tournament, [list(tournament.entries.all())], by=cast.SOMEBODY)
    cast.record(session.sittings.get())
    event = Event(Tournament.objects.get(pk=tournament.pk))
    ties = ties_of(event.standings, event.ranking_facts)
    assert ties
    for tie in ties:
        assert (tie.unrecorded, tie.totals_of) == ((), ())
        assert tie.compared[:3] == ("points", "rounds_won", "best_round")


def test_steps_about_rounds_keep_their_reservation_as_long_as_totals_count(
    director: Client,
) -> None:
    tournament = cast.make_tournament(totals_only=True)
    cast.make_staff(tournament, "head", "director")
    head = cast.in_english(cast.browser_of(User.objects.get(username="head")))
    sitting = cast.make_sitting(tournament)
    points = dict(zip(cast.keys(sitting), (2, 2, -1, -1, -1, -1), strict=True))
    enter_totals(sitting, points, seen_version=0, by=cast.SOMEBODY)
    for totals_only in (True, False):
        Tournament.objects.update(totals_only=totals_only)
        for url in (tournament.get_absolute_url(), reverse("ties", args=[tournament.slug])):
            assert "over recorded rounds alone" in head.get(url).text


def test_totals_that_nobody_has_entered_are_not_told(tournament: Tournament) -> None:
    before = ties_of((event := Event(tournament)).standings, event.ranking_facts)
    Tournament.objects.update(totals_only=True)
    tournament.refresh_from_db()
    seating.open_session(tournament, [list(tournament.entries.all())], by=cast.SOMEBODY)
    after = ties_of((event := Event(tournament)).standings, event.ranking_facts)
    assert [(tie.compared, tie.unrecorded) for tie in after] == [
        (tie.compared, tie.unrecorded) for tie in before
    ]


def test_steps_that_totals_cannot_answer_are_not_said_to_be_compared() -> None:
    tournament = cast.make_tournament(totals_only=True)
    sitting = cast.make_sitting(tournament)
    points = dict(zip(cast.keys(sitting), (2, 2, -1, -1, -1, -1), strict=True))
    enter_totals(sitting, points, seen_version=0, by=cast.SOMEBODY)
    director = cast.in_english(cast.browser_of(cast.make_staff(tournament, "head", "director")))
    shown = page(director, "ties", tournament)
    text = " ".join(re.sub("<[^>]+>", " ", shown).split())
    assert "Compared and equal: Points Not recorded: Rounds won · Best round Only totals" in text
    assert "Points (over recorded rounds alone: Rounds won → Best round)" in text
    everybody = list(tournament.entries.all())
    (other,) = cast.make_entries(tournament, 1)
    seating.open_session(tournament, [[*everybody[1:], other]], by=cast.SOMEBODY)
    plan = seating.PlayOffPlan([1, 2], rounds=1)
    session = open_play_off(tournament, plan, [everybody], number=3, by=cast.SOMEBODY)
    enter_totals(session.sittings.get(), points, seen_version=0, by=cast.SOMEBODY)
    own = page(director, "player", tournament, 1)
    assert "No round has been recorded yet" not in own
    assert "Session 2: Sat out, no points" in own
    assert own.count("Its points do not count in any total") == 1
    why = own[own.index("Why this rank") : own.index("Give or deduct")]
    assert [">0\n" in why, why.count("–")] == [False, 4]  # rounds won, best round: of 1 and 2


def test_director_is_told_of_a_shared_place_before_the_awards_until_it_is_decided(
    tournament: Tournament, director: Client
) -> None:
    sessions.end_session(tournament.sessions.get(), stopping=[1], by=cast.SOMEBODY)
    pages = ("tournament", "publish", "awards", "board")
    told = [page(director, name, tournament) for name in pages]
    assert all("3 players share place 1." in each for each in told)
    assert all("?tied=2-4-5" in each for each in told)
    assert not any("share place 4" in each for each in told)
    four_places = director.get(reverse("awards", args=[tournament.slug]), {"places": 4})
    assert "3 players share place 4." in four_places.content.decode()
    everybody = list(tournament.entries.all())
    plan = seating.PlayOffPlan([1, 3, 6], rounds=1)
    played = open_play_off(tournament, plan, [everybody], number=2, by=cast.SOMEBODY)
    cast.record(played.sittings.get())
    adjustments.decide_tie(tournament, 1, [5, 2, 4], by=cast.SOMEBODY, reason="じゃんけん")
    again = director.post(reverse("ties", args=[tournament.slug]), {"tied": "2-4", "lot": "yes"})
    assert "Undo that decision first" in again.content.decode()
    told = [page(director, name, tournament) for name in pages]
    assert not any("share place" in each for each in told)
    assert told[2].count("Director’s decision") == 3
    address = reverse("player", args=[tournament.slug, 2])
    reasons = cast.in_english(director).get(address).text.partition("Director’s decision</th>")[2]
    assert re.findall(r"\d from last", reasons) == ["3 from last", "2 from last", "1 from last"]


def test_player_who_withdrew_is_marked_in_the_award_list(
    tournament: Tournament, director: Client
) -> None:
    entry = tournament.entries.get(number=2)
    withdrawn = Presence.Status.WITHDRAWN
    presence.mark_presence(
        entry, 1, withdrawn, seen_status=Presence.Status.EXPECTED, by=cast.SOMEBODY
    )
    assert page(director, "awards", tournament).count(">Withdrawn<") == 1


def test_scorekeeper_reads_adjustments_only(tournament: Tournament) -> None:
    keeper = cast.browser_of(cast.make_staff(tournament, "keeper"))
    url = reverse("adjustments", args=[tournament.slug])
    entry = tournament.entries.get(number=2)
    adjustments.adjust_points(tournament, 1, entry, -5, by=cast.SOMEBODY, reason="遅刻")
    assert "遅刻" in keeper.get(url).content.decode()
    assert keeper.post(url, {"take_back": 1}).status_code == 404
    assert tournament.adjustments.get().taken_back_at is None
