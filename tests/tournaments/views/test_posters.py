"""Posters to print: what they say, and where their codes lead."""

import pytest
from django.test import Client
from django.urls import reverse

from tests import cast
from tests.tournaments.printing import page_faults
from tests.tournaments.printing.scanner import scanned
from tournaments.models import Tournament
from tournaments.queries.registrations import code_of


@pytest.mark.alike
def test_poster_leads_applicants_to_their_page(scorekeeper: Client, tournament: Tournament) -> None:
    address = reverse("registration-poster", args=[tournament.slug])
    assert scorekeeper.get(address).status_code == 404  # nobody has chosen anything yet
    cast.open_registration(tournament, text="参加費 千円")
    pdf = scorekeeper.get(address).content
    text = page_faults.text_of(pdf)
    page = reverse("register", args=[tournament.slug])
    for words in ("".join(tournament.name.split()), "参加費千円", page):
        assert words in text
    [code] = scanned(pdf)
    assert code.endswith(f"{page}?code={code_of(tournament)}")
