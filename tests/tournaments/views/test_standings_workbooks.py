"""The workbook of the standings: who may download it."""

import pytest
from django.test import Client

from tests import api
from tests.cast import (
    browser_of,
    make_sitting,
    make_staff,
    make_user,
)

pytestmark = pytest.mark.django_db


def test_workbook_is_read_with_a_token_and_its_rights() -> None:
    """With a token cookies are ignored, as by operations of the API."""
    sitting = make_sitting()
    tournament = sitting.session.tournament
    url = f"/tournaments/{tournament.slug}/standings.xlsx"
    keeper, stranger = make_staff(tournament, "keeper"), make_user("stranger")
    with_tokens = (
        *((api.staff(keeper), 200), (api.phone(sitting), 200)),
        *((api.staff(stranger), 404), (api.Program("unknown"), 401)),
    )
    for program, status in with_tokens:
        for cookies in (keeper, None):
            program.client = browser_of(cookies) if cookies else Client()
            answer = program.send("GET", url)
            assert answer.status_code == status, (program, cookies)
            assert "no-store" in answer["Cache-Control"]
    assert api.code(answer) == (401, "token_unknown")
    basic = Client().get(url, headers={"Authorization": "Basic a2VlcGVyOng="})
    assert (basic.status_code, basic.json()["code"]) == (401, "token_unknown")
