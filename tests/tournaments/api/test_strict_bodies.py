"""No value of a request's body is converted to another type."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.test import Client
from django.urls import reverse
from pydantic import ValidationError

from tests import cast
from tests.api import json_of, staff
from tournaments.api.request_bodies import RequestBody
from tournaments.models import Tournament

NUMBERS = (2, 50, 2_000)


def bodies(parent: type[RequestBody] = RequestBody) -> Iterator[type[RequestBody]]:
    for body in parent.__subclasses__():
        yield body
        yield from bodies(body)


def takes(body: type[RequestBody], name: str, value: object) -> bool:
    """Return whether a field of a body accepts a value."""
    try:
        body.model_validate({name: value})
    except ValidationError as error:
        return all(each["loc"][:1] != (name,) for each in error.errors())
    return True


def test_no_number_is_taken_for_a_boolean_or_a_text_nor_the_other_way_round() -> None:
    assert len(list(bodies())) > 30
    for body in bodies():
        for name in body.model_fields:
            if takes(body, name, {"any": ["thing"]}):
                continue  # read by `scoring`
            if any(takes(body, name, number) for number in NUMBERS):
                assert not takes(body, name, True), (body, name)
                assert not takes(body, name, "1"), (body, name)
            elif takes(body, name, True):
                assert not takes(body, name, "true"), (body, name)


YEARS = ["0001-01-01", "1899-12-31", "3000-01-01", "9999-12-31"]


@pytest.mark.django_db
@pytest.mark.parametrize("day", YEARS)
def test_day_of_another_age_is_refused_by_program_and_page(day: str) -> None:
    body = {"name": "新春大会", "rule_set": "goninkan-association", "held_on": day}
    founder = cast.make_creator("founder")
    refused = staff(founder).post("/api/tournaments", body)
    assert refused.status_code == 422
    [problem] = json_of(refused)["errors"]
    assert (problem["at"], problem["code"]) == ("held_on", "year")
    assert "1900 to 2999" in problem["message"]
    browser: Client = cast.in_english(cast.browser_of(founder))
    url = reverse("create-tournament", args=["goninkan-association"])
    answer = browser.post(url, body)
    assert "1900 to 2999" in answer.content.decode()
    assert not Tournament.objects.exists()
