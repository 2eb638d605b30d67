"""The last publication of a closed event is called 確定成績 if it has all play, others 第N報."""

from __future__ import annotations

import re
from io import BytesIO

import openpyxl
import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from tests import cast
from tournaments.models import Sitting, Tournament
from tournaments.services import closing, seating, sessions
from tournaments.services.publications import publish, show_live


@pytest.fixture
def announced(tournament: Tournament) -> Tournament:
    """An event whose results were announced twice."""
    cast.record(cast.make_sitting(tournament))
    for _ in range(2):
        publish(tournament, by=cast.SOMEBODY)
    tournament.refresh_from_db()
    return tournament


def pages(tournament: Tournament) -> list[str]:
    session = tournament.sessions.get()
    sitting = Sitting.objects.get(session=session)
    return [
        reverse("standings", args=[tournament.slug]),
        reverse("standings", args=[tournament.slug]) + "?wall=1",
        session.get_absolute_url(),
        sitting.get_absolute_url(),
    ]


def left_unfinished() -> Tournament:
    """An event with tables that have finished, are within a round, have played 1 of 2, or none."""
    tournament = cast.make_tournament(rounds_per_session=2)
    finished, amid, short, _none = cast.make_session(tournament, tables=4).sittings.all()
    for table, number in ((finished, 1), (finished, 2), (short, 1)):
        cast.record(table, number=number)
    won = [{"kankei": 9, "mukankei": 5}]  # so that a second deal follows
    cast.record(amid, cast.plain_round(amid) | {"deals": won})
    return tournament


@pytest.mark.django_db
@pytest.mark.parametrize("is_published", [True, False])
def test_nothing_is_under_way_in_a_closed_event(client: Client, *, is_published: bool) -> None:
    tournament = left_unfinished()
    director = cast.browser_of(cast.make_staff(tournament, "director", "director"))
    if is_published:
        publish(tournament, by=cast.SOMEBODY)
    else:
        show_live(tournament, by=cast.SOMEBODY)
    slug, session = tournament.slug, tournament.sessions.get()
    everybody = [
        reverse(name, args=[slug]) for name in ("tournament", "standings", "awards", "seats")
    ]
    everybody += [f"{reverse('standings', args=[slug])}?wall=1", reverse("home")]
    everybody += [sitting.get_absolute_url() for sitting in session.sittings.all()]
    everybody += [reverse("player", args=[slug, number]) for number in (1, 7, 13, 19)]
    everybody += [session.get_absolute_url()]
    staff = [reverse(name, args=[slug]) for name in ("board", "close")]

    def said() -> set[str]:
        """Return the words for play under way that any page contains."""
        shown = [(client, page) for page in everybody] + [
            (director, page) for page in [*everybody, *staff]
        ]
        words = ("進行中", "開始前", "途中経過", "まだ終わって", "is-playing", "is-waiting")
        texts = [reader.get(page).text for reader, page in shown]
        return {word for word in words for text in texts if word in text}

    assert {"進行中", "開始前", "is-playing", "is-waiting"} <= said()
    closing.close(tournament, by=cast.SOMEBODY)
    assert said() == set()
    states = [sheet.state for sheet in client.get(session.get_absolute_url()).context["sheets"]]
    assert states == ["done", "stopped", "stopped", "unplayed"]
    closing.reopen(tournament, by=cast.SOMEBODY)
    assert "is-playing" in client.get(session.get_absolute_url()).text


def named_in_workbook(client: Client, tournament: Tournament) -> str:
    answer = client.get(reverse("standings-workbook", args=[tournament.slug]))
    book = openpyxl.load_workbook(BytesIO(answer.content))
    cells = [str(cell) for sheet in book for row in sheet.values for cell in row]
    return " ".join([*cells, *(str(sheet.oddFooter) for sheet in book)])


@pytest.mark.django_db
def test_last_publication_is_final_once_the_event_is_closed(
    client: Client, announced: Tournament
) -> None:
    for page in pages(announced):
        assert "第2報" in client.get(page).text
    assert "第2報" in named_in_workbook(client, announced)
    closing.close(announced, by=cast.SOMEBODY)
    for page in pages(announced):
        told = client.get(page).text
        assert "確定成績" in told
        assert "第2報" not in told
    told = named_in_workbook(client, announced)
    assert "確定成績" in told
    assert "第2報" not in told


