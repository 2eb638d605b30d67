"""The award list."""

from __future__ import annotations

import re
from datetime import date

import pytest
from django.test import Client
from django.urls import reverse

from scoring.stages.selection import AtLine, Quota
from tests import cast, stages
from tests.api import base, director_of
from tests.pressing import forms_of
from tests.tournaments.printing import page_faults
from tournaments.i18n.certificates import day_in_words, place_in_words
from tournaments.models import Entry, Tournament
from tournaments.queries.awards import Interim, first_by_class, first_of_all, interim_of
from tournaments.queries.events import Event
from tournaments.services import adjustments, closing, seating, sessions
from tournaments.services.play_offs import open_play_off
from tournaments.services.publications import publish_or_show_live, show_live

pytestmark = pytest.mark.django_db


def test_number_of_sessions_to_come_is_told_only_if_it_is_planned(
    director: Client, tournament: Tournament
) -> None:
    page = reverse("awards", args=[tournament.slug])
    assert "席がまだ決まっていません" in director.get(page).text
    Tournament.objects.update(sessions_planned=3)
    assert "残り3回戦あります" in director.get(page).text


def test_first_places_of_all_and_of_each_class(client: Client) -> None:
    """Players 2, 4 and 5 share the first rank; 1, 3 and 6 the fourth."""
    sitting = cast.make_sitting(cast.make_tournament(published=True))
    cast.record(sitting)
    Entry.objects.filter(number__in=(1, 2)).update(division="有段者")
    rows = cast.standings_for(sitting.session.tournament)
    assert [(each.rank, each.entry.number, each.is_tied) for each in first_of_all(rows, 3)] == [
        (1, 2, True),
        (1, 4, True),
        (1, 5, True),
    ]
    by_class = first_by_class(rows, 2, sitting.session.tournament.ranking_rules.steps)
    assert [(each.rank, each.entry.number) for each in by_class["有段者"]] == [(1, 2), (2, 1)]
    assert [each.entry.number for each in by_class["一般"]] == [4, 5]
    url = reverse("awards", args=[sitting.session.tournament.slug])
    page = cast.in_english(client).get(f"{url}?places=1").content.decode()
    assert page.count('<span class="tie">tied</span>') == 5
    assert "有段者" in page


def test_list_without_results_says_so(client: Client) -> None:
    tournament = cast.make_tournament(published=True)
    answer = client.get(reverse("awards", args=[tournament.slug]))
    assert "まだ順位の付いた選手はいません" in answer.content.decode()


def test_groups_of_a_final_and_teams_have_lists_and_interim_results_are_marked(
    scorekeeper: Client, tournament: Tournament
) -> None:
    entries = cast.make_entries(tournament, 12)
    Entry.objects.filter(number__in=(2, 8)).update(team="りんご組")
    session = seating.open_session(tournament, [entries[:6], entries[6:]], by=cast.SOMEBODY)
    director, url = director_of(tournament), f"{base(tournament)}/awards?places=1"
    assert director.get(url)["interim"]
    page = scorekeeper.get(reverse("awards", args=[tournament.slug])).text
    assert "第1回戦がまだ終わっていません" in page
    for sitting in session.sittings.all():
        cast.record(sitting)
    sessions.end_session(session, stopping=[1, 2], by=cast.SOMEBODY)
    quotas = [Quota("A", "", 6), Quota("B", "", 6)]
    stages.make_confirmed(tournament, stages.plan(*quotas, at_line=AtLine.LOT))
    answer = director.get(url)
    assert [(each["stage"], each["group"]) for each in answer["lists"]] == [
        ("2.1", "A"),
        ("2.2", "B"),
    ]
    assert answer["teams"] == [{"place": 1, "team": "りんご組", "tied": False, "points": 2}]
    assert answer["interim"]  # the final is to come
    both = [list(tournament.entries.all())[:6], list(tournament.entries.all())[6:]]
    final = seating.open_session(tournament, both, by=cast.SOMEBODY)
    for sitting in final.sittings.all():
        cast.record(sitting)
    sessions.end_session(final, stopping=[1, 2], by=cast.SOMEBODY)
    assert not director.get(url)["interim"]
    address = reverse("awards", args=[tournament.slug])
    unpublished = "発表していない成績です。"  # not “yet”: see below
    assert scorekeeper.get(address).context["interim"].startswith(unpublished)
    publish_or_show_live(tournament, by=cast.SOMEBODY)
    assert not scorekeeper.get(address).context["interim"]
    show_live(tournament, by=cast.SOMEBODY)
    assert scorekeeper.get(address).context["interim"].startswith(unpublished)


