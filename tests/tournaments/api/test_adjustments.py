"""Points given and deducted, and decisions on ties, over HTTP."""

from __future__ import annotations

import pytest
from django.urls import reverse

from tests import cast
from tests.api import base, code, director_of, json_of

pytestmark = pytest.mark.django_db


def test_points_are_deducted_and_taken_back() -> None:
    sitting = cast.make_sitting()
    cast.record(sitting)
    tournament = sitting.session.tournament
    director, url = director_of(tournament), f"{base(tournament)}/adjustments"
    body = {"number": director.get(url)["next_number"], "player": 2, "points": -5, "reason": "遅刻"}
    for _ in range(2):
        assert json_of(director.post(url, body))["points"] == -5
    assert code(director.post(url, body | {"player": 3})) == (409, "number_taken")
    rows = director.get(f"{base(tournament)}/standings")["standings"]
    (line,) = next(row for row in rows if row["number"] == 2)["lines"]
    unset = {"session": None, "reason": None}
    assert line == {"item": "adjustment", "points": -5, "adjustment": 1, **unset}
    ended = json_of(director.ask("DELETE", f"{url}/1?reason=x"))
    assert ended["taken_back_at"] is not None
    assert code(director.ask("DELETE", f"{url}/2")) == (404, "not_found")


def test_points_and_reason_have_the_limits_of_the_page() -> None:
    tournament = cast.make_sitting().session.tournament
    director, url = director_of(tournament), f"{base(tournament)}/adjustments"
    page = reverse("adjustments", args=[tournament.slug])
    browser = cast.browser_of(cast.make_staff(tournament, "other", "director"))
    for number, (points, length, is_taken) in enumerate(
        [(1, 500, True), (9999, 1, True), (0, 1, False), (1, 501, False), (10_000, 1, False)], 1
    ):
        told = {"player": 2, "points": points, "reason": "x" * length}
        next_number = tournament.adjustments.count() + 1
        answer = director.post(url, told | {"number": next_number})
        assert (answer.status_code == 201) == is_taken, number
        typed = told | {"player": "2", "number": next_number + is_taken}
        assert (browser.post(page, typed).status_code == 302) == is_taken, number
    assert code(director.post(url, told | {"points": 0, "number": 5})) == (422, "no_points")
    assert tournament.adjustments.count() == 4


def test_points_are_deducted_from_a_team() -> None:
    tournament = cast.make_sitting().session.tournament
    tournament.entries.filter(number=2).update(team="青")
    director, url = director_of(tournament), f"{base(tournament)}/adjustments"
    body = {"number": 1, "team": "青", "points": -5, "reason": "遅刻"}
    for _ in range(2):
        made = json_of(director.post(url, body))
    assert (made["player"], made["team"]) == (None, "青")
    (team,) = director.get(f"{base(tournament)}/teams")["teams"]
    assert [(line["points"], line["adjustment"]) for line in team["lines"]] == [(-5, 1)]
    for wrong in ({"team": "赤"}, {"team": ""}, {"player": 2}):
        assert code(director.post(url, body | {"number": 2} | wrong)) == (422, "no_such_team")


def test_ties_are_decided() -> None:
    sitting = cast.make_sitting()
    cast.record(sitting)
    tournament = sitting.session.tournament
    director, url = director_of(tournament), f"{base(tournament)}/decisions"
    body = {"number": 1, "order": [5, 4, 2], "reason": "じゃんけん"}
    assert json_of(director.post(url, body))["order"] == [5, 4, 2]
    rows = director.get(f"{base(tournament)}/standings")["standings"]
    assert [(row["number"], row["separated_by"]) for row in rows][:3] == [
        (5, None),
        (4, "decision"),
        (2, "decision"),
    ]
    assert [row["separates"] for row in rows][:3] == ["decision", "decision", "points"]
    for order in ([5, 5], [5], [5, 10**30]):
        assert code(director.post(url, body | {"order": order})) == (422, "not_tied")
    for path, again in (("", body | {"order": [4, 2]}), ("/lot", {"tied": [4, 2]})):
        answer = director.post(url + path, again | {"number": 2})
        assert code(answer) == (409, "already_decided")
    assert json_of(director.ask("DELETE", f"{url}/1"))["taken_back_at"]
    assert director.get(url)["next_number"] == 2
    drawn = {"number": 2, "tied": [2, 4, 5]}
    first, again = (json_of(director.post(f"{url}/lot", drawn)) for _ in range(2))
    assert first == again
    rows = director.get(f"{base(tournament)}/standings")["standings"]
    assert [row["number"] for row in rows][:3] == first["order"]
    assert [row["separates"] for row in rows][:3] == ["lot", "lot", "points"]
    assert code(director.post(f"{url}/lot", drawn | {"tied": [2]})) == (422, "not_tied")
    assert code(director.post(f"{url}/lot", drawn | {"tied": [2, 4]})) == (409, "number_taken")
