"""Series over HTTP: set up, tournaments added, players linked, the season table read."""

from __future__ import annotations

import pytest

from tests import cast, series
from tests.api import Program, code, json_of, staff
from tournaments.models import Series

pytestmark = [pytest.mark.django_db, pytest.mark.alike]


def test_a_season_is_set_up_and_read() -> None:
    user = cast.make_creator("founder")
    spring, summer = (
        series.make_played("春の大会", 4, by=user),
        series.make_played("夏の大会", 7, series.SECOND, by=user),
    )
    founder, anybody = staff(user), Program()
    rules = {"counting": "places", "place_points": [6, 3, 1], "best": 1}
    body = {"name": "県シリーズ", "rules": rules, "tournament": spring.slug}
    made = json_of(founder.post("/api/series", body))
    address = f"/api/series/{made['slug']}"
    for each in (spring, summer):
        added = founder.put(f"/api/tournaments/{each.slug}/series/{made['slug']}", {})
        assert json_of(added)["is_in"]
    assert anybody.get(address)["tournaments"] == []
    assert [each["state"] for each in founder.get(address)["tournaments"]] == ["staff", "staff"]
    for each in (spring, summer):
        series.announce(each)
    proposed = founder.get(f"{address}/same-players")["proposals"]
    pairs = [{end: _named(each[end]) for end in ("first", "second")} for each in proposed]
    linked = founder.post(f"{address}/same-players", {"pairs": pairs})
    assert json_of(linked) == {"linked": 6}
    season = anybody.get(address)
    assert [each["state"] for each in season["tournaments"]] == ["final", "final"]
    first = season["rows"][0]
    assert (first["rank"], first["total"], len(first["results"])) == (1, 3.33, 2)
    assert [each["counts"] for each in first["results"]].count(True) == 1
    link = founder.get(f"{address}/same-players")["links"][0]["id"]
    assert founder.ask("DELETE", f"{address}/same-players/{link}").status_code == 200
    assert len(anybody.get(address)["rows"]) == 7
    gone = founder.ask("DELETE", f"/api/tournaments/{spring.slug}/series/{made['slug']}")
    assert not json_of(gone)["is_in"]
    assert len(anybody.get(address)["rows"]) == 6
    assert [each["slug"] for each in anybody.get("/api/series")["series"]] == [made["slug"]]


def _named(player: dict[str, object]) -> dict[str, object]:
    return {"tournament": player["tournament"], "player": player["player"]}


def test_what_is_wrong_is_refused_with_its_place() -> None:
    user = cast.make_creator("founder")
    played = series.make_played("春の大会", 4, by=user)
    founder, found = staff(user), series.make_series(played, owner=user)
    address = f"/api/series/{found.slug}"
    wrong = founder.post("/api/series", {"name": "県", "rules": {"place_points": [1, 2]}})
    assert code(wrong) == (422, "order")
    others = series.make_played("他の大会", 1)
    assert code(founder.post("/api/series", {"name": "県", "tournament": others.slug})) == (
        404,
        "not_found",
    )
    changed = {"name": "別の名前", "seen": 1}
    assert founder.put(address, changed).status_code == 200
    stale = founder.put(address, {"name": "また別の名前", "seen": 1})
    assert code(stale) == (409, "series_changed")
    same = [{"tournament": played.slug, "player": number} for number in (1, 2)]
    pair = {"first": same[0], "second": same[1]}
    together = founder.post(f"{address}/same-players", {"pairs": [pair]})
    assert code(together) == (409, "played_together")
    pair["second"] = {"tournament": "none", "player": 1}
    missing = founder.post(f"{address}/same-players", {"pairs": [pair]})
    assert code(missing) == (409, "not_in_series")
    last = founder.put(f"{address}/owners", {"username": "founder", "may_edit": False})
    assert code(last) == (409, "last_owner")
    nobody = founder.put(f"{address}/owners", {"username": "nobody", "may_edit": True})
    assert code(nobody) == (422, "no_account")
    stranger = staff(cast.make_creator("stranger"))
    assert stranger.put(address, changed).status_code == 404
    added = founder.put(f"{address}/owners", {"username": "stranger", "may_edit": True})
    assert json_of(added) == {"owners": ["founder", "stranger"]}
    assert stranger.put(address, changed).status_code == 200
    assert Series.objects.get().name == "別の名前"