def test_tie_for_the_first_place_of_a_second_final_is_told_before_the_awards(
    director: Client, tournament: Tournament
) -> None:
    Tournament.objects.filter(pk=tournament.pk).update(sessions_planned=1)
    entries = cast.make_entries(tournament, 12)
    both = [entries[:6], entries[6:]]
    first = seating.open_session(tournament, both, by=cast.SOMEBODY)
    for sitting in first.sittings.all():
        cast.record(sitting)
    sessions.end_session(first, stopping=[1, 2], by=cast.SOMEBODY)
    quotas = [Quota("A決勝", "", 6), Quota("B決勝", "", 6)]
    stage = stages.make_confirmed(tournament, stages.plan(*quotas, at_line=AtLine.LOT))
    members = stage.read_members()
    tables = [[each for each in entries if each.key in group.players] for group in members]
    final = seating.open_session(tournament, tables, by=cast.SOMEBODY)
    for sitting in final.sittings.all():
        cast.record(sitting)
    sessions.end_session(final, stopping=[1, 2], by=cast.SOMEBODY)
    for name in ("tournament", "awards"):
        page = director.get(reverse(name, args=[tournament.slug])).text
        alerts = re.findall(r'(?s)<div class="alert alert-warning screen.*?</div>', page)
        assert any("B決勝" in each and "1位が" in each for each in alerts)


def test_play_off_is_none_of_the_planned_sessions(tournament: Tournament) -> None:
    Tournament.objects.filter(pk=tournament.pk).update(sessions_planned=2)
    sitting = cast.make_sitting(tournament)
    cast.record(sitting)
    sessions.end_session(sitting.session, stopping=[1], by=cast.SOMEBODY)
    seated = list(tournament.entries.all())
    plan = seating.PlayOffPlan([2, 4], rounds=1)
    play_off = open_play_off(tournament, plan, [seated], number=2, by=cast.SOMEBODY)
    cast.record(play_off.sittings.get())
    found = interim_of(Event(Tournament.objects.get(pk=tournament.pk)))
    assert found == Interim(sessions=(), sessions_left=1)


def test_everybody_is_told_up_to_which_session_results_are_announced(
    client: Client, director: Client, tournament: Tournament
) -> None:
    """The same before, during and after the next session, until that is announced."""
    Tournament.objects.filter(pk=tournament.pk).update(sessions_planned=2)
    sitting = cast.make_sitting(tournament)
    cast.record(sitting)

    def told() -> tuple[str, ...]:
        page = client.get(tournament.get_absolute_url()).context["to_come"]
        assert page in client.get(reverse("standings", args=[tournament.slug])).text
        front = [each.get("/").context["tournaments"][0].state for each in (client, director)]
        return (page, *front)

    publish_or_show_live(tournament, by=cast.SOMEBODY)
    in_part = "途中経過です。第1回戦は途中までの成績です。"
    assert told()[0] == in_part
    sessions.end_session(sitting.session, stopping=[1], by=cast.SOMEBODY)
    assert told()[0] == in_part
    publish_or_show_live(tournament, by=cast.SOMEBODY)
    up_to_first = ("途中経過です。第1回戦までの成績です。", "playing", "playing")
    assert told() == up_to_first
    assert not Event(tournament).has_later_sessions  # it has all of its own
    second = seating.open_session(tournament, [list(tournament.entries.all())], by=cast.SOMEBODY)
    assert told() == up_to_first
    cast.record(second.sittings.get())
    assert told() == up_to_first
    sessions.end_session(second, stopping=[1], by=cast.SOMEBODY)
    assert told()[0] == up_to_first[0]
    older = f"{reverse('standings', args=[tournament.slug])}?publication="
    publish_or_show_live(tournament, by=cast.SOMEBODY)
    assert told() == ("", "done", "done")
    seen = [director.get(f"{older}{number}").context["to_come"] for number in (1, 2, 3)]
    assert seen == [in_part, up_to_first[0], ""]
    seated = [list(tournament.entries.all())]
    Tournament.objects.filter(pk=tournament.pk).update(sessions_planned=3)
    left_out = seating.open_session(tournament, seated, by=cast.SOMEBODY)
    assert told()[0] == "途中経過です。第2回戦までの成績です。"
    sessions.end_session(left_out, stopping=[1], by=cast.SOMEBODY)  # nothing was played
    assert told()[0] == ""
    url = reverse("awards", args=[tournament.slug])
    best = tournament.entries.get(number=1)
    adjustments.adjust_points(tournament, 1, best, 9, by=cast.SOMEBODY, reason="手伝い")
    closing.close(tournament, by=cast.SOMEBODY)
    interim = [each.get(url).context["interim"] for each in (client, director)]
    assert interim == [
        "",
        "発表のあとに変更があり、この一覧はまだ発表していません。公開されているのは前の発表です。",
    ]


