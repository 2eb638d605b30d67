"""Adding a tournament to a series, and taking it out."""

import pytest
from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.test import Client
from django.urls import reverse

from tests import series
from tournaments import verification
from tournaments.audit import guards
from tournaments.models import Publication, Series, Tournament
from tournaments.queries.season import season_of

pytestmark = pytest.mark.django_db


def test_a_director_who_edits_the_series_adds_and_takes_out(
    director: Client, tournament: Tournament
) -> None:
    found = series.make_series(owner=User.objects.get(username="director"))
    address = reverse("tournament-series", args=[tournament.slug])
    assert list(director.get(address).context["others"]) == [found]
    for _again in range(2):
        answer = director.post(address, {"series": found.slug, "do": "add"})
    assert answer.headers["Location"] == found.get_absolute_url()
    assert list(found.tournaments.all()) == [tournament]
    assert director.get(address).context["in_series"] == [(found, True)]
    director.post(address, {"series": found.slug, "do": "remove"})
    assert not found.tournaments.exists()
    kinds = tournament.audit_entries.order_by("number").values_list("kind", flat=True)
    assert list(kinds)[-2:] == ["series_joined", "series_left"]
    changes = found.changes.values_list("who", "kind")
    assert list(changes)[-2:] == [("director", "event_added"), ("director", "event_removed")]
    faults = verification.verify(Tournament.objects.get(pk=tournament.pk))
    assert not [fault for fault in faults if fault.what.startswith("series")]


def test_a_director_cannot_add_to_the_series_of_others(
    director: Client, tournament: Tournament
) -> None:
    found = series.make_series()
    address = reverse("tournament-series", args=[tournament.slug])
    assert not director.get(address).context["others"]
    assert director.post(address, {"series": found.slug, "do": "add"}).status_code == 404
    assert not found.tournaments.exists()


def test_who_edits_the_series_cannot_add_tournaments_of_others(
    stranger: Client, tournament: Tournament
) -> None:
    found = series.make_series(owner=User.objects.get(username="stranger"))
    address = reverse("tournament-series", args=[tournament.slug])
    assert stranger.post(address, {"series": found.slug, "do": "add"}).status_code == 404
    assert not Series.objects.get().tournaments.exists()
    page = stranger.get(reverse("edit-series", args=[found.slug]))
    assert page.context["addable"] == []


def test_an_unreadable_publication_has_no_results() -> None:
    event = series.make_played("春の大会", 4)
    series.announce(event)
    content = event.publications.get().content | {"standings": [{}]}
    guards.lift_guards()
    QuerySet(Publication).filter(tournament=event).update(content=content)
    guards.set_guards()
    [told] = season_of(series.make_series(event), ()).events
    assert (told.name, [*told.results]) == ("?", [])
