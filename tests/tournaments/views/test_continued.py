"""What the desk looks at after the tournament goes on from a standby copy."""

from __future__ import annotations

from django.test import Client
from django.urls import reverse

from tests import cast
from tournaments.audit import Actor
from tournaments.models import Epoch, Tournament
from tournaments.services import epochs


def test_page_lists_the_desks_last_acts_and_tables_that_sent(
    scorekeeper: Client, tournament: Tournament
) -> None:
    here = cast.make_sitting(tournament)
    address = reverse("continued", args=[tournament.slug])
    board = reverse("board", args=[tournament.slug])
    browser = cast.in_english(scorekeeper)
    assert browser.get(address).status_code == 404
    assert address not in browser.get(board).text
    epochs.begin(Epoch.Reason.CONTINUED)
    assert address in browser.get(board).text
    page = browser.get(address).text
    assert "anything later is missing from it" in page
    assert "nothing sent since" in page
    assert "Seats assigned" in page
    cast.record(here, by=Actor(None, "table #1"))
    assert "sent since 1" in " ".join(browser.get(address).text.split())