def test_list_in_print_has_the_number_of_players_of_one_name(
    scorekeeper: Client, tournament: Tournament
) -> None:
    """Also of members of a team."""
    cast.record(cast.make_sitting(tournament))
    tournament.entries.filter(number__in=(2, 5)).update(name="工藤 誠", team="りんご組")
    pdf = scorekeeper.get(reverse("award-list", args=[tournament.slug]), {"places": 6}).content
    found = re.findall("工藤誠([0-9]番)?", page_faults.text_of(pdf))
    assert sorted(found) == ["2番", "2番", "5番", "5番"]


def test_list_is_printed(scorekeeper: Client, tournament: Tournament) -> None:
    sitting = cast.make_sitting(tournament)
    cast.record(sitting)
    address = reverse("award-list", args=[tournament.slug])
    page = scorekeeper.get(reverse("awards", args=[tournament.slug])).content.decode()
    assert f'href="{address}?places=3"' in page
    pdf = scorekeeper.get(address, {"places": 1}).content
    text = page_faults.text_of(pdf)
    for words in ("入賞者", "1位同順位", "工藤正", "+1", tournament.rules.fingerprint):
        assert words in text
    assert "成田キヨ" not in text
    assert page_faults.faults_of(pdf) == []


def test_list_over_http(tournament: Tournament) -> None:
    sitting = cast.make_sitting(tournament)
    cast.record(sitting)
    Entry.objects.filter(number__in=(1, 2)).update(division="有段者")
    director, url = director_of(tournament), f"{base(tournament)}/awards"
    lists = director.get(f"{url}?places=1")["lists"]
    assert [
        (each["division"], [(row["place"], row["number"], row["tied"]) for row in each["awards"]])
        for each in lists
    ] == [
        (None, [(1, 2, True), (1, 4, True), (1, 5, True)]),
        ("一般", [(1, 4, True), (1, 5, True)]),
        ("有段者", [(1, 2, False)]),
    ]
    assert len(director.get(url)["lists"][2]["awards"]) == 2
    assert director.ask("GET", f"{url}?places=0").status_code == 422


def test_certificates_are_printed_of_each_award(
    scorekeeper: Client, tournament: Tournament
) -> None:
    sitting = cast.make_sitting(tournament)
    Entry.objects.update(division="一般")
    Entry.objects.filter(number__in=(1, 2)).update(division="有段者", team="りんご組")
    address = reverse("certificates", args=[tournament.slug])
    assert len(page_faults.text_of_pages(scorekeeper.get(address).content)) == 1  # to be filled in
    cast.record(sitting)
    assert len(page_faults.text_of_pages(scorekeeper.get(address).content)) == 1
    assert address not in scorekeeper.get(reverse("awards", args=[tournament.slug])).text
    sessions.end_session(sitting.session, stopping=[1], by=cast.SOMEBODY)
    page = scorekeeper.get(reverse("awards", args=[tournament.slug])).text
    assert address in [form.get("action") for form in forms_of(page)]
    pdf = cast.in_english(scorekeeper).get(f"{address}?places=4&by=津軽連盟").content
    assert page_faults.faults_of(pdf) == []
    texts = page_faults.text_of_pages(pdf)
    assert len(texts) == 6 + 6 + 1  # of all, of both classes and of the team
    assert all("津軽連盟" in text for text in texts)
    assert "Winner" in texts[0]
    assert "Place4" in texts[5]
    assert "一般Winner" in texts[6]
    assert "TeamsWinnerりんご組" in texts[-1]


def test_certificates_have_no_figures_in_japanese() -> None:
    held_on = [date(2026, 11, 28), date(2019, 5, 1), date(2019, 4, 30), date(1980, 1, 9)]
    assert [day_in_words(day) for day in held_on] == [
        "令和八年十一月二十八日",
        "令和元年五月一日",
        "平成三十一年四月三十日",
        "昭和五十五年一月九日",
    ]
    assert [place_in_words(rank) for rank in (1, 2, 3, 12, 100)] == [
        *("優勝", "準優勝", "第三位", "第十二位", "第百位")
    ]
