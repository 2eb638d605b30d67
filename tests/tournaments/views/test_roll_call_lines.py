"""The lines of the roll call as HTML."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from tests import cast
from tournaments.models import Tournament
from tournaments.queries.presence import Status, roll_call
from tournaments.services import closing
from tournaments.views.roll_call_lines import AWAY, html_of, lines_of

pytestmark = pytest.mark.django_db


def html(tournament: Tournament) -> str:
    return html_of(lines_of(roll_call(tournament, 1), "", ""), tournament, 1)


def test_names_stay_text_and_each_line_has_a_button_for_every_mark() -> None:
    tournament = cast.make_tournament()
    cast.make_entries(tournament, 2, name="<i>髙橋</i>")
    shown = html(tournament)
    assert "<i>" not in shown
    assert "&lt;i&gt;髙橋" in shown
    labels = [str(each.label) for each in (Status.PRESENT, *AWAY)]
    assert all(len(re.findall(f"<button[^>]*>[^<]*{each}", shown)) == 2 for each in labels)


def test_buttons_of_a_closed_event_are_disabled() -> None:
    tournament = cast.make_tournament()
    cast.make_entries(tournament, 1)
    assert html(tournament).count("disabled") == 1  # nothing to undo
    closing.close(tournament, by=cast.SOMEBODY)
    tournament.refresh_from_db()
    shown = html(tournament)
    assert shown.count("disabled") == shown.count("<button")


def test_only_players_who_are_away_are_led_to_a_substitute(client: Client) -> None:
    tournament = cast.make_tournament()
    cast.make_entries(tournament, 1)
    address = reverse("roll-call", args=[tournament.slug, 1])
    assert f"{address}1/substitute/" not in html(tournament)