@pytest.mark.both
@pytest.mark.django_db
@pytest.mark.parametrize("played", ["second session", "rest of the first"])
def test_publication_that_lacks_play_is_not_final(
    client: Client, director: Client, announced: Tournament, played: str
) -> None:
    slug, shown = announced.slug, pages(announced)
    close, awards = (reverse(name, args=[slug]) for name in ("close", "awards"))
    [table] = Sitting.objects.all()
    assert "先に発表する" not in director.get(close).text
    if played == "second session":
        sessions.end_session(table.session, stopping=[1], by=cast.SOMEBODY)
        publish(announced, by=cast.SOMEBODY)
        seated = [list(announced.entries.all())]
        table = seating.open_session(announced, seated, by=cast.SOMEBODY).sittings.get()
        last, lacking, interim = "第3報", "第2回戦", "第1回戦までの成績です。"
    else:
        last, lacking, interim = "第2報", "第1回戦", "第1回戦は途中までの成績です。"
    cast.record(table, number=2 if table.session.number == 1 else 1)
    sessions.end_session(table.session, stopping=[1], by=cast.SOMEBODY)
    before = director.get(close).text
    assert re.search(f"{lacking}</a>：\\s+まだ発表していない結果があります", before)
    assert "先に発表する" in before
    closing.close(announced, by=cast.SOMEBODY)
    assert f"{lacking}に、まだ発表していない結果があります。" in director.get(close).text
    for page in shown:
        told = client.get(page).text
        assert (last in told, "確定成績" in told) == (True, False), page
    assert client.get(awards).context["interim"] == f"途中経過です。{interim}"
    assert "確定成績" not in director.get(reverse("history", args=[slug])).text
    publish(announced, by=cast.SOMEBODY)
    cast.record(table, number=table.rounds.count(), seen=1, reason="写しまちがい")  # no more play
    assert all("確定成績" in client.get(page).text for page in shown)
    assert client.get(awards).context["interim"] == ""
    assert "まだ発表していない結果" not in director.get(close).text


@pytest.mark.django_db
def test_all_sessions_are_named_that_a_publication_has_in_part(
    client: Client, director: Client, announced: Tournament
) -> None:
    """A sheet of the first session is missing while the second is played."""
    seated = [list(announced.entries.all())]
    table = seating.open_session(announced, seated, by=cast.SOMEBODY).sittings.get()
    cast.record(table)
    awards = reverse("awards", args=[announced.slug])
    not_over = "途中経過です。第1回戦 · 第2回戦がまだ終わっていません。"
    assert director.get(awards).context["interim"] == not_over
    publish(announced, by=cast.SOMEBODY)
    in_part = "途中経過です。第1回戦 · 第2回戦は途中までの成績です。"
    assert client.get(awards).context["interim"] == in_part


@pytest.mark.django_db
@pytest.mark.parametrize("is_closed", [True, False])
def test_table_published_in_mid_session_has_not_ended_early(
    client: Client, *, is_closed: bool
) -> None:
    tournament = cast.make_tournament(rounds_per_session=2)
    begun, _later = tables = list(cast.make_session(tournament, tables=2).sittings.all())
    cast.record(begun)
    publish(tournament, by=cast.SOMEBODY)
    for table in tables:
        for number in range(table.rounds.count() + 1, 3):
            cast.record(table, number=number)
    if is_closed:
        closing.close(tournament, by=cast.SOMEBODY)
    part = "第1回戦は途中までの成績です。"
    address = tournament.sessions.get().get_absolute_url()
    at_tables = [table.get_absolute_url() for table in tables]
    told = client.get(address).text
    assert part in told
    assert not re.search("途中で終了|実施せず", told)
    assert [word in told for word in ("進行中", "開始前")] == [not is_closed] * 2
    assert [word in told for word in ("一部だけ発表", "未発表")] == [is_closed] * 2
    assert all(part in client.get(page).text for page in at_tables)
    publish(tournament, by=cast.SOMEBODY)
    assert not any(part in client.get(page).text for page in (address, *at_tables))


@pytest.mark.both
@pytest.mark.django_db
def test_reopened_event_has_no_final_results(client: Client, announced: Tournament) -> None:
    closing.close(announced, by=cast.SOMEBODY)
    assert "確定成績" in client.get(pages(announced)[0]).text
    closing.reopen(announced, by=cast.SOMEBODY)
    assert "第2報" in client.get(pages(announced)[0]).text


@pytest.mark.django_db
def test_earlier_publications_of_a_closed_event_keep_their_number(
    director: Client, announced: Tournament
) -> None:
    closing.close(announced, by=cast.SOMEBODY)
    address = reverse("standings", args=[announced.slug])
    assert "確定成績" in director.get(address, {"publication": "2"}).text
    publish = reverse("publish", args=[announced.slug])
    answer = director.post(publish, {"showing": "published"}, follow=True)
    assert "確定成績として発表しました" in answer.text
    assert [each.is_final for each in answer.context["publications"]] == [True, False, False]
    assert "第2報" in director.get(address, {"publication": "2"}).text
    assert "確定成績" in director.get(address, {"publication": "3"}).text
    history = reverse("history", args=[announced.slug])
    told = director.get(history, {"kind": "published"}).text
    assert [told.count(name) for name in ("確定成績", "第2報", "第3報")] == [1, 1, 0]


@pytest.mark.both
@pytest.mark.django_db
def test_naming_publications_takes_one_query(
    announced: Tournament, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    closing.close(announced, by=cast.SOMEBODY)
    with django_assert_num_queries(1):
        assert [each.is_final for each in announced.publications.with_final()] == [False, True]
