"""Name cards, and where the codes on them lead."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from django.test import Client
from django.urls import reverse

from tests import cast, stages
from tests.tournaments.printing import scanner
from tournaments.models import Tournament
from tournaments.services import closing

pytestmark = pytest.mark.both


@pytest.fixture
def address(tournament: Tournament) -> str:
    """The address in the code of the third of twelve players."""
    cast.make_entries(tournament, 12)
    return reverse("name-card", args=[tournament.slug, 3])


def test_code_opens_the_roll_call_for_the_staff(
    scorekeeper: Client, tournament: Tournament, address: str
) -> None:
    answer = scorekeeper.get(address)
    assert answer["Location"].endswith("/sessions/1/roll-call/?q=3#p3")
    lines = scorekeeper.get(answer["Location"]).context["lines"]
    assert [line.entry.number for line in lines if line.is_listed] == [3]


def test_code_of_who_is_not_in_the_final_opens_the_players_page(
    scorekeeper: Client, tournament: Tournament
) -> None:
    cast.record(cast.make_sitting(tournament))
    stages.make_confirmed(tournament, stages.plan(stages.WINNERS))
    leads = [
        scorekeeper.get(reverse("name-card", args=[tournament.slug, number]))["Location"]
        for number in (2, 3)
    ]
    assert leads[0].endswith("/sessions/2/roll-call/?q=2#p2")
    assert leads[1] == reverse("player", args=[tournament.slug, 3])


def test_code_opens_the_players_page_for_others(
    client: Client, scorekeeper: Client, tournament: Tournament, address: str
) -> None:
    player = reverse("player", args=[tournament.slug, 3])
    assert client.get(address).status_code == 404  # not published
    Tournament.objects.filter(pk=tournament.pk).update(showing=Tournament.Showing.LIVE)
    assert client.get(address)["Location"] == player
    closing.close(tournament, by=cast.SOMEBODY)
    assert scorekeeper.get(address)["Location"] == player


def test_code_of_nobody_is_not_found(scorekeeper: Client, tournament: Tournament) -> None:
    page = reverse("name-card", args=[tournament.slug, 99])
    assert scorekeeper.get(page).status_code == 404


def test_every_player_has_a_card_with_a_code(
    scorekeeper: Client, tournament: Tournament, address: str
) -> None:
    pdf = scorekeeper.get(reverse("name-cards", args=[tournament.slug]))
    assert pdf["Content-Type"] == "application/pdf"
    assert {urlsplit(code).path for code in scanner.scanned(pdf.content)} == {
        reverse("name-card", args=[tournament.slug, number]) for number in range(1, 11)
    }


def test_one_card_is_printed_again(
    scorekeeper: Client, tournament: Tournament, address: str
) -> None:
    url = reverse("name-cards", args=[tournament.slug])
    assert scorekeeper.get(url, {"number": "3"}).status_code == 200
    assert scorekeeper.get(url, {"number": "99"}).status_code == 404
