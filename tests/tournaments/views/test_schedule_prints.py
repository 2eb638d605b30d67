"""The planned seats on paper."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from tests import cast
from tests.cast import SOMEBODY
from tests.tournaments.printing import page_faults
from tournaments.models import Tournament
from tournaments.services import schedules, seating


@pytest.mark.parametrize("name", ["schedule-list", "schedule-cards"])
def test_every_seat_is_printed(scorekeeper: Client, tournament: Tournament, name: str) -> None:
    assert scorekeeper.get(reverse(name, args=[tournament.slug])).status_code == 404
    people = cast.make_entries(tournament, 13)
    facts = cast.drawn_facts(tournament, 1, sessions=3)
    schedules.store_schedule(tournament, 1, facts, seen_version=0, by=SOMEBODY)
    seating.open_session(tournament, [people[:6], people[7:]], by=SOMEBODY)  # not as planned
    pdf = scorekeeper.get(reverse(name, args=[tournament.slug])).content
    text = page_faults.text_of(pdf)
    for words in (*("".join(each.name.split()) for each in people), "第3回戦"):
        assert words in text
    assert page_faults.faults_of(pdf) == []
