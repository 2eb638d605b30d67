"""The page of the standings of teams."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from tests import cast
from tests.cast import SOMEBODY
from tournaments.models import Entry, Tournament
from tournaments.services import adjustments, ranking
from tournaments.services.publications import publish

pytestmark = pytest.mark.django_db


def make_event() -> Tournament:
    """Return a published event of a round: 2, 4 and 5 have a point, the others −1."""
    sitting = cast.make_sitting(cast.make_tournament(published=True))
    cast.record(sitting)
    Entry.objects.filter(number__in=(1, 2, 3)).update(team="青<b>")
    Entry.objects.filter(number__in=(4, 5)).update(team="赤")
    return sitting.session.tournament


def read(client: Client, tournament: Tournament, name: str = "teams") -> str:
    answer = cast.in_english(client).get(reverse(name, args=[tournament.slug]))
    assert answer.status_code == 200
    return answer.content.decode()


def test_teams_are_shown_with_who_counts(client: Client) -> None:
    tournament = make_event()
    page = read(client, tournament)
    assert "All members" in page
    assert "does not count" not in page
    chosen = {"teams": "best", "team_members": 1}
    ranking.set_ranking(tournament, chosen, seen_version=0, by=SOMEBODY)
    page = read(client, tournament)
    assert page.count("does not count") == 3
    assert page.count('<span class="tie">tied</span>') == 2
    assert "青&lt;b&gt;" in page


def test_teams_are_shown_on_the_wall(client: Client) -> None:
    tournament = make_event()
    page = client.get(reverse("teams", args=[tournament.slug]), {"wall": "1"})
    [table] = page.context["tables"]
    assert list(table.as_values())[1:] == [["1", "赤", 2], ["2", "青<b>", -1]]
    assert 'class="board-columns"' in page.text


def test_standings_lead_there_only_where_somebody_is_in_a_team(client: Client) -> None:
    tournament = make_event()
    link = f'href="{reverse("teams", args=[tournament.slug])}"'
    assert link in read(client, tournament, "standings")
    without = cast.make_tournament(published=True, name="別の大会")
    assert "/teams/" not in read(client, without, "standings")
    assert "Nobody is in a team." in read(client, without)


def test_published_teams_are_shown_until_the_next_publication(client: Client) -> None:
    tournament = make_event()
    publish(tournament, by=SOMEBODY)
    entry = tournament.entries.get(number=4)
    adjustments.adjust_points(tournament, 1, entry, -9, by=SOMEBODY, reason="遅刻")
    answer = client.get(reverse("teams", args=[tournament.slug]))
    assert answer.context["rows"][0].name == "赤"
    assert answer.context["rows"][0].place.points == 2
