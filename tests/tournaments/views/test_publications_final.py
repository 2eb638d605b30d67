"""The last publication of a closed event is called 確定成績, all others 第N報."""

from __future__ import annotations

from io import BytesIO

import openpyxl
import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from tests import cast
from tournaments.models import Sitting, Tournament
from tournaments.services import closing
from tournaments.services.publications import publish


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


@pytest.mark.both
@pytest.mark.django_db
def test_naming_publications_takes_one_query(
    announced: Tournament, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    closing.close(announced, by=cast.SOMEBODY)
    with django_assert_num_queries(1):
        assert [each.is_final for each in announced.publications.with_final()] == [False, True]
